"""T0: what the driver on this machine is like. Records; fails only if our symbol list or the
exchange of pointers would miss something."""
import ctypes
import re
import subprocess

from .lab import MIB

VERSIONS = [2000, 3000, 3020, 4000, 6000, 6050, 7000, 8000, 9000, 9020, 10000, 10010, 10020, 11000,
            11010, 11020, 11030, 11040, 11060, 12000, 12020, 12030, 12050, 12080, 13000]


def names(path, mark):
    return re.findall(r"^%s\((\w+)" % mark, open(path).read(), re.M)


def exported(path):
    out = subprocess.run(["nm", "-D", "--defined-only", path], text=True, capture_output=True)
    return {line.split()[-1].split("@")[0] for line in out.stdout.splitlines()}


def unmatched(library):
    """Wrapped symbols whose pointer cuGetProcAddress never gives out."""
    missing = []
    for symbol in names("src/slice/shim/cuda_wraps.inc", "W"):
        try:
            wanted = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
        except AttributeError:
            continue
        base = re.sub(r"(_v\d+)?(_ptsz)?$", "", symbol)
        found = set()
        for version in VERSIONS:
            for flags in (1, 2):
                pointer, how = ctypes.c_void_p(), ctypes.c_int()
                code = library.cuGetProcAddress_v2(
                    base.encode(), ctypes.byref(pointer), version, ctypes.c_uint64(flags),
                    ctypes.byref(how))
                if code == 0:
                    found.add(pointer.value)
        if wanted not in found:
            missing.append(symbol)
    return missing


def context_bytes(lab):
    """What a context costs, by NVML for the process that made one."""
    client = lab.client()
    codes = [client.ask("init")]
    used = lab.nvml.processes().get(client.pid)
    rounding = {}
    for size in (512, 1 << 20, (1 << 20) + 1, 2 << 20, (2 << 20) + 1, 20 << 20):
        before = int(client.ask("info").split()[1])
        codes.append(client.ask("alloc linear %d" % size).split()[0])
        rounding[size] = before - int(client.ask("info").split()[1])
    client.ask("freeall")
    client.close()
    return used, rounding, codes


def t0(lab):
    library = ctypes.CDLL(lab.real_cuda)
    library.cuInit(0)
    real = {n for n in exported(lab.real_cuda) if n.startswith("cu")}
    ours = exported(lab.build + "/lib/libcuda.so.1")
    real_nvml = {n for n in exported(lab.real_nvml) if n.startswith("nvml")}
    ours_nvml = exported(lab.build + "/lib/libnvidia-ml.so.1")
    dynamic = subprocess.run(["readelf", "-d", lab.real_cuda], text=True, capture_output=True)
    used, rounding, codes = context_bytes(lab)
    lab.context_bytes = used or 0
    missing = sorted(real - ours)
    return {"pass": not [n for n in missing if re.match(r"cu[A-Z]", n)] and used is not None,
            "real_cuda": lab.real_cuda, "real_nvml": lab.real_nvml,
            "exported": len(real), "not_in_our_list": missing,
            "nvml_not_in_our_list": sorted(real_nvml - ours_nvml),
            "wrapped_but_never_given_out": unmatched(library),
            "symbolic": "SYMBOLIC" in dynamic.stdout, "context_mib": (used or 0) / MIB,
            "pid_visible": used is not None, "reserved_mib": lab.reserved / MIB,
            "rounding": rounding, "codes": codes}
