#!/usr/bin/env bash
# What an ended job of `true` keeps: inodes and KiB for each, right after the end and when the engine has put it
# away. In the folder of tasks, and in the data directory (the record in the database, with its journal).
#   bench/ended.sh RESULT.json    (JOBS=2000 WAIT=120: seconds until the folders are counted as staying)
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/ended.json}
build=${YARD_BUILD:-build/release}
jobs=${JOBS:-2000} wait=${WAIT:-120}
work=$(mktemp -d /tmp/gpuyard-ended.XXXXXX)
server=''
data=$work/data
tasks=$work/tasks
chmod 711 "$work"  # tasks run under other accounts

die() { echo "bench/ended: $*" >&2; exit 1; }
cleanup() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

inodes() { find "$1" -mindepth 1 2>/dev/null | wc -l; }
kib() { du -sk "$1" | cut -f 1; }
# "inodes KiB" of the tasks, then of the data directory beside them.
usage() { echo "$(inodes "$tasks") $(kib "$tasks") $(inodes "$data") $(kib "$data")"; }
folders() { find "$tasks/tasks" -mindepth 1 -maxdepth 1 | wc -l; }

env -i PATH="$PATH" HOME="$work" GPUYARD_ADMIN_PASSWORD=Bench-password-1 \
  "$build/gpuyard" server --data-dir "$data" --task-dir "$tasks" --listen 127.0.0.1:0 --tls off \
  --native-tasks "$( ((EUID == 0)) && echo root || echo self)" >"$work/out" 2>"$work/log" &
server=$! url=''
for _ in $(seq 600); do
  url=$(sed -n 's/^ *url *\(http[^ ]*\).*/\1/p' "$work/out")
  [[ -z $url ]] || ! curl -sf -o /dev/null "$url/readyz" || break
  kill -0 "$server" 2>/dev/null || die "the server ended: $(tail -n 2 "$work/log")"
  sleep 0.1
done
token=$(curl -sf "$url/api/v1/token" -H 'Content-Type: application/json' \
  -d '{"grantType":"password","username":"admin@gpuyard.local","password":"Bench-password-1"}' | jq -r .accessToken)

read -r -a start <<<"$(usage)"
python3 bench/run/client.py jobs "$url" "$token" "$jobs" 16 >"$work/rate.json"
read -r -a ended <<<"$(usage)"
for _ in $(seq "$wait"); do
  (($(folders) > 0)) || break
  sleep 1
done
read -r -a later <<<"$(usage)"

per_job() { awk -v a="$1" -v b="$2" -v n="$jobs" 'BEGIN {printf "%.3f", (b - a) / n}'; }
mkdir -p "$(dirname "$result")"
jq -n --argjson jobs "$jobs" --slurpfile rate "$work/rate.json" \
  --argjson folders "$(folders)" \
  --argjson ended_inodes "$(per_job "${start[0]}" "${ended[0]}")" --argjson ended_kib "$(per_job "${start[1]}" "${ended[1]}")" \
  --argjson later_inodes "$(per_job "${start[0]}" "${later[0]}")" --argjson later_kib "$(per_job "${start[1]}" "${later[1]}")" \
  --argjson data_inodes "$(per_job "${start[2]}" "${later[2]}")" --argjson data_kib "$(per_job "${start[3]}" "${later[3]}")" \
  '{jobs: $jobs, rate: $rate[0].rate, folders_left: $folders, per_job: {
     at_the_end: {inodes: $ended_inodes, kib: $ended_kib},
     put_away: {inodes: $later_inodes, kib: $later_kib},
     data_directory: {inodes: $data_inodes, kib: $data_kib}}}' | tee "$result"
