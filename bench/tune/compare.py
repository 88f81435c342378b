"""Quality of suggestions side by side with Optuna: equal tasks, seeds and budgets, one run.

compare.py TUNE_BENCH --suites bbob,own,... --tools gpuyard:auto,optuna:tpe,... --seeds 0-9 --budgets 50,100,200
A tool server:SAMPLER is the product itself: its suggestions come from a server of YARD_BUILD.
Prints one table per suite: mean gap (log10 of the distance from the optimum for bbob and own; 0 = best of the
table, 1 = its median for tables), its median, the average rank of the tool and the share of duplicates.
"""
import argparse
import random
import re
import statistics
import subprocess
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import suites  # noqa: E402
from through import Through  # noqa: E402


class Gpuyard:
    def __init__(self, binary, sampler):
        self.sampler = sampler
        self.process = subprocess.Popen([binary, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self, kinds, seed, budget, workers):
        self._write(f"space {' '.join(kinds)}")
        self._write(f"study {self.sampler} {seed} {budget} {workers} 1")

    def ask(self):
        self._write("ask")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        return int(words[0]), [float(w) for w in words[1:]]

    def tell(self, number, value):
        self._write(f"tell {number} {value!r}")

    def _write(self, line):
        self.process.stdin.write(line + "\n")


class Optuna:
    def __init__(self, sampler):
        import warnings

        import optuna
        warnings.simplefilter("ignore")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.optuna, self.sampler = optuna, sampler

    def start(self, kinds, seed, budget, workers):
        samplers = self.optuna.samplers
        make = {"tpe": lambda: samplers.TPESampler(seed=seed, multivariate=True, constant_liar=workers > 1),
                "tpe-uni": lambda: samplers.TPESampler(seed=seed, multivariate=False),
                "gp": lambda: samplers.GPSampler(seed=seed, deterministic_objective=True),
                "cma": lambda: samplers.CmaEsSampler(seed=seed),
                "random": lambda: samplers.RandomSampler(seed=seed),
                "default": lambda: samplers.TPESampler(seed=seed)}
        distributions = self.optuna.distributions
        self.space = {}
        for i, kind in enumerate(kinds):
            word, _, count = kind.partition(":")
            self.space[f"x{i}"] = (distributions.FloatDistribution(0, 1) if word == "float"
                                   else distributions.IntDistribution(0, int(count) - 1) if word == "ord"
                                   else distributions.CategoricalDistribution(list(range(int(count)))))
        self.study = self.optuna.create_study(sampler=make[self.sampler]())

    def ask(self):
        trial = self.study.ask(self.space)
        return trial, [trial.params[name] for name in self.space]

    def tell(self, trial, value):
        self.study.tell(trial, value)


def run(tool, task, seed, budget, workers):
    """Best value after each result, share of duplicates, seconds in the tool."""
    tool.start(task.kinds, seed, budget, workers)
    order = random.Random(seed)
    running, best, curve, seen, spent = [], float("inf"), [], set(), 0.0
    duplicates = asked = 0
    while len(curve) < budget:
        start = time.process_time()
        while len(running) < workers and asked < budget:
            key, values = tool.ask()
            asked += 1
            duplicates += tuple(values) in seen
            seen.add(tuple(values))
            running.append((key, values))
        key, values = running.pop(order.randrange(len(running)))
        value = task(values)
        tool.tell(key, value)
        spent += time.process_time() - start
        best = min(best, value)
        curve.append(best)
    return curve, duplicates / budget


def ranks(scores):
    """Average rank of each tool over task/seed pairs; ties share."""
    totals = {name: 0.0 for name in scores}
    pairs = list(next(iter(scores.values())))
    for pair in pairs:
        row = {name: scores[name][pair] for name in scores}
        for name, mine in row.items():
            totals[name] += sum(v < mine for v in row.values()) + (sum(v == mine for v in row.values()) + 1) / 2
    return {name: total / len(pairs) for name, total in totals.items()}


def tool_of(binary, kind, sampler):
    """gpuyard: the library alone; server: through a server; optuna."""
    if kind == "server":
        return Through(sampler)
    return Gpuyard(binary, sampler) if kind == "gpuyard" else Optuna(sampler)


def compare(arguments, suite, tools):
    binary, seeds, budgets, workers = arguments.binary, arguments.seeds, arguments.budgets, arguments.workers
    gaps = {name: {b: {} for b in budgets} for name in tools}
    duplicates = {name: [] for name in tools}
    made = {name: tool_of(binary, *name.split(":")) for name in tools}
    for task in (t for t in suites.tasks(suite) if re.search(arguments.tasks, t.name)):
        for seed in seeds:
            for name in tools:
                curve, share = run(made[name], task, seed, budgets[-1], workers)
                duplicates[name].append(share)
                for b in budgets:
                    gaps[name][b][task.name, seed] = task.gap(curve[b - 1])
        print(task.name, {n: [round(statistics.mean(gaps[n][b][task.name, s] for s in seeds), 4) for b in budgets]
                          for n in tools}, file=sys.stderr, flush=True)
    print(f"\n### {suite}, {workers} at a time, {len(next(iter(gaps.values()))[budgets[0]])} task and seed pairs\n")
    print("| tool | " + " | ".join(f"mean (median) at {b}" for b in budgets) + " | rank at the end | duplicates |")
    print("|---|" + "---|" * (len(budgets) + 2))
    rank = ranks({name: gaps[name][budgets[-1]] for name in tools})
    for name in tools:
        cells = [f"{statistics.mean(gaps[name][b].values()):.4f} ({statistics.median(gaps[name][b].values()):.4f})"
                 for b in budgets]
        print(f"| {name} | " + " | ".join(cells) +
              f" | {rank[name]:.2f} | {100 * statistics.mean(duplicates[name]):.1f}% |", flush=True)


def numbers(text):
    if "-" in text:
        low, high = text.split("-")
        return list(range(int(low), int(high) + 1))
    return [int(word) for word in text.split(",")]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--suites", default="bbob,own,nasbench201,hpobench,hpolib")
    parser.add_argument("--tools", default="gpuyard:auto,gpuyard:tpe,optuna:default,optuna:gp,optuna:cma")
    parser.add_argument("--seeds", type=numbers, default=list(range(10)))
    parser.add_argument("--budgets", type=numbers, default=[50, 100, 200])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--tasks", default="", help="only tasks whose name matches")
    arguments = parser.parse_args()
    for one in arguments.suites.split(","):
        wanted = arguments.tools.split(",")
        # The evolution strategy of Optuna takes no categories.
        if one not in ("bbob",):
            wanted = [t for t in wanted if t != "optuna:cma"]
        compare(arguments, one, wanted)
