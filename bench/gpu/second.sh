#!/usr/bin/env bash
# Every promise of parts of a GPU through the whole server, in at most ALL_SECONDS (570):
#
#   bench/gpu/second.sh RESULTS_FOLDER FOLDER_OF_BUNDLE
#
# Unpacks the bundle (bundle.sh), compiles the client programs (build.sh), then the memory rows and the
# ways past the library (limits.py), the shares of time (shares.py), and with what time is left the
# exactness, the frameworks and the cost of calls (run.sh T0 T2 T3 T10). Prints one line a row; ends
# with 1 if a row failed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${2:?usage: bench/gpu/second.sh RESULTS_FOLDER FOLDER_OF_BUNDLE}"
results=$(mkdir -p "$1" && cd "$1" && pwd) || exit
until=$((SECONDS + ${ALL_SECONDS:-570}))
work=$(mktemp -d /tmp/gpuyard-second.XXXXXX) || exit
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/gpuyard"
cp -r "$here" "$work/bench"  # work runs as an account of its own, which may not read everything
tar -C "$work/gpuyard" -xJf "$2/bundle.tar.xz" || exit
export SLICE_BUILD=$work/build
export ASAN_OPTIONS=detect_leaks=0  # where the packed program was built with it
if ! "$here/build.sh" "$SLICE_BUILD" >"$results/build.log" 2>&1; then tail -n 40 "$results/build.log"; exit 1; fi
echo "built: $SECONDS s"
failed=0
trial() {  # trial NAME SECONDS
  timeout -k 30 "$2" python3 "$work/bench/$1.py" "$work/gpuyard" "$results" "$SLICE_BUILD" >"$results/$1.log" 2>&1 || failed=1
  grep -E '^(ok|not ok) ' "$results/$1.log" || tail -n 20 "$results/$1.log"
  echo "$1: $SECONDS s"
}
trial limits 240
trial shares 340
left=$((until - SECONDS))
if [ $left -gt 60 ]; then
  SLICE_SECONDS=$left timeout -k 10 $left "$here/run.sh" "$results" T0 T2 T3 T10 >"$results/run.log" 2>&1 || failed=1
  cat "$results/summary.md" 2>/dev/null || tail -n 20 "$results/run.log"
fi
echo "all: $SECONDS s"
exit $failed
