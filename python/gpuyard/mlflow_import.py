"""Brings the runs of an MLflow server over: experiments, runs with whole histories, files, registered models.

    python -m gpuyard import mlflow http://mlflow.lab:5000
    python -m gpuyard import mlflow sqlite:////srv/mlflow/mlflow.db --artifacts /srv/mlflow/artifacts

May be broken off and started again: a run that came over whole and has not changed since is passed over, and what
is sent twice is there once. Two imports of one source at the same time are not foreseen.
"""

import argparse
import hashlib
import http.client
import json
import os
import socket
import ssl
import sys
import time
import urllib.parse

from ._mlflow_source import SourceError, named, open_source

_RUN = "gpuyard.import.run"        # the id that a run had
_STATE = "gpuyard.import.state"    # a digest of what came over; set last
_VERSION = "gpuyard.import.version"
_POINTS, _PAIRS = 1000, 100
_ONCE = ("runs/create", "model-versions/create")
_PATIENCE_SECONDS = 120
_BLOCK = 1 << 18  # bytes of a file that are sent at once


class Refused(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=120)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Target:
    """The MLflow routes of the server."""

    def __init__(self, url, token, project):
        self._url = urllib.parse.urlsplit(url)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        if project:
            self._headers["X-MLFLOW-WORKSPACE"] = project
        self._base = "" if self._url.scheme == "unix" else self._url.path.rstrip("/")
        self._connection = None

    def _connect(self):
        if self._url.scheme == "unix":
            return _UnixConnection(self._url.path)
        if self._url.scheme == "https":
            context = ssl.create_default_context(cafile=os.environ.get("GPUYARD_CA_FILE"))
            return http.client.HTTPSConnection(self._url.netloc, timeout=120, context=context)
        return http.client.HTTPConnection(self._url.netloc, timeout=120)

    def send(self, method, path, body=None, kind="application/json", length=None):
        """A server that is away is waited for, but not with what must not be made twice: status 0.

        For a file `body` is a function that opens it, for each try anew; it is read as it is sent."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                if self._connection is None:
                    self._connection = self._connect()
                headers = {**self._headers, "Content-Type": kind}
                if length is not None:
                    headers["Content-Length"] = str(length)
                self._request(method, self._base + path, body() if callable(body) else body, headers)
                answer = self._connection.getresponse()
                text = answer.read()
                if answer.will_close:
                    self._connection = None
                if answer.status < 300:
                    return json.loads(text) if text else {}
                told = json.loads(text) if text.startswith(b"{") else {}
                if answer.status not in (429, 502, 503, 504) or time.monotonic() > end:
                    raise Refused(answer.status, told.get("error_code", ""), told.get("message", text[:200]))
            except (OSError, http.client.HTTPException) as error:
                self._connection = None
                if time.monotonic() > end or path.endswith(_ONCE):
                    raise Refused(0, "", f"the server is out of reach: {error}") from error
            time.sleep(0.25)

    def _request(self, method, path, body, headers):
        self._connection.blocksize = _BLOCK
        try:
            self._connection.request(method, path, body, headers)
        except (BrokenPipeError, ConnectionResetError):
            pass  # a large file may be refused before it is sent: the answer says why
        finally:
            if hasattr(body, "close"):
                body.close()

    def post(self, route, **body):
        return self.send("POST", f"/api/2.0/mlflow/{route}", json.dumps(body))

    def get(self, route, **query):
        return self.send("GET", f"/api/2.0/mlflow/{route}?{urllib.parse.urlencode(query)}")


def _listed(pairs):
    return [{"key": key, "value": value} for key, value in sorted(pairs.items())]


def _parts(items, most):
    for at in range(0, len(items), most):
        yield items[at:at + most]


class Import:
    """One import. `left` says what did not come over."""

    def __init__(self, source, target, say):
        self._source, self._target, self._say = source, target, say
        self._ids = {}  # of runs here, by their ids there
        self.counts = {"experiments": 0, "runs": 0, "unchanged": 0, "points": 0, "files": 0, "versions": 0}
        self.left = []

    def run(self, wanted=None):
        for experiment in self._source.experiments():
            if wanted and experiment["name"] not in wanted:
                continue
            home = self._experiment(experiment)
            self.counts["experiments"] += 1
            for run in self._source.runs(experiment["id"]):
                self._take_run(home, run)
            self._say(f"{experiment['name']}: done; {self.counts['runs']} runs so far")
        for model in self._source.models():
            self._take_model(model)

    def _experiment(self, experiment):
        try:
            home = self._target.get("experiments/get-by-name", experiment_name=experiment["name"])
            home = home["experiment"]["experiment_id"]
        except Refused as error:
            if error.status != 404:
                raise
            try:
                home = self._target.post("experiments/create", name=experiment["name"])["experiment_id"]
            except Refused as again:
                if again.code != "RESOURCE_ALREADY_EXISTS":
                    raise
                return self._experiment(experiment)
        for key, value in experiment["tags"].items():
            self._target.post("experiments/set-experiment-tag", experiment_id=home, key=key, value=value)
        return home

    def _known(self, home, run):
        found = self._target.post("runs/search", experiment_ids=[home], max_results=1,
                                  filter=f"tags.`{_RUN}` = '{run['id']}'").get("runs", [])
        return found[0] if found else None

    def _begin(self, home, run):
        """The run here, and whether it has all of the run there."""
        known = self._known(home, run)
        if known is None:
            tags = {_RUN: run["id"]}
            if run["name"]:
                tags["mlflow.runName"] = run["name"]
            try:
                made = self._target.post("runs/create", experiment_id=home, run_name=run["name"], tags=_listed(tags),
                                         user_id=run["user"], start_time=run["start"])
                return made["run"]["info"]["run_id"], ""
            except Refused as error:
                if error.status != 0:
                    raise
                return self._begin(home, run)
        tags = {tag["key"]: tag["value"] for tag in known["data"].get("tags", [])}
        return known["info"]["run_id"], tags.get(_STATE, "")

    def _take_run(self, home, run):
        here, state = self._begin(home, run)
        self._ids[run["id"]] = here
        counts = {}
        digest = hashlib.sha256(json.dumps([run[key] for key in (
            "name", "status", "start", "end", "params", "tags", "metrics")], sort_keys=True).encode())
        files, problem = self._files_of(run)
        digest.update(json.dumps(files).encode())
        # The histories of a run that goes on grow; those of ended ones are read once.
        if state == digest.hexdigest() and run["end"]:
            self.counts["unchanged"] += 1
            return
        for params in _parts(_listed(run["params"]), _PAIRS):
            self._target.post("runs/log-batch", run_id=here, params=params)
        for tags in _parts(_listed(run["tags"]), _PAIRS):
            self._target.post("runs/log-batch", run_id=here, tags=tags)
        for metric in run["metrics"]:
            counts[metric] = self._take_history(run["id"], here, metric)
        whole = self._take_files(run, here, files, problem)
        self._end(run, here)
        if whole:
            self._target.post("runs/set-tag", run_id=here, key=_STATE, value=digest.hexdigest())
        self.counts["runs"] += 1
        self.counts["points"] += sum(counts.values())

    def _end(self, run, here):
        if run["end"] or run["status"] not in ("RUNNING", "SCHEDULED"):
            end = {"end_time": run["end"]} if run["end"] else {}
            self._target.post("runs/update", run_id=here, status=run["status"], **end)

    def _take_history(self, there, here, metric):
        points, count = [], 0
        for timestamp, step, value in self._source.history(there, metric):
            points.append({"key": metric, "value": value, "timestamp": timestamp, "step": step})
            if len(points) == _POINTS:
                self._target.post("runs/log-batch", run_id=here, metrics=points)
                points = []
            count += 1
        if points:
            self._target.post("runs/log-batch", run_id=here, metrics=points)
        return count

    def _files_of(self, run):
        try:
            return sorted(self._source.files(run)), ""
        except SourceError as error:
            return [], str(error)

    def _take_files(self, run, here, files, problem):
        if problem:
            self.left.append(f"files of run {run['name'] or run['id']}: {problem}")
            return False
        if not files:
            return True
        info = self._target.get("runs/get", run_id=here)["run"]["info"]
        place = urllib.parse.urlsplit(info["artifact_uri"]).path.strip("/")
        there, whole = self._sizes(here), True
        for path, size in files:
            if there.get(path) == size:
                continue
            try:
                self._target.send("PUT", "/api/2.0/mlflow-artifacts/artifacts/" + urllib.parse.quote(f"{place}/{path}"),
                                  lambda path=path: self._source.open_file(run, path), "application/octet-stream", size)
                self.counts["files"] += 1
            except (SourceError, Refused) as error:
                self.left.append(f"{path} of run {run['name'] or run['id']} ({size} bytes): {error}")
                whole = False
        return whole

    def _sizes(self, here, path=""):
        sizes, token = {}, ""
        while True:
            page = self._target.get("artifacts/list", run_id=here, path=path, **({"page_token": token} if token else {}))
            for one in page.get("files", []):
                if one.get("is_dir"):
                    sizes.update(self._sizes(here, one["path"]))
                else:
                    sizes[one["path"]] = int(one.get("file_size", 0))
            token = page.get("next_page_token", "")
            if not token:
                return sizes

    def _take_model(self, model):
        name = model["name"]
        try:
            self._target.post("registered-models/create", name=name, description=model["description"],
                              tags=_listed(model["tags"]))
        except Refused as error:
            if error.code != "RESOURCE_ALREADY_EXISTS":
                raise
        known = self._versions_here(name)
        for version in sorted(model["versions"], key=lambda one: int(one["version"])):
            if version["version"] in known:
                continue
            try:
                known[version["version"]] = self._take_version(name, version)
            except Refused as error:
                if error.status != 0:
                    raise
                return self._take_model(model)  # was it made? it is looked for again
            self.counts["versions"] += 1
            if known[version["version"]] != version["version"]:
                self.left.append(f"the number of version {version['version']} of model {name}: "
                                 f"it is {known[version['version']]} here")
        for alias, version in model["aliases"].items():
            if version in known:
                self._target.post("registered-models/alias", name=name, alias=alias, version=known[version])
        return None

    def _versions_here(self, name):
        """Numbers here by numbers there."""
        found, token = {}, ""
        while True:
            page = self._target.get("model-versions/search", filter=named(name), max_results=1000, **({"page_token": token} if token else {}))
            for one in page.get("model_versions", []):
                tags = {tag["key"]: tag["value"] for tag in one.get("tags", [])}
                if _VERSION in tags:
                    found[tags[_VERSION]] = str(one["version"])
            token = page.get("next_page_token", "")
            if not token:
                return found

    def _take_version(self, name, version):
        here = self._ids.get(version["run"], "")
        made = self._target.post("model-versions/create", name=name, source=version["source"],
                                 description=version["description"], **({"run_id": here} if here else {}),
                                 tags=_listed({**version["tags"], _VERSION: version["version"]}))
        number = str(made["model_version"]["version"])
        if version["stage"] not in ("None", ""):
            self._target.post("model-versions/transition-stage", name=name, version=number, stage=version["stage"],
                              archive_existing_versions=False)
        return number


def _arguments(words):
    parser = argparse.ArgumentParser(prog="import mlflow", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("source", help="http://HOST:PORT or sqlite:///FILE")
    parser.add_argument("-p", "--project", default=os.environ.get("GPUYARD_PROJECT"),
                        help="into this project; needed if you have several")
    parser.add_argument("--experiment", action="append", help="only this one; may be given several times")
    parser.add_argument("--artifacts", help="with sqlite:///: the folder of files that the server handed out")
    return parser.parse_args(words)


def main(words, variables=None):
    """`variables` say where the server is, beside those of this process."""
    os.environ.update(variables or {})
    arguments = _arguments(words)
    url = os.environ.get("GPUYARD_URL")
    if not url:
        print("no server is known: set GPUYARD_URL and GPUYARD_TOKEN", file=sys.stderr)
        return 2
    target = Target(url, os.environ.get("GPUYARD_TOKEN"), arguments.project)
    try:
        work = Import(open_source(arguments.source, arguments.artifacts), target,
                      lambda text: print(text, file=sys.stderr, flush=True))
        work.run(arguments.experiment)
    except SourceError as error:
        print(f"cannot read the source: {error}", file=sys.stderr)
        return 1
    except Refused as error:
        print(f"the server refused: {error}", file=sys.stderr)
        return 1
    counts = work.counts
    print(f"{counts['experiments']} experiments: {counts['runs']} runs brought over with {counts['points']} points and "
          f"{counts['files']} files, {counts['unchanged']} unchanged; {counts['versions']} model versions")
    for line in work.left:
        print(f"not brought over: {line}")
    return 1 if work.left else 0
