"""Searches for the best parameters, run by this program.

    from gpuyard import tune

    def objective(trial):
        lr = trial.suggest_float("lr", 1e-5, 1e-1, log=True)
        return train(lr)

    study = tune.create_study(direction="minimize")
    study.optimize(objective, n_trials=50)
    print(study.best_params)

The study lives on the server (GPUYARD_URL, GPUYARD_TOKEN, GPUYARD_PROJECT): several programs may work on
one, and it is there when they have ended. Its space is what the first trial asks for: a parameter that
only later trials ask for is drawn at random and not learned from.

Inside a trial of a study that the server runs, `params()` are the parameters, `checkpoint_dir()` is the folder
for its checkpoints, and `resume_from()` the one to start from.
"""

import json
import os
import threading
import time
import uuid

from ._api import Api, ApiError
from ._suggest import Suggests

__all__ = ["ApiError", "FrozenTrial", "Study", "Trial", "TrialPruned", "checkpoint_dir", "create_study",
           "delete_study", "load_study", "params", "resume_from"]


class TrialPruned(Exception):
    """Raised by an objective to end its trial early."""


def params():
    """The parameters of the trial that this program is; empty outside of a study."""
    return json.loads(os.environ.get("GPUYARD_PARAMS", "{}"))


def checkpoint_dir():
    """The folder for this trial's checkpoints, made if needed; None where the study names none."""
    folder = os.environ.get("GPUYARD_CHECKPOINT_DIR")
    if folder:
        os.makedirs(folder, exist_ok=True)
    return folder or None


def resume_from():
    """The folder of checkpoints to start from: this trial's own once there is something in it (it was started again),
    else that of the trial it goes on from; None at a fresh start."""
    for name in ("GPUYARD_CHECKPOINT_DIR", "GPUYARD_RESUME_FROM"):
        folder = os.environ.get(name)
        if folder and os.path.isdir(folder) and os.listdir(folder):
            return folder
    return None


class FrozenTrial:
    """A trial as the server shows it."""

    def __init__(self, record):
        self.number = record["number"]
        self.state = record["state"].upper()
        self.params = record["parameters"]
        self.values = record.get("values")
        self.intermediate_values = {one["step"]: one["value"] for one in record.get("reports", [])}
        self.message = record.get("message", "")

    @property
    def value(self):
        return self.values[0] if self.values else None

    def __repr__(self):
        return (f"FrozenTrial(number={self.number}, state={self.state}, values={self.values}, "
                f"params={self.params})")


class Trial(Suggests):
    """A trial that runs in this program."""

    def __init__(self, study, number, given):
        super().__init__(given, f"{study.study_name}/{number}")
        self.study = study
        self.number = number
        self.reports = {}
        self.user_attrs = {}
        self._stop = False
        self._known = False  # to the server, under this number

    def report(self, value, step):
        value = float(value)
        if step in self.reports:
            return
        self.reports[step] = value
        if self._known:
            self._stop = self.study.send_report(self, step, value)

    def should_prune(self):
        return self._stop

    def set_user_attr(self, key, value):
        self.user_attrs[key] = value


def _number(value):
    return value if value == value and abs(value) != float("inf") else str(value)


