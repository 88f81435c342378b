#!/usr/bin/env bash
# Packs a built gpuyard, podman, and the libraries they need into FOLDER/bundle.tar.xz, for a machine
# that lacks them:
#
#   bench/gpu/bundle.sh BUILD_FOLDER FOLDER
#
# all.sh unpacks it. In it, gpuyard and podman/bin/podman run there; the C library must be as new as
# the one here. Where podman or patchelf is not installed it says so and packs no podman.
set -euo pipefail
build=${1:?usage: bench/gpu/bundle.sh BUILD_FOLDER FOLDER} out=${2:?}
for part in gpuyard gpuyard-shim slice/libcuda.so.1 slice/libnvidia-ml.so.1 slice/libgpuyard-vulkan.so.1; do
  [ -e "$build/$part" ] || { echo "$build/$part is not there: ./dev build makes it" >&2; exit 1; }
done
work=$(mktemp -d /tmp/gpuyard-bundle.XXXXXX)
trap 'rm -rf "$work"' EXIT

copy_libraries() {  # copy_libraries FOLDER PROGRAM...
  local missing
  mkdir -p "$1"
  missing=$(ldd "${@:2}" | grep 'not found' || true)
  [ -z "$missing" ] || { echo "libraries are missing here: $missing" >&2; exit 1; }
  ldd "${@:2}" | awk '$3 ~ /^\// { print $3 }' | sort -u |
    grep -v -E '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' | xargs cp -L -t "$1"
}

pack_gpuyard() {
  mkdir -p "$work/bin/slice"
  cp "$build/gpuyard" "$build/gpuyard-shim" "$work/bin/"
  cp -L "$build"/slice/lib*.so.1 "$work/bin/slice/"
  strip "$work/bin/gpuyard" "$work/bin/gpuyard-shim"
  copy_libraries "$work/lib" "$build/gpuyard"
  # shellcheck disable=SC2016  # for the other machine's shell
  printf '%s\n' '#!/bin/sh' 'here=$(dirname "$(readlink -f "$0")")' \
    'LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$here/bin/gpuyard" "$@"' >"$work/gpuyard"
  chmod 755 "$work/gpuyard"
}

# Podman, its watcher and its runtime start each other with few variables, so the way to the
# libraries is written into them.
pack_podman() {
  local name bin=$work/podman/bin
  for name in podman conmon runc patchelf; do
    command -v "$name" >/dev/null || { echo "no podman is packed: $name is not installed" >&2; return; }
  done
  mkdir -p "$bin"
  for name in podman conmon runc; do cp -L "$(command -v "$name")" "$bin/"; done
  copy_libraries "$work/podman/lib" "$bin"/*
  # shellcheck disable=SC2016  # for the other machine's loader
  patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$bin"/*
}

pack_gpuyard
pack_podman
rm -rf "$out"
mkdir -p "$out"
tar -C "$work" -c . | xz -T0 >"$out/bundle.tar.xz"
du -sh "$out"
