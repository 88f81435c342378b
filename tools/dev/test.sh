# shellcheck shell=bash disable=SC2154  # common.sh sets jobs, results and root
# Running tests and counting them. Sourced by ./dev.
#
# Every part leaves its results under build/test; tools/tally.py adds them up. The parts:
#   ctest/    one JUnit file of ctest, which tells how each program ended
#   gtest/    one XML file per GoogleTest program, which tells its cases apart
#   suites/   what each tests/NAME/run printed: lines `ok NAME`, `not ok NAME reason`,
#             `skip NAME reason`; a last line `exit N` is added here

# run_ctest PRESET PATTERN
run_ctest() {
  local preset=$1 pattern=$2
  mkdir -p "$results/ctest" "$results/gtest" "$results/tmp"
  TMPDIR=$results/tmp GTEST_OUTPUT=xml:$results/gtest/ GTEST_BRIEF=1 \
    ctest --test-dir "build/$preset" -j "$jobs" -R "$pattern" --output-on-failure \
    --no-tests=ignore --output-junit "$results/ctest/$preset.xml" >&2
}

# Four processes that spin beside the tests, as on a machine that others use, too. They end with
# the test run, however it ends: each is a child that watches for its parent.
# Nothing is built beside them.
busy=no
spins=()
begin_spins() {
  local parent=$$
  [[ $busy == yes ]] && ((${#spins[@]} == 0)) || return 0
  for _ in 1 2 3 4; do
    # shellcheck disable=SC2016  # the script's own variables
    bash -c 'while kill -0 "$1" 2>/dev/null; do for ((i = 0; i < 100000; ++i)); do :; done; done' \
      spin "$parent" >/dev/null 2>&1 &
    spins+=("$!")
  done
  trap end_spins EXIT
}

end_spins() {
  ((${#spins[@]} == 0)) || kill "${spins[@]}" 2>/dev/null || true
  spins=()
}

# tests_matching PRESET PATTERN: names of ctest entries, which are names of build targets too.
tests_matching() {
  ctest --test-dir "build/$1" -N -R "$2" | sed -n 's/^ *Test *#[0-9]*: //p'
}

run_cpp_tests() {
  local preset=$1 pattern=$2 names
  build_web
  step "configure: $preset" configure "$preset"
  mapfile -t names < <(tests_matching "$preset" "$pattern")
  ((${#names[@]})) || return 0
  [[ $pattern != . ]] || names=(tests programs)
  step "build: $preset (${names[*]})" \
    cmake --build --preset "$preset" -j "$jobs" --target "${names[@]}"
  begin_spins
  # A failing test is counted, so the run goes on.
  step "tests: C++" run_ctest "$preset" "$pattern" || true
}

suites_matching() {
  local run
  for run in tests/*/run; do
    [[ ! -f $run ]] || basename "$(dirname "$run")"
  done | grep -E -- "$1" || true
}

# Suites that measure time or memory, or change things of the whole machine: nothing runs beside them.
#   limits   bounds of memory and of answering times
#   package, cluster_create  dpkg on an overlay over the machine's files, which must not change meanwhile
#   slurm, clusters, job  Slurm's daemons take a node for dead that does not answer in time
readonly alone_suites=(cluster_create clusters job limits package slurm)
# Podman's of one account share their locks, and one that starts frees them all: one after the other.
readonly podman_suites=(attacks containers run seeds)
# These take longest, so they begin first.
readonly long_suites=(restarts web study)

is_one_of() {  # is_one_of NAME NAMES...
  local name=$1 other
  shift
  for other in "$@"; do [[ $name != "$other" ]] || return 0; done
  return 1
}

# A suite that hangs must not hang the whole test. At a terminal Ctrl-C ends it, and everything it
# started, which a group of processes of its own would not hear.
readonly suite_seconds=${YARD_SUITE_SECONDS:-2400}
suite_limit=()
[[ -t 0 ]] || suite_limit=(timeout --kill-after=30 "$suite_seconds")

run_suite() {
  local name=$1 status=0
  local scratch=$results/tmp/$name out=$results/suites/$name.txt
  mkdir -p "$scratch" "$results/suites"
  TMPDIR=$scratch YARD_BUILD=$root/build/dev YARD_SCRATCH=$scratch \
    "${suite_limit[@]}" "tests/$name/run" </dev/null | tee "$out" >&2 || status=$?
  if ((${#suite_limit[@]} && (status == 124 || status == 137))); then
    echo "not ok $name it did not end within $suite_seconds s" | tee -a "$out" >&2
  fi
  echo "exit $status" >>"$out"
  return "$status"
}

# Keeps what a suite says until it has ended, so that two of them do not talk at once.
run_suite_quietly() {
  local said=$results/tmp/$1.said
  echo "   tests/$1 begins" >&2
  step "suite: tests/$1" run_suite "$1" >"$said" 2>&1 || true
  cat "$said" >&2
}

# run_lane NAMES...: each of them that no other lane has taken.
run_lane() {
  local name
  for name in "$@"; do
    ! mkdir "$results/tmp/$name.taken" 2>/dev/null || run_suite_quietly "$name"
  done
}

# run_side_by_side NAMES...: in two lanes; those with podman in the first one only.
run_side_by_side() {
  local name with_podman=() others=()
  for name in "$@"; do
    if is_one_of "$name" "${podman_suites[@]}"; then
      with_podman+=("$name")
    elif is_one_of "$name" "${long_suites[@]}"; then
      others=("$name" "${others[@]}")
    else
      others+=("$name")
    fi
  done
  run_lane "${with_podman[@]}" "${others[@]}" &
  run_lane "${others[@]}"
  wait "$!"
}

run_suites() {
  local name names together=()
  mapfile -t names < <(suites_matching "$1")
  ((${#names[@]})) || return 0
  [[ $1 == . ]] || step "build: dev (programs)" \
    cmake --build --preset dev -j "$jobs" --target programs
  mkdir -p "$results/tmp"
  begin_spins
  for name in "${names[@]}"; do
    is_one_of "$name" "${alone_suites[@]}" || together+=("$name")
  done
  ((${#together[@]} == 0)) ||
    step "suites, two at a time: ${together[*]}" run_side_by_side "${together[@]}"
  for name in "${names[@]}"; do
    ! is_one_of "$name" "${alone_suites[@]}" || step "suite: tests/$name" run_suite "$name" || true
  done
}

# One fuzz target: crashes and output go to build/test/fuzz. `explore` goes on from what earlier runs
# found (build/fuzz/corpus) with new inputs; `repeat` tries the same inputs every time, so that a test
# fails for the change that was made and for nothing else.
run_fuzzer() {
  local name=$1 seconds=$2 way=$3 seeds=tests/fuzz/corpus/$1 found=build/fuzz/corpus/$1
  local arguments=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_funcs=0
    -print_final_stats=1 -artifact_prefix="$results/fuzz/$name-")
  if [[ $way == repeat ]]; then
    found=$results/fuzz/$name-corpus
    arguments+=(-seed=1 -runs=10000)
  fi
  mkdir -p "$found" "$results/fuzz"
  arguments+=("$found")
  [[ ! -d $seeds ]] || arguments+=("$seeds")
  "build/fuzz/fuzzers/$name" "${arguments[@]}" >"$results/fuzz/$name.log" 2>&1 || {
    tail -n 40 "$results/fuzz/$name.log" >&2
    return 1
  }
  sed -n 's/^stat::number_of_executed_units: */   inputs tried: /p' "$results/fuzz/$name.log" >&2
}

# run_fuzzers WAY SECONDS PATTERN: reports like a suite, one line per target.
run_fuzzers() {
  local way=$1 seconds=$2 pattern=$3 name names
  grep -rqs --include=CMakeLists.txt '^ *yard_fuzz(' src tests || return 0
  step "configure: fuzz" configure fuzz
  mapfile -t names < <(grep -E -- "$pattern" build/fuzz/fuzzers.txt)
  ((${#names[@]})) || return 0
  step "build: fuzz (${names[*]})" \
    cmake --build --preset fuzz -j "$jobs" --target "${names[@]}"
  mkdir -p "$results/suites"
  for name in "${names[@]}"; do
    if step "fuzz: $name for $seconds s" run_fuzzer "$name" "$seconds" "$way"; then
      echo "ok $name"
    else
      echo "not ok $name the input is in build/test/fuzz"
    fi
  done >"$results/suites/fuzz_targets.txt"
  echo "exit 0" >>"$results/suites/fuzz_targets.txt"
}

# Prints the failures and skips by name, then the counts; keeps the counts in summary.txt.
tally() {
  python3 tools/tally.py "$results"
}

cmd_test() {
  local quick=no pattern=.
  while (($#)); do
    case $1 in
      --quick) quick=yes ;;
      --busy) busy=yes ;;
      -*) die "test does not know '$1'" ;;
      *) pattern=$1 ;;
    esac
    shift
  done
  setup_all
  rm -rf "$results"
  mkdir -p "$results"
  run_cpp_tests dev "$pattern"
  if [[ $quick == no ]]; then
    run_suites "$pattern"
    end_spins
    run_fuzzers repeat "${YARD_FUZZ_SECONDS:-5}" "$pattern"
  fi
  end_spins
  tally
}

cmd_tsan() {
  setup_all
  rm -rf "$results"
  mkdir -p "$results"
  run_cpp_tests tsan "${1:-.}"
  tally
}

cmd_fuzz() {
  setup_all
  rm -rf "$results"
  mkdir -p "$results"
  run_fuzzers explore "${1:-30}" "${2:-.}"
  tally
}
