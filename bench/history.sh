#!/usr/bin/env bash
# What a long history costs a server, beside Slurm's accounting (slurmdbd on MariaDB) with as many records.
#   bench/history.sh RESULT.json [COUNT]     (1,000,000 by default; bench/history/measure.py says what is measured)
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 bench/history/measure.py "${1:-build/bench/history.json}" "${2:-1000000}"
