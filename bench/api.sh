#!/usr/bin/env bash
# shellcheck disable=SC2012,SC2129
# The API next to its peers, in one run on one machine:
#   page     p99 of one page of a filtered, sorted list over 100,000 workloads
#   creates  durable workload creations a second at 1, 32 and 256 clients, next to plain batched
#            SQLite commits of the same bytes, PostgreSQL inserts and etcd puts of 900 bytes
#   gets     small GETs a second and CPU per request, next to a bare Beast parser
# Client and servers share the cores; ratios within one run are what carries over.
#   bench/api.sh RESULT.json        (SECONDS_EACH=8 ROUNDS=3)
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/api.json}
build=${YARD_BUILD:-build/release}
seconds=${SECONDS_EACH:-6} rounds=${ROUNDS:-3} workloads=${WORKLOADS:-100000}
work=$(mktemp -d /tmp/gpuyard-bench.XXXXXX)
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  [[ ! -d $work/pg ]] || as_postgres "$pgbin/pg_ctl" -D "$work/pg" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap cleanup EXIT
die() { echo "bench/api: $*" >&2; exit 1; }
for tool in wrk jq curl sqlite3; do command -v $tool >/dev/null || die "$tool is not installed (apt-get install $tool)"; done

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
wait_for() { for _ in $(seq 600); do curl -sf "$1" >/dev/null && return 0; sleep 0.1; done; die "$1 does not answer"; }
ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }
median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
# Rate of a wrk report; refuses one with errors in it.
rate_of() {
  if grep -E 'Socket errors|Non-2xx' <<<"$1" >&2; then die "the peer answered with errors"; fi
  awk '/Requests\/sec/ {printf "%.0f\n", $2}' <<<"$1"
}
p99_of() { awk '$1 == "99%" {v = $2; if (v ~ /us$/) v /= 1000; else if (v ~ /[0-9]s$/) v *= 1000; sub(/[a-z]+$/, "", v); printf "%.2f\n", v}' <<<"$1"; }

