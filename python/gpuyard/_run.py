"""A run: what the training program says, as records for the file."""

import atexit
import json
import os
import sys
import threading
import time
import uuid

from ._code import facts as code_facts
from ._file import RunFile
from ._media import Artifact, Media
from ._send import server_id

_said = set()


def say(text):
    """Once each, on standard error, never raising."""
    if text in _said:
        return
    _said.add(text)
    try:
        print(f"gpuyard: {text}", file=sys.stderr)
    except Exception:  # pylint: disable=broad-except
        pass


class Settings:
    """Accepted for scripts that pass one; nothing is read from it."""

    def __init__(self, **options):
        self.__dict__.update(options)


class _Values:
    """A dictionary that also has attributes, and tells its run about changes."""

    _kind = ""

    def __init__(self, run):
        object.__setattr__(self, "_run", run)
        object.__setattr__(self, "_values", {})

    def update(self, values=None, allow_val_change=None, **more):  # pylint: disable=unused-argument
        changed = dict(_as_dict(values), **more)
        self._values.update(changed)
        if self._run is not None and changed:
            self._run.note(self._kind, {"values": {k: plain(v) for k, v in changed.items()}})

    def setdefaults(self, values):
        self.update({k: v for k, v in _as_dict(values).items() if k not in self._values})

    def get(self, name, default=None):
        return self._values.get(name, default)

    def keys(self):
        return self._values.keys()

    def items(self):
        return self._values.items()

    def as_dict(self):
        return dict(self._values)

    def __getitem__(self, name):
        return self._values[name]

    def __setitem__(self, name, value):
        self.update({name: value})

    def __getattr__(self, name):
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self.update({name: value})

    def __contains__(self, name):
        return name in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __repr__(self):
        return repr(self._values)


class Config(_Values):
    _kind = "config"


class Summary(_Values):
    _kind = "summary"


def _as_dict(values):
    if values is None:
        return {}
    if hasattr(values, "items"):
        return dict(values.items())
    return dict(vars(values))  # argparse's Namespace


def number(value):
    """A float or an int for numbers, numpy scalars and tensors of one element; else None."""
    if isinstance(value, (bool, int, float)):
        return int(value) if isinstance(value, bool) else value
    item = getattr(value, "item", None)
    if item is None:
        return None
    try:
        value = item()
    except Exception:  # pylint: disable=broad-except
        return None  # more than one element
    return value if isinstance(value, (int, float)) else None


def plain(value):
    """What JSON can hold."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(v) for v in value]
    scalar = number(value)
    return str(value) if scalar is None else scalar


class Run:
    """Use as a context manager or with finish(). Thread-safe."""

    def __init__(self, project=None, name=None, config=None, id=None, dir=None,  # pylint: disable=redefined-builtin,too-many-arguments
                 mode=None, resume=None, tags=None, notes=None, group=None, job_type=None,
                 **_ignored):
        self.id = str(id or os.environ.get("GPUYARD_RUN_ID") or uuid.uuid4().hex)
        self.project = project or os.environ.get("GPUYARD_PROJECT")
        self.name = name or self.id[:8]
        self.finished = False
        self.step = 0
        self._lock = threading.RLock()
        self._held = {}
        self._file = None
        self._process = os.getpid()
        self.disabled = (mode or os.environ.get("GPUYARD_MODE")) == "disabled"
        if not self.disabled:
            self._open(dir, mode, resume)
        self.config = Config(self)
        self.summary = Summary(self)
        self.note("start", {"id": self.id, "project": self.project, "name": self.name,
                            "tags": plain(tags), "notes": notes, "group": group,
                            "job_type": job_type, "command": plain(sys.argv),
                            "workload": os.environ.get("JOB_UUID"), **code_facts()})
        self.config.update(config)
        atexit.register(self.finish)

    def _open(self, folder, mode, resume):
        try:
            root = folder or os.environ.get("GPUYARD_DIR") or "gpuyard"
            self._file = RunFile(root, self.id, online=mode != "offline", say=say,
                                 server_id=server_id(self.id, self.project))
            if resume not in (None, False, "never"):
                self.step = self._file.last_step + 1
        except Exception as error:  # pylint: disable=broad-except
            say(f"cannot write the run's file, nothing is recorded: {error}")

    @property
    def dir(self):
        return self._file.folder if self._file else "."

    def note(self, kind, values):
        """One record; never raises."""
        try:
            # A forked worker has no thread that writes; its parent speaks for the run.
            if self._file is None or self.finished or os.getpid() != self._process:
                return
            self._file.put(dict(values, kind=kind, time=time.time()))
        except Exception as error:  # pylint: disable=broad-except
            say(f"a record was left out: {error}")

    def log(self, data, step=None, commit=None, **_ignored):
        try:
            with self._lock:
                self._log(data, step, commit)
        except Exception as error:  # pylint: disable=broad-except
            say(f"a call of log was left out: {error}")

    def _log(self, data, step, commit):
        if step is not None:
            step = int(step)
            if step != self.step:
                self._commit()
            self.step = step
        self._flatten("", data)
        if commit or (commit is None and step is None):
            self._commit()
            self.step += 1
        elif step is not None and commit is None:
            self._commit()

    def _flatten(self, prefix, data):
        for key, value in _as_dict(data).items():
            name = f"{prefix}{key}"
            scalar = number(value)
            if scalar is not None:
                self._held[name] = scalar
            elif isinstance(value, dict):
                self._flatten(name + "/", value)
            elif isinstance(value, Media):
                self._keep_media(name, value)
            elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Media):
                for index, media in enumerate(value):
                    self._keep_media(f"{name}/{index}", media)
            else:
                self.note("text", {"name": name, "step": self.step, "text": str(value)[:10000]})

    def _keep_media(self, name, media):
        if self._file is not None:
            self.note("media", dict(media.keep(self._file.folder, name, self.step), name=name,
                                    step=self.step))

    def _commit(self):
        if not self._held:
            return
        held, self._held = self._held, {}
        self.note("metrics", {"step": self.step, "values": held})
        self._tell_study(held)

    def _tell_study(self, values):
        """A trial of a study: its log is where the study looks for reports."""
        if not os.environ.get("GPUYARD_TRIAL") or self.disabled:
            return
        try:
            print(json.dumps({"step": self.step, **values}), flush=True)
        except Exception as error:  # pylint: disable=broad-except
            say(f"a report to the study was left out: {error}")

    def log_artifact(self, artifact, name=None, type=None, **_ignored):  # pylint: disable=redefined-builtin
        try:
            if not isinstance(artifact, Artifact):
                made = Artifact(name or os.path.basename(str(artifact)), type or "file")
                made.add_path(str(artifact))
                artifact = made
            self.note("artifact", artifact.describe())
        except Exception as error:  # pylint: disable=broad-except
            say(f"an artifact was left out: {error}")
        return artifact

    def finish(self, exit_code=0, **_ignored):
        """Safe to call twice."""
        if self.finished or os.getpid() != self._process:
            return
        with self._lock:
            self._commit()
        self.note("finish", {"exit_code": exit_code or 0})
        self.finished = True
        atexit.unregister(self.finish)
        try:
            if self._file is not None:
                self._file.close()
        except Exception as error:  # pylint: disable=broad-except
            say(f"the run's end was not written: {error}")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.finish(0 if kind is None else 1)
        return False
