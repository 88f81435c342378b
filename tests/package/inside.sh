#!/usr/bin/env bash
# shellcheck disable=SC2317  # functions are called by name
# What run does inside the overlay, where dpkg may do as it likes.
set -uo pipefail

export HOME=/tmp/home ASAN_OPTIONS=detect_leaks=0 PATH=/usr/sbin:/usr/bin:/sbin:/bin
unset GPUYARD_SOCKET GPUYARD_URL XDG_DATA_HOME XDG_CONFIG_HOME
mkdir -p "$HOME"
cd /tmp || exit 3
failed=0
server=

ok() { echo "ok $1"; }
not_ok() {
  echo "not ok $1 $2"
  failed=1
}
check() {
  local name=$1 reason=$2
  shift 2
  if "$@" >>/tmp/log 2>&1; then
    ok "$name"
  else
    not_ok "$name" "$reason"
    tail -20 /tmp/log | sed 's/^/# /'
  fi
}

# serve LOG ARGUMENTS...: starts a server and waits until it answers.
serve() {
  local log=$1
  shift
  gpuyard "$@" >"$log" 2>&1 &
  server=$!
  for _ in $(seq 600); do
    gpuyard whoami >/dev/null 2>&1 && return 0
    kill -0 "$server" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}
stop() {
  kill -TERM "$server"
  wait "$server"
}

serves_in_seconds() {
  local begin=$SECONDS
  serve /tmp/up.log up --listen 127.0.0.1:0 || { cat /tmp/up.log; return 1; }
  echo "# served after $((SECONDS - begin)) s" >&3
  [[ $(gpuyard run -J first -- echo trained) == trained ]]
}

# From dpkg to the end of the first training. What apt would fetch first is on this machine already.
first_training_within_a_minute() {
  echo "# from the package to the first training: $first_training s" >&3
  ((first_training < 60))
}

upgrade_takes_a_backup() {
  local backup
  dpkg -i --no-triggers /tmp/package/gpuyard_99.0.deb || return 1
  backup=$(find /var/backups/gpuyard -type f -name 'before-upgrade-from-*' | head -1)
  [[ -s $backup && $(stat -c %a "$backup") == 600 ]] || return 1
  gpuyard restore --data-dir /tmp/restored "$backup"
}

keeps_data() {
  serve /tmp/again.log server --listen 127.0.0.1:0 --tls off || { cat /tmp/again.log; return 1; }
  gpuyard get projects -o name | grep -qx project/kept
}

exec 3>&1
begin=$SECONDS
check installs "dpkg refused it" dpkg -i --no-triggers /tmp/package/gpuyard_0*.deb
check up-serves-in-seconds "no server, or no work" serves_in_seconds
first_training=$((SECONDS - begin))
check first-training-within-a-minute "it took longer" first_training_within_a_minute
stop
serve /tmp/server.log server --listen 127.0.0.1:0 --tls off || not_ok server "see: $(tail -3 /tmp/server.log)"
check a-project "apply" bash -c "printf 'kind: Project\nmetadata: {name: kept}\nspec: {}\n' | gpuyard apply -f -"
stop
check upgrade-takes-a-backup-first "there is none, or it is open to others" upgrade_takes_a_backup
check upgrade-keeps-data "the project is gone" keeps_data
stop
check removal-keeps-data "files are left, or data are gone" \
  bash -c 'dpkg -r --no-triggers gpuyard && [[ ! -e /usr/bin/gpuyard && -s /var/lib/gpuyard/gpuyard.db ]]'
exit "$failed"
