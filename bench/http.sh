#!/bin/bash
# Small GETs per second and CPU per request: our HTTP server next to a bare Beast parser on an
# Asio socket, alternately, five rounds, medians. CPU per request is the figure that carries over
# to other machines; client and server share the cores here.
set -euo pipefail
cd "$(dirname "$0")/.."
program=build/release/bench/http_bench
rounds=${ROUNDS:-5} seconds=${SECONDS_EACH:-4} port=${PORT:-18473}
out=build/bench/http.json
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT

# CPU ticks the process has used so far.
ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }

# "req/s p99_ms cpu_us" of one run.
measure() {
  "$program" serve "$1" --port "$port" & local pid=$!
  until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 "$pid" || { echo "http_bench serve $1 did not start" >&2; return 1; }
  done
  wrk -t1 -c32 -d1s "http://127.0.0.1:$port/job" >/dev/null  # warm up
  local before; before=$(ticks "$pid")
  local report; report=$(wrk -t1 -c32 -d"${seconds}s" --latency "http://127.0.0.1:$port/job")
  local after; after=$(ticks "$pid")
  kill "$pid"; wait "$pid" 2>/dev/null || true
  if grep -E 'Socket errors|Non-2xx' <<<"$report" >&2; then return 1; fi
  awk -v used=$((after - before)) -v hz="$(getconf CLK_TCK)" '
    /requests in/ {n = $1} /Requests\/sec/ {rate = $2}
    $1 == "99%" {p99 = $2; if (p99 ~ /us$/) p99 /= 1000; sub(/ms$/, "", p99)}
    END {printf "%.0f %.2f %.2f\n", rate, p99, used * 1e6 / hz / n}' <<<"$report"
}

median() { awk -v who="$1" -v c="$2" '$1 == who {print $c}' "$rows" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

for ((round = 1; round <= rounds; round++)); do
  for who in bare gpuyard; do
    row=$(measure "$who")
    echo "$who $row" >>"$rows"
  done
done

printf '%-10s %10s %10s %16s\n' server req/s 'p99 ms' 'CPU us/request'
for who in bare gpuyard; do
  printf '%-10s %10s %10s %16s\n' "$who" "$(median $who 2)" "$(median $who 3)" "$(median $who 4)"
done
ratio=$(awk -v a="$(median gpuyard 4)" -v b="$(median bare 4)" 'BEGIN {printf "%.2f", a / b}')
echo "CPU per request, gpuyard / bare: $ratio (median of $rounds)"
mkdir -p "$(dirname "$out")"
printf '{"date":"%s","machine":"%s, %s cores","rounds":%d,"bare_cpu_us":%s,"gpuyard_cpu_us":%s,"bare_rps":%s,"gpuyard_rps":%s,"cpu_ratio":%s}\n' \
  "$(date -u +%FT%TZ)" "$(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo)" "$(nproc)" \
  "$rounds" "$(median bare 4)" "$(median gpuyard 4)" "$(median bare 2)" "$(median gpuyard 2)" "$ratio" >"$out"
