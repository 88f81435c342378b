# shellcheck shell=bash
# A Slurm of one node on the loopback, from Debian's packages, in a folder of its own with its own
# munge key. Sourced by bench/run.sh. Many CPUs are declared, since Slurm's main scheduler starts
# about one job a second on each; with 128 its rate is bound by the processor.

slurm_missing() {
  local program
  for program in slurmctld slurmd sbatch munged; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return 0; }
  done
  ((EUID == 0)) || echo "Slurm's daemons are started as root"
}

write_slurm_conf() {
  local dir=$1
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
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$dir/ended.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=5,bf_interval=5,sched_max_job_start=0,default_queue_depth=1000,partition_job_depth=1000
SlurmdParameters=config_overrides
MpiDefault=none
MaxArraySize=10001
MaxJobCount=20000
ReturnToService=2
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(free_port) CPUs=128 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
TEXT
}

# start_slurm DIR: returns when the node is idle. The daemons stay in the foreground of jobs of
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
  slurmd -D -N n1 >/dev/null 2>&1 &
  slurm_pids+=("$!")
  local waited
  for ((waited = 0; waited < 300; waited++)); do
    [[ $(timeout 5 sinfo -h -o %t 2>/dev/null) != idle ]] || return 0
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
