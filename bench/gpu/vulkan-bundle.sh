#!/usr/bin/env bash
# Copies into FOLDER what vulkan.sh takes along to a machine without Vulkan's headers and loader:
#
#   bench/gpu/vulkan-bundle.sh BUILD_FOLDER FOLDER
#
# The layer and the test program of that build, Vulkan's loader, and the libraries of X that the driver's
# own are linked with. The C library there must be as new as the one here.
set -euo pipefail
build=${1:?usage: bench/gpu/vulkan-bundle.sh BUILD_FOLDER FOLDER} out=${2:?}
mkdir -p "$out"
cp -L "$build/slice/libgpuyard-vulkan.so.1" "$build/src/slice/gpuyard-slice-vulkan" "$out/"
for name in libvulkan.so.1 libX11.so.6 libXext.so.6 libxcb.so.1 libXau.so.6 libXdmcp.so.6 libbsd.so.0 libmd.so.0 \
  libGLdispatch.so.0; do
  path=$(ldconfig -p | sed -n "s/^\t$name (libc6,x86-64.*=> //p" | head -n 1)
  if [ -n "$path" ]; then cp -L "$path" "$out/"; else echo "not here, so not packed: $name" >&2; fi
done
strip "$out"/gpuyard-slice-vulkan
du -sh "$out"
