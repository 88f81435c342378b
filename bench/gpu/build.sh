#!/usr/bin/env bash
# shellcheck disable=SC2010,SC2011,SC2015,SC2016,SC2086  # our own source names; lists are split on purpose
# Compiles the slice libraries, the keeper and the test programs into FOLDER with plain compiler
# calls: bench/gpu/build.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1
mkdir -p "$out/lib" "$out/o" "$out/m"
cxx=
for candidate in "${CXX:-}" g++ g++-14 g++-13 g++-12 clang++; do
  [ -n "$candidate" ] && command -v "$candidate" >/dev/null || continue
  if echo '#include <expected>
std::expected<int, int> x;' | "$candidate" -std=c++23 -fsyntax-only -x c++ - 2>/dev/null; then
    cxx=$candidate
    break
  fi
done
[ -n "$cxx" ] || { echo "no compiler with <expected> (C++23) found"; exit 1; }
"$cxx" --version | head -n 1
jobs=$(nproc)
s=src/slice
shim_flags="-std=c++23 -O2 -g1 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti
  -fno-threadsafe-statics -Isrc"
host_flags="-std=c++23 -O2 -g1 -Isrc"
export cxx shim_flags host_flags out

# One object per source, all at once. The Vulkan layer and its program need Vulkan's headers, which such
# machines lack: vulkan-bundle.sh takes them along.
ls $s/cuda/*.cc | xargs -P "$jobs" -I{} sh -c \
  '$cxx $shim_flags -c {} -o $out/o/$(basename {} .cc).o'
ls $s/*.cc $s/agent/*.cc $s/tool/*.cc | grep -v -e _test.cc -e /vulkan_ | xargs -P "$jobs" -I{} sh -c \
  '$cxx $host_flags -c {} -o $out/m/$(basename {} .cc).o'

common="$out/o/attach.o $out/o/process.o $out/o/ptr_map.o $out/o/self.o"
link() { # SONAME NAMES_FILE OBJECT...
  local soname=$1 names=$2
  shift 2
  "$cxx" -c -DNAMES_FILE="\"slice/cuda/$names\"" -Isrc $s/cuda/stubs.S -o "$out/o/$names.stubs.o"
  # The C driver links no libstdc++, and without start files there are no constructors.
  "${CC:-gcc}" -shared -nostartfiles -Wl,-z,defs -Wl,-z,nodelete -Wl,-soname,"$soname" \
    -Wl,--version-script=$s/cuda/exports.map "$@" "$out/o/$names.stubs.o" \
    -o "$out/lib/$soname" -ldl -lpthread
}
cuda_objects=$(ls "$out"/o/*.o | grep -v -e nvml_twin -e stubs)
link libcuda.so.1 cuda_names.inc $cuda_objects
link libnvidia-ml.so.1 nvml_names.inc $common "$out/o/nvml_twin.o"

library=$(ls "$out"/m/*.o | grep -v -e _main.o -e client_)
"$cxx" "$out/m/keeper_main.o" $library -o "$out/gpuyard-slice-keeper" -ldl -lpthread
"$cxx" "$out/m/gpus_main.o" $library -o "$out/gpuyard-slice-gpus" -ldl -lpthread
"$cxx" "$out"/m/client_*.o -o "$out/gpuyard-slice-client" -ldl -lpthread

# The CUDA program, three ways: static and shared runtime, and only PTX (compiled by the driver).
if command -v nvcc >/dev/null; then
  arch="-gencode arch=compute_90,code=sm_90"
  nvcc -O2 -std=c++17 $arch -cudart static bench/gpu/plain.cu -o "$out/plain_static" -ldl &
  first=$!
  nvcc -O2 -std=c++17 $arch -cudart shared bench/gpu/plain.cu -o "$out/plain_shared" -ldl &
  second=$!
  nvcc -O2 -std=c++17 -gencode arch=compute_80,code=compute_80 -cudart static bench/gpu/plain.cu \
    -o "$out/plain_ptx" -ldl &
  third=$!
  wait "$first"
  wait "$second" || echo "the shared CUDA runtime cannot be linked here: T4 will say so"
  wait "$third"
fi
