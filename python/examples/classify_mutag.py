"""Classify the molecules of MUTAG by their paths and cycles, with a support vector machine in a pipeline."""

import os
from pathlib import Path

from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import allpaths as ap

data = ap.datasets.load_tu(Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets" / "MUTAG")
model = make_pipeline(ap.AllPathsCyclesKernel(max_length=5), SVC(kernel="precomputed"))
# The settings are chosen inside each training fold.
chosen = GridSearchCV(model, {"svc__C": [1, 10, 100]}, cv=5)
folds = StratifiedKFold(10, shuffle=True, random_state=1)
scores = cross_val_score(chosen, data.graphs, data.y, cv=folds)
print(f"{data.name}: {len(data.graphs)} graphs, accuracy {scores.mean():.3f} +- {scores.std():.3f}")
