"""summary.md: one row per test, from results.jsonl."""
import json

AIMS = {
    "T0": "every function of the driver is known", "T1": "builds",
    "T2": "never over the cap, at most 2 MiB short (graphs: 32 MiB)",
    "T3": "the same total on every surface", "T4": "the limit is seen however a program starts",
    "T5": "an ordinary out-of-memory, then a right result",
    "T6": "two halves 95 % full, side by side",
    "T7": "cap holds; p99 at most 50 us over native",
    "T8": "share of a dead process back within 1 s", "T9": "no hang, slots right",
    "T10": "launch 0.3 %, with share 1 %, GEMM 0.1 %, step 0.5 %, alloc 1 us, start 5 ms",
    "T11": "within 2 points (long kernels 4), sum at least 95 %",
    "T14": "grows into what no request needs; requests are kept",
    "T12": "off the GPU, whose memory another has meanwhile, and back, data the same",
    "T13": "as nvidia-smi says"}


def verdicts(good):
    """What was missed, and what the machine's noise hides."""
    missed = [name for name, well in good.items() if well is False]
    unclear = [name for name, well in good.items() if well is None]
    return "; missed: %s%s" % (", ".join(missed) or "nothing",
                               "; not to be told for noise: " + ", ".join(unclear) if unclear else "")


def t0(o):
    return "%d + %d symbols, functions missing: %s; context %.0f MiB" % (
        o["cuda"]["exported"], o["nvml"]["exported"],
        o["cuda"]["functions_missing"] + o["nvml"]["functions_missing"] or "none",
        o["context_mib"])


def t2(o):
    return "; ".join("%s %.1f short" % (k, v["short_mib"]) for k, v in o["kinds"].items()) + \
        " (MiB); most over: %.1f; of %d booked, %d after a reset" % (
            max(v["over_mib"] for v in o["kinds"].values()), o["reset"]["before_mib"],
            o["reset"]["left_mib"])


def t3(o):
    odd = {k: v for k, v in o["totals"].items() if v != o["hard"]}
    return "differ: %s; nvidia-smi: %s" % (odd or "none", o["nvidia_smi_mib"])


def t4(o):
    return "%d ways, all alike: %s" % (len(o["totals"]), len(set(o["totals"].values())) == 1)


def t5(o):
    return "; ".join("%s %s" % (k, "ok" if v["ok"] else "FAILED") for k, v in o["jobs"].items())


def t6(o):
    return "most each %s of %s MiB, together %s of %s" % (
        o["most_each_mib"], o["hard_mib"], o["most_used_mib"], o["allowed_mib"])


def t7(o):
    most = o["most_mib"]
    return "most %d on the GPU, %d booked, %d as the sum of processes, of %d MiB; %d refused; p99 %.0f us " \
        "native, %.0f us in a slice (noise %.0f)" % (
            most["on_gpu"], most["booked"], most["by_process"], o["hard_mib"],
            o["crowded"]["refused"], *o["p99_us"], o["noise_us"]) + verdicts(o["good"])


def t8(o):
    return "waited %s s; drift %d" % (
        {k: v if v is None else round(v, 3) for k, v in o["waited_s"].items()}, o["end"]["drift"])


def t9(o):
    return ", ".join("%s %s" % (k, "ok" if v else "FAILED") for k, v in o["good"].items())


def t12(o):
    untrue = [name for name, good in o["good"].items() if not good]
    return "%d MiB off the GPU in %.2f s (left there: %d MiB), back in %.2f s; not true: %s" % (
        o["held_mib"], o["park_s"], o["meanwhile_mib"], o["unpark_s"], ", ".join(untrue) or "none")


def t10(o):
    calls = ["%s %+.1f ns (%+.2f %%)" % (n, o["memory_only"][n]["added_ns"],
                                         o["memory_only"][n]["added_percent"])
             for n in o["memory_only"]]
    share = ["%s %+.1f ns (%+.2f %%)" % (n, o["with_share"][n]["added_ns"],
                                         o["with_share"][n]["added_percent"])
             for n in ("launch", "graph")]
    torch = ["%s %+.2f %% (noise %.2f)" % (n, v["added_percent"], v["noise_percent"])
             for n, v in o["torch"].items()]
    return "%s; with share: %s; graphs until run %+.2f %%, with share %+.2f %%; %s; start %+.1f ms" % (
        ", ".join(calls), ", ".join(share), o["graphs"]["memory_only"], o["graphs"]["with_share"],
        ", ".join(torch), o["start"]["added_ms"]) + verdicts(o["good"])


def t11(o):
    rows = []
    for kind, row in o["kinds"].items():
        parts = ["%s: %s (sum %.0f %%)" % (name, "/".join("%.1f" % p for p in v["relative"]
                                                          if len(v["relative"]) > 1) or
                                           "%.1f" % v["percent_of_alone"][0], v["sum"])
                 for name, v in row.items() if isinstance(v, dict)]
        rows.append(kind + " " + ", ".join(parts))
    return "; ".join(rows)


def t14(o):
    untrue = [name for name, good in o["good"].items() if not good]
    return "grew to %d of %d MiB beside a request of %d, which filled to %d; late neighbour: told in " \
        "%s s, given back in %s s; growth asked in %.0f us; not true: %s" % (
            o["grown_mib"], o["limit_mib"], o["request_mib"], o["filled_mib"],
            *(s if s is None else round(s, 3) for s in (o["told_s"], o["back_s"])), o["ask_us"], ", ".join(untrue) or "none")


def t13(o):
    return "differ: %s" % (o["differ"] or "none")


FIGURES = {"T0": t0, "T2": t2, "T3": t3, "T4": t4, "T5": t5, "T6": t6, "T7": t7, "T8": t8,
           "T9": t9, "T10": t10, "T11": t11, "T12": t12, "T13": t13, "T14": t14}


def figures(outcome):
    """A test that broke off has an error instead of figures, or lacks some."""
    if "error" in outcome:
        return str(outcome["error"]).strip().splitlines()[-1]
    try:
        return FIGURES.get(outcome["test"], lambda o: "")(outcome)
    except (KeyError, TypeError, IndexError) as problem:
        return "figures incomplete: %r" % problem


def one_line(text):
    return " ".join(text.replace("|", "/").split())


def write(folder):
    with open(folder + "/results.jsonl") as file:
        outcomes = [json.loads(line) for line in file]
    machine = next((o for o in outcomes if o["test"] == "machine"), {})
    tests = [o for o in outcomes if o["test"] != "machine"]
    tests.sort(key=lambda o: int(o["test"][1:]))
    lines = ["# GPU slices on a real GPU", "",
             "%s, driver %s, %s MiB, %s" % (machine.get("name", "GPU"), machine.get("driver"),
                                            machine.get("total", 0) >> 20, machine.get("date")),
             "", "| test | pass | figures | aim | s |", "|---|---|---|---|---|"]
    for o in tests:
        lines.append("| %s | %s | %s | %s | %s |" % (
            o["test"], "yes" if o["pass"] else "**no**", one_line(figures(o)),
            AIMS.get(o["test"], ""), o.get("seconds", "")))
    with open(folder + "/summary.md", "w") as file:
        file.write("\n".join(lines) + "\n")
