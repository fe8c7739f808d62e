"""Which paths and cycles speak for mutagenic molecules, and which against: the weights of a linear model, by name."""

import os
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

import allpaths as ap

data = ap.datasets.load_tu(Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets" / "MUTAG")
model = make_pipeline(ap.AllPathsCycles(max_length=6), MaxAbsScaler(), LogisticRegression(max_iter=1000))
model.fit(data.graphs, data.y)

names = model[0].get_feature_names_out()
weights = model[-1].coef_[0]
order = np.argsort(weights)
print("for")
for column in order[:-6:-1]:
    print(f"  {weights[column]:+.2f}  {names[column]}")
print("against")
for column in order[:5]:
    print(f"  {weights[column]:+.2f}  {names[column]}")
