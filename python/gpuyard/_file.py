"""The file of a run, and the thread that writes and sends it.

A record is one line of JSON. The file is the truth: it is sent from `sent` (a byte offset, kept
beside it) on, so that a program that was killed or had no server goes on where it stopped.
"""

import json
import math
import os
import queue
import threading
import time

from ._code import Changes
from ._send import Sender

_FLUSH_SECONDS = 0.2
_MOST_WAITING = 200000
_MOST_LINES = 10000  # written at once: a fast program never leaves the queue empty
_FINISH_SECONDS = float(os.environ.get("GPUYARD_FINISH_SECONDS", "20"))


def encode(record):
    """One line. JSON has no NaN: they are the texts that the server's JSON has."""
    return json.dumps(_finite(record), separators=(",", ":"), allow_nan=False) + "\n"


def _finite(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value


def whole_lines(path):
    """The offset after the last whole line, and the greatest step; a torn end is left out."""
    end, step = 0, -1
    try:
        with open(path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                end += len(line)
                try:
                    step = max(step, json.loads(line).get("step", -1))
                except ValueError:
                    pass
    except FileNotFoundError:
        pass
    return end, step


class RunFile:
    """Thread-safe. put() never waits for the disk or the network."""

    def __init__(self, root, run_id, online, say, server_id):  # pylint: disable=too-many-arguments
        safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in run_id)
        self.folder = os.path.join(str(root), f"run-{safe}")
        os.makedirs(self.folder, exist_ok=True)
        self.path = os.path.join(self.folder, "run.jsonl")
        end, self.last_step = whole_lines(self.path)
        self._file = open(self.path, "ab")  # pylint: disable=consider-using-with
        self._file.truncate(end)
        self._say = say
        self._waiting = queue.Queue(maxsize=_MOST_WAITING)
        self._lost = 0
        self._closing = threading.Event()
        self._sender = Sender.from_environment(self.folder, server_id, say) if online else None
        self._changes = Changes(self.folder)
        self._thread = threading.Thread(target=self._work, name="gpuyard", daemon=True)
        self._thread.start()

    def put(self, record):
        try:
            self._waiting.put_nowait(record)
        except queue.Full:
            self._lost += 1
            self._say("records come faster than the disk takes them; some are left out")

    def close(self):
        """Everything is in the file afterwards; sending is given up after a while."""
        self._closing.set()
        self._thread.join(_FINISH_SECONDS + 5)

    def _work(self):
        while not self._closing.is_set():
            if not self._write():
                self._closing.wait(_FLUSH_SECONDS)
            self._send()
            self._send_changes()
        while self._write():
            continue
        end = time.monotonic() + _FINISH_SECONDS
        while self._send(closing=True) and time.monotonic() < end:
            time.sleep(0.2)
        while not self._send_changes() and time.monotonic() < end:
            time.sleep(0.05)
        self._file.close()

    def _send_changes(self):
        """True when nothing of them is left to send. They are tried once: a run is whole without them."""
        if self._sender is None or self._changes is None:
            return True
        try:
            if self._sender.send_changes(self._changes):
                self._changes = None
        except Exception as error:  # pylint: disable=broad-except
            self._changes = None
            self._say(f"the changes to the code stay in {self.folder}/code: {error}")
        return self._changes is None

    def _write(self):
        """Whether more waits."""
        lines = []
        while len(lines) < _MOST_LINES:
            try:
                lines.append(encode(self._waiting.get_nowait()))
            except queue.Empty:
                break
            except Exception as error:  # pylint: disable=broad-except
                self._say(f"a record was left out: {error}")
        if not lines:
            return False
        try:
            self._file.write("".join(lines).encode("utf-8", "replace"))
            self._file.flush()
        except OSError as error:
            self._say(f"cannot write {self.path}, records are lost: {error}")
        return len(lines) == _MOST_LINES

    def _send(self, closing=False):
        """True while there is more to send."""
        if self._sender is None:
            return False
        try:
            return self._sender.send(closing)
        except Exception as error:  # pylint: disable=broad-except
            self._say(f"sending failed, the file {self.path} keeps everything: {error}")
            return True
