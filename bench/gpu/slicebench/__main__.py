"""Runs the tests: python3 -m slicebench BUILD_FOLDER RESULTS_FOLDER [TEST...]"""
import datetime
import json
import shutil
import signal
import sys
import time
import traceback

from . import discovery, frameworks, growth, injection, lab, life, memory, overhead, park, probe, \
    share, summary

TESTS = [  # name, function, limit in seconds
    ("T0", probe.t0, 40), ("T13", discovery.t13, 20), ("T2", memory.t2, 60),
    ("T3", memory.t3, 40), ("T4", injection.t4, 60), ("T5", frameworks.t5, 100),
    ("T6", frameworks.t6, 60), ("T7", life.t7, 60), ("T8", life.t8, 40), ("T9", life.t9, 80),
    ("T14", growth.t14, 60), ("T10", overhead.t10, 150), ("T11", share.t11, 110),
    ("T12", park.t12, 120)]


class OutOfTime(Exception):
    pass


def on_alarm(_signal, _frame):
    raise OutOfTime()


def run_one(name, function, limit, bench):
    started = time.monotonic()
    signal.alarm(limit)
    try:
        outcome = function(bench)
    except OutOfTime:
        outcome = {"pass": False, "error": "no result within %d s" % limit}
    except Exception:
        outcome = {"pass": False, "error": traceback.format_exc()[-1500:]}
    finally:
        signal.alarm(0)
    outcome = dict({"test": name}, **outcome)
    left = lab.sweep(bench.keeper.process)
    if left and not outcome["pass"]:
        outcome["programs_ended"] = left
    outcome["seconds"] = round(time.monotonic() - started, 1)
    return outcome


def main():
    build, results, wanted = sys.argv[1], sys.argv[2], set(sys.argv[3:])
    signal.signal(signal.SIGALRM, on_alarm)
    bench = lab.Lab(build, results)
    machine = {"test": "machine", "pass": True, "driver": bench.nvml.driver(),
               "name": bench.nvml.name(), "gpu": bench.uuid,
               "total": bench.total, "date": datetime.date.today().isoformat()}
    failed = []
    with open(results + "/results.jsonl", "a") as out:
        print(json.dumps(machine), file=out, flush=True)
        for name, function, limit in TESTS:
            if wanted and name not in wanted and name != "T0":
                continue
            outcome = run_one(name, function, limit, bench)
            print(json.dumps(outcome), file=out, flush=True)
            print(json.dumps(outcome)[:1500], flush=True)
            if not outcome["pass"]:
                failed.append(name)
    summary.write(results)
    bench.keeper.close()
    shutil.rmtree(bench.root, ignore_errors=True)
    print("failed: " + " ".join(failed) if failed else "all passed")
    return 0


sys.exit(main())
