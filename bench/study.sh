#!/usr/bin/env bash
# Short trials end to end through the server, beside Optuna with a journal file, in one run on one machine.
# study.sh RESULT [TRIALS]: 10,000 by default. `bench/study/measure.py` says what is measured.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/peer/venv
if [[ ! -x $venv/bin/python ]]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q optuna
fi
YARD_PEER=$PWD/$venv/bin/python exec python3 bench/study/measure.py "$@"
