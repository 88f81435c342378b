#!/usr/bin/env bash
# The scheduler alone (sched_bench), and one of its scenarios beside a real Slurm on this machine:
# 50 nodes of 8 GPUs are empty and 400 one-GPU jobs are released at once. Slurm's figures are those of
# its main scheduling cycle (sdiag) and of slurmctld's processor time meanwhile; beside the decision
# they contain the records and launch requests of the jobs it starts, which ours do not.
# Loopback only; everything is stopped and removed at the end.
#   bench/sched.sh RESULT.json [OPTIONS OF GOOGLE BENCHMARK]
set -euo pipefail
cd "$(dirname "$0")/.."
result=${1:-build/bench/sched.json}
build=${YARD_BUILD:-build/release}
work=$(mktemp -d /tmp/gpuyard-sched.XXXXXX)
slurm_pids=()

# shellcheck source=bench/run/slurm.sh
source bench/run/slurm.sh
# shellcheck disable=SC2034  # read by slurm.sh
slurm_nodes=50 slurm_gpus=8 slurm_options=sched_interval=3,bf_interval=3600,default_queue_depth=10000,partition_job_depth=0
jobs=$((slurm_nodes * slurm_gpus))

cleanup() {
  stop_slurm
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

ticks() { awk '{print $14 + $15}' "/proc/${slurm_pids[1]}/stat"; }
started() { sdiag | awk '/^Jobs started:/ {print $3}'; }

# slurm_fill: one line, "CYCLE_MS CPU_MS".
slurm_fill() {
  local before waited
  printf '#!/bin/sh\nsleep 600\n' >"$work/slurm/job.sh"
  sbatch -Q -H -n1 --gres=gpu:1 -o /dev/null --array="1-$jobs" "$work/slurm/job.sh"
  sdiag -r >/dev/null
  before=$(ticks)
  scontrol release "$(squeue -h -o %F | head -n 1)"
  for ((waited = 0; waited < 300 && $(started) < jobs; waited++)); do sleep 0.1; done
  (($(started) == jobs)) || { echo "Slurm started $(started) of $jobs jobs in 30 s" >&2; return 1; }
  sdiag | awk -v cpu="$((($(ticks) - before) * 1000 / $(getconf CLK_TCK)))" \
    '/Max cycle:/ {printf "%.1f %d\n", $3 / 1000, cpu; exit}'
}

"$build/bench/sched_bench" --benchmark_out="$result" --benchmark_out_format=json "${@:2}"

missing=$(slurm_missing)
[[ -z $missing ]] || { echo "Slurm is left out: $missing"; exit 0; }
start_slurm "$work/slurm" || { echo "Slurm is left out: it did not start"; exit 0; }
read -r cycle cpu <<<"$(slurm_fill)"
jq --argjson cycle "$cycle" --argjson cpu "$cpu" '.slurm = {cycle_ms: $cycle, cpu_ms: $cpu}' "$result" >"$work/result"
mv "$work/result" "$result"
jq -r '(first(.benchmarks[] | select(.name == "BM_FillSmall")).cpu_time) as $ours |
  "\n400 one-GPU jobs on 50 empty nodes of 8: ours \($ours * 1000 | round / 1000) ms of CPU; Slurm beside it on this machine \(.slurm.cycle_ms) ms a cycle, " +
  "\(.slurm.cpu_ms) ms of CPU with records and launch requests: \(.slurm.cpu_ms / $ours | round) x the CPU"' "$result"
