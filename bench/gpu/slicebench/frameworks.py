"""T5 and T6: PyTorch, JAX, CuPy and Triton meet the limit as an ordinary out-of-memory and go on;
two halves fill side by side."""
import os
import subprocess
import sys
import time

from . import lab as tools
from .lab import GIB, MIB

HERE = os.path.dirname(os.path.abspath(__file__)) + "/jobs/"

JOBS = {  # name: (program, environment)
    "torch native": ("torch_oom.py", {}),
    "torch expandable": ("torch_oom.py", {"PYTORCH_ALLOC_CONF": "expandable_segments:True",
                                          "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}),
    "torch async": ("torch_oom.py", {"PYTORCH_ALLOC_CONF": "backend:cudaMallocAsync",
                                     "PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"}),
    "jax default": ("jax_oom.py", {}),
    "jax platform": ("jax_oom.py", {"XLA_PYTHON_CLIENT_ALLOCATOR": "platform",
                                    "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}),
    "cupy pool": ("cupy_oom.py", {}),
    "cupy async": ("cupy_oom.py", {"CUPY_JOB_ASYNC": "1"}),
    "triton": ("triton_oom.py", {}),
}


def start(part, program, extra, words=()):
    env = part.env(dict(extra, TF_CPP_MIN_LOG_LEVEL="3"))
    return tools.start([sys.executable, HERE + program, *map(str, words)], env, text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process, limit):
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        tools.end_group(process)
        out, err = process.communicate(timeout=10)
        return {"ok": False, "error": "hangs", "said": (out + err)[-300:]}
    good = process.returncode == 0 and "refused" in out and "right" in out
    said = {"ok": good, "said": out.strip()[-200:]}
    if not good:
        said["error"] = err[-700:]
    return said


def t5(lab):
    """Four at a time, each in a slice of its own."""
    hard, outcome, names = 6 * GIB, {}, list(JOBS)
    for group in (names[:4], names[4:]):
        parts = {name: lab.add(hard) for name in group}
        running = {name: start(parts[name], *JOBS[name], [hard]) for name in group}
        for name, process in running.items():
            outcome[name] = finish(process, 45)
            outcome[name]["refused"] = parts[name].stat()["refused"]
            parts[name].remove()
    return {"pass": all(o["ok"] for o in outcome.values()), "hard_mib": hard // MIB,
            "jobs": outcome}


def t6(lab):
    hard = lab.half()
    parts = [lab.add(hard), lab.add(hard)]
    jobs = [start(part, "torch_half.py", {}, [hard, 10]) for part in parts]
    worst, worst_each = 0, [0, 0]
    while any(job.poll() is None for job in jobs):
        use = lab.nvml.processes()
        each = [use.get(job.pid, 0) for job in jobs]
        worst_each = [max(a, b) for a, b in zip(worst_each, each)]
        worst = max(worst, lab.nvml.memory().used)
        time.sleep(0.05)
    outcomes = [finish(job, 5) for job in jobs]
    for part in parts:
        part.remove()
    allowed = lab.total - lab.reserved
    return {"pass": all(o["ok"] for o in outcomes) and worst <= allowed and
            all(most <= hard for most in worst_each), "hard_mib": hard // MIB,
            "most_each_mib": [most // MIB for most in worst_each], "most_used_mib": worst // MIB,
            "allowed_mib": allowed // MIB, "jobs": outcomes}
