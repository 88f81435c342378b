#!/usr/bin/env bash
# The local engine alone, beside the same programs started bare.   bench/engine.sh RESULT.json [OPTIONS]
set -euo pipefail
cd "$(dirname "$0")/.."
exec "${YARD_BUILD:-build/release}/bench/engine_bench" --json "${1:-build/bench/engine.json}" "${@:2}"
