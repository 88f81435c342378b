"""An MLflow server as something to read from: by its REST API, or from its SQLite file."""

import http.client
import json
import os
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request

_PAGE = 25000
_TRIES = 6


class SourceError(Exception):
    """The source cannot be read."""


def named(name):
    """A filter of MLflow; it has no way to write a quote within quotes."""
    return f'name="{name}"' if "'" in name else f"name='{name}'"


def _pairs(rows):
    return {row["key"]: row.get("value", "") for row in rows or []}


class RestSource:
    """A server at an address. Signs in as MLflow's clients do (MLFLOW_TRACKING_TOKEN, _USERNAME, _PASSWORD)."""

    def __init__(self, url):
        self._url = url.rstrip("/")
        self._sign_in = _sign_in()

    def _open(self, path):
        request = urllib.request.Request(self._url + path, headers=self._sign_in)
        for attempt in range(_TRIES):
            try:
                return urllib.request.urlopen(request, timeout=120)
            except urllib.error.HTTPError as error:
                if error.code < 500 and error.code != 429:
                    text = error.read()[:300].decode("utf-8", "replace")
                    raise SourceError(f"{self._url}{path.partition('?')[0]}: {error.code} {text}") from error
                problem = error
            except (OSError, http.client.HTTPException) as error:
                problem = error
            time.sleep(min(2 ** attempt * 0.25, 5))
        raise SourceError(f"{self._url} does not answer: {problem}")

    def _get(self, route, **query):
        text = urllib.parse.urlencode(query, doseq=True)
        with self._open(f"/api/2.0/mlflow/{route}?{text}") as answer:
            return json.load(answer)

    def _post(self, route, body):
        headers = {**self._sign_in, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._url}/api/2.0/mlflow/{route}", json.dumps(body).encode(),
                                         headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            text = error.read()[:300].decode("utf-8", "replace")
            raise SourceError(f"{route}: {error.code} {text}") from error
        except OSError as error:
            raise SourceError(f"{self._url} does not answer: {error}") from error

    def _pages(self, ask, name):
        token = ""
        while True:
            page = ask(token)
            yield from page.get(name, [])
            token = page.get("next_page_token", "")
            if not token:
                return

    def experiments(self):
        for one in self._pages(lambda token: self._post("experiments/search", {
                "max_results": 1000, "page_token": token}), "experiments"):
            yield {"id": one["experiment_id"], "name": one["name"], "tags": _pairs(one.get("tags"))}

    def runs(self, experiment):
        for one in self._pages(lambda token: self._post("runs/search", {
                "experiment_ids": [experiment], "max_results": 1000, "page_token": token,
                "order_by": ["attributes.start_time ASC"]}), "runs"):
            info, data = one["info"], one.get("data", {})
            yield {"id": info["run_id"], "name": info.get("run_name", ""), "user": info.get("user_id", ""),
                   "status": info.get("status", "RUNNING"), "start": int(info.get("start_time", 0)),
                   "end": int(info["end_time"]) if info.get("end_time") else None,
                   "artifacts": info.get("artifact_uri", ""), "params": _pairs(data.get("params")),
                   "tags": _pairs(data.get("tags")),
                   "metrics": sorted({metric["key"] for metric in data.get("metrics", [])})}

    def history(self, run, metric):
        for one in self._pages(lambda token: self._get(
                "metrics/get-history", run_id=run, metric_key=metric, max_results=_PAGE,
                **({"page_token": token} if token else {})), "metrics"):
            yield int(one["timestamp"]), int(one.get("step", 0)), one["value"]

    def files(self, run):
        yield from self._files(run, "")

    def _files(self, run, path):
        for one in self._pages(lambda token: self._get(
                "artifacts/list", run_id=run["id"], path=path,
                **({"page_token": token} if token else {})), "files"):
            if one.get("is_dir"):
                yield from self._files(run, one["path"])
            else:
                yield one["path"], int(one.get("file_size", 0))

    def open_file(self, run, path):
        """A stream; SourceError if the files lie where the server does not hand them out."""
        uri = run["artifacts"]
        if not uri.startswith("mlflow-artifacts:"):
            return _local(uri, path)
        place = urllib.parse.urlsplit(uri).path.strip("/")
        return self._open("/api/2.0/mlflow-artifacts/artifacts/" + urllib.parse.quote(f"{place}/{path}"))

    def models(self):
        for one in self._pages(lambda token: self._get(
                "registered-models/search", max_results=100,
                **({"page_token": token} if token else {})), "registered_models"):
            name = one["name"]
            one = self._get("registered-models/get", name=name)["registered_model"]  # with its aliases
            versions = list(self._pages(lambda token, name=name: self._get(
                "model-versions/search", filter=named(name), max_results=1000,
                **({"page_token": token} if token else {})), "model_versions"))
            yield {"name": name, "description": one.get("description", ""), "tags": _pairs(one.get("tags")),
                   "aliases": {alias["alias"]: str(alias["version"]) for alias in one.get("aliases", [])},
                   "versions": [{"version": str(v["version"]), "source": v.get("source", ""),
                                 "run": v.get("run_id", ""), "description": v.get("description", ""),
                                 "stage": v.get("current_stage", "None"), "tags": _pairs(v.get("tags"))}
                                for v in versions]}


