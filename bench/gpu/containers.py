#!/usr/bin/env python3
"""Parts of a real GPU in containers: a podman and a server of its own, on an NVIDIA machine.

    bench/gpu/containers.py FOLDER-OF-GPUYARD RESULTS_FOLDER

Needs root, nvcc and PyTorch, and no network. Takes the podman that bundle.sh packed (see podman.py)
and makes an image of the machine's own shell, C library and plain.cu; PyTorch comes into containers
as host paths. The lines of trial.py go to RESULTS_FOLDER/containers.txt too.
"""
import json
import os
import re
import sys
import time

import podman
from trial import (COUNT, GREED, HOLD, HOME, PYTHON, SEE, SUBMITTED, await_state, counted_on, counts_of,
                   end_work, gy, leaves_nothing, main, phase_of, physical, say, say_failed, smi, wait_for)

SHARED = HOME / "shared"  # seen by containers as /trial
EAT = "held = [bytearray(1 << 20) for _ in range(1024)]; print('ate')"


def machine_mounts():
    """What the machine's Python needs, without what lies inside something else."""
    wanted = [path for path in ["/usr", *sys.path[1:], sys.prefix, sys.base_prefix] if os.path.isdir(path)]
    paths = sorted({form(path) for path in wanted for form in (os.path.abspath, os.path.realpath)})
    tops = [p for p in paths if not any(p.startswith(top + "/") for top in paths)]
    return [*tops, "/etc/ld.so.cache"]


def submit(name, gpu, words, mounts=(), **more):
    """By a file: the command line of `gpuyard` has no word for the node's network, and there is no
    other here."""
    paths = [{"path": str(SHARED), "mountPath": "/trial", "readOnly": True}]
    paths += [{"path": path, "mountPath": path, "readOnly": True} for path in mounts]
    compute = {"gpuDevicesRequest": 1, "gpuRequestType": "portion", "gpuPortionRequest": gpu} if gpu else {}
    variables = [{"name": variable, "value": os.environ[variable]}
                 for variable in ("LD_LIBRARY_PATH", "PYTHONPATH") if variable in os.environ]
    spec = {"image": podman.IMAGE, "command": words[0], "args": " ".join(words[1:]),
            "compute": dict(compute, **more), "environmentVariables": variables, "backoffLimit": 0,
            "security": {"hostNetwork": True}, "storage": {"hostPath": paths}}
    SUBMITTED.append(name)
    allowed = [word for item in paths for word in ("--path", f"{item['path']}:ro")]
    gy("host-access", "allow", "--tenant", "--host-network", *allowed)
    about = {"name": name, "project": json.loads(gy("get", "projects", "-o", "json"))[0]["name"]}
    gy("apply", "-f", "-", text=json.dumps({"kind": "Training", "metadata": about, "spec": spec}))


def torch(name, gpu, *words, **more):
    submit(name, gpu, [PYTHON, *words], machine_mounts(), **more)


def wait_until(name, phases, patience=60):
    until = time.time() + patience
    while (phase := phase_of(name)) not in phases:
        if time.time() > until or phase in ("Completed", "Failed"):
            raise RuntimeError(f"{name} is {phase}: {gy('show', name)} {gy('logs', name, check=False)}")
        time.sleep(0.2)


def output(name):
    wait_until(name, ("Completed",))
    return gy("logs", name)


def total_of(text):
    """Of plain.cu's `free total totalGlobalMem`, or PyTorch's `seen free total`."""
    return int(re.search(r"\d+ (\d+)", text).group(1))


def half(name, text):
    total = total_of(text)
    good = abs(total - physical() / 2) < 0.02 * physical()
    say(name, good, f"{total >> 20} MiB of {physical() >> 20}")


def held(name):
    return int(wait_for(name, "held").split("held")[1].split()[0])


def sees_its_part():
    submit("small", 0.5, ["/bin/plain", "check"])
    half("half-a-gpu-in-a-container", output("small"))
    torch("see", 0.5, "/trial/see.py")
    half("half-a-gpu-for-pytorch-in-a-container", output("see"))
    torch("greed", 0.5, "/trial/greed.py")
    greed = output("greed")
    say("more-is-refused-as-out-of-memory", "refused, and goes on: 1000.0" in greed, greed.strip())


