"""Sends the file of a run to a server, from where it stopped.

The route is POST {GPUYARD_URL}/api/v1/runs/{id}/batch with {"offset": N, "records": [...]}, the
records being the lines of the file. The header Idempotency-Key names run and offset, so a batch that
was taken but not answered counts once. An answer 2xx moves `sent` forward; 404, 405 and 501 say that
the server has no such route: sending ends and the file stays; 400, 403, 413 and 422 as well; anything
else is tried again, ever less often.
"""

import json
import os
import re
import ssl
import time
import urllib.error
import urllib.request
import uuid

_MOST_BYTES = 1 << 20
_MOST_LINES = 5000
_TIMEOUT_SECONDS = 20
_LAST = {400, 403, 404, 405, 413, 422, 501}


def server_id(run_id, project):
    """The server's ids have 32 hexadecimal digits; a name that a program chose is one in its project."""
    if re.fullmatch("[0-9a-f]{32}", run_id):
        return run_id
    return uuid.uuid5(uuid.NAMESPACE_URL, f"gpuyard:{project or ''}/{run_id}").hex


class Sender:
    """One thread at a time."""

    def __init__(self, folder, run_id, url, token, say):
        self._path = os.path.join(folder, "run.jsonl")
        self._mark = os.path.join(folder, "sent")
        self._run_id = run_id
        self._base = url.rstrip("/")
        self._url = self._base + f"/api/v1/runs/{run_id}/batch"
        self._token = token
        self._say = say
        self._wait = 0.5
        self._next = 0.0
        self.over = False
        self._sent = self._read_mark()
        certificates = os.environ.get("GPUYARD_CA_FILE")
        self._context = ssl.create_default_context(cafile=certificates) if certificates else None

    @classmethod
    def from_environment(cls, folder, run_id, say):
        """None without a server."""
        url = os.environ.get("GPUYARD_URL")
        if not url or os.environ.get("GPUYARD_MODE") == "offline":
            return None
        return cls(folder, run_id, url, os.environ.get("GPUYARD_TOKEN"), say)

    def _read_mark(self):
        try:
            with open(self._mark, encoding="ascii") as file:
                return int(file.read())
        except (OSError, ValueError):
            return 0

    def _write_mark(self):
        beside = self._mark + ".new"
        with open(beside, "w", encoding="ascii") as file:
            file.write(str(self._sent))
        os.replace(beside, self._mark)

    def send(self, closing=False):
        """One batch. True while there is more to send."""
        if self.over or (time.monotonic() < self._next and not closing):
            return not self.over
        lines, size = self._read()
        if not lines:
            return False
        status = self._post(lines)
        if status is not None and 200 <= status < 300:
            self._sent += size
            self._write_mark()
            self._wait = 0.5
            return True
        if status in _LAST:
            self.over = True
            self._say(f"the server answered {status}; {self._path} keeps the run")
            return False
        self._next = time.monotonic() + self._wait
        self._wait = min(self._wait * 2, 60)
        return True

    def send_changes(self, changes):
        """What is not committed, as a file of the run. Whether nothing is left to do."""
        if self._sent == 0 and not self.over:
            return False  # the run is not there yet
        headers = {"Authorization": "Bearer " + self._token} if self._token else {}
        return self.over or changes.send(self._base, self._run_id, headers, self._context)

    def _read(self):
        with open(self._path, "rb") as file:
            file.seek(self._sent)
            text = file.read(_MOST_BYTES)
            end = text.rfind(b"\n") + 1
            if end == 0 and len(text) == _MOST_BYTES:  # one very long line
                text += file.readline()
                end = len(text) if text.endswith(b"\n") else 0
        lines = text[:end].splitlines(keepends=True)[:_MOST_LINES]
        return lines, sum(len(line) for line in lines)

    def _post(self, lines):
        records = []
        for line in lines:
            try:
                records.append(json.loads(line))
            except ValueError:
                self._say(f"a damaged line of {self._path} is left out")
        body = json.dumps({"offset": self._sent, "records": records}).encode()
        headers = {"Content-Type": "application/json",
                   "Idempotency-Key": f"{self._run_id}-{self._sent}"}
        if self._token:
            headers["Authorization"] = "Bearer " + self._token
        request = urllib.request.Request(self._url, data=body, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS,
                                        context=self._context) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except (OSError, ValueError) as error:
            self._say(f"the server is out of reach, {self._path} keeps the run meanwhile: {error}")
            return None
