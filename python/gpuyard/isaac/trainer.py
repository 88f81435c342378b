"""Runs the trainer: drains its output, finds its event files, reports the metric, ends it in time.

The exit code is the trainer's own; 0 if the sweep's stopper or silence ended it after it had reported, 3 if it never
named its experiment, 128 + signal if a signal ended it.
"""

import json
import os
import re
import signal
import subprocess
import threading
import time

from . import events

_NAME = re.compile(rb"Exact experiment name requested from command line: (.+)")
_FOLDER = re.compile(rb"\[INFO\] Logging experiment in directory: (.+)")
_ERROR = re.compile(rb"There was an error (.+)")
_LONGEST_LINE = 1 << 16
_GRACE_SECONDS = 20
_MOST_AT_ONCE = 100  # reports of one look; the others in between tell nobody anything
_LEFT_BEHIND_SECONDS = 5  # a process that the trainer left behind may hold its pipes
_CANNOT_START = 127
NO_EXPERIMENT = 3


class Log:
    """Our own two streams, which one log may hold: a line of ours begins where a line begins. Locked."""

    def __init__(self):
        self._lock = threading.Lock()
        self._at_start = True

    def forward(self, number, data):
        """What the trainer wrote."""
        with self._lock:
            self._at_start = data.endswith(b"\n")
            self._write(number, data)

    def line(self, text):
        with self._lock:
            self._write(1, (b"" if self._at_start else b"\n") + text.encode() + b"\n")
            self._at_start = True

    def say(self, text):
        self.line(f"[gpuyard] {text}")

    @staticmethod
    def _write(number, data):
        while data:
            data = data[os.write(number, data):]


def clean(tag):
    """A name of TensorBoard as Isaac Lab's sweeps write it."""
    return re.sub(r"_+", "_", re.sub(r"[^0-9A-Za-z_./]", "_", tag)).strip("_")


class Output:
    """What the trainer says, until its experiment is known. Locked: two pumps write, one loop reads."""

    def __init__(self):
        self.changed = threading.Condition()
        self.name = self.folder = self.error = None
        self.lines = 0  # of standard output

    def complete(self):
        return self.folder is not None and self.name is not None

    def take(self, number, line):
        line = line.strip()
        with self.changed:
            self.lines += 1 if number == 1 else 0
            for pattern, what in ((_NAME, "name"), (_FOLDER, "folder"), (_ERROR, "error")):
                match = pattern.search(line)
                if match and not self.complete():
                    setattr(self, what, match.group(1).strip().decode("utf-8", "replace"))
            if self.name and os.path.isabs(self.name) and self.folder is None:
                self.folder = os.path.dirname(self.name)
            self.changed.notify_all()

    def pump(self, number, stream, log):
        """Forwards a stream to the end; a trainer is never held up by its output."""
        left = b""
        while True:
            data = stream.read1(1 << 16)
            if not data:
                break
            log.forward(number, data)
            if self.complete():
                continue
            *lines, left = (left + data).split(b"\n")
            for line in lines:
                self.take(number, line)
            left = left[-_LONGEST_LINE:]
        if left:
            self.take(number, left)


