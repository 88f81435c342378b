#!/usr/bin/env bash
# Tracking through the server beside real MLflow servers with SQLite and with PostgreSQL, in one run on one machine.
# track.sh RESULT [--seconds N] [--runs N] [--points N]; `bench/track/measure.py` says what is measured.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 bench/track/measure.py "$@"
