"""Feeds a sweep's ProgressReporter with the trials of its study."""

import sys

from . import sweep

_STATUS = {"Running": "RUNNING", "Complete": "TERMINATED", "Pruned": "TERMINATED", "Failed": "ERROR"}


class Trial:
    """What reporters read of a trial of Ray."""

    def __init__(self, record, metric):
        reports = record.get("reports") or []
        self.trial_id = str(record["number"])
        self.status = _STATUS.get(record["state"], record["state"])
        self.evaluated_params = self.config = record["parameters"]
        self.last_result = {"training_iteration": len(reports), "trial_id": self.trial_id,
                            "done": record["state"] != "Running", "config": self.config}
        if reports:
            self.last_result[metric] = reports[-1]["value"]
        if record.get("values"):
            self.last_result[metric] = record["values"][0]

    def __str__(self):
        return f"trial_{self.trial_id}"


def made(options):
    """The reporter; LoadError if the file has none of that name."""
    loaded = sweep.Sweep(options["file"], options.get("class"), options.get("seed") or 0)
    return loaded.helper(options["progress_reporter"], "ProgressReporter")


def tell(reporter, records, metric, done):
    """A reporter that raises says so and is asked again."""
    trials = [Trial(one, metric) for one in records]
    try:
        if reporter.should_report(trials, done=done):
            reporter.report(trials, done)
    except Exception as error:  # pylint: disable=broad-except
        print(f"{type(reporter).__name__} raised {type(error).__name__}: {error}", file=sys.stderr)
    sys.stdout.flush()
