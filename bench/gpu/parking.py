#!/usr/bin/env python3
"""Jobs that leave a real GPU with their memory kept, and come back: `gpuyard suspend --keep-memory`.

    bench/gpu/parking.py FOLDER-OF-GPUYARD RESULTS_FOLDER

As server.py does, with half a GPU and with a whole one. The lines go to RESULTS_FOLDER/parking.txt too.
Host memory must hold 9 GiB more.
"""
import pathlib
import time

from trial import (COUNT, HOLD, HOME, PYTHON, await_state, counted_on, counts_of, gy, leaves_nothing, main,
                   phase_of, physical, say, smi, start, state_of, submit, wait_for)


def park(name, part, *more):
    """A job of 8 GiB that counts is taken off its part of the GPU."""
    submit(name, "--gpu", part, *more, "--", PYTHON, "-c", COUNT, str(8 << 30), str(HOME / name))
    wait_for(name, "count 5")
    before, asked = int(smi("memory.used")[0]), time.time()
    gy("suspend", name, "--keep-memory")
    state = await_state(name, "Stopped", "Parked")
    took, left = time.time() - asked, before - int(smi("memory.used")[0])
    say(f"{name}-leaves-the-gpu", state[:2] == ("Stopped", "Parked") and left > 8 << 10,
        f"{left} MiB in {took:.1f} s: {state}")


def come_back(name, tenant, leave):
    """It waits for whoever has its GPU, and goes on from where it was."""
    gy("resume", name)
    state = await_state(name, "Pending", "WaitsForItsGpus")
    seen = counts_of(name)[-1]
    waits = state[:2] == ("Pending", "WaitsForItsGpus") and phase_of(tenant) == "Running"
    say(f"{name}-waits-for-its-gpu", waits, str(state))
    leave.touch()
    gy("wait", tenant)
    freed = time.time()
    wait_for(name, f"count {seen + 1}\n")
    took = time.time() - freed
    same, text = counted_on(name, seen, HOME / name)
    say(f"{name}-counts-on-with-the-same-data", same, f"back within {took:.1f} s, {text}")


def parking(server, name, part, tenants_part):
    """A job leaves, a tenant that would not have fitted comes, the server dies, the job returns."""
    park(name, part)
    tenant, leave = name + "-tenant", HOME / (name + "-leave")
    submit(tenant, "--gpu", tenants_part, "--", PYTHON, "-c", HOLD, "0.9", str(leave))
    held = int(wait_for(tenant, "held").split("held")[1].split()[0])
    say(f"{tenant}-has-what-it-left", held > 0.85 * float(tenants_part) * physical(), f"{held >> 20} MiB")
    server.kill()
    server.wait()
    server = start()
    yield server
    state = state_of(name)
    say(f"{name}-is-away-after-a-restart", state[:2] == ("Stopped", "Parked"), str(state))
    come_back(name, tenant, leave)
    return server


def processes_with(word):
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [file.parent.name] if word.encode() in file.read_bytes() else []
        except OSError:  # it has just ended
            pass
    return found


def cancelled_while_away():
    """What is away ends like everything else; its processes may use their time to end. Its own limit
    of host memory would not hold what it had on the GPU."""
    park("parked-gone", "0.5", "--mem", "4G")
    word = str(HOME / "parked-gone")
    there = processes_with(word)
    gy("cancel", "parked-gone")
    until, left = time.time() + 60, there
    while left and time.time() < until:
        time.sleep(0.2)
        left = processes_with(word)
    say("a-parked-job-can-be-cancelled", there and not left, f"{len(there)} processes, then {len(left)}")


def claims(server):
    """Yields the server whenever it is another one."""
    server = yield from parking(server, "parked", "0.5", "0.8")
    yield from parking(server, "parked-whole", "1", "1")
    cancelled_while_away()
    leaves_nothing()


main("parking", claims)
