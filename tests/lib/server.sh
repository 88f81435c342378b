# shellcheck shell=bash disable=SC2034  # the variables are for the suites
# Servers for suites: each on a free port of the loopback, each with a data directory of its own,
# all of them stopped when the suite ends. Sourced by tests/*/run.
#
# A suite reports with ok, not_ok and skip, one line per test, as tools/dev/test.sh describes.

: "${YARD_BUILD:?is set by ./dev test}" "${YARD_SCRATCH:?is set by ./dev test}"

readonly admin_user=admin@gpuyard.local
readonly admin_password='First-administrator-7'
server_pids=()
server_url='' server_dir='' server_pid=''

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1 ${*:2}" | tr '\n' ' ' | sed 's/ *$/\n/'; }
skip() { echo "skip $1 ${*:2}"; }

# start_server NAME TLS [ARGUMENTS...]: serves from an empty directory and waits until it is
# ready. Sets server_url, server_dir and server_pid. With server_data set the data lie there.
start_server() {
  local name=$1
  shift
  server_dir=$YARD_SCRATCH/$name
  rm -rf "$server_dir"
  mkdir -p "$server_dir"
  launch_server "$@"
}

# launch_server TLS [ARGUMENTS...]: serves from the data directory of the last server. The
# environment is the server's own, since it refuses variables of its family that it does not know.
launch_server() {
  local tls=$1
  shift
  : >"$server_dir/stdout"
  env -i PATH="$PATH" HOME="$server_dir" TMPDIR="$YARD_SCRATCH" \
    ASAN_OPTIONS="${ASAN_OPTIONS:-}" UBSAN_OPTIONS="${UBSAN_OPTIONS:-}" \
    GPUYARD_ADMIN_PASSWORD="$admin_password" \
    "$YARD_BUILD/gpuyard" server --data-dir "${server_data:-$server_dir/data}" \
    --listen 127.0.0.1:0 --tls "$tls" "$@" >"$server_dir/stdout" 2>>"$server_dir/log" &
  server_pid=$!
  server_pids+=("$server_pid")
  await_server
}

# The greeting names the address; /readyz says when to begin.
await_server() {
  local waited
  for ((waited = 0; waited < 300; waited++)); do
    server_url=$(sed -n 's/^ *url *\(http[^ ]*\).*/\1/p' "$server_dir/stdout")
    [[ -z $server_url ]] || ! curl -skf -o /dev/null "$server_url/readyz" || return 0
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.1
  done
  echo "the server did not become ready; the end of its log:" >&2
  tail -n 20 "$server_dir/stdout" "$server_dir/log" >&2
  return 1
}

# Ends the newest server; its exit status is the result, so a sanitizer's finding is one.
stop_server() {
  local status=0
  kill -TERM "$server_pid" 2>/dev/null
  wait "$server_pid" || status=$?
  unset 'server_pids[-1]'
  return "$status"
}

# A server must end by itself with success, and must not have met a bug of its own on the way.
stop_and_judge() {
  local name=$1 status=0 errors
  stop_server || status=$?
  errors=$(grep -ciE '"level": *"(error|critical)"' "$server_dir/log" || true)
  if ((status != 0)); then
    not_ok "$name" "the server ended with status $status: $(tail -n 1 "$server_dir/log")"
  elif ((errors != 0)); then
    not_ok "$name" "$errors errors in its log:" \
      "$(grep -iE '"level": *"(error|critical)"' "$server_dir/log" | head -n 1)"
  else
    ok "$name"
  fi
}

stop_servers() {
  local pid
  for pid in "${server_pids[@]}"; do
    kill -TERM "$pid" 2>/dev/null && wait "$pid"
  done
  server_pids=()
}
trap stop_servers EXIT
trap 'exit 130' INT TERM
