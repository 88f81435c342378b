#!/usr/bin/env bash
# Vulkan in parts of a real GPU, and the shares of time once more, in at most ALL_SECONDS (470):
#
#   bench/gpu/vulkan.sh RESULTS_FOLDER FOLDER_OF_VULKAN
#
# vulkan-bundle.sh makes the second folder. Compiles the libraries and the keeper (build.sh), runs
# vulkan.py, then the rows of turns.py. Prints a line a row as it comes and a short table last.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${2:?usage: bench/gpu/vulkan.sh RESULTS_FOLDER FOLDER_OF_VULKAN}"
results=$(mkdir -p "$1" && cd "$1" && pwd) || exit
vulkan=$(cd "$2" && pwd) || exit
until=$((SECONDS + ${ALL_SECONDS:-470}))
work=$(mktemp -d /tmp/gpuyard-vulkan.XXXXXX) || exit
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
export PYTHONUNBUFFERED=1
if ! "$here/build.sh" "$work/build" >"$results/build.log" 2>&1; then tail -n 40 "$results/build.log"; exit 1; fi
echo "built: $SECONDS s"
failed=0
timeout -k 10 120 python3 "$here/vulkan.py" "$results" "$work/build" "$vulkan" 2>&1 || failed=1
echo "vulkan: $SECONDS s"
# The rows come in this order; what does not fit into the time is left out.
TURNS=${TURNS:-launch service cost gpu} timeout -k 10 $((until - SECONDS)) \
  python3 "$here/turns.py" "$results" "ours=$work/build" >"$results/turns.log" 2>&1 || failed=1
grep -v '^{' "$results/turns.log" | tail -n 5
echo "turns: $SECONDS s"
python3 "$here/vulkan_table.py" "$results"
exit $failed
