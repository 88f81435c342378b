"""What the program was: the commit it was started from, and what was changed since.

The commit is read from the files of the repository, which costs microseconds. `git` itself is asked for the changes on
a thread, so that nobody waits. GPUYARD_CODE=off leaves all of it out.
"""

import json
import os
import platform
import re
import subprocess
import sys
import threading
import urllib.parse
import urllib.request

_MOST_BYTES = 1 << 19
_GIT_SECONDS = 20
_TIMEOUT_SECONDS = 20
_NAME = "diff.patch"


def _text(path, most=1 << 16):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(most)


def _is_own(path):
    """Whether it belongs to who runs the program, as git itself asks. Somebody else's repository could name programs that
    git runs and files to be read, and one in a folder above may be anybody's: /tmp/.git."""
    try:
        return not hasattr(os, "geteuid") or {os.lstat(path).st_uid, os.stat(path).st_uid} == {os.geteuid()}
    except OSError:
        return False


def _repository():
    """The folder of git for the program's own folder, or for where it was started; None without one of one's own."""
    program = os.path.dirname(os.path.abspath(sys.argv[0])) if sys.argv and sys.argv[0] else ""
    for folder in filter(None, (program, os.getcwd())):
        while True:
            git = os.path.join(folder, ".git")
            if os.path.lexists(git) and not _is_own(git):
                break
            if os.path.isdir(git):
                return folder, git
            if os.path.isfile(git):  # a work tree beside its repository
                where = _text(git).strip().partition("gitdir: ")[2]
                place = os.path.normpath(os.path.join(folder, where))
                return (folder, place) if os.path.isdir(place) and _is_own(place) else None
            above = os.path.dirname(folder)
            if above == folder:
                break
            folder = above
    return None


def _commit(git, common, ref):
    for folder in (git, common):
        path = os.path.join(folder, *ref.split("/"))
        if os.path.isfile(path):
            return _text(path).strip()
    packed = os.path.join(common, "packed-refs")
    for line in _text(packed, 1 << 24).splitlines() if os.path.isfile(packed) else ():
        if line.endswith(" " + ref):
            return line.split(" ", 1)[0]
    return ""


def _remote(common):
    """Where it was cloned from, without the name and password that may stand in it."""
    section = re.search(r'^\[remote "origin"\]\s*\n((?:[ \t].*\n?)*)', _text(os.path.join(common, "config")), re.M)
    url = re.search(r"^\s*url\s*=\s*(\S+)", section.group(1), re.M) if section else None
    return re.sub(r"(?<=://)[^/]*@", "", url.group(1)) if url else ""


def facts():
    """Fields of the record that starts a run. Never raises."""
    if os.environ.get("GPUYARD_CODE") == "off":
        return {}
    found = {"python": platform.python_version()}
    try:
        place = _repository()
        if place is None:
            return found
        git = place[1]
        common = git
        if os.path.isfile(os.path.join(git, "commondir")):
            common = os.path.normpath(os.path.join(git, _text(os.path.join(git, "commondir")).strip()))
        head = _text(os.path.join(git, "HEAD")).strip()
        ref = head.partition("ref: ")[2]
        found["commit"] = (_commit(git, common, ref) if ref else head) or None
        found["branch"] = ref.partition("refs/heads/")[2] or None
        found["repository"] = _remote(common) or None
    except (OSError, ValueError):
        pass
    return {key: value for key, value in found.items() if value}


class Changes:
    """What is not committed, kept beside the run's file as code/diff.patch and sent once as a file of the run."""

    def __init__(self, folder):
        self._path = os.path.join(folder, "code", _NAME)
        self._thread = None
        place = None if os.environ.get("GPUYARD_CODE") == "off" else _repository()
        if place is not None:
            self._thread = threading.Thread(target=self._take, args=place, name="gpuyard-code", daemon=True)
            self._thread.start()

    def _take(self, folder, git):
        try:
            made = subprocess.run(["git", "--git-dir", git, "--work-tree", folder, "diff", "HEAD", "--no-color", "--no-ext-diff", "--no-textconv"],
                                  cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  timeout=_GIT_SECONDS, check=False,
                                  env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}).stdout
            if not made:
                return
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            with open(self._path + ".new", "wb") as file:
                file.write(made[:_MOST_BYTES])
                if len(made) > _MOST_BYTES:
                    file.write(b"\n(cut: the changes are larger)\n")
            os.replace(self._path + ".new", self._path)
        except (OSError, ValueError, subprocess.SubprocessError):
            pass

    def send(self, base, run_id, headers, context):
        """Once the run is there. Whether nothing is left to do."""
        if self._thread is None:
            return True
        if self._thread.is_alive():
            return False
        self._thread = None
        if os.path.exists(self._path):
            with open(self._path, "rb") as file:
                _upload(base, run_id, headers, context, file.read())
        return True


def _upload(base, run_id, headers, context, data):
    def ask(method, path, body=None):
        request = urllib.request.Request(base + path, data=body, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS, context=context) as answer:
            return answer.read()

    run = json.loads(ask("GET", f"/api/v1/runs/{run_id}"))
    experiment = urllib.parse.quote(run["experimentId"], safe="")
    ask("PUT", f"/api/2.0/mlflow-artifacts/artifacts/{experiment}/{run_id}/artifacts/code/{_NAME}", data)
