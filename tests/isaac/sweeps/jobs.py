"""What sweeps of Isaac Lab import from beside them: a base class, and modules of Ray and TensorBoard that these
files only name. Written for the tests, in the same form."""

import ray
from ray import air, tune
from ray.tune import Callback
from ray.tune.progress_reporter import ProgressReporter
from ray.tune.search.optuna import OptunaSearch
from ray.tune.search.repeater import Repeater
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

NAMED = (air, ProgressReporter, OptunaSearch, Repeater, NodeAffinitySchedulingStrategy, EventAccumulator)


class Trainable(tune.Trainable):
    """Never made here."""


class Cleanup(Callback):
    def on_trial_complete(self, iteration, trials, trial, **info):
        pass


@ray.remote
def work(command):
    return command


def parts(cfg):
    cfg.setdefault("runner_args", {})
    cfg.setdefault("hydra_args", {})
    return cfg


class JobCfg:
    def __init__(self, cfg):
        assert "--task" in cfg["runner_args"], "No task specified."
        self.cfg = cfg
