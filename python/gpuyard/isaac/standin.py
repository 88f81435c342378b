"""Modules that stand in for Ray and TensorBoard where they are not installed.

A sweep's file and what it imports use Ray's search spaces, base classes and decorators. These are here. Everything
else of Ray is a class that can be named and subclassed, and that says that Ray is absent when it is made.
"""

import importlib
import importlib.abc
import importlib.machinery
import inspect
import math
import random
import sys
import types

_STANDINS = ("ray", "tensorboard")


class Uniform:
    """Evenly between the bounds."""


class LogUniform:
    """Evenly in the logarithm."""

    def __init__(self, base=10):
        self.base = base


class Normal:
    """Without bounds."""

    def __init__(self, mean=0.0, sd=1.0):
        self.mean, self.sd = mean, sd


class Quantized:
    """Another sampler, rounded to multiples of q."""

    def __init__(self, sampler, q):
        self.sampler, self.q = sampler, q

    def get_sampler(self):
        return self.sampler


class Domain:
    """What a parameter may be. `sample()` draws one value, or a list of `size`."""

    sampler = None

    def get_sampler(self):
        return self.sampler or Uniform()

    def quantized(self, q):
        self.sampler = Quantized(self.get_sampler(), q)
        return self

    def sample(self, config=None, size=1, random_state=None):  # pylint: disable=unused-argument
        drawn = [self.draw(config) for _ in range(size)]
        return drawn if size > 1 else drawn[0]

    def draw(self, config):
        raise NotImplementedError

    def _with(self, sampler):
        self.sampler = sampler
        return self


class Float(Domain):
    def __init__(self, lower=-math.inf, upper=math.inf):
        self.lower, self.upper = lower, upper

    def draw(self, config):
        sampler, q = self.get_sampler(), None
        if isinstance(sampler, Quantized):
            sampler, q = sampler.sampler, sampler.q
        if isinstance(sampler, Normal):
            value = random.gauss(sampler.mean, sampler.sd)
        elif isinstance(sampler, LogUniform):
            value = math.exp(random.uniform(math.log(self.lower), math.log(self.upper)))
        else:
            value = random.uniform(self.lower, self.upper)
        return round(value / q) * q if q else value


class Integer(Domain):
    """Without `upper`, but with it where the values are rounded to multiples."""

    def __init__(self, lower, upper):
        self.lower, self.upper = int(lower), int(upper)

    def draw(self, config):
        sampler, q = self.get_sampler(), 1
        if isinstance(sampler, Quantized):
            sampler, q = sampler.sampler, int(sampler.q)
        last = self.upper if q > 1 else self.upper - 1
        if isinstance(sampler, LogUniform):
            value = int(math.exp(random.uniform(math.log(self.lower), math.log(last + 1))))
        else:
            value = random.randint(self.lower, last)
        return min(int(round(value / q)) * q, last)


class Categorical(Domain):
    def __init__(self, categories):
        self.categories = list(categories)

    def draw(self, config):
        return random.choice(self.categories)


class Function(Domain):
    def __init__(self, func):
        self.func = func

    def draw(self, config):
        return call(self.func, config)


def call(func, config):
    """A function of sample_from takes the configuration, or nothing."""
    try:
        inspect.signature(func).bind(config)
    except TypeError:
        return func()
    except ValueError:  # no signature is known
        pass
    return func(config)


class Stopper:
    def __call__(self, trial_id, result):
        raise NotImplementedError

    def stop_all(self):
        return False


class CombinedStopper(Stopper):
    def __init__(self, *stoppers):
        self._stoppers = stoppers

    def __call__(self, trial_id, result):
        return any([stopper(trial_id, result) for stopper in self._stoppers])

    def stop_all(self):
        return any([stopper.stop_all() for stopper in self._stoppers])


class FunctionStopper(Stopper):
    def __init__(self, function):
        self._function = function

    def __call__(self, trial_id, result):
        return self._function(trial_id, result)


class MaximumIterationStopper(Stopper):
    def __init__(self, max_iter):
        self._most, self._seen = max_iter, {}

    def __call__(self, trial_id, result):
        self._seen[trial_id] = self._seen.get(trial_id, 0) + 1
        return self._seen[trial_id] >= self._most


class TrialPlateauStopper(Stopper):
    def __init__(self, metric, std=0.01, num_results=4, grace_period=4, **_ignored):
        self._metric, self._std, self._results, self._grace = metric, std, num_results, grace_period
        self._seen = {}

    def __call__(self, trial_id, result):
        if self._metric not in result:
            return False
        seen = self._seen.setdefault(trial_id, [])
        seen.append(result[self._metric])
        last = seen[-self._results:]
        if len(seen) < max(self._grace, self._results):
            return False
        mean = sum(last) / len(last)
        return math.sqrt(sum((value - mean) ** 2 for value in last) / len(last)) < self._std


