# shellcheck shell=bash disable=SC2034  # those who source it use the variables
# What every package is made from: BUILD-FOLDER OUTPUT-FOLDER [VERSION], as the sourcing script was called.

build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
version=${3:-$(sed -n 's/^project(gpuyard VERSION \([0-9.]*\).*/\1/p' "$source/../CMakeLists.txt")}
arch=$(dpkg --print-architecture)

# stage_in NAME: a new folder below the output folder in $stage, which goes when the script ends.
stage_in() {
  stage=$(mktemp -d "$out/$1.XXXXXX")
  trap 'rm -rf "$stage"' EXIT
}
