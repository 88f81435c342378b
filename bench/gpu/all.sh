#!/usr/bin/env bash
# Everything that needs a real NVIDIA GPU, in at most eight minutes:
#
#   bench/gpu/all.sh RESULTS_FOLDER [FOLDER_OF_GPUYARD]
#
# T0 to T14 (run.sh) into RESULTS_FOLDER, then, if a program is given (bundle.sh makes one to take
# along), the way through the whole server (server.py). Ends with the failures of both.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
results=${1:?usage: bench/gpu/all.sh RESULTS_FOLDER [FOLDER_OF_GPUYARD]}
mkdir -p "$results"
started=$SECONDS
bench/gpu/run.sh "$results" >"$results/run.log" 2>&1
echo "run.sh: $? after $((SECONDS - started)) s"
tail -n 1 "$results/run.log"
if [ $# -gt 1 ]; then
  timeout 200 python3 bench/gpu/server.py "$2" "$results" >"$results/server.log" 2>&1
  echo "server.py: $? after $((SECONDS - started)) s"
  grep '^not ok' "$results/server.log" || echo "server: all ok"
fi
cat "$results/summary.md"
