"""Says what a sweep's file searches, as the file of a study, and packs what each trial needs."""

import base64
import importlib.util
import json
import os
import secrets
import zlib

from . import space, sweep

_MOST_PAYLOAD = 100_000  # of the 128 KiB that Linux allows for one variable
_BOOT = ("import base64,json,os,sys,zlib,importlib.abc,importlib.util\n"
         "P=json.loads(zlib.decompress(base64.b64decode(os.environ.pop('GPUYARD_JOBCFG'))))\n"
         "class F(importlib.abc.MetaPathFinder,importlib.abc.InspectLoader):\n"
         " def find_spec(s,n,p=None,t=None):\n"
         "  return importlib.util.spec_from_loader(n,s,is_package=s.is_package(n)) if n in P['code'] else None\n"
         " def get_source(s,n): return P['code'][n]\n"
         " def is_package(s,n): return '.' not in n\n"
         "sys.meta_path.insert(0,F())\n"
         "import gpuyard_isaac.trial as t\n"
         "sys.exit(t.main(P))\n")


def _own_code():
    """This package as texts, under the name that it has in a trial."""
    package = __name__.rpartition(".")[0]
    code = {}
    for name in ("", "events", "space", "standin", "sweep", "trainer", "trial"):
        module = f"{package}.{name}".rstrip(".")
        loader = importlib.util.find_spec(module).loader
        code[("gpuyard_isaac." + name).rstrip(".")] = loader.get_source(module)
    return code


def _files_of(loaded):
    """The sweep's file and what it imported from its folder and the one above, by relative path."""
    top = os.path.dirname(os.path.dirname(loaded.file))
    found = {os.path.relpath(loaded.file, top): loaded.file}
    for module in loaded.imported:
        file = getattr(module, "__file__", None)
        if not file or not file.endswith(".py") or "site-packages" in file:
            continue
        path = os.path.relpath(os.path.abspath(file), top)
        if not path.startswith(".."):
            found[path] = file
    texts = {}
    for path, file in sorted(found.items()):
        with open(file, encoding="utf-8") as opened:
            texts[path] = opened.read()
    return texts


def _payload(trial):
    packed = base64.b64encode(zlib.compress(json.dumps(trial).encode(), 9)).decode()
    if len(packed) > _MOST_PAYLOAD:
        sizes = sorted(((len(text), path) for path, text in trial["files"].items()), reverse=True)
        raise sweep.LoadError(
            f"the sweep and what it imports are too long to go along with each trial ({len(packed)} "
            f"bytes packed, {_MOST_PAYLOAD} at most); the longest is {sizes[0][1]}")
    return packed


def _searched(loaded, seed):
    """The plan of the class, its parameters, and whether functions draw."""
    planner = space.Planner()
    tree = sweep.guarded(loaded.file, loaded.class_name, lambda: planner.plan(loaded.cfg))
    given = dict(space.sample_of(planner.parameters), **{space.DRAW: 0})
    tried = sweep.guarded(loaded.file, "sample_from raised",
                          lambda: space.Resolver(tree, loaded.cfg, given, seed))
    if tried.drew or not planner.parameters:
        planner.parameters.append(space.draw_parameter())
    return tree, planner.parameters


def _check_helpers(loaded, options):
    if options.get("stopper"):
        loaded.helper(options["stopper"], "Stopper")
    if options.get("progress_reporter"):
        made = loaded.helper(options["progress_reporter"], "ProgressReporter")
        if getattr(made, "_metric", None) is not None or getattr(made, "_mode", None) is not None:
            raise sweep.LoadError(f"{loaded.file}: {options['progress_reporter']} must not set metric or "
                                  "mode; say --metric and --mode")


def study_of(options):
    """The study's file."""
    seed = options.get("seed")
    seed = secrets.randbelow(2 ** 31) if seed is None else seed
    loaded = sweep.Sweep(options["file"], options.get("class"), seed)
    _check_helpers(loaded, options)
    tree, parameters = _searched(loaded, seed)
    base, python, workflow = sweep.places(options)
    trial = {"code": _own_code(), "plan": tree, "seed": seed, "files": {},
             "file": os.path.join(os.path.basename(os.path.dirname(loaded.file)),
                                  os.path.basename(loaded.file)),
             "class": loaded.class_name, "python": python, "workflow": workflow, "base": base,
             **{name: options.get(name) for name in (
                 "metric", "stopper", "process_response_timeout", "poll_seconds",
                 "max_lines_to_search_experiment_logs")}}
    if space.needs_file(tree) or options.get("stopper"):
        trial["files"] = _files_of(loaded)
    repeats = max(options["repeat_run_count"], 1)
    return {
        "name": f"isaacray-{loaded.class_name}-tune".lower().replace("_", "-"),
        "metric": options["metric"],
        "direction": "minimize" if options["mode"] == "min" else "maximize",
        "parameters": parameters,
        "trials": max(options["num_samples"] // repeats, 1),
        "repeats": repeats,
        "concurrency": 4,
        "maxFailures": int(options["max_log_extraction_errors"]) + 1,
        "command": [*options["python"].split(), "-c", _BOOT],
        "environment": {"GPUYARD_JOBCFG": _payload(trial)},
        "workingDir": base,
    }

