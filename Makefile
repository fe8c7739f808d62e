# The only entry points. `make test` needs Rust and, for real data, ALLPATHS_DATA (default ../shared).

export ALLPATHS_DATA ?= $(abspath ../shared)
VENV := bench/.venv

.PHONY: test check lint bench bench-instructions bench-peers peers-test doc

test: ## every test, all it needs set up
	cargo test --workspace

check: lint test ## what continuous integration runs

lint: ## format, clippy and docs with warnings as errors, licences of dependencies
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps
	python3 bench/licences.py

bench: bench-instructions ## our own numbers: criterion, then instructions by callgrind
	cargo bench --workspace

bench-instructions: ## instructions a step and peak memory
	cargo build --release
	bench/instructions.sh

bench-peers: ## ours beside igraph, rustworkx and networkx, in one run
	test -d $(VENV) || python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q -r bench/peers/requirements.txt
	cargo build --release
	$(VENV)/bin/python bench/peers/count.py

peers-test: ## what we write is what NumPy and SciPy read
	test -d $(VENV) || python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q -r crates/allpaths-cli/tests/peers/requirements.txt
	cargo build
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/npz.py

doc: ## the library's documentation
	cargo doc --workspace --no-deps
