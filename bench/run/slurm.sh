# shellcheck shell=bash
# A Slurm on the loopback, from Debian's packages, in a folder of its own with its own munge key.
# Sourced by bench/run.sh (one node; many CPUs are declared, since Slurm's main scheduler starts
# about one job a second on each; with 128 its rate is bound by the processor) and by bench/sched.sh
# (slurm_nodes of slurm_gpus each, a slurmd for every node; a GPU is an empty file).

slurm_missing() {
  local program
  for program in slurmctld slurmd sbatch munged; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return 0; }
  done
  ((EUID == 0)) || echo "Slurm's daemons are started as root"
}

slurm_nodes=1 slurm_gpus=0 slurm_options=sched_interval=5,bf_interval=5,default_queue_depth=1000,partition_job_depth=1000

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Ports one after the other; that they are free is seen when every node has come up.
slurm_node_ports() {
  ((slurm_nodes > 1)) || { free_port; return; }
  local first=$((21000 + RANDOM % 8000))
  echo "[$first-$((first + slurm_nodes - 1))]"
}

write_slurm_conf() {
  local dir=$1 gpus=''
  if ((slurm_gpus > 0)); then
    gpus="Gres=gpu:$slurm_gpus"
    seq 0 $((slurm_gpus - 1)) | sed "s|^|$dir/gpu|" | xargs touch
    echo "Name=gpu File=$dir/gpu[0-$((slurm_gpus - 1))]" >"$dir/gres.conf"
  fi
  cat >"$dir/slurm.conf" <<TEXT
ClusterName=bench
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.sock
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$dir/ended.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_max_job_start=0,$slurm_options
GresTypes=gpu
SlurmdParameters=config_overrides
MpiDefault=none
MaxArraySize=10001
MaxJobCount=20000
ReturnToService=2
NodeName=n[1-$slurm_nodes] NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(slurm_node_ports) CPUs=128 $gpus State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
TEXT
}

# start_slurm DIR: returns when every node is idle. The daemons stay in the foreground of jobs of
# this shell, so that they are ended by their pids.
start_slurm() {
  local dir=$1
  mkdir -p "$dir/state" "$dir/spool"
  chmod 755 "$dir"
  (umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
  write_slurm_conf "$dir"
  export SLURM_CONF=$dir/slurm.conf
  munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.sock" \
    --pid-file="$dir/munged.pid" --seed-file="$dir/munge.seed" --log-file="$dir/munged.log" 2>/dev/null &
  slurm_pids=("$!")
  until [[ -S $dir/munge.sock ]]; do sleep 0.05; done
  slurmctld -D >/dev/null 2>&1 &
  slurm_pids+=("$!")
  local node waited
  for ((node = 1; node <= slurm_nodes; node++)); do
    mkdir -p "$dir/spool/n$node"
    slurmd -D -N "n$node" >/dev/null 2>&1 &
    slurm_pids+=("$!")
  done
  for ((waited = 0; waited < 300; waited++)); do
    [[ $(timeout 5 sinfo -h -N -o %t 2>/dev/null | grep -c '^idle$') != "$slurm_nodes" ]] || return 0
    sleep 0.1
  done
  tail -n 5 "$dir"/slurm*.log >&2
  return 1
}

# Steps outlive slurmd, so jobs are cancelled first.
stop_slurm() {
  [[ -n ${slurm_pids[*]:-} ]] || return 0
  timeout 5 scancel -p main >/dev/null 2>&1 || true
  for _ in $(seq 50); do
    [[ -n $(timeout 5 squeue -h 2>/dev/null) ]] || break
    sleep 0.1
  done
  local at
  for ((at = ${#slurm_pids[@]} - 1; at >= 0; at--)); do
    kill "${slurm_pids[at]}" 2>/dev/null || true
    wait "${slurm_pids[at]}" 2>/dev/null || true
  done
  slurm_pids=()
}

slurm_ended() { if [[ -e $1/ended.txt ]]; then wc -l <"$1/ended.txt"; else echo 0; fi; }
await_slurm() { while (($(slurm_ended "$1") < $2)); do sleep 0.05; done; }

# slurm_rate DIR COUNT WAY: jobs a second until each has its line in the record of ends.
slurm_rate() {
  local dir=$1 count=$2 way=$3 ended from
  printf '#!/bin/sh\ntrue\n' >"$dir/true.sh"
  ended=$(slurm_ended "$dir")
  from=$(now)
  if [[ $way == array ]]; then
    sbatch -Q -n1 -o /dev/null --array="1-$count" "$dir/true.sh"
  else
    seq "$count" | xargs -P4 -I{} sbatch -Q -n1 -o /dev/null "$dir/true.sh"
  fi
  await_slurm "$dir" $((ended + count))
  rate_since "$from" "$count"
}

# slurm_latencies DIR COUNT: milliseconds from sbatch's start to the job's, one job at a time.
slurm_latencies() {
  local dir=$1 count=$2 ended from
  printf '#!/bin/sh\ndate +%%s.%%N >%s/started\n' "$dir" >"$dir/date.sh"
  ended=$(slurm_ended "$dir")
  for ((i = 1; i <= count; i++)); do
    from=$(now)
    sbatch -Q -n1 -o /dev/null "$dir/date.sh"
    await_slurm "$dir" $((ended + i))
    awk -v from="$from" '{printf "%.1f\n", ($1 - from) * 1000}' "$dir/started"
  done
}
