"""A stand-in for the train.py of rl_games, rsl_rl, skrl and sb3 (by the folder it is called in): prints the lines
that they print and writes TensorBoard files where they do. It trains nothing.

ISAAC_STANDIN chooses what goes wrong: absolute, suffix, early, early7, flood, exit5, signal, silent, anonymous,
error, fallen, torn.
"""

import math
import os
import pathlib
import signal
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from event_writer import Writer  # noqa: E402

framework = pathlib.Path(sys.argv[0]).parent.name
what = os.environ.get("ISAAC_STANDIN", "")
words = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
print(f"stand-in for the trainer of {framework}: {' '.join(sys.argv[1:])}", flush=True)
if what == "early":
    sys.exit(0)
if what == "early7":
    sys.exit(7)
if what == "flood":  # more than any pipe holds, before anything else
    sys.stderr.write("e" * 99 + "\n")
    for _ in range(11000):
        sys.stderr.write("x" * 99 + "\n")
if what == "error":
    print("There was an error running out of memory", flush=True)
    time.sleep(600)
if what == "anonymous":
    print("training without a name", flush=True)
    time.sleep(600)

root = pathlib.Path("logs", framework, "walker").absolute()
name = f"2026-11-18_20-00-00_{os.getpid()}"
shown = str(root / name) if what == "absolute" or (framework == "rl_games" and not what) else name
print(f"[INFO] Logging experiment in directory: {root}")
print(f"Exact experiment name requested from command line: {shown}", flush=True)
folder = root / (name + "_later" if what == "suffix" else name)
if framework == "rl_games":
    folder /= "summaries"
folder.mkdir(parents=True)
gain = float(words.get("agent.gain", 0.5))
TAG = {"rl_games": "rewards/time", "rsl_rl": "Train/mean_reward", "skrl": "Reward / Total reward (mean)",
       "sb3": "rollout/ep_rew_mean"}[framework]
with Writer(folder / "events.out.tfevents.1700000000.host.1.0") as writer:
    if what == "silent":
        writer.scalar(TAG, 1, 1.0)
        writer.flush()
        time.sleep(600)
    for step in range(1, 6):
        writer.scalar(TAG, step, -((gain - 0.7) ** 2) + step - 5, tensor=framework == "sb3")
        writer.scalar("Episode/fallen", step, 1.0 if what == "fallen" else 0.0)
    if what == "fallen":
        writer.flush()
        time.sleep(600)
    if what == "torn":
        writer.file.write(struct.pack("<Q", 50) + b"half of a record")
print("no line end", end="", flush=True)
if what == "exit5":
    sys.exit(5)
if what == "signal":
    os.kill(os.getpid(), signal.SIGSEGV)
assert math.isfinite(gain)