def _sign_in():
    token = os.environ.get("MLFLOW_TRACKING_TOKEN")
    if token:
        return {"Authorization": f"Bearer {token}"}
    user = os.environ.get("MLFLOW_TRACKING_USERNAME")
    if not user:
        return {}
    import base64  # pylint: disable=import-outside-toplevel
    text = f"{user}:{os.environ.get('MLFLOW_TRACKING_PASSWORD', '')}"
    return {"Authorization": "Basic " + base64.b64encode(text.encode()).decode()}


def _folder(uri):
    """The folder that an address names on this machine; SourceError if it lies elsewhere."""
    parts = urllib.parse.urlsplit(uri)
    if parts.scheme not in ("", "file"):
        raise SourceError(f"files at {parts.scheme}: cannot be read from here")
    return urllib.parse.unquote(parts.path)


def _local(uri, path):
    try:
        return open(os.path.join(_folder(uri), path), "rb")
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error


class SqliteSource:
    """The file of a server's database, read only; the server may run. `artifacts` is the folder that it serves."""

    def __init__(self, path, artifacts=None):
        if not os.path.isfile(path):
            raise SourceError(f"there is no file {path}")
        quoted = urllib.parse.quote(os.path.abspath(path))
        self._base = sqlite3.connect(f"file:{quoted}?mode=ro", uri=True)
        self._base.row_factory = sqlite3.Row
        self._artifacts = artifacts
        try:
            self._all("SELECT 1 FROM experiments LIMIT 1")
        except sqlite3.DatabaseError as error:
            raise SourceError(f"{path} is no database of MLflow: {error}") from error

    def _all(self, query, *values):
        return self._base.execute(query, values)

    def _tags(self, table, column, value):
        return {row["key"]: row["value"] or "" for row in
                self._all(f"SELECT key, value FROM {table} WHERE {column} = ?", value)}

    def experiments(self):
        for row in self._all("SELECT experiment_id, name FROM experiments WHERE lifecycle_stage = 'active' "
                             "ORDER BY experiment_id").fetchall():
            yield {"id": row["experiment_id"], "name": row["name"],
                   "tags": self._tags("experiment_tags", "experiment_id", row["experiment_id"])}

    def runs(self, experiment):
        for row in self._all("SELECT * FROM runs WHERE experiment_id = ? AND lifecycle_stage = 'active' "
                             "ORDER BY start_time, run_uuid", experiment).fetchall():
            run, tags = row["run_uuid"], self._tags("tags", "run_uuid", row["run_uuid"])
            keys = self._all("SELECT key FROM latest_metrics WHERE run_uuid = ? ORDER BY key", run)
            yield {"id": run, "name": tags.get("mlflow.runName") or row["name"] or "",
                   "user": row["user_id"] or "", "status": row["status"] or "RUNNING",
                   "start": row["start_time"] or 0, "end": row["end_time"],
                   "artifacts": row["artifact_uri"] or "", "tags": tags,
                   "params": self._tags("params", "run_uuid", run), "metrics": [key["key"] for key in keys]}

    def history(self, run, metric):
        for row in self._all("SELECT value, timestamp, step, is_nan FROM metrics WHERE run_uuid = ? AND key = ? "
                             "ORDER BY step, timestamp, value", run, metric):
            yield row["timestamp"], row["step"], "NaN" if row["is_nan"] else row["value"]

    def _root(self, run):
        uri = run["artifacts"]
        if not uri.startswith("mlflow-artifacts:"):
            return _folder(uri)
        if self._artifacts is None:
            raise SourceError("the server handed the files out itself; name its folder with --artifacts")
        return os.path.join(self._artifacts, urllib.parse.urlsplit(uri).path.strip("/"))

    def files(self, run):
        root = self._root(run)
        for place, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(place, name)
                yield os.path.relpath(path, root), os.path.getsize(path)

    def open_file(self, run, path):
        return _local(self._root(run), path)

    def models(self):
        for row in self._all("SELECT name, description FROM registered_models ORDER BY name").fetchall():
            name = row["name"]
            aliases = self._all("SELECT alias, version FROM registered_model_aliases WHERE name = ?", name)
            yield {"name": name, "description": row["description"] or "",
                   "tags": self._tags("registered_model_tags", "name", name),
                   "aliases": {one["alias"]: str(one["version"]) for one in aliases},
                   "versions": list(self._versions(name))}

    def _versions(self, name):
        for row in self._all("SELECT * FROM model_versions WHERE name = ? AND current_stage != 'Deleted_Internal' "
                             "ORDER BY version", name).fetchall():
            tags = self._all("SELECT key, value FROM model_version_tags WHERE name = ? AND version = ?", name,
                             row["version"])
            yield {"version": str(row["version"]), "source": row["source"] or "", "run": row["run_id"] or "",
                   "description": row["description"] or "", "stage": row["current_stage"] or "None",
                   "tags": {one["key"]: one["value"] or "" for one in tags}}


def open_source(text, artifacts=None):
    if text.startswith("sqlite:///"):
        return SqliteSource(text[len("sqlite:///"):], artifacts)
    if text.startswith(("http://", "https://")):
        return RestSource(text)
    raise SourceError(f"'{text}' is neither an address (http://, https://) nor sqlite:///FILE")
