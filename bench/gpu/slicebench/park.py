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
    part = lab.grow(8 * GIB, 8 * GIB)
    job = Talk([sys.executable, JOB], part.env())
    assert job.receive(60) == "ready"
    before = job.ask("sum", 60)
    held = lab.nvml.processes().get(job.pid, 0)
    parked, park_s = timed(lab, "park " + part.name)
    meanwhile = lab.nvml.processes().get(job.pid, 0)
    job.send("sum")  # waits until it is back
    # A neighbour that fits only while the job is away, and fills what it left.
    most = lab.usable() - 2 * GIB
    neighbour = lab.grow(most, most)
    other = neighbour.client()
    other.ask("init")
    filled = other.numbers("alloc linear %d" % (most - 2 * GIB))[0]
    early, _ = timed(lab, "unpark " + part.name)
    other.close()
    neighbour.remove()
    unparked, unpark_s = timed(lab, "unpark " + part.name)
    after = job.receive(60)
    job.close()
    part.remove()
    good = {"parked": parked == {"ok": True}, "came back": unparked == {"ok": True},
            "same data": before == after, "off the GPU": meanwhile == 0, "held": held > 4 * GIB,
            "a neighbour had its part": filled == 0, "not back too early": "error" in early}
    return {"pass": all(good.values()), "good": good, "held_mib": held // MIB,
            "meanwhile_mib": meanwhile // MIB, "park_s": park_s, "unpark_s": unpark_s,
            "same_data": before == after, "parked": parked, "early": early, "unparked": unparked}
