#!/usr/bin/env bash
# Measures GPU slices on a real NVIDIA GPU: tests T0 to T14 of docs/gpu-slices.md.
#
#   bench/gpu/run.sh RESULTS_FOLDER [TEST...]
#
# Builds the libraries with the compiler at hand (no CMake needed), then runs every test, each with
# a time limit, and writes one JSON line per test to RESULTS_FOLDER/results.jsonl and a table to
# RESULTS_FOLDER/summary.md. It takes five to eight minutes. It changes no
# clock, power, MIG or other setting of the GPU and never asks for more managed memory than is free.
set -euo pipefail
cd "$(dirname "$0")/../.."
results=$(mkdir -p "${1:?usage: bench/gpu/run.sh RESULTS_FOLDER [TEST...]}" && cd "$1" && pwd)
shift
build=${SLICE_BUILD:-$(mktemp -d /tmp/gpuyard-slice-build.XXXXXX)}
chmod 755 "$build"
log="$results/build.log"
started=$(date +%s)
if bench/gpu/build.sh "$build" >"$log" 2>&1; then rc=0; else rc=$?; fi
took=$(($(date +%s) - started))
printf '{"test":"T1","pass":%s,"seconds":%d,"rc":%d}\n' \
  "$([ $rc = 0 ] && echo true || echo false)" "$took" "$rc" >"$results/results.jsonl"
tail -n 1 "$results/results.jsonl"
if [ $rc != 0 ]; then tail -n 40 "$log"; exit 1; fi
export PYTHONUNBUFFERED=1
PYTHONPATH=bench/gpu exec python3 -m slicebench "$build" "$results" "$@"
