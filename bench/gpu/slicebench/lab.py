"""The bench's tools: the keeper, clients inside slices, and the truth by the real NVML."""
import ctypes
import json
import os
import select
import signal
import subprocess
import tempfile
import threading
import time

MIB = 1 << 20
GIB = 1 << 30


RUNNING = []  # programs this bench started


def start(command, env=None, **options):
    """A program in a group of its own, so that its children can be ended with it."""
    process = subprocess.Popen(command, env=env, start_new_session=True, **options)
    RUNNING.append(process)
    return process


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def sweep(spared):
    """Ends what a test left behind; returns how many programs that were."""
    left = [p for p in RUNNING if p is not spared and p.poll() is None]
    for process in RUNNING:
        if process is not spared:
            end_group(process)
    for process in left:
        process.wait()
    RUNNING[:] = [spared]
    return len(left)


class Talk:
    """A program that answers each line with one line."""

    def __init__(self, command, env=None):
        self.process = start(command, env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        self.rest = b""

    def send(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def receive(self, limit=30):
        """The next line; empty if the program ended."""
        deadline = time.monotonic() + limit
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [],
                                 max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("no answer within %g s" % limit)
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                return ""
            self.rest += part
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode().strip()

    def ask(self, line, limit=30):
        self.send(line)
        return self.receive(limit)

    def numbers(self, line):
        return [int(word) for word in self.ask(line).split()]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


class Nvml:
    """The real management library, for the truth beside the slice's own books."""

    class Record(ctypes.Structure):
        _fields_ = [("pid", ctypes.c_uint), ("bytes", ctypes.c_ulonglong),
                    ("gi", ctypes.c_uint), ("ci", ctypes.c_uint)]

    class Memory(ctypes.Structure):
        _fields_ = [("version", ctypes.c_uint), ("total", ctypes.c_ulonglong),
                    ("reserved", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong),
                    ("used", ctypes.c_ulonglong)]

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        assert self.library.nvmlInit_v2() == 0
        self.device = ctypes.c_void_p()
        assert self.library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.device)) == 0

    def uuid(self):
        text = ctypes.create_string_buffer(96)
        self.library.nvmlDeviceGetUUID(self.device, text, 96)
        return text.value.decode()

    def name(self):
        text = ctypes.create_string_buffer(96)
        self.library.nvmlDeviceGetName(self.device, text, 96)
        return text.value.decode()

    def memory(self):
        memory = self.Memory(version=ctypes.sizeof(self.Memory) | 2 << 24)
        assert self.library.nvmlDeviceGetMemoryInfo_v2(self.device, ctypes.byref(memory)) == 0
        return memory

    def processes(self):
        """Bytes by pid."""
        records = (self.Record * 512)()
        count = ctypes.c_uint(512)
        code = self.library.nvmlDeviceGetComputeRunningProcesses_v3(
            self.device, ctypes.byref(count), records)
        return {r.pid: r.bytes for r in records[:count.value]} if code == 0 else {}

    def driver(self):
        text = ctypes.create_string_buffer(96)
        self.library.nvmlSystemGetDriverVersion(text, 96)
        return text.value.decode()


class Most:
    """The most that all processes together held by `nvml`, looked at all the time."""

    def __init__(self, nvml):
        self.nvml, self.bytes, self.stop = nvml, 0, False

    def __enter__(self):
        self.thread = threading.Thread(target=self.look)
        self.thread.start()
        return self

    def look(self):
        while not self.stop:
            self.bytes = max(self.bytes, sum(self.nvml.processes().values()))
            time.sleep(0.001)

    def __exit__(self, *_):
        self.stop = True
        self.thread.join()


# A PyTorch program that takes all it gets, says so, frees it after a line and computes once more.
TORCH_FILL = """
import torch
kept, size = [], 251 * 1048583
while size > 1 << 20:
    try:
        kept.append(torch.empty(size, dtype=torch.uint8, device='cuda'))
        kept[-1][-1] = 7
    except torch.OutOfMemoryError:
        size //= 2
print('full', flush=True)
input()
kept.clear()
torch.cuda.empty_cache()
x = torch.randn(512, 512, device='cuda')
print('right' if torch.isfinite(x @ x).all() else 'wrong', flush=True)
"""


