#!/usr/bin/env bash
# Jobs end to end, in one run on one machine: `true` through a Gpuyard server (HTTP API to durable
# record), through Slurm, task-spooler, HyperQueue and GNU parallel, beside the rate at which this machine can
# start `true` at all; then what a full server and a shim weigh. Loopback only; everything is
# stopped and removed at the end.
#   bench/run.sh RESULT.json    (JOBS=10000 SLURM_JOBS=10000 PEER_JOBS=2000 SINGLE_JOBS=300
#                                RUNNING=1000 PENDING=10000 CONNECTIONS=16)
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/run.json}
build=${YARD_BUILD:-build/release}
jobs=${JOBS:-10000} slurm_jobs=${SLURM_JOBS:-10000} peer_jobs=${PEER_JOBS:-2000}
single_jobs=${SINGLE_JOBS:-300} running=${RUNNING:-1000} pending=${PENDING:-10000}
connections=${CONNECTIONS:-16}
slots=$(nproc)
work=$(mktemp -d /tmp/gpuyard-run.XXXXXX)
server='' slurm_pids=()
tasks_part=$( ((EUID == 0)) && echo -tasks || echo /tasks)

die() { echo "bench/run: $*" >&2; exit 1; }
now() { date +%s.%N; }
rate_since() { awk -v from="$1" -v to="$(now)" -v count="$2" 'BEGIN {printf "%.1f\n", count / (to - from)}'; }
# One line of milliseconds each: {"p50_ms": …, "p99_ms": …}
percentiles() {
  sort -n | awk '{v[NR] = $1} END {printf "{\"p50_ms\": %s, \"p99_ms\": %s}\n", v[int(NR / 2) + 1], v[int(NR * 99 / 100) + (NR >= 100)]}'
}
resident_kib() { awk '/^VmRSS:/ {print $2}' "/proc/$1/status"; }

# shellcheck source=bench/run/slurm.sh
source bench/run/slurm.sh
# shellcheck source=bench/run/peers.sh
source bench/run/peers.sh

cleanup() {
  stop_server
  stop_slurm
  stop_tsp
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# start_server DIR [ARGS]: sets server, url and token.
start_server() {
  local dir=$1
  shift
  mkdir -p "$dir"
  env -i PATH="$PATH" HOME="$dir" GPUYARD_ADMIN_PASSWORD=Bench-password-1 \
    "$build/gpuyard" server --data-dir "$dir/data" --listen 127.0.0.1:0 --tls off \
    --native-tasks "$( ((EUID == 0)) && echo root || echo self)" "$@" >"$dir/out" 2>"$dir/log" &
  server=$! server_dir=$dir url=''
  for _ in $(seq 300); do
    url=$(sed -n 's/^ *url *\(http[^ ]*\).*/\1/p' "$dir/out")
    [[ -z $url ]] || ! curl -sf -o /dev/null "$url/readyz" || break
    kill -0 "$server" 2>/dev/null || die "the server ended: $(tail -n 2 "$dir/log")"
    sleep 0.1
  done
  token=$(curl -sf "$url/api/v1/token" -H 'Content-Type: application/json' \
    -d '{"grantType":"password","username":"admin@gpuyard.local","password":"Bench-password-1"}' | jq -r .accessToken)
}

# The shims of running work outlive their server; each has its pid in its folder. The server's
# control groups are named in the shims' own.
stop_server() {
  [[ -n $server ]] || return 0
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=''
  local state shims=() shim groups
  for state in "$server_dir"/data$tasks_part/tasks/*/state; do
    [[ -e $state ]] || continue
    grep -q '^message=' "$state" || shims+=("$(sed -n 's/^shim=//p;T;q' "$state")")
  done
  ((${#shims[@]} == 0)) || groups=$(grep -aho 'run.tree=[^[:cntrl:]]*' "$server_dir"/data$tasks_part/tasks/*/spec | head -1) || true
  for shim in "${shims[@]}"; do kill "$shim" 2>/dev/null || true; done
  for shim in "${shims[@]}"; do while [[ -d /proc/$shim ]] && ! grep -q ') Z ' "/proc/$shim/stat"; do sleep 0.02; done 2>/dev/null; done
  [[ -z ${groups:-} ]] || rmdir /sys/fs/cgroup/{,*/}"$(basename "$(dirname "${groups#run.tree=}")")" 2>/dev/null || true
}

client() { python3 bench/run/client.py "$1" "$url" "$token" "${@:2}"; }
cpu_ms() { awk -v hz="$(getconf CLK_TCK)" '{print ($14 + $15 + $16 + $17) * 1000 / hz}' "/proc/$1/stat"; }

measure_ceiling() { "$build/bench/engine_bench" --only bare --tasks 4000 --json "$work/bare.json" >/dev/null; }

