"""Define by run: what a trial asks for."""

import math
import random


def draw(dice, parameter):
    """A value of the range, uniform on its scale."""
    kind = parameter.get("type")
    if "choices" in parameter:
        return dice.choice(parameter["choices"])
    low, high = parameter["low"], parameter["high"]
    if parameter.get("log"):
        value = math.exp(dice.uniform(math.log(low), math.log(high)))
        return min(max(round(value), low), high) if kind == "int" else min(max(value, low), high)
    step = parameter.get("step") or (1 if kind == "int" else None)
    if step is None:
        return dice.uniform(low, high)
    return low + step * dice.randrange(int((high - low) / step + 1e-9) + 1)


class Suggests:
    """The suggest_* of a trial. `given` are the values that the study chose, or that were enqueued;
    a name that is not among them is drawn at random."""

    def __init__(self, given, seed):
        self._given = dict(given)
        self._dice = random.Random(seed)
        self.params = {}
        self.labels = {}  # of choices, as the server has them
        self.distributions = {}

    def sent(self):
        """The parameters as the server takes them."""
        return {**self.params, **self.labels}

    def _value(self, parameter):
        name = parameter["name"]
        if name in self.params:
            if self.distributions[name] != parameter:
                raise ValueError(f"'{name}' was asked for with another range before in this trial")
            return self.labels.get(name, self.params[name])
        value = self._given[name] if name in self._given else draw(self._dice, parameter)
        if parameter.get("type") == "float":
            value = float(value)
        self.params[name] = value
        self.distributions[name] = parameter
        return value

    def suggest_float(self, name, low, high, *, step=None, log=False):
        parameter = {"name": name, "type": "float", "low": low, "high": high}
        if step is not None:
            parameter["step"] = step
        if log:
            parameter["log"] = True
        return self._value(parameter)

    def suggest_int(self, name, low, high, *, step=1, log=False):
        parameter = {"name": name, "type": "int", "low": low, "high": high}
        if log:
            parameter["log"] = True
        elif step != 1:
            parameter["step"] = step
        return self._value(parameter)

    def suggest_categorical(self, name, choices):
        """Choices may be anything; the server sees those that JSON has no word for as texts."""
        choices = list(choices)
        labels = [one if isinstance(one, (str, int, float)) else repr(one) for one in choices]
        if len({str(label) for label in labels}) < len(labels):
            labels = [f"{index}: {one!r}" for index, one in enumerate(choices)]
        given = self._given.get(name)
        if given is not None and given not in labels and given in choices:
            self._given[name] = labels[choices.index(given)]  # enqueued as it is
        label = self._value({"name": name, "type": "categorical", "choices": labels})
        self.labels[name] = label
        self.params[name] = choices[labels.index(label)]
        return self.params[name]

    # The names of older scripts.
    def suggest_uniform(self, name, low, high):
        return self.suggest_float(name, low, high)

    def suggest_loguniform(self, name, low, high):
        return self.suggest_float(name, low, high, log=True)

    def suggest_discrete_uniform(self, name, low, high, q):
        return self.suggest_float(name, low, high, step=q)
