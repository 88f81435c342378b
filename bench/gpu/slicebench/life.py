"""T7, T8 and T9: many processes, sudden deaths, forks."""
import os
import signal
import statistics
import subprocess
import sys
import time

from .lab import GIB, MIB, finish, judge_cost, start, wait_for

HERE = os.path.dirname(os.path.abspath(__file__)) + "/jobs/"


def hammer(clients, seconds):
    for client in clients:
        client.ask("init")
    for seed, client in enumerate(clients):
        client.send("hammer %d %d %d" % (seconds, seed + 1, 256 * MIB))


def quantiles(clients):
    """Allocations, refusals, the processes' mean of their medians and p99, and the worst p99, in
    microseconds."""
    rows = [[int(w) for w in client.receive().split()] for client in clients]
    for client in clients:
        client.close()
    p50, p99 = (sum(r[column] for r in rows) / len(rows) / 1000 for column in (3, 4))
    return {"allocations": sum(r[1] for r in rows), "refused": sum(r[2] for r in rows),
            "p50_us": round(p50, 1), "p99_us": round(p99, 1),
            "worst_p99_us": max(r[4] for r in rows) / 1000}


def speed(lab, part, count, seconds):
    """How long allocations take when nothing is refused and nobody else asks the driver."""
    clients = [part.client() if part else lab.client() for _ in range(count)]
    hammer(clients, seconds)
    return quantiles(clients)


def crowd(lab, part, count, seconds):
    """The most the slice held while its processes wanted more than its limit: by its books, by its
    processes, with what each of them had then, and by what the GPU has in use above its idle state,
    which has more than the processes' own: judged by nobody."""
    idle = lab.nvml.memory().used
    clients = [part.client() for _ in range(count)]
    pids = {client.pid for client in clients}
    hammer(clients, seconds)
    most, end = {"booked": 0, "on_gpu": 0, "by_process": 0}, time.monotonic() + seconds
    worst = {}
    while time.monotonic() < end:
        use = lab.nvml.processes()
        books = part.stat()
        now = {"booked": books["used"], "on_gpu": lab.nvml.memory().used - idle,
               "by_process": sum(use.get(pid, 0) for pid in pids)}
        if now["by_process"] > most["by_process"]:
            worst = {"each_mib": sorted(use.get(pid, 0) // MIB for pid in pids),
                     "overhead_mib": books["overhead"] // MIB}
        most = {what: max(most[what], now[what]) for what in most}
    return most, worst, quantiles(clients)


def allocation_speed(lab):
    """p99 without and within a slice, in turn, and how far apart the runs without are."""
    roomy = lab.add(100 * GIB)
    order = [None, roomy, roomy, None] * 2
    runs = [speed(lab, part, 8, 2) for part in order]
    roomy.remove()
    native = [r["p99_us"] for r, part in zip(runs, order) if part is None]
    sliced = [r["p99_us"] for r, part in zip(runs, order) if part is not None]
    return {"runs": runs, "p99_us": [statistics.median(native), statistics.median(sliced)],
            "noise_us": round(max(native) - min(native), 1),
            "refused": sum(r["refused"] for r in runs)}


def t7(lab):
    count, hard = 8, 8 * GIB
    fast = allocation_speed(lab)
    part = lab.add(hard)
    most, worst, crowded = crowd(lab, part, count, 8)
    settled = wait_for(lambda: part.stat()["used"] == 0 and part.stat()["processes"] == 0, 3)
    state = part.stat()
    part.remove()
    added = fast["p99_us"][1] - fast["p99_us"][0]
    good = {"booked": most["booked"] <= hard,
            "by process": 0.9 * hard < most["by_process"] <= hard,
            "refused": crowded["refused"] > 0 and fast["refused"] == 0,
            "settled": settled is not None and state["drift"] == 0,
            "p99": judge_cost(added, 50, fast["noise_us"])}
    return {"pass": False not in good.values(), "good": good, "hard_mib": hard // MIB,
            "most_mib": {what: bytes_ // MIB for what, bytes_ in most.items()}, "worst": worst,
            "crowded": crowded, "end": state, **fast}


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


def family(client):
    """Forks before and after the driver is used, and exec: what each answered."""
    said = {}
    for name, line in (("fork before CUDA", "fork"), ("parent after that", "init"),
                       ("fork after CUDA", "fork"), ("exec", "exec"), ("after exec", "init")):
        try:
            said[name] = client.ask(line, 10)
        except (TimeoutError, BrokenPipeError) as error:
            said[name] = repr(error)
            break
    client.kill()
    return said


def workers(lab, env):
    """Data loader workers and a spawned process of PyTorch; "right", or what went wrong."""
    process = start([sys.executable, HERE + "torch_workers.py"], env, text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return lambda: collect(process)


def collect(process):
    try:
        return finish(process, 35).split()[-1]
    except RuntimeError as error:
        return str(error)


def orphan(lab, env):
    """A process whose parent has ended uses the GPU."""
    out = lab.root + "/orphan.txt"
    subprocess.run(["bash", "-c", "(sleep 0.3; echo init | %s/gpuyard-slice-client >%s) &" %
                    (lab.build, out)], env=env, timeout=10, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    done = wait_for(lambda: os.path.exists(out) and open(out).read().strip() != "", 10)
    return open(out).read().strip() if done is not None else "no answer within 10 s"


def t9(lab):
    """Each part by itself, with the same run without a slice beside it."""
    part = lab.add(12 * GIB)
    running = [workers(lab, None), workers(lab, part.env())]
    native, sliced = family(lab.client()), family(part.client())
    outcome = {"family": {"native": native, "slice": sliced},
               "orphan": {"slice": orphan(lab, part.env())},
               "torch workers": dict(zip(("native", "slice"), (wait() for wait in running)))}
    settled = wait_for(lambda: part.stat()["used"] == 0 and part.stat()["processes"] == 0, 5)
    state = part.stat()
    part.remove()
    good = {"family": sliced == native and sliced["fork before CUDA"] == "0" and
            sliced.get("after exec") == "0", "orphan": outcome["orphan"]["slice"] == "0",
            "torch workers": outcome["torch workers"]["slice"] == "right",
            "settled": settled is not None and state["drift"] == 0}
    return {"pass": all(good.values()), "good": good, "cases": outcome, "end": state}
