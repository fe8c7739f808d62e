"""Molecules from SMILES, and the most similar graphs of a library."""

import numpy as np
import pytest
from rdkit import Chem

import allpaths as ap

SMILES = ["CC(=O)Oc1ccccc1C(=O)O", "C1=CC=C(C=C1)C(=O)O", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "CN1CCC[C@H]1c1cccnc1", "C[N+](C)(C)CC([O-])=O"]


def test_molecules_are_those_of_rdkit():
    ours = ap.from_smiles(SMILES, labels="element")
    theirs = [ap.as_graph(Chem.MolFromSmiles(smiles)) for smiles in SMILES]
    settings = {"max_length": 7, "edge_labels": True}
    features = ap.AllPathsCycles(**settings).fit(theirs)
    assert (features.transform(ours) != features.transform(theirs)).nnz == 0
    assert set(ap.AllPathsCycles(**settings).fit(ours).get_feature_names_out()) == set(features.get_feature_names_out())


def test_one_and_many():
    assert ap.from_smiles("CCO").order == 3
    assert [graph.order for graph in ap.from_smiles(iter(["C", "CC"]))] == [1, 2]
    assert ap.from_smiles([]) == []
    assert ap.from_smiles("C", hydrogens="explicit").order == 5
    assert ap.from_smiles("Cc1cc[nH]c1").vertex_labels == ["CH3", "c", "cH", "cH", "nH", "cH"]
    assert ap.from_smiles("[NH4+]", labels="element,charge").vertex_labels == ["N+"]


def test_faults():
    with pytest.raises(ValueError, match=r"smiles:2: expected \) to end the branch, found the end, at character 2"):
        ap.from_smiles(["CC", "C("])
    with pytest.warns(UserWarning, match="line 2 is a graph without vertices"):
        assert [graph.order for graph in ap.from_smiles(["CC", "C(", "C"], on_error="empty")] == [2, 0, 1]
    with pytest.warns(UserWarning, match="left out line 2"):
        assert [graph.order for graph in ap.from_smiles(["CC", "C(", "C"], on_error="skip")] == [2, 1]
    with pytest.raises(ValueError, match="expected atom, or element"):
        ap.from_smiles("C", labels="colour")
    with pytest.raises(ValueError, match="SMILES 1 must be one line"):
        ap.from_smiles(["C", " "])
    with pytest.raises(TypeError, match="SMILES 0 must be a text"):
        ap.from_smiles([None])


@pytest.mark.parametrize("measure", ["minmax", "intersection", "cosine"])
def test_similar_is_what_a_scan_finds(measure):
    library = ap.from_smiles(SMILES * 2)
    counts = ap.AllPathsCycles(max_length=4).fit_transform(library).toarray().astype(float)
    found = ap.similar(library, library, top=4, measure=measure, max_length=4)
    for row, (places, scores) in zip(counts, found, strict=True):
        common = np.minimum(counts, row).sum(1)
        expected = {
            "minmax": common / np.maximum(counts, row).sum(1),
            "intersection": common,
            "cosine": counts @ row / np.linalg.norm(counts, axis=1) / np.linalg.norm(row),
        }[measure]
        assert np.allclose(scores, expected[places])
        assert np.allclose(np.sort(scores)[::-1], np.sort(expected)[::-1][:4])
        assert places.dtype == np.int64


def test_similar_checks_its_parameters():
    with pytest.raises(ValueError, match="measure must be one of"):
        ap.similar([], [], measure="tanimoto")
    with pytest.raises(ValueError, match="top must be at least 0"):
        ap.similar([], [], top=-1)
    assert ap.similar([], [], top=3) == []