def mapped_path(name):
    """The file a program gets when it opens a library by name."""
    code = ("import ctypes\nctypes.CDLL('%s')\n"
            "print([l.split()[-1] for l in open('/proc/self/maps') if '%s' in l][0])" %
            (name, name.split(".so")[0]))
    out = subprocess.run(["python3", "-c", code], text=True, capture_output=True, check=True)
    return os.path.realpath(out.stdout.strip())


class Lab:
    def __init__(self, build, results):
        self.build, self.results = build, results
        self.root = tempfile.mkdtemp(prefix="gys-", dir="/tmp")
        os.chmod(self.root, 0o755)
        self.real_cuda = os.environ.get("SLICE_REAL_CUDA") or mapped_path("libcuda.so.1")
        self.real_nvml = os.environ.get("SLICE_REAL_NVML") or mapped_path("libnvidia-ml.so.1")
        self.nvml = Nvml(self.real_nvml)
        self.uuid = self.nvml.uuid()
        memory = self.nvml.memory()
        self.total, self.reserved = memory.total, memory.reserved
        self.context_bytes = 0
        self.number = 0
        self.keeper = self.start_keeper()

    def start_keeper(self):
        return Talk([self.build + "/gpuyard-slice-keeper", self.root, self.build + "/lib",
                     self.real_cuda, self.real_nvml])

    def keep(self, line):
        return json.loads(self.keeper.ask(line))

    def half(self):
        """The bytes of a slice of one half of the GPU."""
        return self.usable() // 2 // (2 * MIB) * (2 * MIB)

    def add(self, hard, share=None, mode="fair"):
        self.number += 1
        name = "s%d" % self.number
        line = "add %s %d %s %d %d" % (name, self.number, self.uuid, hard, self.context_bytes)
        if share is not None:
            line += " %d %s" % (share, mode)
        reply = self.keep(line)
        return Slice(self, name, self.number, reply["folder"])

    def grow(self, request, limit):
        """A slice that may grow from its request to its limit."""
        self.number += 1
        name = "s%d" % self.number
        reply = self.keep("grow %s %d %s %d %d %d %d" % (
            name, self.number, self.uuid, request, limit, self.context_bytes, self.usable()))
        return Slice(self, name, self.number, reply["folder"])

    def usable(self):
        """What slices may have together: a little less than programs could."""
        node_reserve = max(256 * MIB, self.total // 200)
        return (self.total - self.reserved - node_reserve) // (2 * MIB) * (2 * MIB)

    def client(self, env=None, library="libcuda.so.1"):
        return Talk([self.build + "/gpuyard-slice-client", library], env)


class Slice:
    def __init__(self, lab, name, number, folder):
        self.lab, self.name, self.number, self.folder = lab, name, number, folder

    def env(self, extra=None):
        lib = self.folder + "/lib"
        path = os.environ.get("LD_LIBRARY_PATH")
        return dict(os.environ, **(extra or {}), LD_PRELOAD=lib + "/libcuda.so.1",
                    LD_LIBRARY_PATH=lib + (":" + path if path else ""))

    def client(self):
        return self.lab.client(self.env())

    def stat(self):
        return self.lab.keep("stat " + self.name)

    def remove(self):
        self.lab.keep("remove " + self.name)


def run(command, env=None, limit=120):
    """Output of a program that must end well."""
    return finish(start(command, env, text=True, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE), limit)


def finish(process, limit):
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        end_group(process)
        out, err = process.communicate(timeout=10)
        raise RuntimeError("hangs: %s" % (out + err)[-1500:])
    if process.returncode != 0:
        raise RuntimeError("%s: rc %d: %s" % (process.args[:3], process.returncode,
                                              (err or out)[-600:]))
    return out


def judge_cost(added, limit, noise):
    """True: within the limit. None: above it, but by less than the same without a slice differs by,
    which is more than the limit: not to be told here. False: missed."""
    if added <= limit:
        return True
    return None if limit < noise and added <= noise else False


def wait_for(condition, limit):
    """Seconds until the condition held; None if it did not within the limit."""
    start = time.monotonic()
    while time.monotonic() - start < limit:
        if condition():
            return time.monotonic() - start
        time.sleep(0.005)
    return None
