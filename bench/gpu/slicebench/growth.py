"""T14: slices that grow from their request to their limit, and give back what others need."""
import statistics
import time

from .lab import MIB, wait_for


def piece(lab):
    """A 140th of the GPU: a gigabyte of an H200."""
    return lab.usable() // 140 // (2 * MIB) * (2 * MIB)


def fill(client, most):
    """In large steps, then in small ones; the code that ended it."""
    client.ask("fill linear %d %d" % (64 * MIB, most), 60)
    return client.numbers("fill linear %d %d" % (2 * MIB, most))[0]


def event(lab, word, name):
    return any(line.startswith("%s %s " % (word, name)) for line in lab.keep("events")["events"])


def held(lab, client):
    return lab.nvml.processes().get(client.pid, 0)


def beside_a_request(lab, out, good):
    """One grows while the other has not begun; then the other takes all it asked for."""
    unit = piece(lab)
    request = 60 * unit
    grower, quiet = lab.grow(20 * unit, 100 * unit), lab.grow(request, request)
    first, second = grower.client(), quiet.client()
    first.ask("init")
    good["the limit is shown"] = first.numbers("info")[2] == 100 * unit
    good["out of memory at the end"] = fill(first, 110 * unit) == 2
    stat = grower.stat()
    room = lab.usable() - request
    good["grew into all that was spare"] = \
        -8 * MIB <= room - stat["used"] - stat["overhead"] < 4 * MIB
    good["the request is free on the GPU"] = lab.nvml.memory().free >= request
    second.ask("init")
    good["the request fills"] = fill(second, 70 * unit) == 2
    stat = quiet.stat()
    good["to the last granule"] = \
        -8 * MIB <= request - stat["used"] - stat["overhead"] < 4 * MIB
    out.update(grown_mib=held(lab, first) // MIB, limit_mib=100 * unit // MIB, request_mib=request // MIB,
               filled_mib=held(lab, second) // MIB)
    for client in (first, second):
        client.close()
    grower.remove()
    quiet.remove()


def late_neighbour(lab, out, good):
    """Memory in use stays; its holder is named and grows no further until it has given back."""
    unit = piece(lab)
    grower = lab.grow(20 * unit, 130 * unit)
    first = grower.client()
    first.ask("init")
    for _ in range(2):
        good["a lone one grows"] = first.numbers("alloc linear %d" % (55 * unit))[0] == 0
    lab.keep("events")
    late = lab.grow(60 * unit, 60 * unit)
    out["told_s"] = wait_for(lambda: event(lab, "above-request", grower.name), 5)
    good["the holder is named"] = out["told_s"] is not None
    good["and grows no further"] = first.numbers("alloc linear %d" % (2 * MIB))[0] == 2
    first.ask("free 0")
    out["back_s"] = wait_for(lambda: event(lab, "gave-back", grower.name), 5)
    good["until it has given back"] = out["back_s"] is not None
    second = late.client()
    second.ask("init")
    good["then the late one has its request"] = \
        second.numbers("alloc linear %d" % (58 * unit))[0] == 0
    for client in (first, second):
        client.close()
    grower.remove()
    late.remove()


def asking(lab, out):
    """What it takes to be let grow: large allocations above the request over ones within it."""
    times, unit = {}, piece(lab)
    for name, request in (("within", 40 * unit), ("above", 2 * unit)):
        part = lab.grow(request, 40 * unit)
        client = part.client()
        client.ask("init")
        rows = []
        for _ in range(20):
            started = time.monotonic()
            client.ask("alloc linear %d" % unit)
            rows.append(time.monotonic() - started)
        times[name] = statistics.median(rows)
        client.close()
        part.remove()
    out["ask_us"] = round(1e6 * (times["above"] - times["within"]), 1)


def t14(lab):
    out, good = {}, {}
    beside_a_request(lab, out, good)
    late_neighbour(lab, out, good)
    asking(lab, out)
    return dict(out, good=good, **{"pass": all(good.values())})
