#!/usr/bin/env bash
# Everything that needs a real NVIDIA GPU, in at most ALL_SECONDS (570):
#
#   bench/gpu/all.sh RESULTS_FOLDER [FOLDER_OF_GPUYARD]
#
# If a program is given (bundle.sh makes one to take along), first the way through the whole server
# (server.py); then, in the time that is left, T0 to T14 (run.sh). Results are in RESULTS_FOLDER as
# they come. Ends with the failures of both, and with 1 if there are any.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${1:?usage: bench/gpu/all.sh RESULTS_FOLDER [FOLDER_OF_GPUYARD]}"
results=$(mkdir -p "$1" && cd "$1" && pwd) || exit
program=${2:+$(cd "$2" && pwd)} || exit
until=$((SECONDS + ${ALL_SECONDS:-570}))
failed=0
if [ -n "$program" ]; then
  # Asked to end, it takes its server and its work with it.
  timeout -k 30 200 python3 "$here/server.py" "$program" "$results" \
    >"$results/server.log" 2>&1 || failed=1
  echo "server.py: $SECONDS s"
  if [ $failed = 0 ]; then echo "server: all ok"; fi
  grep '^not ok' "$results/server.log"
fi
SLICE_SECONDS=$((until - SECONDS)) timeout -k 10 $((until - SECONDS)) \
  "$here/run.sh" "$results" >"$results/run.log" 2>&1 || failed=1
echo "run.sh: $SECONDS s"
tail -n 1 "$results/run.log"
grep -q '^all passed' "$results/run.log" || failed=1
cat "$results/summary.md" 2>/dev/null
exit $failed
