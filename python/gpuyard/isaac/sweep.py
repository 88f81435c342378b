"""Loads a sweep's file and class, and builds the trainer's command line from resolved values."""

import importlib.util
import os
import sys
import traceback

from . import space, standin

_REMOTE = "/workspace/isaaclab/"
_PYTHON = "isaaclab.sh -p"
_WORKFLOW = "scripts/reinforcement_learning/rl_games/train.py"
_USUAL_CLASS = "CartpoleRGBNoTuneJobCfg"
_HERE = os.path.dirname(globals().get("__file__", ""))  # none where the code came along as text


class LoadError(Exception):
    """The file or the class cannot be used; the text says where."""


def _where(error, file):
    """The line of the user's files at which it went wrong, the innermost one."""
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        own = os.path.dirname(os.path.abspath(frame.filename)) == _HERE
        if not own and os.path.isfile(frame.filename) and "importlib" not in frame.filename:
            place = f"{frame.filename}:{frame.lineno}: "
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{error.filename}:{error.lineno}: "
    return place or f"{file}: "


def guarded(file, what, function):
    """Runs code of the file; whatever it raises is a LoadError that names the line."""
    try:
        return function()
    except KeyboardInterrupt:
        raise
    except space.SweepError as error:
        raise LoadError(f"{file}: {error}") from error
    except BaseException as error:  # pylint: disable=broad-except
        name = type(error).__name__
        text = " ".join(str(error).split())[:1000]
        raise LoadError(f"{_where(error, file)}{what}: {name}{': ' if text else ''}{text}") from error


class Sweep:
    """A loaded file with one of its classes."""

    def __init__(self, file, class_name, seed):
        self.file = os.path.abspath(file)
        self.standin = standin.install()
        before = set(sys.modules)
        self.module = guarded(file, "cannot be loaded", lambda: self._load(seed))
        self.imported = [sys.modules[name] for name in set(sys.modules) - before]
        self.class_name = class_name or self._only_class()
        made = self._named(self.class_name)
        if made is None:
            raise LoadError(f"{file}: there is no class '{self.class_name}'; it has "
                            + (", ".join(self.classes()) or "none with a cfg"))
        space.set_seed(seed, "class")
        self.cfg = guarded(file, f"{self.class_name}() raised", lambda: made().cfg)
        self._check()

    def _load(self, seed):
        if not os.path.isfile(self.file):
            raise FileNotFoundError("there is no such file")
        name = os.path.splitext(os.path.basename(self.file))[0]
        spec = importlib.util.spec_from_file_location(name, self.file)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        space.set_seed(seed, "file")
        spec.loader.exec_module(module)
        return module

    def _named(self, name):
        found = getattr(self.module, name, None)
        return found if isinstance(found, type) else None

    def classes(self):
        """Those that look like a sweep: defined here, and not a stopper or reporter."""
        return [name for name, one in vars(self.module).items()
                if isinstance(one, type) and one.__module__ == self.module.__name__
                and name.endswith("Cfg")]

    def _only_class(self):
        known = self.classes()
        if _USUAL_CLASS in known:
            return _USUAL_CLASS
        if len(known) != 1:
            raise LoadError(f"{self.file}: say which class with --class; it has "
                            + (", ".join(known) or "none whose name ends with Cfg"))
        return known[0]

    def _check(self):
        cfg = self.cfg
        for part in ("runner_args", "hydra_args"):
            if not isinstance(cfg, dict) or not isinstance(cfg.get(part), dict):
                raise LoadError(f"{self.file}: {self.class_name}().cfg has no dictionary '{part}'")
        if "--task" not in cfg["runner_args"]:
            raise LoadError(f"{self.file}: {self.class_name}().cfg['runner_args'] names no '--task'")

    def helper(self, name, base):
        """An object of a class of the file that must be a Stopper or a ProgressReporter."""
        found = self._named(name)
        if found is None:
            raise LoadError(f"{self.file}: there is no class '{name}'")
        if base not in [one.__name__ for one in found.__mro__]:
            raise LoadError(f"{self.file}: '{name}' is no subclass of ray.tune.{base}")
        return guarded(self.file, f"{name}() raised", found)


def places(options):
    """Where the trainer starts, the words that start Python, and the workflow, as tuner.py has them."""
    if options.get("run_mode") == "local":
        base = options["cwd"].rstrip("/") + "/"
        workflow = options.get("workflow") or base + _WORKFLOW
        return base.rstrip("/") or "/", base + _PYTHON, workflow
    return _REMOTE, _REMOTE + _PYTHON, options.get("workflow") or _REMOTE + _WORKFLOW


def _runner_word(key, value):
    named = key.startswith("-") and not key.endswith("_singleton")
    return f"{key} {value}" if named else f"{value}"


def _item(item):
    return "{" + ",".join(f"{key}:{value}" for key, value in item.items()) + "}"


def _hydra_word(key, value):
    if isinstance(value, list):
        mapped = bool(value) and isinstance(value[0], dict)
        items = [_item(one) if mapped else str(one) for one in value]
        return f"'{key}=[{','.join(items)}]'"
    if isinstance(value, str) and ("{" in value or "}" in value):
        return f"'{key}={value}'"
    return f"{key}={value}"


def command_of(config, python, workflow):
    """The line that a shell runs; Isaac Lab's tuner.py writes the same."""
    runner = " ".join(_runner_word(key, value) for key, value in config["runner_args"].items())
    hydra = " ".join(_hydra_word(key, value) for key, value in config["hydra_args"].items())
    return f"{python} {workflow} {runner} {hydra}"
