#!/usr/bin/env bash
# Fairness between people and projects, and starts that were promised, in virtual time on made-up
# traces; Slurm's multifactor priority beside them as a model (bench/multifactor.h).
#   bench/fair.sh [RESULT.txt]
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/fair.txt}
mkdir -p "$(dirname "$result")"
"${YARD_BUILD:-build/release}/bench/fair_bench" | tee "$result"
