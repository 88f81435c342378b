"""python -m gpuyard report FOLDER TAG[=METRIC]... -- COMMAND...: runs a trial's program, and reports what it writes into
TensorBoard's files.

    python -m gpuyard report runs Loss/val=loss -- python train.py

FOLDER is looked through with all folders below it, also if it is made later. A value of TAG becomes a line of JSON, which the
study reads: {"step": 3, "loss": 0.41}. The exit code is the program's own; 128 + signal if a signal ended it.
"""

import json
import os
import signal
import subprocess
import sys

from .isaac import events

_POLL_SECONDS = 1.0
_MOST_FOLDERS = 1000  # a link to / is no folder of event files
_CANNOT_START = 127


def folders(root):
    """Every folder that holds event files, in the order of their names."""
    found = []
    for at, (path, below, names) in enumerate(os.walk(root)):
        below.sort()
        if any("tfevents" in name for name in names):
            found.append(path)
        if at >= _MOST_FOLDERS:
            break
    return found


def wanted_tags(words):
    """The metric by its tag: `Loss/val=loss`, or a tag that is the metric's name."""
    tags = {}
    for word in words:
        tag, equals, metric = word.rpartition("=")
        tags[tag if equals else metric] = metric
    return tags


class Reporter:
    """Reads the event files below a folder, each byte once."""

    def __init__(self, root, tags, write):
        self._root, self._tags, self._write = root, tags, write
        self._known = {}

    def look(self):
        for path in folders(self._root):
            folder = self._known.setdefault(path, events.EventFolder(path))
            for tag, step, value in folder.scalars():
                if tag in self._tags:
                    self._write(self._tags[tag], step, value)


def write_line(metric, step, value):
    """The program may be in the middle of a line."""
    sys.stdout.write("\n" + json.dumps({"step": step, metric: value}) + "\n")
    sys.stdout.flush()


def run(reporter, command, poll=_POLL_SECONDS):
    try:
        program = subprocess.Popen(command)  # pylint: disable=consider-using-with
    except OSError as error:
        print(f"gpuyard: {command[0]} cannot be started: {error.strerror}", file=sys.stderr)
        return _CANNOT_START

    def pass_on(number, _frame):
        program.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, pass_on)
    while True:
        try:
            code = program.wait(poll)
            break
        except subprocess.TimeoutExpired:
            reporter.look()
    reporter.look()
    return 128 - code if code < 0 else code


def main(arguments):
    if "--" not in arguments or arguments.index("--") < 2 or arguments[-1] == "--":
        print(__doc__, file=sys.stderr)
        return 2
    split = arguments.index("--")
    root, *tags = arguments[:split]
    return run(Reporter(root, wanted_tags(tags), write_line), arguments[split + 1:])