class ProgressReporter:
    """Told about all trials again and again."""

    _metric = None
    _mode = None

    def should_report(self, trials, done=False):  # pylint: disable=unused-argument
        return True

    def report(self, trials, done, *sys_info):
        raise NotImplementedError

    def setup(self, *_arguments, **_options):
        """Called once before the first report."""


class CLIReporter(ProgressReporter):
    """Prints a table of the trials."""

    def __init__(self, metric_columns=None, parameter_columns=None, max_progress_rows=20,
                 metric=None, mode=None, sort_by_metric=False, **_ignored):
        columns = metric_columns or []
        self.metric_columns = columns if isinstance(columns, dict) else {c: c for c in columns}
        self.parameter_columns = parameter_columns
        self._most, self._sort = max_progress_rows, sort_by_metric
        self._metric, self._mode = metric, mode

    def report(self, trials, done, *sys_info):
        rows = [["trial", "status", *self.metric_columns.values(), "parameters"]]
        for trial in trials[-self._most:]:
            shown = [_short(trial.last_result.get(name)) for name in self.metric_columns]
            given = " ".join(f"{name}={_short(value)}" for name, value in trial.evaluated_params.items()
                             if not self.parameter_columns or name in self.parameter_columns)
            rows.append([str(trial.trial_id), trial.status, *shown, given])
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def _short(value):
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _remote(*arguments, **_options):
    """ray.remote: the decorated thing stays what it is."""
    return arguments[0] if arguments else lambda decorated: decorated


def _absent(name):
    """A class that can be named and subclassed, but not made."""
    def refuse(self, *_arguments, **_options):
        if type(self) is made:  # pylint: disable=unidiomatic-typecheck
            raise RuntimeError(f"{name} is not there: its package is not installed")
    made = type(name.rpartition(".")[2], (), {"__init__": refuse, "__module__": name.rpartition(".")[0]})
    return made


_TUNE = {
    "uniform": lambda lower, upper: Float(lower, upper),
    "quniform": lambda lower, upper, q: Float(lower, upper).quantized(q),
    "loguniform": lambda lower, upper, base=10: Float(lower, upper)._with(LogUniform(base)),
    "qloguniform": lambda lower, upper, q, base=10:
        Float(lower, upper)._with(LogUniform(base)).quantized(q),
    "randn": lambda mean=0.0, sd=1.0: Float()._with(Normal(mean, sd)),
    "qrandn": lambda mean, sd, q: Float()._with(Normal(mean, sd)).quantized(q),
    "randint": lambda lower, upper: Integer(lower, upper),
    "qrandint": lambda lower, upper, q=1: Integer(lower, upper).quantized(q),
    "lograndint": lambda lower, upper, base=10: Integer(lower, upper)._with(LogUniform(base)),
    "qlograndint": lambda lower, upper, q, base=10:
        Integer(lower, upper)._with(LogUniform(base)).quantized(q),
    "choice": lambda categories: Categorical(categories),
    "sample_from": lambda func: Function(func),
    "grid_search": lambda values: {"grid_search": list(values)},
}
_CLASSES = {one.__name__: one for one in (
    Domain, Float, Integer, Categorical, Function, Stopper, CombinedStopper, FunctionStopper,
    MaximumIterationStopper, TrialPlateauStopper, ProgressReporter, CLIReporter)}
_ROOT = {"remote": _remote, "is_initialized": lambda: False, "__version__": "0"}


def _known(module, name):
    if module == "ray" and name in _ROOT:
        return _ROOT[name]
    if module.startswith("ray."):
        return _TUNE.get(name) or _CLASSES.get(name)
    return None


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last, so that a package that is there is taken."""

    def find_spec(self, fullname, path=None, target=None):  # pylint: disable=unused-argument
        root = fullname.partition(".")[0]
        if root not in _STANDINS or (fullname != root and not _is_standin(root)):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__path__ = []
        module.gpuyard_standin = True

        def attribute(name, module=module):
            if name.startswith("__"):
                raise AttributeError(name)
            below = f"{module.__name__}.{name}"
            found = _known(module.__name__, name) or (
                importlib.import_module(below) if name[0].islower() else _absent(below))
            setattr(module, name, found)
            return found

        module.__getattr__ = attribute
        return module

    def exec_module(self, module):
        pass


def _is_standin(root):
    return getattr(sys.modules.get(root), "gpuyard_standin", False)


def install():
    """From now on `import ray` gives the stand-in if there is no Ray. Whether it does."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
    importlib.import_module("ray")
    return _is_standin("ray")
