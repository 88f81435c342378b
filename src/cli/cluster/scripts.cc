#include "cli/cluster/scripts.h"

#include "cli/cluster/facts.h"

namespace yard::cli::scripts {

std::string WithFunctions(const char* script) {
  return std::string(
             "set -eu\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n") +
         kDaemonFunctions + script;
}

// The folder may be the account's already, so a link that lies there is not followed (set -C).
const char* const kMakeFolder = R"SH(umask 022
mkdir -p "$1"
cd "$1"
set -C
[ -f .gpuyard-cluster ] || printf '%s\n' "$2" >.gpuyard-cluster
)SH";

// A file system of another machine may take a while to show a new name.
const char* const kSeeFolder = R"SH(tries=0
sees() {
  ls -a "$1" >/dev/null 2>&1 && [ -f "$1/.gpuyard-cluster" ] &&
    [ "$(head -c 100 "$1/.gpuyard-cluster" 2>/dev/null)" = "$2" ]
}
until sees "$1" "$2"; do
  tries=$((tries + 1))
  [ "$tries" -lt 20 ] || {
    echo "$1 is not the same folder here: mount one file system on all hosts," \
      "and name it by --folder" >&2
    exit 1
  }
  sleep 0.5
done
)SH";

const char* const kInstall = R"SH(state=/var/lib/gpuyard-cluster
mkdir -p -m 0755 $state
printf '%s\n' "$1" >$state/stamp
shift
export DEBIAN_FRONTEND=noninteractive
install() {
  apt-get -q -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold \
    install --no-install-recommends "$@" </dev/null
}
install "$@" >/dev/null 2>&1 || { apt-get -q update >/dev/null && install "$@" >/dev/null; }
)SH";

const char* const kMakeAccount = R"SH(groupadd --gid "$2" "$1"
useradd --uid "$2" --gid "$2" --create-home --shell /bin/sh --password '*' "$1"
)SH";

const char* const kGiveFolder = R"SH(chown -h "$2:" "$1"
)SH";

const char* const kMakeKey = R"SH(umask 077
cd /etc/munge
head -c 1024 /dev/urandom >munge.key.new
chown munge:munge munge.key.new
chmod 0400 munge.key.new
mv -f munge.key.new munge.key
sha256sum <munge.key | cut -c1-64 >/var/lib/gpuyard-cluster/own-key
)SH";

const char* const kReadKey = R"SH(cat /etc/munge/munge.key
)SH";

const char* const kTakeKey = R"SH(umask 077
cd /etc/munge
cat >munge.key.new
[ "$(wc -c <munge.key.new)" -ge 32 ] || { echo "the key did not come over" >&2; exit 1; }
chown munge:munge munge.key.new
chmod 0400 munge.key.new
mv -f munge.key.new munge.key
sha256sum <munge.key | cut -c1-64 >/var/lib/gpuyard-cluster/own-key
)SH";

const char* const kStartMunge = R"SH(if [ "$1" = systemd ]; then
  systemctl -q enable munge
  systemctl restart munge
else
  stop munged
  install -d -o munge -g munge -m 0755 /run/munge
  runuser -u munge -- /usr/sbin/munged </dev/null
fi
tries=0
until munge -n 2>/dev/null | unmunge >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ "$tries" -lt 50 ] || {
    echo "munged does not answer; see /var/log/munge/munged.log" >&2
    exit 1
  }
  sleep 0.2
done
sha256sum </etc/munge/munge.key | cut -c1-64 >/var/lib/gpuyard-cluster/running-key
)SH";

const char* const kWriteSettings = R"SH(umask 022
mkdir -p /etc/slurm
cat >"/etc/slurm/$1.new"
mv -f "/etc/slurm/$1.new" "/etc/slurm/$1"
)SH";

// Jobs outlive their daemons, so a start with new settings touches none.
const char* const kStartDaemon = R"SH(umask 022
install -d -o slurm -g slurm -m 0755 /var/lib/slurm/slurmctld /var/log/slurm
cd /etc/slurm
cat slurm.conf gres.conf cgroup.conf >/var/lib/gpuyard-cluster/starting
if [ "$1" = systemd ]; then
  systemctl -q enable "$2"
  systemctl restart "$2"
else
  stop "$2"
  "/usr/sbin/$2" </dev/null >/dev/null
