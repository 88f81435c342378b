"""Where Optuna keeps its studies: on the server, so that programs on many machines share them.

    import optuna
    from gpuyard.optuna_storage import GpuyardStorage

    storage = GpuyardStorage("sweeps")       # GPUYARD_URL, GPUYARD_TOKEN, GPUYARD_PROJECT
    study = optuna.create_study(storage=storage, study_name="ppo", load_if_exists=True)
    study.optimize(objective, n_trials=100)

Optuna searches, samples and prunes as ever; the server keeps its journal, durable before each call returns. A
server that restarts is waited for. Needs Optuna 4 or newer. (`gpuyard.optuna` is something else: Optuna's
surface over the server's own search.)
"""

import json
import time
import uuid

from optuna.storages import JournalStorage
from optuna.storages.journal import BaseJournalBackend

from ._api import Api, ApiError

__all__ = ["GpuyardBackend", "GpuyardStorage", "delete_storage"]

_PATIENCE_SECONDS = 300
_PASSING = (0, 429, 502, 503, 504)


def _path(api, project, name):
    return f"/api/v1/study-journals/{api.project(project)}/{name}"


class GpuyardBackend(BaseJournalBackend):
    """The journal `name` of a project. Thread-safe; goes to other processes with its storage."""

    def __init__(self, name="optuna", project=None, url=None, token=None, patience=_PATIENCE_SECONDS):
        self._given = (name, project, url, token, patience)
        self._api = Api(url, token)
        self._patience = patience
        self._path = self._patiently(lambda: _path(self._api, project, name))

    def __reduce__(self):
        return GpuyardBackend, self._given

    def _ask(self, method, path, body=None):
        return self._patiently(lambda: self._api.ask(method, path, body))

    def _patiently(self, call):
        """A server that is away is waited for; what is sent may be sent twice."""
        end, pause = time.monotonic() + self._patience, 0.1
        while True:
            try:
                return call()
            except ApiError as error:
                if error.status not in _PASSING or time.monotonic() > end:
                    raise
            time.sleep(pause)
            pause = min(pause * 2, 5)

    def read_logs(self, log_number_from):
        logs, at = [], log_number_from
        while True:
            page = self._ask("GET", f"{self._path}?from={at}")
            logs += [json.loads(entry) for entry in page["entries"]]
            at = page["next"]
            if at >= page["total"] or not page["entries"]:
                return logs

    def append_logs(self, logs):
        self._ask("POST", self._path, {"id": uuid.uuid4().hex,
                                       "entries": [json.dumps(log) for log in logs]})


class GpuyardStorage(JournalStorage):
    """A storage for `optuna.create_study(storage=...)`. All studies in it share the journal `name`."""

    def __init__(self, name="optuna", project=None, url=None, token=None):
        super().__init__(GpuyardBackend(name, project, url, token))


def delete_storage(name="optuna", project=None):
    """The journal goes with every study in it."""
    api = Api()
    api.ask("DELETE", _path(api, project, name))
