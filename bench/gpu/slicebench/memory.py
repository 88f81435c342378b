"""T2 and T3: the cap is exact for every kind of memory, and every surface shows it."""
import subprocess
import time

from .lab import GIB, MIB, run

KINDS = ["linear", "pitch", "managed", "async", "pool", "vmm", "vmmheld", "array", "mip", "graph"]
ROOM = {"graph": 32, "mip": 3}  # MiB that may stay unused; 2 for all others


def fill(lab, part, client, kind, hard):
    """Fills the slice with one kind of memory; what was reached, by the books and by NVML."""
    codes = []
    for step in (64 * MIB, 2 * MIB):
        code, _, _ = client.numbers("fill %s %d %d" % (kind, step, 2 * hard))
        codes.append(code)
    free = client.numbers("info")[1]
    by_nvml = lab.nvml.processes().get(client.pid, 0)
    code = client.numbers("freeall")[0]
    client.ask("sync")
    client.ask("info")
    return {"codes": codes, "short_mib": round(free / MIB, 3), "free_code": code,
            "over_mib": round((by_nvml - hard) / MIB, 3), "left": part.stat()["used"]}


def judge(kind, got, resting):
    room = ROOM.get(kind, 2)
    # NVML told of the process, which had filled its part; managed memory is there when it is used.
    seen = got["over_mib"] > -64 or kind == "managed"
    return (got["codes"] == [2, 2] and got["short_mib"] < room and got["over_mib"] <= 0 and seen and
            got["free_code"] == 0 and got["left"] <= resting)


def reset(lab, hard):
    """cudaDeviceReset frees nothing one by one: what is booked after it, and what can be had."""
    part = lab.add(hard)
    client = part.client()
    client.ask("init")
    time.sleep(0.3)
    resting = part.stat()["used"]
    for what in ("linear %d" % (3 * GIB), "linear 4096", "pitch %d" % GIB,
                 "array %d" % (256 * MIB)):
        client.ask("alloc " + what)
    before = part.stat()["used"]
    client.ask("reset")
    left = part.stat()["used"]
    again = client.ask("init")
    code = client.numbers("alloc linear %d" % (5 * GIB))[0]
    client.close()
    part.remove()
    return {"before_mib": before // MIB, "left_mib": left // MIB, "resting_mib": resting // MIB,
            "again": again, "alloc": code,
            "ok": before > 4 * GIB and left <= resting and again == "0" and code == 0}


def t2(lab):
    hard = 8 * GIB
    outcome, good = {}, True
    for kind in KINDS:
        part = lab.add(hard)
        client = part.client()
        started = client.ask("init")
        time.sleep(0.3)  # two audits: what the context really costs is known after them
        resting = part.stat()["used"]
        got = dict(fill(lab, part, client, kind, hard), init=started)
        got["ok"] = judge(kind, got, resting)
        good = good and got["ok"]
        outcome[kind] = got
        client.close()
        part.remove()
    after = reset(lab, hard)
    return {"pass": good and after["ok"], "hard_mib": hard // MIB, "kinds": outcome,
            "reset": after}


TORCH = """
import torch
free, total = torch.cuda.mem_get_info()
print(total, torch.cuda.get_device_properties(0).total_memory)
"""
NVML = """
import ctypes
lib = ctypes.CDLL("libnvidia-ml.so.1")
lib.nvmlInit_v2()
d = ctypes.c_void_p()
lib.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(d))
v1 = (ctypes.c_ulonglong * 3)()
lib.nvmlDeviceGetMemoryInfo(d, v1)
v2 = (ctypes.c_ulonglong * 5)()
v2[0] = 40 | 2 << 24
lib.nvmlDeviceGetMemoryInfo_v2(d, v2)
print(v1[0], v2[1], v2[2])
"""


def t3(lab):
    hard = 20 * GIB
    part = lab.add(hard)
    env = part.env()
    client = part.client()
    client.ask("init")
    info = client.numbers("info")
    nulls = client.ask("nulls")
    client.close()
    native = lab.client()
    native.ask("init")
    native_nulls = native.ask("nulls")
    native.close()
    plain = run([lab.build + "/plain_static", "info"], env).split()
    torch = run(["python3", "-c", TORCH], env).split()
    nvml = run(["python3", "-c", NVML], env).split()
    smi = subprocess.run(["nvidia-smi", "--query-gpu=memory.total",
                          "--format=csv,noheader,nounits"], env=env, text=True,
                         capture_output=True, timeout=20).stdout.strip()
    totals = {"cuMemGetInfo": info[2], "cuDeviceTotalMem": info[3], "cudaMemGetInfo": int(plain[1]),
              "totalGlobalMem": int(plain[2]), "torch": int(torch[0]),
              "torch_properties": int(torch[1]), "nvml_v1": int(nvml[0]), "nvml_v2": int(nvml[1])}
    part.remove()
    same = all(total == hard for total in totals.values())
    return {"pass": same and nulls == native_nulls and smi == str(hard // MIB), "hard": hard,
            "totals": totals, "nvidia_smi_mib": smi, "nulls": [nulls, native_nulls]}