measure_gpuyard() {
  start_server "$work/jobs"
  local before after
  before=$(cpu_ms "$server")
  client jobs "$jobs" "$connections" >"$work/gpuyard.json"
  after=$(cpu_ms "$server")
  stop_server
  start_server "$work/single"
  client latency "$single_jobs" >"$work/single.json"
  stop_server
  jq -n --slurpfile many "$work/gpuyard.json" --slurpfile single "$work/single.json" \
    --argjson cpu "$(awk -v a="$before" -v b="$after" -v n="$jobs" 'BEGIN {print (b - a) / n}')" \
    '{name: "Gpuyard, HTTP to durable record", jobs: $many[0].jobs, rate: $many[0].rate, cpu_ms: $cpu,
      p50_ms: $single[0].p50_ms, p99_ms: $single[0].p99_ms}' >"$work/row.gpuyard"
}

# row FILE NAME JOBS RATE [PERCENTILES]
row() {
  jq -n --arg name "$2" --argjson jobs "$3" --argjson rate "$4" --argjson more "${5:-{\}}" \
    '{name: $name, jobs: $jobs, rate: $rate} + $more' >"$work/row.$1"
}

measure_slurm() {
  local missing
  missing=$(slurm_missing)
  [[ -z $missing ]] || { echo "Slurm is left out: $missing" >&2; return 0; }
  start_slurm "$work/slurm" || { echo "Slurm is left out: it did not start" >&2; return 0; }
  row slurm-array "Slurm, one array" "$slurm_jobs" "$(slurm_rate "$work/slurm" "$slurm_jobs" array)"
  row slurm "Slurm, sbatch" "$slurm_jobs" "$(slurm_rate "$work/slurm" "$slurm_jobs" each)" \
    "$(slurm_latencies "$work/slurm" 20 | percentiles)"
  stop_slurm
}

measure_peers() {
  if command -v tsp >/dev/null; then
    row tsp "task-spooler (records in memory)" "$peer_jobs" "$(tsp_rate "$work/tsp" "$peer_jobs")"
    export TS_SOCKET=$work/tsp/socket TMPDIR=$work/tsp
    row tsp "task-spooler (records in memory)" "$peer_jobs" "$(jq .rate "$work/row.tsp")" \
      "$(tsp_latencies "$work/tsp" 100 | percentiles)"
    stop_tsp
  fi
  if hyperqueue_python >/dev/null; then
    row hyperqueue "HyperQueue (records in memory)" "$peer_jobs" "$(hyperqueue_rate "$peer_jobs")"
  else
    echo "HyperQueue is left out: PyPI is out of reach" >&2
  fi
  if command -v parallel >/dev/null; then
    row parallel "GNU parallel (no queue)" "$peer_jobs" "$(parallel_rate "$work/parallel" "$peer_jobs")"
  fi
}

measure_memory() {
  start_server "$work/memory" --declared-gpus 1xA100:40Gi
  client load "$running" "$pending" >"$work/load.json"
  local shims=() shim sum=0
  mapfile -t shims < <(for state in "$work"/memory/data$tasks_part/tasks/*/state; do sed -n 's/^shim=//p;T;q' "$state"; done | head -n 100)
  for shim in "${shims[@]}"; do sum=$((sum + $(resident_kib "$shim"))); done
  jq --argjson server "$(resident_kib "$server")" --argjson shim "$((sum / ${#shims[@]}))" \
    '. + {server_mib: ($server / 1024 | round), shim_kib: $shim}' "$work/load.json" >"$work/memory.json"
  stop_server
}

load_before=$(cut -d' ' -f1 /proc/loadavg)
echo "measuring: the ceiling"; measure_ceiling
echo "measuring: Gpuyard, $jobs jobs, then $single_jobs one by one"; measure_gpuyard
echo "measuring: Slurm, $slurm_jobs jobs twice"; measure_slurm
echo "measuring: the smaller peers, $peer_jobs jobs"; measure_peers
echo "measuring: memory with $running running and $pending pending"; measure_memory

mkdir -p "$(dirname "$result")"
jq -s --slurpfile bare "$work/bare.json" --slurpfile memory "$work/memory.json" \
  --arg date "$(date -u +%FT%TZ)" --arg load "$load_before" \
  --arg machine "$(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo), $(nproc) cores" '
  ([.[] | select(.name | startswith("Slurm")) | .rate] | max) as $slurm | {
    date: $date, machine: $machine, load_before: ($load | tonumber),
    ceiling: {rate: $bare[0].bare_rate, cpu_ms: $bare[0].bare_cpu_ms},
    rows: map(. + {to_slurm: (if $slurm then .rate / $slurm else null end),
                   to_ceiling: (.rate / $bare[0].bare_rate)}),
    memory: $memory[0]}' \
  "$work"/row.* >"$result"
python3 bench/run/table.py "$result"
