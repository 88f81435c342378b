#!/usr/bin/env bash
# Packs a built gpuyard and the libraries it needs into FOLDER, for a machine that lacks them:
#
#   bench/gpu/bundle.sh BUILD_FOLDER FOLDER
#
# FOLDER/gpuyard then runs there; the C library must be as new as the one here.
set -euo pipefail
build=${1:?usage: bench/gpu/bundle.sh BUILD_FOLDER FOLDER} out=${2:?}
rm -rf "$out"
mkdir -p "$out/bin" "$out/lib"
cp -r "$build/gpuyard" "$build/gpuyard-shim" "$build/slice" "$out/bin/"
strip "$out/bin/gpuyard" "$out/bin/gpuyard-shim"
ldd "$build/gpuyard" | awk '$3 ~ /^\// { print $3 }' |
  grep -v -E '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' | xargs cp -L -t "$out/lib"
# shellcheck disable=SC2016  # for the other machine's shell
printf '%s\n' '#!/bin/sh' 'here=$(dirname "$(readlink -f "$0")")' \
  'LD_LIBRARY_PATH=$here/lib exec "$here/bin/gpuyard" "$@"' >"$out/gpuyard"
chmod 755 "$out/gpuyard"
du -sh "$out"
