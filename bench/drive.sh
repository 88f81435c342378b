#!/usr/bin/env bash
# The driver on a real database, with real processes of this machine.   bench/drive.sh RESULT.json [OPTIONS]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${YARD_BUILD:-build/release}
exec "$build/bench/drive_bench" --shim "$build/gpuyard-shim" --json "${1:-build/bench/drive.json}" "${@:2}"
