"""Time of Optuna's ask with n finished trials, as tune_bench speed measures ours: median and maximum
of the processor time in ms; one thread."""
import random
import statistics
import time
import warnings

import optuna

warnings.simplefilter("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)
D = optuna.distributions


def space(name):
    if name == "f10":
        return {f"x{i}": D.FloatDistribution(-5, 5) for i in range(10)}
    kinds = ([D.FloatDistribution(-5, 5)] * 4 + [D.FloatDistribution(1e-5, 1, log=True)] * 2 +
             [D.IntDistribution(1, 64)] * 2 + [D.CategoricalDistribution(list("abcd"))] * 2)
    return {f"x{i}": kind for i, kind in enumerate(kinds)}


def draw(kind, rng):
    if isinstance(kind, D.CategoricalDistribution):
        return rng.choice(kind.choices)
    if isinstance(kind, D.IntDistribution):
        return rng.randint(kind.low, kind.high)
    return 10 ** rng.uniform(-5, 0) if kind.log else rng.uniform(kind.low, kind.high)


def measure(label, sampler, name, trials, rounds):
    study = optuna.create_study(sampler=sampler)
    kinds, rng = space(name), random.Random(1)
    rows = []
    for _ in range(trials):
        params = {k: draw(v, rng) for k, v in kinds.items()}
        value = sum(v * v for v in params.values() if not isinstance(v, str))
        rows.append(optuna.trial.create_trial(params=params, distributions=kinds, value=value))
    study.add_trials(rows)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        trial = study.ask(kinds)
        times.append(1000 * (time.process_time() - start))
        study.tell(trial, rng.random())
    print(f"optuna:{label} {name} {trials} median {statistics.median(times):.3f} max {max(times):.3f}", flush=True)


if __name__ == "__main__":
    S = optuna.samplers
    for kind in ("f10", "mix"):
        for n, repeat in ((1000, 30), (10000, 8)):
            measure("tpe", S.TPESampler(seed=0, multivariate=True), kind, n, repeat)
    measure("tpe-uni", S.TPESampler(seed=0, multivariate=False), "f10", 1000, 10)
    measure("cma", S.CmaEsSampler(seed=0), "f10", 1000, 30)
    try:
        for n, repeat in ((100, 10), (500, 4), (1000, 2)):
            measure("gp", S.GPSampler(seed=0, deterministic_objective=True), "f10", n, repeat)
    except ImportError as error:
        print(f"optuna:gp is left out: {error}")
