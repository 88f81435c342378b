"""Sweeps for the tests, in the form of Isaac Lab's: classes whose `cfg` has runner_args and hydra_args."""

import pathlib
import sys

sys.path.extend([str(pathlib.Path(__file__).parent)])
import jobs
from ray import tune
from ray.tune.progress_reporter import CLIReporter
from ray.tune.stopper import Stopper

print("the sweep's file prints this")


class WalkerJobCfg(jobs.JobCfg):
    """Numbers, choices, a batch that follows from them, layers that are drawn, a constant that is drawn."""

    def __init__(self, cfg={}):
        cfg = jobs.parts(cfg)
        runner, hydra = cfg["runner_args"], cfg["hydra_args"]
        runner["headless_singleton"] = "--headless"
        runner["--task"] = tune.choice(["Walker-v0"])
        runner["--num_envs"] = tune.choice([64, 128, 256])
        hydra["agent.rate"] = tune.loguniform(1e-4, 1e-2)
        hydra["agent.horizon"] = tune.choice([8, 16])
        hydra["agent.batch"] = tune.sample_from(self.batch)
        depth = tune.randint(1, 4)
        hydra["agent.units"] = tune.sample_from(
            lambda _: [tune.randint(4, 64).sample() for _ in range(depth.sample())])
        hydra["agent.start"] = "{name:default}"
        hydra["agent.activation"] = tune.choice(["relu", "elu", "tanh"]).sample()
        super().__init__(cfg)

    @staticmethod
    def batch(config):
        return config["runner_args"]["--num_envs"] * config["hydra_args"]["agent.horizon"] // 4


class PlainJobCfg(jobs.JobCfg):
    def __init__(self, cfg={}):
        cfg = jobs.parts(cfg)
        cfg["runner_args"]["--task"] = tune.choice(["Plain-v0"])
        cfg["hydra_args"]["agent.gain"] = tune.uniform(0.0, 1.0)
        super().__init__(cfg)


class NothingJobCfg(jobs.JobCfg):
    """Searches nothing: every configuration is the same training."""

    def __init__(self, cfg={}):
        cfg = jobs.parts(cfg)
        cfg["runner_args"]["--task"] = tune.choice(["Same-v0"])
        super().__init__(cfg)


class FallStopper(Stopper):
    def __call__(self, trial_id, result):
        return result.get("training_iteration", 0) >= 1 and result.get("Episode/fallen", 0) > 0.5

    def stop_all(self):
        return False


class WalkerReporter(CLIReporter):
    def __init__(self):
        super().__init__(metric_columns={"training_iteration": "iter", "rewards/time": "reward"})


class NoStopper:
    pass
