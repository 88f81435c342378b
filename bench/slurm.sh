#!/usr/bin/env bash
# The same jobs through Gpuyard on a real Slurm and by sbatch, in one run: see bench/slurm/measure.py.
#   bench/slurm.sh RESULT.json    (JOBS=1000 ROUNDS=3)
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/slurm.json}
export YARD_BUILD=${YARD_BUILD:-$PWD/build/release}
mkdir -p "$(dirname "$result")"
exec bench/slurm/measure.py "$result" --jobs "${JOBS:-1000}" --rounds "${ROUNDS:-3}"