fi
answers() {
  if [ "$1" = slurmctld ]; then
    scontrol ping 2>/dev/null | grep -q 'is UP'
  else
    [ -n "$(pids slurmd)" ]
  fi
}
tries=0
until answers "$2"; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || {
    echo "$2 does not answer; the end of /var/log/slurm/$2.log:" >&2
    tail -n 3 "/var/log/slurm/$2.log" >&2
    exit 1
  }
  sleep 0.2
done
mv -f /var/lib/gpuyard-cluster/starting "/var/lib/gpuyard-cluster/running-$2"
)SH";

const char* const kAwaitNodes = R"SH(names=$(echo "$*" | tr ' ' ,)
tries=0
until state=$(sinfo -h -N -n "$names" -o '%N %T' 2>&1) &&
  ! echo "$state" | grep -Evq ' (idle|mixed|allocated|completing|reserved|drained|draining)$'; do
  tries=$((tries + 1))
  [ "$tries" -lt 120 ] || { echo "not ready after a minute: $state" >&2; sinfo -h -R >&2; exit 1; }
  sleep 0.5
done
)SH";

// With the rights of the account: the folder is its own, and so is every link in it.
const char* const kAuthorise = R"SH(cd /
key=$(cat)
HOME=$(getent passwd "$1" | cut -d: -f6)
export HOME
runuser -u "$1" -- sh -euc 'umask 077
  cd
  mkdir -p .ssh
  printf "restrict,port-forwarding,pty %s\n" "$1" >>.ssh/authorized_keys' sh "$key"
)SH";

const char* const kForbid = R"SH(cd /
key=$(cat)
HOME=$(getent passwd "$1" | cut -d: -f6)
export HOME
runuser -u "$1" -- sh -euc 'umask 077
  cd
  grep -vF -- "$1" .ssh/authorized_keys >.ssh/authorized_keys.new || [ $? = 1 ]
  mv -f .ssh/authorized_keys.new .ssh/authorized_keys' sh "$key"
)SH";

// A node that the controller has forgotten already has left.
const char* const kDrain = R"SH(scontrol show node "$1" >/dev/null 2>&1 || exit 0
scontrol update "nodename=$1" state=drain reason='gpuyard cluster: the host leaves'
)SH";

const char* const kAwaitJobs = R"SH(scontrol show node "$1" >/dev/null 2>&1 || exit 0
tries=0
while :; do
  jobs=$(squeue -h -w "$1" -o %i)
  [ -n "$jobs" ] || exit 0
  tries=$((tries + 1))
  [ "$tries" -le "$2" ] || break
  sleep 1
done
echo "$(echo "$jobs" | wc -l) job(s) still run there, and no new one starts: wait and repeat" >&2
exit 1
)SH";

const char* const kGiveUpNode = R"SH(scontrol show node "$1" >/dev/null 2>&1 || exit 0
scontrol update "nodename=$1" state=down reason='gpuyard cluster: the host is gone'
)SH";

const char* const kRefuseJobs = R"SH(jobs=$(timeout 20 squeue -h -o %i) || exit 0
[ -n "$jobs" ] || exit 0
[ "$1" = cancel ] || {
  echo "$(echo "$jobs" | wc -l) job(s) are queued or run: --force ends them" >&2
  exit 1
}
echo "$jobs" | xargs scancel
tries=0
while [ -n "$(timeout 20 squeue -h -o %i)" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 120 ] || { echo "jobs do not end" >&2; exit 1; }
  sleep 0.5
done
)SH";

const char* const kTakeAway = R"SH(for daemon in slurmd slurmctld munged; do
  service=$daemon
  [ "$daemon" != munged ] || service=munge
  if [ "$1" = systemd ] && systemctl cat "$service" >/dev/null 2>&1; then
    systemctl -q disable --now "$service"
  fi
  stop "$daemon"
done
rm -f /etc/slurm/slurm.conf /etc/slurm/gres.conf /etc/slurm/cgroup.conf /etc/munge/munge.key
rm -rf /var/lib/slurm/slurmctld /var/lib/slurm/slurmd
state=/var/lib/gpuyard-cluster
rm -f $state/own-key $state/starting $state/running-* $state/stamp
rmdir $state 2>/dev/null || true
)SH";

const char* const kForgetFolder = R"SH(cd "$1" 2>/dev/null || exit 0
[ -f .gpuyard-cluster ] || exit 0
[ "$(head -c 100 .gpuyard-cluster 2>/dev/null)" != "$2" ] || rm -f .gpuyard-cluster
cd /
rmdir "$1" 2>/dev/null || true
)SH";

}  // namespace yard::cli::scripts
