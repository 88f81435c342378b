#!/usr/bin/env bash
# The optimised build beside an older program, in one run: see bench/compare.py.
#   OLD=/path/to/older/gpuyard ./dev bench compare     (ROUNDS=5)
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/compare.json}
mkdir -p "$(dirname "$result")"
exec bench/compare.py "${OLD:?set OLD to the older program}" "${YARD_BUILD:-build/release}/gpuyard" \
  --rounds "${ROUNDS:-5}" --json "$result"
