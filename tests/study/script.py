"""A script as people write them for Optuna; only the import differs."""

import sys

import gpuyard.optuna as optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)


def objective(trial):
    x = trial.suggest_float("x", -10, 10)
    depth = trial.suggest_int("depth", 1, 8)
    kind = trial.suggest_categorical("kind", ["a", "b", None])
    for step in range(5):
        loss = (x - 2) ** 2 + abs(depth - 3) + (kind != "b") + 5 - step
        trial.report(loss, step)
        if trial.should_prune():
            raise optuna.TrialPruned()
    return loss


study = optuna.create_study(study_name=sys.argv[1], direction="minimize",
                            sampler=optuna.samplers.TPESampler(seed=3),
                            pruner=optuna.pruners.MedianPruner(n_startup_trials=5))
study.enqueue_trial({"x": 9.0, "depth": 8, "kind": "a"})
study.optimize(objective, n_trials=20, n_jobs=2)
again = optuna.load_study(study_name=sys.argv[1])
states = [trial.state for trial in again.trials]
assert len(states) == 20 and set(states) <= {"COMPLETE", "PRUNED"}, states
assert again.trials[0].params == {"x": 9.0, "depth": 8, "kind": "a"}, again.trials[0]
assert study.best_value == min(t.value for t in again.trials if t.value is not None)
assert study.best_value < 40, study.best_value
assert set(optuna.importance.get_param_importances(study)) == {"x", "depth", "kind"}
print(study.best_params, states.count("PRUNED"))