def cannot_be_forgotten():
    """Without a variable of ours the driver's own path leads to our files."""
    folder = os.path.dirname(podman.driver("libcuda.so.1"))
    submit("bare", 0.5, ["/bin/sleep", "600"])
    wait_until("bare", ("Running",))
    half("half-without-our-variables", gy("exec", "bare", "--", "/bin/env", "-i",
                                          f"LD_LIBRARY_PATH={folder}", "/bin/plain", "info"))
    gy("cancel", "bare")
    gy("wait", "bare", check=False)


def two_halves():
    for name in ("left", "right"):
        torch(name, 0.5, "/trial/hold.py", "0.95", "/trial/go")
    sizes = [held(name) for name in ("left", "right")]
    say("two-containers-side-by-side", all(size > 0.45 * physical() for size in sizes),
        f"{[size >> 20 for size in sizes]} MiB of {physical() >> 20}")
    gpus = gy("gpus")
    say("isolation-is-shown", gpus.count("cooperative") >= 3, " | ".join(gpus.splitlines()))


def a_death_gives_its_part_back():
    torch("third", 0.5, "/trial/hold.py", "0.95", "/trial/go")
    waited = phase_of("third")
    began = time.time()
    podman.kill("left")
    while int(smi("memory.used")[0]) << 20 > 0.6 * physical() and time.time() < began + 30:
        time.sleep(0.05)
    freed = time.time() - began
    size = held("third")
    say("a-killed-container-gives-its-part-back", waited == "Pending" and freed < 10 and
        size > 0.45 * physical(), f"free after {freed:.1f} s; the next, {waited} before, holds "
        f"{size >> 20} MiB after {time.time() - began:.1f} s")
    (SHARED / "go").touch()
    for name in ("right", "third"):
        log = output(name)
        say(f"{name}-ends-well", "intact" in log and phase_of(name) == "Completed",
            log.strip().splitlines()[-1])


def whole():
    """Into the image without the machine's folders the server brings the driver itself."""
    submit("whole", 1, ["/bin/plain", "check"])
    total = total_of(output("whole"))
    say("a-whole-gpu-in-a-container", total > 0.97 * physical(), f"{total >> 20} MiB")
    torch("whole-torch", 1, "/trial/see.py")
    total = total_of(output("whole-torch"))
    say("a-whole-gpu-for-pytorch-in-a-container", total > 0.97 * physical(), f"{total >> 20} MiB")


def leave_and_come_back():
    """With a part of the GPU by its slice, with all of it by the processes of the container."""
    for name, gpu in (("parked", 0.5), ("parked-whole", 1)):
        torch(name, gpu, "/trial/count.py", str(1 << 30), f"/trial/{name}")
        wait_for(name, "count 5")
        before = int(smi("memory.used")[0])
        gy("suspend", name, "--keep-memory")
        state = await_state(name, "Stopped", "Parked")
        left, seen = before - int(smi("memory.used")[0]), counts_of(name)[-1]
        gy("resume", name)
        same, text = counted_on(name, seen, SHARED / name)
        say(f"{name}-in-a-container-comes-back", state[:2] == ("Stopped", "Parked") and left > 1 << 10 and same,
            f"{left} MiB were away, {text}")


def memory_of_the_machine():
    torch("eats", None, "/trial/eat.py", cpuMemoryLimit="256M")
    wait_until("eats", ("Failed",))
    text = gy("show", "eats")
    say("its-own-memory-has-a-limit", "used more memory than its limit" in text, " ".join(text.split()))


def claims(_server):
    SHARED.mkdir()
    for name, text in {"see": SEE, "hold": HOLD, "greed": GREED, "count": COUNT, "eat": EAT}.items():
        (SHARED / f"{name}.py").write_text(text)
    for step in (sees_its_part, cannot_be_forgotten, two_halves, a_death_gives_its_part_back, whole,
                 leave_and_come_back, memory_of_the_machine):
        try:
            step()
        except Exception as error:  # the next one may still show something
            say_failed(step.__name__.replace("_", "-"), error)
            end_work()
    leaves_nothing()
    yield from ()


main("containers", claims, podman.running())
