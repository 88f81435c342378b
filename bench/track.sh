#!/usr/bin/env bash
# Tracking through the server beside a real MLflow server with SQLite, in one run on one machine.
# track.sh RESULT [RUNS]: RUNS for the search, 100,000 by default. `bench/track/measure.py` says what is measured.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 bench/track/measure.py "$@"
