#!/usr/bin/env bash
# Everything that needs a real NVIDIA GPU, in at most ALL_SECONDS (570):
#
#   bench/gpu/all.sh RESULTS_FOLDER [FOLDER_OF_GPUYARD]
#
# If a program is given (bundle.sh packs one to take along), first the way through the whole server:
# plain processes (server.py), jobs that leave the GPU and come back (parking.py), then containers
# (containers.py) if it has podman; then, in the time that is left, T0 to T14 (run.sh). Results are
# in RESULTS_FOLDER as they come. Ends with the failures of all, and with 1 if there are any.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${1:?usage: bench/gpu/all.sh RESULTS_FOLDER [FOLDER_OF_GPUYARD]}"
results=$(mkdir -p "$1" && cd "$1" && pwd) || exit
program=${2:+$(cd "$2" && pwd)} || exit
until=$((SECONDS + ${ALL_SECONDS:-570}))
failed=0

trial() {  # trial NAME SECONDS
  local passed=1
  # Asked to end, it takes its server and its work with it.
  timeout -k 30 "$2" python3 "$here/$1.py" "$program" "$results" >"$results/$1.log" 2>&1 || passed=0
  echo "$1.py: $SECONDS s"
  if [ $passed = 1 ]; then echo "$1: all ok"; else failed=1; fi
  grep '^not ok' "$results/$1.log"
}

if [ -e "$program/bundle.tar.xz" ]; then
  unpacked=$(mktemp -d /tmp/gpuyard-bundle.XXXXXX) || exit
  trap 'rm -rf "$unpacked"' EXIT
  chmod 755 "$unpacked"
  tar -C "$unpacked" -xJf "$program/bundle.tar.xz" || exit
  program=$unpacked
fi
if [ -n "$program" ]; then
  trial server 200
  trial parking 150
fi
if [ -x "$program/podman/bin/podman" ]; then trial containers 180; fi
SLICE_SECONDS=$((until - SECONDS)) timeout -k 10 $((until - SECONDS)) \
  "$here/run.sh" "$results" >"$results/run.log" 2>&1 || failed=1
echo "run.sh: $SECONDS s"
tail -n 1 "$results/run.log"
grep -q '^all passed' "$results/run.log" || failed=1
cat "$results/summary.md" 2>/dev/null
exit $failed
