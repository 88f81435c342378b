"""T12: a job is taken off the GPU by the driver's checkpoint, and put back."""
import os
import sys
import time

from .lab import GIB, MIB, Talk

JOB = os.path.dirname(os.path.abspath(__file__)) + "/jobs/torch_park.py"


def timed(lab, line):
    started = time.monotonic()
    return lab.keep(line), round(time.monotonic() - started, 3)


def t12(lab):
    part = lab.add(8 * GIB)
    job = Talk([sys.executable, JOB], part.env())
    assert job.receive(60) == "ready"
    before = job.ask("sum", 60)
    held = lab.nvml.processes().get(job.pid, 0)
    parked, park_s = timed(lab, "park " + part.name)
    meanwhile = lab.nvml.processes().get(job.pid, 0)
    job.send("sum")  # waits until it is back
    other = lab.client()
    other.ask("init")
    filled = other.numbers("alloc linear %d" % (lab.nvml.memory().free - 2 * GIB))[0]
    other.close()
    unparked, unpark_s = timed(lab, "unpark " + part.name)
    after = job.receive(60)
    job.close()
    part.remove()
    good = parked == {"ok": True} and unparked == {"ok": True} and before == after and \
        meanwhile == 0 and held > 4 * GIB and filled == 0
    return {"pass": good, "held_mib": held // MIB, "meanwhile_mib": meanwhile // MIB,
            "park_s": park_s, "unpark_s": unpark_s, "same_data": before == after,
            "parked": parked, "unparked": unparked, "others_filled": filled == 0}