class Study:
    """Thread-safe. The server's study is made when the first trial has said what it asks for."""

    def __init__(self, api, name, spec, project, record=None):
        self._api = api
        self._spec = spec
        self._project = project
        self._id = record["id"] if record else None
        self._names = {one["name"] for one in record["spec"]["parameters"]} if record else set()
        self._lock = threading.Lock()
        self._queue = []
        self._stopped = False
        self.study_name = name
        self.user_attrs = {}

    # Asking and telling.

    def _path(self, rest=""):
        return f"/api/v1/studies/{self._id}{rest}"

    def _first(self):
        """The study is not made yet: the first trial shows its space."""
        return Trial(self, 0, self._queue.pop(0) if self._queue else {})

    def ask(self):
        if self._id is None:
            return self._first()
        if self._queue:
            given = self._queue.pop(0)
            if self._names <= set(given):
                record = self._api.ask("POST", self._path("/trials"), {"parameters": given})
            else:
                trial = Trial(self, -1, given)  # known to the server once it has said the rest
                return trial
        else:
            record = self._api.ask("POST", self._path("/trials"), {})
        trial = Trial(self, record["number"], record["parameters"])
        trial._known = True
        return trial

    def _introduce(self, trial):
        """Makes a trial known that the server did not suggest."""
        if self._id is None:
            spec = dict(self._spec, parameters=list(trial.distributions.values()))
            record = self._api.ask("POST", "/api/v1/studies", {
                "name": self.study_name, "projectId": self._project, "spec": spec})
            self._id = record["id"]
            self._names = set(trial.distributions)
        sent = {name: value for name, value in trial.sent().items() if name in self._names}
        record = self._api.ask("POST", self._path("/trials"), {"parameters": sent})
        trial.number = record["number"]
        trial._known = True
        for step, value in trial.reports.items():
            self.send_report(trial, step, value)

    def send_report(self, trial, step, value):
        answer = self._api.ask("POST", self._path(f"/trials/{trial.number}/reports"),
                               {"step": step, "value": _number(value)})
        return answer["stop"]

    def tell(self, trial, values=None, state=None, reason=""):
        if not trial._known:
            if not trial.distributions and self._id is None:
                raise ApiError(0, "the first trial asked for no parameter")
            self._introduce(trial)
        body = {"state": state or "Complete", "reason": reason[:500]}
        if values is not None:
            values = values if isinstance(values, (list, tuple)) else [values]
            body["values"] = [_number(float(value)) for value in values]
        return FrozenTrial(self._api.ask("POST", self._path(f"/trials/{trial.number}/tell"), body))

    def enqueue_trial(self, params, **_ignored):  # pylint: disable=redefined-outer-name
        """These parameters are tried next; what is missing is drawn."""
        self._queue.append(dict(params))

    # Running.

    def stop(self):
        """No trial begins after those that run."""
        self._stopped = True

    def _run_one(self, objective, catch, callbacks):
        trial = self.ask()
        try:
            ended = self.tell(trial, objective(trial))
        except TrialPruned as pruned:
            ended = self.tell(trial, state="Pruned", reason=str(pruned))
        except Exception as error:  # pylint: disable=broad-except
            ended = self.tell(trial, state="Failed", reason=f"{type(error).__name__}: {error}")
            if not isinstance(error, tuple(catch)):
                raise
        for callback in callbacks or ():
            callback(self, ended)

    def optimize(self, func, n_trials=None, timeout=None, n_jobs=1, catch=(), callbacks=None,
                 **_ignored):
        """Runs trials until there are so many, the time is over, or the study says that it is spent."""
        catch = catch if isinstance(catch, (tuple, list)) else (catch,)
        end = None if timeout is None else time.monotonic() + timeout
        left = [n_trials]
        failures = []

        def take():
            with self._lock:
                if self._stopped or failures or (end and time.monotonic() >= end) or left[0] == 0:
                    return False
                left[0] = None if left[0] is None else left[0] - 1
                return True

        def work():
            try:
                while take():
                    self._run_one(func, catch, callbacks)
            except ApiError as error:
                if error.status not in (409, 412) or "is over" not in str(error):
                    failures.append(error)
            except Exception as error:  # pylint: disable=broad-except
                failures.append(error)

        self._stopped = False
        if self._id is None and take():
            self._run_one(func, catch, callbacks)  # alone: it shows the space
        workers = [threading.Thread(target=work) for _ in range(max(n_jobs, 1) - 1)]
        for worker in workers:
            worker.start()
        work()
        for worker in workers:
            worker.join()
        if failures:
            raise failures[0]

    # Looking.

    def get_trials(self):
        found = []
        while self._id is not None:
            page = self._api.ask("GET", self._path(f"/trials?offset={len(found)}"))
            found += [FrozenTrial(one) for one in page["trials"]]
            if "next" not in page:
                break
        return found

    @property
    def trials(self):
        return self.get_trials()

    @property
    def best_trials(self):
        best = self._api.ask("GET", self._path("/best"))["trials"] if self._id else []
        return [FrozenTrial(one) for one in best]

    @property
    def best_trial(self):
        best = self.best_trials
        if not best:
            raise ValueError("no trial is complete yet")
        return best[0]

    @property
    def best_params(self):
        return self.best_trial.params

    @property
    def best_value(self):
        return self.best_trial.value

    @property
    def importances(self):
        shares = self._api.ask("GET", self._path("/importances"))["importances"]
        return {one["parameter"]: one["importance"] for one in shares}

    @property
    def directions(self):
        return [one.get("direction", "minimize") for one in self._spec["objectives"]]

    @property
    def direction(self):
        return self.directions[0]

    def set_user_attr(self, key, value):
        self.user_attrs[key] = value


def _find(api, name):
    found = [one for one in api.ask("GET", f"/api/v1/studies?filterBy=name=={name}")["studies"]
             if one["name"] == name]
    return found[0] if found else None


def create_study(study_name=None, direction=None, directions=None, sampler="auto", seed=None,
                 pruner=None, load_if_exists=False, project=None, **_ignored):
    """`sampler` and `pruner` as in a study's file: "tpe", {"type": "median"}."""
    api = Api()
    name = study_name or f"study-{uuid.uuid4().hex[:8]}"
    record = _find(api, name) if study_name else None
    if record and not load_if_exists:
        raise ApiError(409, f"there is a study '{name}' already; load_if_exists=True takes it")
    directions = list(directions or [direction or "minimize"])
    objectives = [{"metric": f"value{index or ''}", "direction": str(one).lower()}
                  for index, one in enumerate(directions)]
    spec = record["spec"] if record else {"objectives": objectives, "sampler": sampler}
    if not record and seed is not None:
        spec["seed"] = int(seed)
    if not record and pruner:
        spec["pruner"] = pruner if isinstance(pruner, dict) else {"type": pruner}
    return Study(api, name, spec, record["projectId"] if record else api.project(project), record)


def load_study(study_name, **_ignored):
    api = Api()
    record = _find(api, study_name)
    if record is None:
        raise KeyError(f"there is no study '{study_name}'")
    return Study(api, study_name, record["spec"], record["projectId"], record)


def delete_study(study_name, **_ignored):
    api = Api()
    record = _find(api, study_name)
    if record is None:
        raise KeyError(f"there is no study '{study_name}'")
    api.ask("POST", f"/api/v1/studies/{record['id']}/stop")
    api.ask("DELETE", f"/api/v1/studies/{record['id']}")
