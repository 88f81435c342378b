#!/usr/bin/env bash
# The dashboard in a real Chromium, against a release server with a large lab of simulated nodes:
#   paint    from the navigation, with an empty cache, to the first rows on the screen
#   change   from the click or key to the other rows: page, filter, search
#            (both by the clock and as processor time of the page's main thread, which a busy machine
#            does not lengthen)
#   memory   of the page under pushed updates, after garbage collection, at the start and the end
#   script   JavaScript of the first load, compressed
#   server   answers of the routes behind the pages, CPU and memory of the server
#   bench/web.sh RESULT.json   (WORKLOADS=100000 NODES=2000 ROUNDS=5 MINUTES=3 UPDATES=100 PARTS=routes,pages,memory)
#   BESIDE=OTHER/build/release bench/web.sh RESULT.json   (WORKLOADS, NODES, ROUNDS=7): routes, paint and change of both
#     programs, each with its own pages, in turns in one run; aim: no ratio above 1.1
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/web.json}
export YARD_BUILD=${YARD_BUILD:-$PWD/build/release}
[[ -d web/node_modules/playwright-core ]] || { echo "bench/web: no web/node_modules; run ./dev build" >&2; exit 1; }
scratch=$(mktemp -d /tmp/gpuyard-bench-web.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
script=measure
[[ -z ${BESIDE:-} ]] || script=beside
YARD_SCRATCH=$scratch node "bench/web/$script.mjs" "$result"
