"""What the trials on a real GPU share: a server of their own in a temporary folder, PyTorch programs,
and a line for each claim.

A trial is called with FOLDER-OF-GPUYARD RESULTS_FOLDER. It prints `ok NAME figures` or `not ok NAME
reason` for each claim, and writes the same lines into the results folder. It changes no setting of
the GPU.
"""
import contextlib
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(sys.argv[1]).resolve() / "gpuyard"
RESULTS = pathlib.Path(sys.argv[2])
HOME = pathlib.Path(tempfile.mkdtemp(prefix="gy-"))
PYTHON = sys.executable
LINES = []
SUBMITTED = []  # holds the GPU until it is told to go on, or cancelled

SEE = "import torch; print('seen', *torch.cuda.mem_get_info())"
# Fills a share of what it sees, computes with it, and holds it until a file appears.
HOLD = """
import os, sys, time, torch
share, go = float(sys.argv[1]), sys.argv[2]
total = torch.cuda.mem_get_info()[1]
block = torch.empty(int(total * share), dtype=torch.uint8, device='cuda')
block.fill_(7)
print('held', block.numel(), flush=True)
while not os.path.exists(go):
    time.sleep(0.05)
# Looked at on the host: a sum on the GPU would need more memory, which a full part has not.
assert all(set(end.cpu().tolist()) == {7} for end in (block[:1000], block[-1000:]))
print('intact', flush=True)
"""
# Counts on the GPU beside so many random bytes until a file appears, then says whether they are the same.
COUNT = """
import os, sys, time, torch
size, go = int(sys.argv[1]), sys.argv[2]
block = torch.randint(0, 1 << 30, (size // 8,), device='cuda')
def total():
    return sum(int(part.sum()) for part in block.split(1 << 24))
before, count = total(), torch.zeros((), dtype=torch.int64, device='cuda')
while not os.path.exists(go):
    count += 1
    print('count', count.item(), flush=True)
    time.sleep(0.1)
print('same', total() == before, flush=True)
"""
GREED = """
import torch
total = torch.cuda.mem_get_info()[1]
try:
    torch.empty(int(total * 1.05), dtype=torch.uint8, device='cuda')
    print('got it')
except torch.OutOfMemoryError:
    x = torch.ones(1000, device='cuda').sum().item()
    print('refused, and goes on:', x)
"""


def say(name, good, text):
    LINES.append(f"{'ok' if good else 'not ok'} {name} {text}")
    print(LINES[-1], flush=True)


def say_failed(name, error):
    say(name, False, " ".join(f"{type(error).__name__}: {error}".split())[:1500])


def environment():
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GPUYARD_")}
    return dict(clean, HOME=str(HOME), XDG_DATA_HOME=str(HOME / "data"),
                XDG_CONFIG_HOME=str(HOME / "config"))


def gy(*words, check=True, text=None):
    done = subprocess.run([PROGRAM, *words], env=environment(), text=True, cwd=HOME, input=text,
                          capture_output=True, timeout=180)
    if check and done.returncode != 0:
        raise RuntimeError(f"gpuyard {' '.join(words)}: {done.returncode} {done.stderr}")
    return done.stdout


def submit(name, *words):
    SUBMITTED.append(name)
    gy("submit", "-J", name, *words)


def start(*words):
    with open(HOME / "server.log", "a") as log:
        # As the server's own account: another one could not read this account's Python and folders.
        as_whom = "root" if os.geteuid() == 0 else "self"
        server = subprocess.Popen([PROGRAM, "up", "--listen", "127.0.0.1:0", "--native-tasks", as_whom, *words],
                                  env=environment(), stdout=log, stderr=log, start_new_session=True)
    for _ in range(200):
        if subprocess.run([PROGRAM, "whoami"], env=environment(), capture_output=True).returncode == 0:
            return server
        if server.poll() is not None:
            break
        time.sleep(0.1)
    end(server)
    raise RuntimeError("the server does not answer: " + (HOME / "server.log").read_text()[-2000:])


def end(server):
    server.terminate()
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def end_work():
    """Work outlives its server, so none of it may be left when that ends."""
    for name in SUBMITTED:
        gy("cancel", name, check=False)
    for name in SUBMITTED:
        gy("wait", name, check=False)


def wait_for(name, text, patience=90):
    until, log, phase = time.time() + patience, "", ""
    while time.time() < until and phase not in ("Completed", "Failed"):
        phase = phase_of(name)
        log = gy("logs", name, check=False)
        if text in log:
            return log
        time.sleep(0.2)
    raise RuntimeError(f"{name} never said {text!r}: {log} {gy('show', name, check=False)}")


def phase_of(name):
    return re.search(r'"phase": *"(\w+)"', gy("show", name, "-o", "json")).group(1)


def state_of(name):
    shown = json.loads(gy("show", name, "-o", "json"))
    return shown["phase"], shown["conditions"][0]["reason"], shown["phaseMessage"]


def await_state(name, *wanted):
    """Its phase, reason and message as soon as they begin so, or at last."""
    until, state = time.time() + 60, ()
    while state[:len(wanted)] != wanted and time.time() < until:
        state = state_of(name)
        time.sleep(0.2)
    return state


def counts_of(name):
    return [int(number) for number in re.findall(r"^count (\d+)$", gy("logs", name), re.MULTILINE)]


def counted_on(name, seen, go):
    """Whether it runs and counts on from `seen`, and all it had is the same when it is told to end."""
    wait_for(name, f"count {seen + 1}\n")
    state = await_state(name, "Running")
    go.touch()
    gy("wait", name)
    counts, last = counts_of(name), gy("logs", name).splitlines()[-1]
    good = state[0] == "Running" and last == "same True" and phase_of(name) == "Completed"
    return good and counts == list(range(1, len(counts) + 1)), f"from {seen} to {counts[-1]}: {last}"


def smi(what):
    """What nvidia-smi says of the first GPU, as numbers where it has some."""
    out = subprocess.run(["nvidia-smi", "--query-gpu=" + what, "--format=csv,noheader,nounits"],
                         text=True, capture_output=True, check=True).stdout
    return [word.strip() for word in out.splitlines()[0].split(",")]


@functools.cache
def physical():
    return int(smi("memory.total")[0]) << 20


def leaves_nothing():
    """Processes may be listed for a moment after their end."""
    until, left = time.time() + 10, ["?"]
    while left and time.time() < until:
        left = subprocess.run(["nvidia-smi", "--query-compute-apps=pid", "--format=csv,noheader"],
                              text=True, capture_output=True, check=True).stdout.split()
        time.sleep(0.2)
    say("nothing-is-left-on-the-gpu", not left, f"processes: {left}")


class AskedToEnd(BaseException):
    """No step of a trial takes it for its own failure."""


def on_terminate(_signal, _frame):
    raise AskedToEnd("before it was done")


def main(name, claims, around=contextlib.nullcontext(())):
    """`claims` gets the server and yields it whenever it is another one; `around` holds while the
    server runs, and has words for its command line."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, on_terminate)
    try:
        with around as words:
            serve(claims, words)
    except (Exception, AskedToEnd) as error:  # a line of the report like every other failure
        say_failed("the-run", error)
    finally:
        (RESULTS / f"{name}.txt").write_text("\n".join(LINES) + "\n")
        shutil.rmtree(HOME, ignore_errors=True)
    sys.exit(any(line.startswith("not ok") for line in LINES))


def serve(claims, words):
    server = start(*words)
    try:
        for server in claims(server):
            pass
    except (Exception, AskedToEnd):
        print((HOME / "server.log").read_text()[-3000:])
        raise
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            end_work()
        finally:
            end(server)
