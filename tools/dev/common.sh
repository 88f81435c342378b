# shellcheck shell=bash disable=SC2034  # the variables are for the other files
# Messages, and long steps with a heading and their duration. Sourced by ./dev.

root=$PWD
results=$root/build/test
jobs=$(nproc)
readonly root results jobs

die() {
  echo "dev: $*" >&2
  exit 1
}

# step HEADING COMMAND...: runs the command, prints the heading before and the duration after.
# The heading goes to standard error so that a command's own output stays clean.
step() {
  local heading=$1 started=$SECONDS status=0
  shift
  echo "== $heading" >&2
  "$@" || status=$?
  if ((status == 0)); then
    echo "   done in $((SECONDS - started)) s" >&2
  else
    echo "   FAILED ($status) after $((SECONDS - started)) s" >&2
  fi
  return "$status"
}