# serve [ARGS]: starts the server on $data and waits until it is ready.
serve() {
  GPUYARD_ADMIN_PASSWORD=bench-password-1 "$build/gpuyard" server --data-dir "$data" \
    --listen "127.0.0.1:$port" --tls off "$@" >"$work/gpuyard.out" 2>>"$work/gpuyard.log" &
  gpuyard=$!
  pids+=("$gpuyard")
  until curl -sf "$url/readyz" >/dev/null; do kill -0 "$gpuyard" || die "the server ended"; sleep 0.02; done
}
stop_gpuyard() { kill "$gpuyard"; wait "$gpuyard" || true; }
# start_gpuyard NAME: a fresh server with an empty project.
start_gpuyard() {
  data=$work/$1
  port=$(free_port)
  url=http://127.0.0.1:$port
  serve
  TOKEN=$(curl -s "$url/api/v1/token" -H 'Content-Type: application/json' \
    -d '{"grantType":"password","username":"admin@gpuyard.local","password":"bench-password-1"}' | jq -r .accessToken)
  auth=(-H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json')
  CLUSTER=$(curl -s "${auth[@]}" "$url/api/v1/clusters" | jq -r '.[0].uuid')
  local pool
  pool=$(curl -s "${auth[@]}" "$url/api/v1/node-pools" | jq -r '.nodepools[0].id')
  PROJECT=$(curl -s "${auth[@]}" "$url/api/v1/org-unit/projects" -d "{\"name\":\"bench\",\"clusterId\":\"$CLUSTER\",
    \"resources\":[{\"nodePool\":{\"id\":\"$pool\"},\"gpu\":{\"deserved\":4}}]}" | jq -r .id)
  export TOKEN CLUSTER PROJECT
}

as_postgres() { if ((EUID == 0)); then runuser -u postgres -- "$@"; else "$@"; fi; }
start_postgres() {
  pgbin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1) || true
  [[ -n ${pgbin:-} ]] || { echo "PostgreSQL is not installed: its column stays empty" >&2; return 1; }
  mkdir "$work/pg" "$work/pgsock"
  if ((EUID == 0)); then chmod 755 "$work"; chown postgres "$work/pg" "$work/pgsock"; fi
  as_postgres "$pgbin/initdb" -D "$work/pg" --no-sync -A trust >/dev/null
  as_postgres "$pgbin/pg_ctl" -D "$work/pg" -w -l "$work/pg/log" \
    -o "-c listen_addresses= -c unix_socket_directories=$work/pgsock -c max_connections=300" start >/dev/null
  as_postgres "$pgbin/psql" -q -h "$work/pgsock" -d postgres -c 'create table workload (id bigserial primary key, body text)'
  echo "insert into workload (body) values (repeat('x', 900));" >"$work/insert.sql"
  chmod 644 "$work/insert.sql"
}
postgres_rate() {
  as_postgres "$pgbin/pgbench" -n -h "$work/pgsock" -f "$work/insert.sql" -c "$1" -j 2 -T "$seconds" postgres 2>/dev/null |
    awk '/^tps/ {printf "%.0f\n", $3; exit}'
}
start_etcd() {
  command -v etcd >/dev/null || { echo "etcd is not installed: its column stays empty" >&2; return 1; }
  local client peer
  client=$(free_port) peer=$(free_port)
  etcd --data-dir "$work/etcd" --listen-client-urls "http://127.0.0.1:$client" --advertise-client-urls "http://127.0.0.1:$client" \
    --listen-peer-urls "http://127.0.0.1:$peer" --initial-advertise-peer-urls "http://127.0.0.1:$peer" \
    --initial-cluster "default=http://127.0.0.1:$peer" --log-level error >"$work/etcd.log" 2>&1 &
  pids+=("$!")
  etcd_url=http://127.0.0.1:$client
  wait_for "$etcd_url/health"
}
create_rate() {
  rate_of "$(RUN=$RANDOM$RANDOM wrk -t1 -c"$1" -d"${seconds}s" -s bench/api/create.lua "$url")"
}
etcd_rate() {
  rate_of "$(RUN=$RANDOM$RANDOM wrk -t1 -c"$1" -d"${seconds}s" -s bench/api/etcd.lua "$etcd_url")"
}
sqlite_rate() { "$build/bench/store_bench" --dir "$work" --raw "$1"; }

# The page has a server of its own, so that it is over as many workloads as it says.
start_gpuyard page
# A few more: those under way at the end are not answered.
COUNT=$((workloads + 64)) RUN=0 wrk -t1 -c64 -d600s -s bench/api/create.lua "$url" >"$work/filled"
if grep -E 'Socket errors|Non-2xx' "$work/filled" >&2; then die "not every workload was made"; fi
count=$(curl -s "${auth[@]}" "$url/api/v1/workloads/count" | jq .count)
((count >= workloads)) || die "only $count workloads were made"
page="$url/api/v1/workloads?filterBy=phase%3D%3DPending%2Cname%3D%407&sortBy=name&sortOrder=desc&limit=50"
: >"$work/pages"
for _ in $(seq "$rounds"); do
  report=$(wrk -t1 -c1 -d"${seconds}s" --latency -H "Authorization: Bearer $TOKEN" "$page")
  rate_of "$report" >/dev/null
  p99_of "$report" >>"$work/pages"
done
p99=$(median <"$work/pages")
echo "one page, filtered and sorted, over $count workloads: p99 $p99 ms (one client)"
restart_from=$(date +%s%N)
stop_gpuyard
stopped=$(date +%s%N)
serve
started=$(date +%s%N)
echo "stop $(((stopped - restart_from) / 1000000)) ms, start with $count workloads $(((started - stopped) / 1000000)) ms"
stop_gpuyard
rm -rf "$data"

