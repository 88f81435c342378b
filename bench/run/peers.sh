# shellcheck shell=bash disable=SC2154  # run.sh sets slots
# Smaller peers: they start commands on this machine and keep little or nothing about them.
# Sourced by bench/run.sh.

# tsp keeps its queue and its records in the memory of one process.
tsp_rate() {
  local dir=$1 count=$2 from i
  mkdir -p "$dir"
  export TS_SOCKET=$dir/socket TMPDIR=$dir TS_MAXFINISHED=1000000
  tsp -S "$slots"
  from=$(now)
  for ((i = 0; i < count; i++)); do tsp -n true >/dev/null; done
  while [[ $(tsp -l | awk '$2 == "queued" || $2 == "running"' | wc -l) != 0 ]]; do sleep 0.05; done
  rate_since "$from" "$count"
}
tsp_latencies() {
  local dir=$1 count=$2 from i
  for ((i = 0; i < count; i++)); do
    from=$(now)
    tsp -nf sh -c "date +%s.%N >$dir/started"
    awk -v from="$from" '{printf "%.1f\n", ($1 - from) * 1000}' "$dir/started"
  done
}
stop_tsp() { [[ ! -S ${TS_SOCKET:-} ]] || tsp -K; unset TS_SOCKET TMPDIR TS_MAXFINISHED; }

# GNU parallel writes a line for each job to its log of ends.
parallel_rate() {
  local dir=$1 count=$2 from
  mkdir -p "$dir/home"
  from=$(now)
  seq "$count" | PARALLEL_HOME=$dir/home parallel --will-cite -j "$slots" -N0 --joblog "$dir/log" true
  rate_since "$from" "$count"
}

# HyperQueue comes from PyPI; it tells about its server on standard output first.
hyperqueue_python() {
  local venv=build/venv/hyperqueue
  [[ -e $venv/complete ]] || {
    rm -rf "$venv"
    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check hyperqueue &&
      touch "$venv/complete"
  } >&2 || return 1
  echo "$venv/bin/python"
}
hyperqueue_rate() { "$(hyperqueue_python)" bench/run/hq.py "$1" "$slots" 2>/dev/null | tail -n 1; }
