"""From a JobCfg's tree of search spaces to parameters of a study, and back to the values of one trial.

The plan is a tree of the same shape, as JSON: {"const": value}, {"live": true} (a constant that JSON cannot
hold), {"knob": name, ...} (searched), {"call": true} (sample_from), {"dict": {...}}, {"list": [...]}.
"""

import hashlib
import json
import math
import random
import statistics
import sys

from . import standin

DRAW = "draw"  # the parameter from which functions of sample_from draw
_DRAWS = 2 ** 31 - 1
_LONGEST_NAME = 100


class SweepError(Exception):
    """The sweep says something that cannot be searched."""


def _kind(value):
    """The domains of Ray and of its stand-in have the same names."""
    if isinstance(value, dict) and set(value) == {"grid_search"}:
        return "Grid"
    names = [one.__name__ for one in type(value).__mro__]
    for name in ("Float", "Integer", "Categorical", "Function"):
        if name in names and "Domain" in names:
            return name
    return ""


def _sampler(domain):
    """The name of the inner sampler, the sampler, and q."""
    sampler = domain.get_sampler() if hasattr(domain, "get_sampler") else domain.sampler
    q = getattr(sampler, "q", None)
    if q is not None:
        sampler = sampler.get_sampler()
    return type(sampler).__name__.lstrip("_"), sampler, q


def _scalar(value):
    return isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value))


def _same_in_json(value):
    """Whether a value is the same after a way through JSON, types included."""
    if isinstance(value, dict):
        return all(type(key) is str and _same_in_json(one) for key, one in value.items())  # pylint: disable=unidiomatic-typecheck
    if type(value) is list:  # pylint: disable=unidiomatic-typecheck
        return all(_same_in_json(one) for one in value)
    return value is None or (type(value) in (str, bool, int, float) and _scalar(value))


def _text(value):
    return value if isinstance(value, str) else repr(value)


class Planner:
    """Collects the parameters of a tree."""

    def __init__(self):
        self.parameters = []
        self._names = set()

    def plan(self, value, path=()):
        kind = _kind(value)
        if kind == "Function":
            return {"call": True}
        if kind == "Grid":
            return self._choices(value["grid_search"], path)
        if kind == "Categorical":
            return self._choices(list(value.categories), path)
        if kind:
            return self._number(value, kind, path)
        if isinstance(value, dict):
            return {"dict": {key: self.plan(one, path + (key,)) for key, one in value.items()}}
        if isinstance(value, list):
            return {"list": [self.plan(one, path + (i,)) for i, one in enumerate(value)]}
        return {"const": value} if _same_in_json(value) else {"live": True}

    def _name(self, path):
        name = str(path[-1]).lstrip("-") or "value"
        if name in self._names or name == DRAW:
            name = "/".join(str(part) for part in path)
        name = name[-_LONGEST_NAME:]
        while name in self._names:
            name = "_" + name[-_LONGEST_NAME + 1:]
        self._names.add(name)
        return name

    def _choices(self, choices, path):
        if not choices:
            raise SweepError(f"{'/'.join(map(str, path))}: there is nothing to choose from")
        if len(choices) == 1:
            return self.plan(choices[0], path) if _same_in_json(choices[0]) else {"live": True}
        plain = all(type(one) in (str, bool, int, float) and _scalar(one) for one in choices)  # pylint: disable=unidiomatic-typecheck
        shown = choices if plain else [_text(one) for one in choices]
        distinct = list(dict.fromkeys(json.dumps(one) for one in shown))
        if len(distinct) != len({_text(json.loads(one)) for one in distinct}):
            shown = [f"{i}: {_text(one)}" for i, one in enumerate(choices)]  # 1 beside "1"
            distinct = [json.dumps(one) for one in shown]
        name = self._name(path)
        self.parameters.append({"name": name, "choices": [json.loads(one) for one in distinct]})
        return {"knob": name, "shown": shown, "live": not plain}

    def _number(self, domain, kind, path):
        how, sampler, q = _sampler(domain)
        whole = kind == "Integer"
        name = self._name(path)
        if how == "Normal":
            self.parameters.append({"name": name, "low": 0.0005, "high": 0.9995})
            return {"knob": name, "mean": sampler.mean, "sd": sampler.sd, "q": q}
        low, high = domain.lower, domain.upper
        if whole:
            low, high, q = int(low), int(high) - (1 if q is None else 0), int(q or 1)
        if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)) or low > high:
            raise SweepError(f"{'/'.join(map(str, path))}: from {low} to {high} is no range")
        logarithmic = how == "LogUniform"
        if q and not logarithmic:  # Ray's values are multiples of q
            low, high = math.ceil(low / q - 1e-9) * q, math.floor(high / q + 1e-9) * q
        parameter = {"name": name, "low": low, "high": high}
        if whole:
            parameter["type"] = "int"
        if logarithmic:
            parameter["log"] = True
        elif q and (q != 1 or not whole):
            parameter["step"] = q
        self.parameters.append(parameter)
        return {"knob": name, "whole": whole, "q": q if logarithmic else None}


