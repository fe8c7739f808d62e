# The only entry points. `make test` needs Rust and, for real data, ALLPATHS_DATA (default ../shared).

export ALLPATHS_DATA ?= $(abspath ../shared)
VENV := bench/.venv
PYTHON := python/.venv
SPARK := python/.venv-spark
WHEEL := --profile release

.PHONY: test test-long test-rust test-python test-spark test-peers test-fuzz wheel check lint bench bench-instructions bench-engines bench-instances calibrate bench-peers bench-python fuzz doc

test: test-rust test-python test-peers test-fuzz ## every test, all it needs set up

test-long: ## every instance of the path-counting competition whose answer is known: minutes
	cargo test --release -p allpaths --test real_data -- --ignored

test-rust: ## unit, suite, property, real data, transcript and documentation tests
	cargo test --workspace --all-features

test-python: WHEEL := --profile dev --features as-tested # from what tests of Rust have built
test-python: wheel ## the Python package, as it is installed from its wheel
	$(PYTHON)/bin/pip install -q --force-reinstall --no-deps target/wheels/allpaths-*.whl
	$(PYTHON)/bin/ruff check python
	$(PYTHON)/bin/ruff format --check python
	cargo test --workspace --all-features --no-run
	cd python/tests && ALLPATHS_PROGRAM=$(abspath target/debug/allpaths) ../.venv/bin/pytest -q --doctest-modules --doctest-ignore-import-errors --pyargs . allpaths

test-spark: WHEEL := --profile dev --features as-tested
test-spark: wheel $(SPARK)/spark ## features on a cluster of two processes; takes a few minutes, most of them to set up
	command -v java > /dev/null || apt-get install -y openjdk-17-jre-headless
	$(SPARK)/bin/pip install -q --force-reinstall --no-deps target/wheels/allpaths-*.whl
	cd python/tests-spark && ../.venv-spark/bin/pytest -q -W ignore .

wheel: $(PYTHON)/tests ## the Python package as one wheel for this platform, in target/wheels
	rm -rf target/wheels
	$(PYTHON)/bin/maturin build -q $(WHEEL) --manifest-path python/Cargo.toml --out target/wheels

test-peers: $(VENV)/tests ## what we write is what NumPy, SciPy and networkx read, and the other way round; kernels are those of GraKeL, machines those of scikit-learn, and molecules those of RDKit; a browser shows the report and what decides
	cargo test --workspace --all-features --no-run
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/npz.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/features.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/kernels.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/svm.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/comparators.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/report.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/explain.py
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/molecules.py --program target/debug/allpaths
	$(VENV)/bin/python crates/allpaths-cli/tests/peers/formats.py --convert "target/debug/allpaths convert {input} -o {output}"

test-fuzz: ## a few seconds of fuzzing for each reader
	fuzz/run.sh 3

check: lint test ## what continuous integration runs

lint: ## format, clippy and docs with warnings as errors, licences of dependencies
	cargo fmt --check
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	cargo clippy -p allpaths -- -D warnings # without features
	RUSTDOCFLAGS="-D warnings" cargo doc -p allpaths --no-deps --all-features
	python3 bench/licences.py

bench: bench-instructions ## our own numbers: criterion, then instructions by callgrind
	cargo bench --workspace

bench-instructions: ## instructions a step and peak memory
	cargo build --release
	bench/instructions.sh

bench-engines: ## what engines take where paths are many, and whether the right one is chosen
	cargo bench -p allpaths --bench engines -- numbers choices

bench-instances: ## how many instances of the path-counting competition are right within a second, a minute, 200 seconds
	cargo bench -p allpaths --bench engines -- instances

calibrate: ## the constants by which engines are chosen (costs in crates/allpaths/src/count/auto.rs)
	cargo bench -p allpaths --bench engines -- calibrate

bench-peers: $(VENV)/peers ## ours beside igraph, rustworkx and networkx, beside RDKit and graphkit-learn, and beside GraKeL with and without scikit-learn, each in one run
	cargo build --release
	$(VENV)/bin/python bench/peers/count.py
	$(VENV)/bin/python bench/peers/embed.py
	$(VENV)/bin/python bench/peers/molecules.py
	$(VENV)/bin/python bench/peers/blood_brain.py
	$(VENV)/bin/python bench/peers/kernels.py
	$(VENV)/bin/python bench/peers/evaluate.py

bench-python: wheel ## the Python package beside GraKeL and beside the program, each in one run
	cargo build --release
	$(PYTHON)/bin/pip install -q --force-reinstall --no-deps target/wheels/allpaths-*.whl
	$(PYTHON)/bin/python bench/peers/python.py

fuzz: ## six minutes of fuzzing for each reader
	fuzz/run.sh 360

doc: ## the library's documentation
	cargo doc -p allpaths --no-deps --all-features

$(VENV)/tests: crates/allpaths-cli/tests/peers/requirements.txt
$(VENV)/peers: bench/peers/requirements.txt

$(PYTHON)/tests: python/tests/requirements.txt
$(SPARK)/spark: python/tests-spark/requirements.txt

# A virtual environment, and in it what a list of requirements names.
define install
	test -x $(@D)/bin/pip || python3 -m venv $(@D)
	$(@D)/bin/pip install -q -r $<
	touch $@
endef
$(VENV)/%:
	$(install)
$(PYTHON)/%:
	$(install)
$(SPARK)/%:
	$(install)