class Trainer:
    """One process of a trainer. `run` once."""

    def __init__(self, command, config, payload, stopper):
        self._command, self._config, self._stopper = command, config, stopper
        self._base = payload["base"]
        self._metric = payload["metric"]
        self._silence = payload["process_response_timeout"]
        self._most_lines = int(payload["max_lines_to_search_experiment_logs"])
        self._poll = payload["poll_seconds"]
        self._output, self._log = Output(), Log()
        self._process = None
        self._ended = threading.Event()
        self._asked_to_end = None
        self._latest = {}
        self._reported = False
        self._iteration = 0
        self._folders = None
        self._began = time.monotonic()

    def run(self):
        self._log.say(f"starting {self._command}")
        signal.signal(signal.SIGTERM, self._on_signal)
        signal.signal(signal.SIGINT, self._on_signal)
        try:
            # A session of its own, so that all of it can be ended and nothing else.
            self._process = subprocess.Popen(  # pylint: disable=consider-using-with
                self._command, shell=True, cwd=self._base, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        except OSError as error:
            self._log.say(f"the trainer cannot be started: {error}")
            return _CANNOT_START
        if self._asked_to_end:
            self._signal(signal.SIGTERM)
        pumps = [threading.Thread(target=self._output.pump, daemon=True,
                                  args=(number, stream, self._log))
                 for number, stream in ((1, self._process.stdout), (2, self._process.stderr))]
        for pump in pumps:
            pump.start()
        threading.Thread(target=self._await_end, args=(pumps,), daemon=True).start()
        code = self._find_experiment()
        return self._follow() if code is None else code

    def _wake(self):
        with self._output.changed:
            self._output.changed.notify_all()

    def _await_end(self, pumps):
        self._process.wait()
        for pump in pumps:
            pump.join(_LEFT_BEHIND_SECONDS)
        self._ended.set()
        self._wake()

    def _on_signal(self, number, _frame):
        self._asked_to_end = number
        self._signal(signal.SIGTERM)
        self._ended.set()  # the loop looks at once
        self._wake()

    def _signal(self, number):
        if self._process is None:
            return
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            pass

    def _end(self):
        """Ends all of the trainer's processes."""
        self._signal(signal.SIGTERM)
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        self._signal(signal.SIGKILL)

    def _code(self):
        """The trainer's own exit code."""
        if self._asked_to_end:
            self._end()
            return 128 + self._asked_to_end
        code = self._process.wait()
        self._signal(signal.SIGKILL)
        return 128 - code if code < 0 else code

    # Finding the experiment.

    def _find_experiment(self):
        """None once it is known, else the code to end with."""
        output, end = self._output, time.monotonic() + self._silence
        with output.changed:
            output.changed.wait_for(lambda: self._searched(end), timeout=self._silence)
        if output.error and not output.complete():
            self._end()
            self._log.say(f"the trainer said: There was an error {output.error}")
            return 1
        if output.complete():
            self._log.say(f"the experiment is {output.name} in {output.folder}")
            return None
        if self._ended.is_set():
            code = self._code()
            self._log.say(f"the trainer ended with {code} before it named its experiment")
            return code
        self._end()
        self._log.say(f"the trainer did not name its experiment within {output.lines} lines and "
            f"{self._silence:g} s; it must print 'Exact experiment name requested from command line: "
            "NAME' and '[INFO] Logging experiment in directory: FOLDER'")
        return NO_EXPERIMENT

    def _searched(self, end):
        output = self._output
        known = output.complete() or output.error
        over = output.lines >= self._most_lines or time.monotonic() >= end
        return known or over or self._ended.is_set()

    def _experiment(self):
        """The folder of the event files, once it is there. Trainers may append to the name they print."""
        folder = os.path.join(self._base, self._output.folder)
        exact = os.path.join(folder, self._output.name)
        if os.path.isdir(exact):
            return exact
        name = os.path.basename(self._output.name)
        try:
            near = [entry for entry in os.scandir(os.path.dirname(exact))
                    if entry.is_dir() and entry.name.startswith(name)]
        except OSError:
            return None
        return max(near, key=lambda entry: entry.stat().st_mtime).path if near else None

    # Following it.

    def _follow(self):
        quiet_since = None  # silence counts from the first value on
        while True:
            self._ended.wait(self._poll)
            over = self._ended.is_set()
            if self._look():
                quiet_since = time.monotonic()
                if self._wants_to_stop():
                    self._log.say("the sweep's stopper ends this trial")
                    self._end()
                    return 0
            if over:
                code = self._code()
                self._look()
                self._log.say(f"the trainer ended with {code}" + ("" if self._reported else (
                    f" without a value of '{self._metric}'")))
                return code
            if quiet_since is not None and time.monotonic() - quiet_since > self._silence:
                self._log.say(f"no new value for {self._silence:g} s: the trainer is ended")
                self._end()
                return 0 if self._reported else 1

    def _look(self):
        """Reads what is new. Whether there was any."""
        if self._folders is None:
            path = self._experiment()
            if path is None:
                return False
            self._folders = [events.EventFolder(path),
                             events.EventFolder(os.path.join(path, "summaries"))]
        reports, fresh = [], False
        for folder in self._folders:
            for tag, step, value in folder.scalars():
                name = clean(tag)
                fresh = True
                self._latest[name] = value
                if name in (self._metric, clean(self._metric)):
                    reports.append((step, value))
        self._tell(reports)
        if fresh:
            self._iteration += 1
        return fresh

    def _tell(self, reports):
        """Lines that the study reads."""
        skip = max(1, -(-len(reports) // _MOST_AT_ONCE))
        for at, (step, value) in enumerate(reports):
            if (len(reports) - 1 - at) % skip == 0:
                self._log.line(json.dumps({"step": step, self._metric: value}))
        self._reported = self._reported or bool(reports)

    def _wants_to_stop(self):
        if self._stopper is None:
            return False
        trial = f"{os.environ.get('GPUYARD_STUDY', '')}-{os.environ.get('GPUYARD_TRIAL', '0')}"
        result = dict(self._latest, training_iteration=self._iteration, trial_id=trial, done=False,
                      time_total_s=time.monotonic() - self._began, pid=self._process.pid,
                      timestamp=int(time.time()), config=self._config)
        try:
            return bool(self._stopper(trial, result)) or bool(self._stopper.stop_all())
        except Exception as error:  # pylint: disable=broad-except
            self._log.say(f"the sweep's stopper raised {type(error).__name__}: {error}; the trial goes on")
            return False
