"""Runs common scripts written for Optuna: `import gpuyard.optuna as optuna`.

Studies live on the server, and its search makes the suggestions. A sampler or a pruner is taken by its name
and its usual numbers. `storage` is not used: the server is the storage.
"""

import types

from . import tune
from .tune import FrozenTrial, Study, Trial, TrialPruned

__all__ = ["FrozenTrial", "Study", "Trial", "TrialPruned", "copy_study", "create_study",
           "delete_study", "exceptions", "importance", "load_study", "logging", "pruners", "samplers",
           "study", "trial"]


class _Sampler:
    """A name of the server's samplers, and the seed."""

    name = "auto"

    def __init__(self, *_ignored, seed=None, **_more):
        self.seed = seed


def _sampler(title, name, summary):
    return type(title, (_Sampler,), {"name": name, "__doc__": summary})


class TPESampler(_Sampler):
    """Joint model unless multivariate=False is said."""

    name = "tpe"

    def __init__(self, *_ignored, seed=None, multivariate=True, **_more):
        super().__init__(seed=seed)
        if not multivariate:
            self.name = "tpe-univariate"


def _pruner(kind, **numbers):
    return dict({"type": kind}, **{name: value for name, value in numbers.items()
                                   if value is not None})


def _median(n_startup_trials=5, n_warmup_steps=0, interval_steps=1, **_ignored):
    return _pruner("median", startupTrials=n_startup_trials, warmupSteps=n_warmup_steps,
                   intervalSteps=interval_steps)


def _percentile(percentile, n_startup_trials=5, n_warmup_steps=0, interval_steps=1, **_ignored):
    return _pruner("percentile", percentile=percentile, startupTrials=n_startup_trials,
                   warmupSteps=n_warmup_steps, intervalSteps=interval_steps)


def _rungs(kind):
    def make(min_resource=1, max_resource=100, reduction_factor=3, **_ignored):
        return _pruner(kind, minSteps=min_resource if isinstance(min_resource, int) else 1,
                       maxSteps=max_resource if isinstance(max_resource, int) else 100,
                       reduction=reduction_factor)
    return make


samplers = types.SimpleNamespace(
    BaseSampler=_Sampler,
    TPESampler=TPESampler,
    RandomSampler=_sampler("RandomSampler", "random", "Uniform."),
    GridSampler=_sampler("GridSampler", "grid", "Every combination of the space's values."),
    QMCSampler=_sampler("QMCSampler", "sobol", "Fills the space evenly."),
    GPSampler=_sampler("GPSampler", "gp", "Gaussian process."),
    CmaEsSampler=_sampler("CmaEsSampler", "cma-es", "Evolution strategy."),
    NSGAIISampler=_sampler("NSGAIISampler", "nsga2", "Genetic, several objectives."),
    NSGAIIISampler=_sampler("NSGAIIISampler", "nsga3", "Genetic, many objectives."),
    AutoSampler=_Sampler)

pruners = types.SimpleNamespace(
    NopPruner=lambda: _pruner("none"),
    MedianPruner=_median,
    PercentilePruner=_percentile,
    SuccessiveHalvingPruner=_rungs("asha"),
    HyperbandPruner=_rungs("hyperband"),
    ThresholdPruner=lambda lower=None, upper=None, **_: _pruner("threshold", lower=lower,
                                                                upper=upper),
    PatientPruner=lambda wrapped_pruner=None, patience=5, min_delta=0.0: _pruner(
        "patient", patience=patience, minDelta=min_delta),
    WilcoxonPruner=lambda p_threshold=0.1, n_startup_steps=2: _pruner(
        "wilcoxon", pThreshold=p_threshold, warmupSteps=n_startup_steps))

exceptions = types.SimpleNamespace(TrialPruned=TrialPruned, OptunaError=Exception)
trial = types.SimpleNamespace(
    Trial=Trial, FrozenTrial=FrozenTrial,
    TrialState=types.SimpleNamespace(RUNNING="RUNNING", COMPLETE="COMPLETE", PRUNED="PRUNED",
                                     FAIL="FAILED"))
importance = types.SimpleNamespace(get_param_importances=lambda of, **_: of.importances)
logging = types.SimpleNamespace(
    DEBUG=10, INFO=20, WARNING=30, ERROR=40, CRITICAL=50, set_verbosity=lambda level: None,
    get_verbosity=lambda: 30, enable_propagation=lambda: None, disable_propagation=lambda: None,
    enable_default_handler=lambda: None, disable_default_handler=lambda: None)
study = types.SimpleNamespace(
    Study=Study, StudyDirection=types.SimpleNamespace(MINIMIZE="minimize", MAXIMIZE="maximize"))


def create_study(*, storage=None, sampler=None, pruner=None, study_name=None, direction=None,
                 load_if_exists=False, directions=None):  # pylint: disable=unused-argument
    sampler = sampler or _Sampler()
    return tune.create_study(study_name=study_name, direction=direction, directions=directions,
                             sampler=sampler.name, seed=sampler.seed, pruner=pruner,
                             load_if_exists=load_if_exists)


def load_study(*, study_name, **_ignored):
    return tune.load_study(study_name)


def delete_study(*, study_name, **_ignored):
    tune.delete_study(study_name)


def copy_study(**_ignored):
    raise NotImplementedError("copy the trials with study.trials and enqueue_trial")
