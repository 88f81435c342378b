"""`python -m gpuyard tune FILE.py`: begins the study of a sweep, with the flags of Isaac Lab's tuner.py.

Loads the file with this Python and hands the study to `gpuyard tune -`, which must be on PATH (or GPUYARD_PROGRAM).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time

from . import plan, report, sweep

_BETWEEN_LOOKS = 2.0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m gpuyard tune", description=__doc__.split("\n", maxsplit=1)[0])
    add = parser.add_argument
    add("file", help="the sweep's Python file")
    add("--class", "--cfg_class", dest="class", help="the class in the file")
    add("--run_mode", choices=["local", "remote"], default="remote",
        help="local: isaaclab.sh in this folder; remote: in /workspace/isaaclab")
    add("--workflow", help="the training script [rl_games' train.py]")
    add("--metric", default="rewards/time", help="a scalar that the trainer logs")
    add("--mode", choices=["max", "min"], default="max")
    add("--num_samples", type=int, default=100, help="trials in all, repeats included")
    add("--repeat_run_count", type=int, default=3, help="runs of each configuration")
    add("--num_workers_per_node", type=int, default=1, help="trials that share a GPU")
    add("--process_response_timeout", type=float, default=200.0,
        help="end a trainer that logs nothing for so many seconds")
    add("--max_lines_to_search_experiment_logs", type=float, default=1000,
        help="lines in which the trainer names its experiment")
    add("--max_log_extraction_errors", type=float, default=10,
        help="pause when more trials than this fail one after the other")
    add("--progress_reporter", help="a ProgressReporter of the file")
    add("--stopper", help="a Stopper of the file")
    add("--ray_address", help=argparse.SUPPRESS)
    add("--mlflow_uri", help=argparse.SUPPRESS)
    group = parser.add_argument_group("of Gpuyard")
    add = group.add_argument
    add("-p", "--project")
    add("--name", help="of the study")
    add("--python", "--trial_python", default="python3", help="the Python that loads the file in trials")
    add("--image", help="container image of the trials")
    add("--gpu", help="GPUs of a trial, or a part of one [1]")
    add("--cpu", help="CPU cores of a trial")
    add("--memory", help="memory of a trial")
    add("--concurrency", type=int, help="trials at the same time [4]")
    add("--seed", type=int, help="the same seed makes the same suggestions")
    add("-d", "--detach", action="store_true", help="do not wait for the end")
    add("--trials", type=int, help="configurations to try; --num_samples counts their repeats, too")
    add("--program", help=argparse.SUPPRESS)
    add("--print", action="store_true", help="print the study's file and begin nothing")
    return parser


def _study(options):
    """The study's file with what the flags say."""
    for name in ("num_samples", "repeat_run_count", "num_workers_per_node"):
        if options[name] < 1:
            raise sweep.LoadError(f"--{name} is at least 1")
    study = plan.study_of(options)
    share = options["num_workers_per_node"]
    study["gpu"] = options["gpu"] or (1 if share == 1 else round(1 / share, 3))
    for name in ("name", "project", "image", "cpu", "memory", "concurrency", "seed", "trials"):
        if options[name] is not None:
            study[name] = options[name]
    return study


def _trials(program, name, variables):
    done = subprocess.run([program, "studies", "trials", name, "-o", "json"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False, env=variables)
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout else []


def _follow(child, look, reporter, metric):
    """Tells the sweep's reporter of the trials until the study has ended."""
    while child.poll() is None:
        report.tell(reporter, look(), metric, done=False)
        time.sleep(_BETWEEN_LOOKS)
    report.tell(reporter, look(), metric, done=True)


def _begin(options, study, reporter, variables):
    program = options["program"] or os.environ.get("GPUYARD_PROGRAM") or shutil.which("gpuyard")
    if program is None:
        print("there is no program 'gpuyard' on PATH; --print shows the study's file", file=sys.stderr)
        return 2
    words = [program, "tune", "-"] + (["--detach"] if options["detach"] else [])
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=variables) as child:
        child.stdin.write(json.dumps(study).encode())
        child.stdin.close()
        if reporter is not None and not options["detach"]:
            _follow(child, lambda: _trials(program, study["name"], variables), reporter, options["metric"])
        return child.wait()


def main(words, variables=None):
    """`variables` go to the program that begins the study, beside those of this one."""
    options = vars(_parser().parse_args(words))
    options.update(cwd=os.getcwd(), poll_seconds=2)
    kept = os.dup(1)
    os.dup2(2, 1)  # prints of the sweep are not the answer
    try:
        study = _study(options)
        reporter = report.made(options) if options["progress_reporter"] else None
    except sweep.LoadError as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
    if options["print"]:
        json.dump(study, sys.stdout, indent=1)
        print()
        return 0
    return _begin(options, study, reporter, {**os.environ, **(variables or {})})
