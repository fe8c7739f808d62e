# The only entry points. `make test` needs Rust and, for real data, ALLPATHS_DATA (default ../shared).

export ALLPATHS_DATA ?= $(abspath ../shared)
VENV := bench/.venv

.PHONY: test test-rust test-peers test-fuzz check lint bench bench-instructions bench-peers fuzz doc

test: test-rust test-peers test-fuzz ## every test, all it needs set up

test-rust: ## unit, suite, property, real data, transcript and documentation tests, and those of the library without features
	cargo test --workspace --all-features
	cargo test -p allpaths --lib --no-default-features

test-peers: $(VENV)/tests ## what we write is what NumPy, SciPy and networkx read, and the other way round; our machines are scikit-learn's
	cargo test --workspace --all-features --no-run
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/npz.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/features.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/svm.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/formats.py --convert "target/debug/allpaths convert {input} -o {output}"

test-fuzz: ## a few seconds of fuzzing for each reader
	fuzz/run.sh 3

check: lint test ## what continuous integration runs

lint: ## format, clippy and docs with warnings as errors, licences of dependencies
	cargo fmt --check
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc -p allpaths --no-deps --all-features
	python3 bench/licences.py

bench: bench-instructions ## our own numbers: criterion, then instructions by callgrind
	cargo bench --workspace

bench-instructions: ## instructions a step and peak memory
	cargo build --release
	bench/instructions.sh

bench-peers: $(VENV)/peers ## ours beside igraph, rustworkx and networkx, then beside RDKit and graphkit-learn, each in one run
	cargo build --release
	$(VENV)/bin/python bench/peers/count.py
	$(VENV)/bin/python bench/peers/embed.py

fuzz: ## six minutes of fuzzing for each reader
	fuzz/run.sh 360

doc: ## the library's documentation
	cargo doc -p allpaths --no-deps --all-features

$(VENV)/tests: crates/allpaths-cli/tests/peers/requirements.txt
$(VENV)/peers: bench/peers/requirements.txt

# A virtual environment, and in it what a list of requirements names.
$(VENV)/%:
	test -x $(VENV)/bin/pip || python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q -r $<
	touch $@
