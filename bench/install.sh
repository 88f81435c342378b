#!/usr/bin/env bash
# shellcheck disable=SC2317  # functions are called by name
# From a bare Debian 12 to the end of the first training: a tree that debootstrap makes (minbase and
# Python), `apt-get update`, `apt-get install ./gpuyard_*.deb` with all that it needs, `gpuyard up`,
# `gpuyard run`. Needs root, debootstrap and this machine's package source.
#   bench/install.sh RESULT.json
set -euo pipefail
cd "$(dirname "$0")/.."
result=$(realpath -m "${1:-build/bench/install.json}")
build=$(realpath "${YARD_BUILD:-build/release}")
base=$PWD/build/bookworm
place=$(mktemp -d /tmp/gpuyard-bench-install.XXXXXX)
trap 'rm -rf "$place"' EXIT

make_base() {
  [[ ! -e $base.complete ]] || return 0
  local source
  # shellcheck disable=SC2016  # apt-get fills it in
  source=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
  rm -rf "$base"
  debootstrap --variant=minbase --include=python3-minimal bookworm "$base" "$source" >&2
  touch "$base.complete"
}

# As root of the tree: one number for each step.
inside() {
  export HOME=/root DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin
  local begin server
  begin=$(date +%s%3N)
  passed() { printf '"%s_ms": %d, ' "$1" $(($(date +%s%3N) - begin)) >>/tmp/passed; }
  apt-get -qq update >/tmp/log 2>&1
  passed updated
  apt-get -qq install -y --no-install-recommends /tmp/gpuyard.deb >>/tmp/log 2>&1
  passed installed
  gpuyard up --listen 127.0.0.1:0 >>/tmp/log 2>&1 &
  server=$!
  until gpuyard whoami >/dev/null 2>&1; do kill -0 "$server" && sleep 0.05; done
  passed served
  [[ $(gpuyard run -J first -- echo trained) == trained ]]
  passed trained
  kill -TERM "$server"
  wait "$server" || true
}

# In a mount namespace of its own.
enter() {
  mount -t tmpfs tmpfs "$place" && cd "$place" && mkdir upper work tree
  mount -t overlay overlay -o "lowerdir=$base,upperdir=upper,workdir=work" tree
  # The way to the packages is this machine's.
  cp -a /etc/apt/. tree/etc/apt/ && cp -L /etc/resolv.conf /etc/hosts tree/etc/ && cp -a /etc/ssl tree/etc/
  for part in proc sys dev; do mount --rbind "/$part" "tree/$part"; done
  mount -t tmpfs tmpfs tree/tmp && cp "$package" tree/tmp/gpuyard.deb
  if ! chroot tree /bin/bash -ec "$(declare -f inside); inside"; then
    tail -n 20 tree/tmp/log >&2
    return 1
  fi
  mkdir -p "$(dirname "$result")"
  printf '{%s"load": %s}\n' "$(cat tree/tmp/passed)" "$(cut -d ' ' -f 1 /proc/loadavg)" >"$result"
}

make_base
mapfile -t made < <(YARD_COMPRESS="-Zgzip -z1" packaging/deb.sh "$build" "$place")
cp "${made[0]}" "$base.deb"
package=$base.deb
export -f inside enter
export place base package result
unshare -m --propagation private bash -ec enter
cat "$result"
