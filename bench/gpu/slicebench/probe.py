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
    """Name: True for a function, False for a variable."""
    out = subprocess.run(["nm", "-D", "--defined-only", path], text=True, capture_output=True)
    words = [line.split() for line in out.stdout.splitlines()]
    return {w[-1].split("@")[0]: w[-2] in "TtWwi" for w in words}


def compare_exports(real_path, our_path, prefix):
    """Functions we lack; variables, which cannot be forwarded, that are no debugger's; stubs of
    ours where the driver has a variable."""
    real = {n: f for n, f in exported(real_path).items() if n.startswith(prefix)}
    ours = exported(our_path)
    variables = sorted(n for n, function in real.items() if not function)
    return {"exported": len(real),
            "functions_missing": sorted(n for n, f in real.items() if f and n not in ours),
            "variables_left_out": [n for n in variables if n not in ours],
            "variables_unknown": [n for n in variables if not n.startswith("cudbg")],
            "variables_stubbed": [n for n in variables if n in ours]}


def complete(found):
    return not (found["functions_missing"] or found["variables_unknown"] or
                found["variables_stubbed"])


def unmatched(library):
    """Wrapped symbols whose pointer cuGetProcAddress never gives out."""
    missing = []
    for symbol in names("src/slice/cuda/cuda_wraps.inc", "W"):
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
    cuda = compare_exports(lab.real_cuda, lab.build + "/lib/libcuda.so.1", "cu")
    nvml = compare_exports(lab.real_nvml, lab.build + "/lib/libnvidia-ml.so.1", "nvml")
    dynamic = subprocess.run(["readelf", "-d", lab.real_cuda], text=True, capture_output=True)
    used, rounding, codes = context_bytes(lab)
    lab.context_bytes = used or 0
    return {"pass": complete(cuda) and complete(nvml) and used is not None,
            "real_cuda": lab.real_cuda, "real_nvml": lab.real_nvml,
            "cuda": cuda, "nvml": nvml,
            "wrapped_but_never_given_out": unmatched(library),
            "symbolic": "SYMBOLIC" in dynamic.stdout, "context_mib": (used or 0) / MIB,
            "pid_visible": used is not None, "reserved_mib": lab.reserved / MIB,
            "rounding": rounding, "codes": codes}
