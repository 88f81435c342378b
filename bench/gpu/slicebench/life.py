"""T7, T8 and T9: many processes, sudden deaths, forks."""
import os
import signal
import subprocess
import sys
import time

from .lab import GIB, MIB, run, wait_for

HERE = os.path.dirname(os.path.abspath(__file__)) + "/jobs/"


def hammer(clients, seconds):
    for client in clients:
        client.ask("init")
    for seed, client in enumerate(clients):
        client.send("hammer %d %d %d" % (seconds, seed + 1, 256 * MIB))


def quantiles(clients):
    """Allocations, refusals, worst median and worst p99 in microseconds."""
    rows = [[int(w) for w in client.receive().split()] for client in clients]
    for client in clients:
        client.close()
    return {"allocations": sum(r[1] for r in rows), "refused": sum(r[2] for r in rows),
            "p50_us": max(r[3] for r in rows) / 1000, "p99_us": max(r[4] for r in rows) / 1000}


def t7(lab):
    count, seconds, hard = 8, 8, 8 * GIB
    native = [lab.client() for _ in range(count)]
    hammer(native, 4)
    baseline = quantiles(native)
    part = lab.add(hard)
    clients = [part.client() for _ in range(count)]
    pids = {client.pid for client in clients}
    hammer(clients, seconds)
    worst_books, worst_nvml, end = 0, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        worst_books = max(worst_books, part.stat()["used"])
        use = lab.nvml.processes()
        worst_nvml = max(worst_nvml, sum(use.get(pid, 0) for pid in pids))
    got = quantiles(clients)
    settled = wait_for(lambda: part.stat()["used"] == 0 and part.stat()["processes"] == 0, 3)
    state = part.stat()
    part.remove()
    return {"pass": worst_books <= hard and worst_nvml <= hard and settled is not None and
            state["drift"] == 0 and got["p99_us"] <= baseline["p99_us"] + 50,
            "hard_mib": hard // MIB, "most_booked_mib": worst_books // MIB,
            "most_by_nvml_mib": worst_nvml // MIB, "native": baseline, "slice": got,
            "end": state}


def waiter_gets_in(part, waiter, kill):
    """Seconds from a holder's death until the waiter's allocation goes through."""
    assert waiter.numbers("alloc linear %d" % GIB)[0] == 2
    kill()
    started = time.monotonic()
    while time.monotonic() - started < 5:
        if waiter.numbers("alloc linear %d" % GIB)[0] == 0:
            return time.monotonic() - started
        time.sleep(0.002)
    return None


def holders(part, count):
    found = []
    for _ in range(count):
        client = part.client()
        client.ask("init")
        assert client.numbers("fill linear %d %d" % (256 * MIB, 2 * GIB))[0] == 0
        found.append(client)
    return found


def restart_keeper(lab, part):
    """Kills the keeper while the slice works; the next one takes it up."""
    holder = lab.keep("hold " + part.name)["pid"]
    lab.keeper.kill()
    lab.keeper = lab.start_keeper()
    lab.keep("adopt %s %d %d" % (part.name, part.number, holder))
    os.kill(holder, signal.SIGKILL)


def t8(lab):
    overhead = 5 * (lab.context_bytes + 64 * MIB)
    part = lab.add(8 * GIB + overhead)
    four = holders(part, 4)
    waiter = part.client()
    waiter.ask("init")
    while waiter.numbers("alloc linear %d" % (64 * MIB))[0] == 0:
        pass
    times = {"sigkill": waiter_gets_in(part, waiter, four[0].kill)}
    four[1].send("crash")
    four[1].process.wait()
    waiter.ask("freeall")
    refill = part.client()
    refill.ask("init")
    while refill.numbers("alloc linear %d" % (64 * MIB))[0] == 0:
        pass
    times["sigsegv"] = waiter_gets_in(part, waiter, lambda: four[2].process.send_signal(
        signal.SIGSEGV))
    before = part.stat()
    restart_keeper(lab, part)
    after = part.stat()
    still = waiter.numbers("info")[0] == 0 and refill.numbers("alloc linear %d" % (9 * GIB))[0] == 2
    for client in (four[3], waiter, refill):
        client.kill()
    settled = wait_for(lambda: part.stat()["used"] == 0, 3)
    end = part.stat()
    part.remove()
    good = all(t is not None and t <= 1 for t in times.values()) and still and \
        after["drift"] == 0 and after["used"] == before["used"] and settled is not None
    return {"pass": good, "waited_s": times, "before_restart": before, "after_restart": after,
            "end": end, "still_capped": still}


def t9(lab):
    part = lab.add(12 * GIB)
    env = part.env()
    outcome = {}
    client = part.client()
    outcome["fork before CUDA"] = client.ask("fork") == "0"
    outcome["parent after that"] = client.ask("init") == "0"
    outcome["fork after CUDA fails as natively"] = client.ask("fork") == "1"
    used = part.stat()["used"]
    client.ask("exec")
    outcome["after exec"] = client.ask("init") == "0" and part.stat()["used"] <= used
    client.close()
    text = run([sys.executable, HERE + "torch_workers.py"], env, 45)
    outcome["torch workers"] = "right" in text
    orphan = subprocess.run(
        ["bash", "-c", "(sleep 0.3; echo init | %s/gpuyard-slice-client >%s/orphan.txt) &" %
         (lab.build, lab.root)], env=env)
    time.sleep(2)
    outcome["orphan child"] = orphan.returncode == 0 and \
        open(lab.root + "/orphan.txt").read().strip() == "0"
    settled = wait_for(lambda: part.stat()["used"] == 0 and part.stat()["processes"] == 0, 5)
    state = part.stat()
    part.remove()
    return {"pass": all(outcome.values()) and settled is not None and state["drift"] == 0,
            "cases": outcome, "end": state}
