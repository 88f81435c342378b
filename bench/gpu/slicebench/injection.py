"""T4: the limit is seen however a program is started and however it finds the driver."""
import os
import subprocess

from .lab import GIB, run

INSIDE = r"""
set -e
mkdir -p /run/gpuyard
mount -t tmpfs none /run/gpuyard
mkdir -p /run/gpuyard/slice/real /run/gpuyard/slice/door
touch /run/gpuyard/slice/real/libcuda.so.1 /run/gpuyard/slice/real/libnvidia-ml.so.1
mount --bind "$FOLDER/door" /run/gpuyard/slice/door
mount --bind "$REAL_CUDA" /run/gpuyard/slice/real/libcuda.so.1
mount --bind "$REAL_NVML" /run/gpuyard/slice/real/libnvidia-ml.so.1
for file in $CUDA_FILES; do mount --bind "$BUILD/lib/libcuda.so.1" "$file"; done
for file in $NVML_FILES; do mount --bind "$BUILD/lib/libnvidia-ml.so.1" "$file"; done
echo "env: $(env -i $KEEP "$BUILD/plain_static" check)"
echo "shared: $($BUILD/plain_shared check)"
echo "ptx: $($BUILD/plain_ptx check)"
echo "nobody: $(su nobody -s /bin/sh -c "env $KEEP $BUILD/plain_static check")"
"""


def every_name(path, prefix):
    """All files in the usual folders that are this library under some name."""
    found = set()
    for folder in {os.path.dirname(path), "/usr/lib/x86_64-linux-gnu", "/usr/lib64",
                   "/usr/local/nvidia/lib64", "/usr/local/nvidia/lib"}:
        for name in (prefix + ".so.1", prefix + ".so"):
            full = os.path.join(folder, name)
            if os.path.exists(full):
                found.add(os.path.realpath(full))
    return sorted(found)


def by_mount(lab, part):
    """As in a container: our files lie over the driver's, nothing is set in the environment."""
    keep = " ".join("%s=%s" % (k, os.environ[k]) for k in ("LD_LIBRARY_PATH",) if k in os.environ)
    env = dict(os.environ, FOLDER=part.folder, REAL_CUDA=lab.real_cuda, REAL_NVML=lab.real_nvml,
               BUILD=lab.build, KEEP=keep,
               CUDA_FILES=" ".join(every_name(lab.real_cuda, "libcuda")),
               NVML_FILES=" ".join(every_name(lab.real_nvml, "libnvidia-ml")))
    done = subprocess.run(["unshare", "-m", "bash", "-c", INSIDE], env=env, text=True,
                          capture_output=True, timeout=50)
    seen = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    return seen, done.returncode, done.stderr[-500:]


def t4(lab):
    hard = 6 * GIB
    part = lab.add(hard)
    env = part.env()
    totals = {}
    for how in ("static", "shared", "ptx"):
        totals["cudart " + how] = int(run([lab.build + "/plain_" + how, "check"], env).split()[1])
    for library in ("libcuda.so.1", "libcuda.so"):
        client = lab.client(env, library)
        client.ask("init")
        totals["dlopen " + library] = client.numbers("info")[2]
        client.close()
    program = ("import ctypes; c = ctypes.CDLL('libcuda.so.1'); c.cuInit(0); "
               "n = ctypes.c_size_t(); c.cuDeviceTotalMem_v2(ctypes.byref(n), 0); print(n.value)")
    totals["ctypes"] = int(run(["python3", "-c", program], env))
    mounted, rc, errors = by_mount(lab, part)
    for how, text in mounted.items():
        words = text.split()
        totals["mounted " + how] = int(words[1]) if len(words) == 3 else text
    part.remove()
    good = all(total == hard for total in totals.values()) and rc == 0 and len(mounted) == 4
    return {"pass": good, "hard": hard, "totals": totals, "mount_rc": rc, "mount_errors": errors}
