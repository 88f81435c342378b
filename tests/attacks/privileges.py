"""GPUs that were not granted, and what somebody gets who has taken over the server's process.

The server runs with its defaults: started as root, it gives up its privileges and asks an engine in
a process of its own. These attempts use the server's rights and its connection to that engine, as
a fault in its network code would let a stranger do.
"""

import array
import contextlib
import ctypes
import errno
import json
import os
import pathlib
import socket
import stat
import struct
import subprocess
import sys
import uuid

from native_tasks import pair_at
from site_of_attacks import Skip

NVIDIA = 195
OPEN_ALL = ("for node in {}/*; do (: < $node) 2>&1 | tail -n 1; done; echo looked")


@contextlib.contextmanager
def nodes(place):
    """Device nodes of GPUs, as the driver makes them: everybody may open them."""
    folder = place / "nodes"
    folder.mkdir(mode=0o755)
    for name, minor in (("nvidia0", 0), ("nvidia1", 1), ("nvidiactl", 255)):
        os.mknod(folder / name, 0o666 | stat.S_IFCHR, os.makedev(NVIDIA, minor))
        os.chmod(folder / name, 0o666)
    yield folder


def failure_of(path):
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError as error:
        return error.errno
    return 0


def attempt_a_gpu_without_a_grant(site):
    with pair_at(site) as pair, nodes(pair.place) as folder:
        # Nothing but the filter is in the way: without a driver the kernel finds no device.
        assert failure_of(folder / "nvidia0") in (0, errno.ENXIO, errno.EIO)
        _, log = pair.run("mallory", OPEN_ALL.format(folder))
        assert str(log).count("Operation not permitted") == 3 and "looked" in str(log), log


def attempt_a_gpu_of_the_machine_with_a_declared_one(site):
    with pair_at(site) as pair, nodes(pair.place) as folder:
        # A declared GPU has no device node: work that was given one gets none of the driver's.
        _, log = pair.run("mallory", OPEN_ALL.format(folder),
                          compute={"gpuDevicesRequest": 1, "gpuRequestType": "portion"})
        assert str(log).count("Operation not permitted") == 3, log


def server_of(site):
    """Ids of the server's process, which is not its engine's."""
    if os.geteuid() != 0:
        raise Skip("needs a server that was started as root")
    return site.server.process.pid


