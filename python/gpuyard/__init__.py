"""Tell Gpuyard what a training run does: metrics, configuration, summary, artifacts.

    import gpuyard

    run = gpuyard.init(project="vision", config={"lr": 3e-4})
    for step in range(1000):
        gpuyard.log({"loss": loss}, step=step)
    gpuyard.finish()

Scripts written for Weights & Biases run with `import gpuyard as wandb`; media objects are kept as
files beside the run.

Calls return at once: a thread writes to a file and sends from there. Nothing here raises into the
training program; what goes wrong is said once on standard error. Without a server (GPUYARD_URL) the
file stays, and `python -m gpuyard sync FOLDER` sends it later.
"""

from ._media import Artifact, Audio, Histogram, Html, Image, Object3D, Table, Video
from ._run import Config, Run, Settings, Summary, say

__all__ = ["Artifact", "Audio", "Config", "Histogram", "Html", "Image", "Object3D", "Run",
           "Settings", "Summary", "Table", "Video", "alert", "config", "define_metric", "finish",
           "init", "log", "log_artifact", "login", "run", "save", "summary", "unwatch",
           "use_artifact", "watch"]
__version__ = "0.1.0"

run = None
config = Config(None)
summary = Summary(None)


def init(project=None, name=None, config=None, **options):  # pylint: disable=redefined-outer-name
    """Begins a run and returns it; an open one is finished first, unless reinit=False."""
    if run is not None and not run.finished:
        if options.get("reinit") is False:
            return run
        finish()
    _enter(Run(project=project, name=name, config=config, **options))
    return run


def log(data, step=None, commit=None):
    """Numbers by name; nested dictionaries join their names with '/'."""
    if run is None:
        say("gpuyard.log was called before gpuyard.init: nothing is recorded")
        return
    run.log(data, step=step, commit=commit)


def finish(exit_code=0, **_ignored):
    """Ends the run; waits a bounded time until what is recorded was sent."""
    if run is not None:
        run.finish(exit_code)


def log_artifact(artifact, name=None, type=None):  # pylint: disable=redefined-builtin
    """A file or an Artifact of this run."""
    return run.log_artifact(artifact, name=name, type=type) if run is not None else None


def save(path, **_ignored):
    """Keeps a file with the run."""
    return run.log_artifact(path, type="file") if run is not None else None


def use_artifact(name, **_ignored):
    """Notes that the run uses this artifact of another one."""
    if run is not None:
        run.note("use_artifact", {"name": str(name)})


def alert(title="", text="", **_ignored):
    """A message that people shall see."""
    if run is not None:
        run.note("alert", {"title": str(title), "text": str(text)})


def define_metric(name, **_ignored):
    """Which metric is the axis of others; recorded, charts choose by themselves."""
    if run is not None:
        run.note("define_metric", {"name": str(name)})


def watch(*_models, **_options):
    """Gradients are not recorded; the call is accepted."""


def unwatch(*_models, **_options):
    """See watch."""


def login(*_arguments, **_options):
    """Sign-in comes from the environment (GPUYARD_URL, GPUYARD_TOKEN)."""
    return True


def _enter(new):
    global run, config, summary  # pylint: disable=global-statement
    run = new
    config = new.config
    summary = new.summary