def _live_of(live, key):
    """The part of the tree as the file made it; a choice of one is that one."""
    return None if live is None else live[key]


def _unwrap(live):
    kind = _kind(live)
    if kind in ("Grid", "Categorical"):
        choices = live["grid_search"] if kind == "Grid" else list(live.categories)
        if len(choices) == 1:
            return choices[0]
    return live


def _knob(node, given, live):
    if "shown" in node:
        at = node["shown"].index(given)
        if not node["live"]:
            return node["shown"][at]
        return (live["grid_search"] if _kind(live) == "Grid" else list(live.categories))[at]
    if "mean" in node:
        value = statistics.NormalDist(node["mean"], node["sd"]).inv_cdf(given)
        return round(value / node["q"]) * node["q"] if node["q"] else value
    if node["q"]:
        given = round(given / node["q"]) * node["q"]
    return int(given) if node["whole"] else given


class _NotYet(Exception):
    pass


_LATER = object()


class _Config(dict):
    """What functions of sample_from see. Parts that are not known yet cannot be read."""

    def __getitem__(self, key):
        value = super().__getitem__(key)
        if value is _LATER:
            raise _NotYet(key)
        return value

    def get(self, key, default=None):
        return self[key] if key in self else default

    @property
    def config(self):
        return self


def needs_file(node):
    """Whether the tree must be made by the file again to resolve it."""
    if node.get("call") or node.get("live"):
        return True
    below = list(node.get("dict", {}).values()) + node.get("list", [])
    return any(needs_file(one) for one in below)


def random_state():
    numpy = sys.modules.get("numpy")
    state = numpy.random.get_state() if numpy else None
    return random.getstate(), None if state is None else (state[0], state[1].tobytes(), state[2:])


def set_seed(*parts):
    """Everything that is drawn from now on follows from these parts."""
    text = "\0".join(str(part) for part in parts)
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy:
        numpy.random.seed(seed)


class Resolver:
    """The values of one trial."""

    def __init__(self, plan, live, given, seed):
        self._live, self._given = live, given
        self._seed = (seed, json.dumps(given, sort_keys=True))
        self._calls = []  # (where, key, function, path)
        self.drew = False  # whether a function used the generator
        self.config = self._build(plan, live, ())
        self._run_calls()

    def _build(self, node, live, path):
        if "dict" in node:
            live = _unwrap(live)
            made = _Config()
            for key, one in node["dict"].items():
                made[key] = self._place(made, key, one, _live_of(live, key), path)
            return made
        if "list" in node:
            live = _unwrap(live)
            made = [None] * len(node["list"])
            for key, one in enumerate(node["list"]):
                made[key] = self._place(made, key, one, _live_of(live, key), path)
            return made
        if "const" in node:
            return node["const"]
        if "live" in node and "knob" not in node:
            return _unwrap(live)
        return _knob(node, self._given[node["knob"]], live)

    def _place(self, made, key, node, live, path):
        if "call" in node:
            self._calls.append((made, key, live.func, path + (key,)))
            return _LATER
        return self._build(node, live, path + (key,))

    def _run_calls(self):
        """In their order; one that reads another's value comes after it."""
        waiting = self._calls
        while waiting:
            left = []
            for one in waiting:
                where, key, function, path = one
                set_seed(*self._seed, path)
                before = random_state()
                try:
                    where[key] = standin.call(function, self.config)
                except _NotYet:
                    left.append(one)
                    continue
                self.drew = self.drew or random_state() != before
            if len(left) == len(waiting):
                raise SweepError(f"{'/'.join(map(str, left[0][3]))}: sample_from waits for itself")
            waiting = left


def sample_of(parameters):
    """Some values, to try the sweep's functions with."""
    return {one["name"]: one["choices"][0] if "choices" in one else one["low"] for one in parameters}


def draw_parameter():
    return {"name": DRAW, "type": "int", "low": 0, "high": _DRAWS}