def status_of(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return {key: value.split() for key, _, value in (line.partition(":") for line in lines)}


def attempt_root_in_the_servers_process(site):
    status = status_of(server_of(site))
    assert "0" not in status["Uid"] + status["Gid"] and not status["Groups"], status["Uid"]
    for field in ("CapEff", "CapPrm", "CapInh", "CapAmb", "CapBnd"):
        assert int(status[field][0], 16) == 0, (field, status[field])
    assert status["NoNewPrivs"] == ["1"], status["NoNewPrivs"]


def as_server(site, script):
    """Runs a script with the rights of the server's process: its output and its errors."""
    uid = status_of(server_of(site))["Uid"][0]
    done = subprocess.run(
        ["setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", "--no-new-privs",
         "--bounding-set=-all", "--inh-caps=-all", "sh", "-c", script],
        capture_output=True, text=True, timeout=60, check=False)
    return done.stdout, done.stderr


def attempt_files_of_the_machine_by_the_server(site):
    with pair_at(site) as pair:
        home = pair.place / "laura"
        home.chmod(0o700)
        (home / "thesis").write_text("the thesis of laura")
        said, _ = as_server(site, f"cat /etc/shadow {home}/thesis; ls {site.server.tasks}/tasks; "
                                  f"id; cat {site.server.data}/keys/token.key | wc -c")
        assert "root:" not in said and "thesis" not in said, said
        # Its own keys it can read, or this would prove nothing.
        assert int(said.split()[-1]) > 0, said


def attempt_the_container_daemon_by_the_server(site):
    site.needs_containers()
    said, error = as_server(site, f"{sys.executable} -c 'import socket; s = socket.socket("
                                  f"socket.AF_UNIX); s.connect(\"{site.daemon}\"); print(\"in\")'")
    assert "in" not in said.split(), (said, error)


def attempt_signals_to_the_engine_by_the_server(site):
    engine = children_of(server_of(site))[0]
    said, error = as_server(site, f"kill -9 {engine} && echo killed; "
                                  f"head -c 1 /proc/{engine}/mem && echo read")
    assert "killed" not in said and "read" not in said, (said, error)
    assert pathlib.Path(f"/proc/{engine}").exists()


def attempt_modules_and_kernels_by_the_engine(site):
    """The filter is inherited, so what the engine starts cannot do it either."""
    engine = children_of(server_of(site))[0]
    for thread in pathlib.Path(f"/proc/{engine}/task").iterdir():
        lines = (thread / "status").read_text(encoding="utf-8").splitlines()
        assert "Seccomp:\t2" in lines, f"thread {thread.name} has no filter"


def children_of(pid):
    """The processes that it has started, the first one first."""
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    return [int(word) for word in text.split()]


class Engine:
    """The server's own connection to its engine, in other hands."""

    LAUNCH, RESOLVE = 3, 25
    HOST_PATH = 0

    def __init__(self, site):
        pid = server_of(site)
        fds = sorted(int(path.name) for path in pathlib.Path(f"/proc/{pid}/fd").iterdir()
                     if "socket:" in os.readlink(path))
        control = next(fd for fd in (self.take(pid, fd) for fd in fds)
                       if fd.family == socket.AF_UNIX and fd.type == socket.SOCK_STREAM
                       and not fd.getsockname() and not fd.getpeername())
        self.line, theirs = socket.socketpair()
        self.line.settimeout(30)
        given = array.array("i", [theirs.fileno()])
        control.sendmsg([struct.pack("<I", 4) + b"line"],
                        [(socket.SOL_SOCKET, socket.SCM_RIGHTS, given)])
        theirs.close()

    @staticmethod
    def take(pid, fd):
        calls = ctypes.CDLL(None, use_errno=True)
        process = calls.syscall(434, pid, 0)
        taken = calls.syscall(438, process, fd, 0)
        os.close(process)
        assert taken >= 0, os.strerror(ctypes.get_errno())
        return socket.socket(fileno=taken)

    def ask(self, kind, *values):
        """The bytes of the answer."""
        message = b"".join(map(coded, (kind, *values)))
        self.line.sendall(struct.pack("<I", len(message)) + message)
        size, = struct.unpack("<I", self.read(4))
        return self.read(size)

    def read(self, size):
        got = b""
        while len(got) < size:
            piece = self.line.recv(size - len(got))
            assert piece, "the engine has closed the line"
            got += piece
        return got

    def launch(self, account=(), mounts=(), image=""):
        """A task with those; an account is uid, gid and groups."""
        container = (1, image, 0, "", "", 64, List(), 0, 0, 0) if image else (0,)
        who = (1, account[0], account[1], List(*account[2])) if account else (0,)
        limits = (0, 0, 0, 64)
        return self.ask(self.LAUNCH, uuid.uuid4().bytes, 0, "", "x", *container,
                        List("/bin/sh", "-c", "id"), List(), "", List(),
                        List(*((self.HOST_PATH, path, "/mnt/in", 0, 0) for path in mounts)),
                        *who, List(), *limits, List(), List(), 0)


class List(tuple):
    """Values behind their count."""

    def __new__(cls, *values):
        return super().__new__(cls, values)


def coded(value):
    if isinstance(value, List):
        return varint(len(value)) + b"".join(map(coded, value))
    if isinstance(value, tuple):
        return b"".join(map(coded, value))
    if isinstance(value, str):
        return varint(len(value.encode())) + value.encode()
    if isinstance(value, bytes):
        return value
    return varint(value * 2 if value >= 0 else -value * 2 - 1)


def varint(number):
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def attempt_work_as_root_by_the_server(site):
    """Root itself, an account of the system, a person with the group of root or of a device."""
    with pair_at(site) as pair:
        person = next(iter(pair.names.values()))
        uid = int(subprocess.check_output(["id", "-u", person]))
        engine = Engine(site)
        for account in ((), (0, 0, ()), (33, 33, ()), (uid, uid, (0,)), (uid, uid, (6,)),
                        (uid, 1, ()), (2013265921, 2013265921, ())):
            answer = engine.launch(account)
            assert answer[0] == 0, f"taken as {account}: {answer[:120]}"
        # A person as the machine has them is within the server's power: the frame is right.
        answer = engine.launch((uid, uid, ()))
        assert answer[0] != 0, answer[:200]


def attempt_host_folders_by_the_server(site):
    site.needs_containers()
    engine = Engine(site)
    for path in ("/", "/etc", "/root", "/proc/1/root", str(site.server.data), site.daemon,
                 "/var/run"):
        answer = engine.launch(mounts=(path,), image="localhost/gpuyard-test:1")
        assert answer[0] == 0 and b"mount" in answer, f"{path}: {answer[:120]}"


def attempt_words_the_engine_does_not_know(site):
    """Each ends its own line and nothing else."""
    for bytes_sent in (b"", b"\x7e", coded(Engine.LAUNCH), coded(Engine.LAUNCH) + b"\xff" * 64):
        engine = Engine(site)
        engine.line.sendall(struct.pack("<I", len(bytes_sent)) + bytes_sent)
        assert engine.line.recv(1) == b"", bytes_sent
    answer = Engine(site).ask(Engine.RESOLVE, "/etc/../etc")
    assert b"/etc" in answer and answer[0] != 0, answer
    status, body = site.admin.ask("GET", "/api/v1/engine")
    assert status == 200 and json.dumps(body), body