start_gpuyard data
have_postgres=0 have_etcd=0
start_postgres && have_postgres=1
start_etcd && have_etcd=1

echo; echo "durable creates a second, median of $rounds rounds of $seconds s"
printf '%8s %10s %14s %12s %10s\n' clients gpuyard 'SQLite batched' PostgreSQL etcd
creates=[]
for clients in 1 32 256; do
  : >"$work/rows"
  for _ in $(seq "$rounds"); do
    echo "$(create_rate $clients) $(sqlite_rate $clients) $( ((have_postgres)) && postgres_rate $clients || echo 0) $( ((have_etcd)) && etcd_rate $clients || echo 0)" >>"$work/rows"
  done
  column() { awk -v c="$1" '{print $c}' "$work/rows" | median; }
  printf '%8s %10s %14s %12s %10s\n' "$clients" "$(column 1)" "$(column 2)" "$(column 3)" "$(column 4)"
  creates=$(jq -c ". + [{clients: $clients, gpuyard: $(column 1), sqlite_batched: $(column 2), postgresql: $(column 3), etcd: $(column 4)}]" <<<"$creates")
done

echo; echo "small GETs, wrk -t1 -c32; both servers have one I/O thread"
stop_gpuyard
serve --threads 1
bare_port=$(free_port)
"$build/bench/http_bench" serve bare --port "$bare_port" & bare=$!
pids+=("$bare")
until (exec 3<>"/dev/tcp/127.0.0.1/$bare_port") 2>/dev/null; do kill -0 "$bare" || die "http_bench ended"; sleep 0.05; done
# "rate cpu_us" of URL served by PID
get_cost() {
  local before after report
  wrk -t1 -c32 -d1s -H "Authorization: Bearer $TOKEN" "$2" >/dev/null
  before=$(ticks "$1")
  report=$(wrk -t1 -c32 -d"${seconds}s" -H "Authorization: Bearer $TOKEN" "$2")
  after=$(ticks "$1")
  rate_of "$report" >/dev/null
  awk -v used=$((after - before)) -v hz="$(getconf CLK_TCK)" '/requests in/ {n = $1} /Requests\/sec/ {r = $2}
    END {printf "%.0f %.2f\n", r, used * 1e6 / hz / n}' <<<"$report"
}
: >"$work/gets"
for _ in $(seq "$rounds"); do
  echo "bare $(get_cost "$bare" "http://127.0.0.1:$bare_port/job")" >>"$work/gets"
  echo "version $(get_cost "$gpuyard" "$url/api/v1/version")" >>"$work/gets"
  echo "project $(get_cost "$gpuyard" "$url/api/v1/org-unit/projects/$PROJECT")" >>"$work/gets"
done
get_column() { awk -v who="$1" -v c="$2" '$1 == who {print $c}' "$work/gets" | median; }
printf '%-34s %10s %16s %8s\n' what req/s 'CPU us/request' ratio
gets='{}'
for who in bare version project; do
  ratio=$(awk -v a="$(get_column $who 3)" -v b="$(get_column bare 3)" 'BEGIN {printf "%.2f", a / b}')
  printf '%-34s %10s %16s %8s\n' "$who" "$(get_column $who 2)" "$(get_column $who 3)" "$ratio"
  gets=$(jq -c ".$who = {rate: $(get_column $who 2), cpu_us: $(get_column $who 3), ratio_to_bare: $ratio}" <<<"$gets")
done

mkdir -p "$(dirname "$result")"
jq -n --argjson creates "$creates" --argjson gets "$gets" --argjson count "$count" --argjson p99 "$p99" \
  --argjson start_ms "$(((started - stopped) / 1000000))" --arg date "$(date -u +%FT%TZ)" \
  --arg machine "$(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo), $(nproc) cores" \
  '{date: $date, machine: $machine, creates: $creates, gets: $gets, page: {workloads: $count, p99_ms: $p99}, start_ms: $start_ms}' >"$result"
