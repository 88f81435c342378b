#include <string>

#include "cli/cluster/facts.h"

namespace yard::cli {

const char* const kDaemonFunctions = R"SH(pids() {
  own=$(readlink /proc/self/ns/pid)
  for place in /proc/[0-9]*; do
    { read -r comm <"$place/comm"; } 2>/dev/null || continue
    [ "$comm" = "$1" ] && [ "$(readlink "$place/ns/pid")" = "$own" ] || continue
    { read -r state <"$place/stat"; } 2>/dev/null || continue
    case ${state##*) } in [ZX]*) ;; *) echo "${place#/proc/}" ;; esac
  done
}
stop() {
  for pid in $(pids "$1"); do kill "$pid" 2>/dev/null || true; done
  tries=0
  while [ -n "$(pids "$1")" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 150 ] || { echo "$1 does not end" >&2; exit 1; }
    sleep 0.2
  done
}
)SH";

namespace {

constexpr const char* kMachine = R"SH(export LC_ALL=C
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
say() { printf '%s %s\n' "$1" "$2"; }
say time "$(date +%s)"
say node "$(uname -n | cut -d. -f1)"
say ssh "${SSH_CONNECTION:-}"
say system "$(. /etc/os-release; echo "${ID_LIKE:-} $ID ${VERSION_ID:-}")"
say cpus "$(nproc --all)"
lscpu -p=CPU,CORE,SOCKET 2>/dev/null | awk -F, '!/^#/ { cpus++; cores[$2 "," $3]; sockets[$3] }
  END { c = length(cores); s = length(sockets)
        if (s && c % s == 0 && cpus % c == 0) print "topology", s, c / s, cpus / c }'
awk '/^MemTotal:/ { print "memory", int($2 / 1024) }' /proc/meminfo
for file in /dev/nvidia[0-9]*; do [ ! -c "$file" ] || say gpu "$file"; done
for place in /proc/driver/nvidia/gpus/*/information; do
  [ ! -r "$place" ] || awk -F': *' '{ gsub(/[ \t]+$/, "", $2) } /^Model/ { model = $2 }
    /^Device Minor/ { print "gpu-minor", $2, model }' "$place"
done
nvidia-smi --query-gpu=memory.total,name --format=csv,noheader,nounits 2>/dev/null |
  sed -n 's/^\([0-9][0-9]*\), /gpu-model \1 /p'
[ ! -d /run/systemd/system ] || say starter systemd
if [ "$(stat -fc %T /sys/fs/cgroup 2>/dev/null)" = cgroup2fs ]; then
  say groups v2
else
  all=v1
  for group in freezer memory cpuset cpuacct devices; do
    [ -w "/sys/fs/cgroup/$group/tasks" ] || all=
  done
  [ -z "$all" ] || say groups v1
fi
)SH";

constexpr const char* kSoftware =
    R"SH(dpkg-query -W -f='${db:Status-Status} ${Package} ${Version}\n' \
  munge slurm-client slurmctld slurmd 2>/dev/null | sed -n 's/^installed /package /p'
for daemon in munged slurmctld slurmd; do [ -z "$(pids $daemon)" ] || say daemon $daemon; done
[ -z "$(pids gpuyard)" ] || say serves now
[ ! -d /var/lib/gpuyard ] || { say serves data; say server-uid "$(stat -c %u /var/lib/gpuyard)"; }
state=/var/lib/gpuyard-cluster
for name in stamp own-key running-key; do
  [ ! -f $state/$name ] || say $name "$(head -c 100 $state/$name | head -n 1)"
done
[ ! -f /etc/munge/munge.key ] || say munge-key "$(sha256sum </etc/munge/munge.key | cut -c1-64)"
for name in slurm.conf gres.conf cgroup.conf; do
  [ ! -f /etc/slurm/$name ] || sed "s|^|file $name |" /etc/slurm/$name
done
for daemon in slurmctld slurmd; do
  [ ! -f $state/running-$daemon ] || ! cat /etc/slurm/slurm.conf /etc/slurm/gres.conf \
    /etc/slurm/cgroup.conf 2>/dev/null | cmp -s - $state/running-$daemon || say current $daemon
done
for file in /etc/ssh/ssh_host_*_key.pub; do
  [ ! -f "$file" ] || say host-key "$(head -c 4000 "$file" | head -n 1 | cut -d' ' -f1,2)"
done
)SH";

// What lies in reach of the account is read with the account's rights.
constexpr const char* kPeople =
    R"SH(getent passwd | awk -F: '$3 >= 2000 && $3 < 3000 { print "taken", $3 }'
getent group | awk -F: '$3 >= 2000 && $3 < 3000 { print "taken", $3 }'
as() { sh -c "$@"; }
account=$1
if entry=$(getent passwd "$1"); then
  say account "$(echo "$entry" | cut -d: -f3,4 | tr : ' ')"
  HOME=$(echo "$entry" | cut -d: -f6)
  export HOME
  as() { runuser -u "$account" -- sh -c "$@"; }
fi
as 'cd "$1" 2>/dev/null && [ -f .gpuyard-cluster ] && head -c 100 .gpuyard-cluster | head -n 1' \
  sh "$2" | sed 's/^/folder-id /'
[ ! -d "$2" ] || { say folder-uid "$(stat -Lc %u "$2")"; say folder-names "$(ls -A "$2" | wc -l)"; }
[ -z "$entry" ] || as 'cd && [ -f .ssh/authorized_keys ] && head -c 20000 .ssh/authorized_keys' |
  sed 's/^/authorised /'
echo; echo end
)SH";

}  // namespace

std::string FactsScript() {
  return std::string(kDaemonFunctions) + kMachine + kSoftware + kPeople;
}

}  // namespace yard::cli
