"""The podman that bundle.sh packed, as a service of its own under one temporary folder, with an image
that needs no network. Nothing of the machine's own containers is touched, and nothing stays."""
import contextlib
import glob
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

from trial import PROGRAM, end as stop, say

IMAGE = "localhost/gpuyard-gpu:1"
# Podman refuses run folders whose path has more than 50 characters.
DIR = pathlib.Path(tempfile.mkdtemp(prefix="gp-", dir="/tmp"))
HERE = pathlib.Path(__file__).resolve().parent
PACKED = PROGRAM.parent / "podman/bin"
# Control groups without systemd, no network, and no limit above our own, which would be refused.
SETTINGS = f"""
[containers]
apparmor_profile = "unconfined"
pids_limit = 0
default_ulimits = [{{ulimits}}]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
conmon_path = ["{PACKED}/conmon"]
[engine.runtimes]
runc = ["{PACKED}/runc"]
[network]
network_backend = "cni"
network_config_dir = "{DIR}/networks"
"""
ACCEPT_ALL = '{"default": [{"type": "insecureAcceptAnything"}]}'


def driver(name):
    """Where the driver's library is, by the places the server knows."""
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/nvidia/lib64"):
        if os.path.exists(f"{folder}/{name}"):
            return f"{folder}/{name}"
    raise RuntimeError(f"there is no {name}")


def write_settings():
    pids = int(pathlib.Path("/proc/sys/kernel/pid_max").read_text())
    limits = {"nofile": (resource.RLIMIT_NOFILE, 1 << 20), "nproc": (resource.RLIMIT_NPROC, pids)}
    ulimits = []
    for name, (kind, most) in limits.items():
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(hard, most)
        ulimits.append(f'"{name}={most}:{most}"')
    (DIR / "networks").mkdir()
    (DIR / "containers.conf").write_text(SETTINGS.format(ulimits=", ".join(ulimits)))
    (DIR / "storage.conf").write_text(
        f'[storage]\ndriver = "vfs"\ngraphroot = "{DIR}/storage"\nrunroot = "{DIR}/run"\n')
    (DIR / "registries.conf").write_text("unqualified-search-registries = []\n")
    policy = DIR / ".config/containers/policy.json"
    policy.parent.mkdir(parents=True)
    policy.write_text(ACCEPT_ALL)


def command(*words):
    return [PACKED / "podman", "--tmpdir", DIR / "tmp", *words]


def environment():
    return dict(os.environ, HOME=str(DIR), TMPDIR=str(DIR), CONTAINERS_CONF=f"{DIR}/containers.conf",
                CONTAINERS_STORAGE_CONF=f"{DIR}/storage.conf",
                CONTAINERS_REGISTRIES_CONF=f"{DIR}/registries.conf")


def ask(*words):
    done = subprocess.run(command(*words), env=environment(), text=True, capture_output=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"podman {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def kill(name):
    """The container of a workload, behind the server's back."""
    lines = ask("ps", "--format", '{{.ID}} {{index .Labels "gpuyard.title"}}').splitlines()
    ask("kill", "--signal", "KILL", *(line.split()[0] for line in lines if line.endswith(f"/{name}")))


def libraries(*files):
    """What they need at run time, by the paths they are looked for at."""
    out = subprocess.run(["ldd", *files], text=True, capture_output=True).stdout
    return set(re.findall(r"(/\S+\.so\S*) \(0x", out))


def make_image():
    """Laid out like a machine whose /bin and /lib are in /usr, so that its own /usr fits over it."""
    root = DIR / "root"
    for folder in ("usr/bin", "usr/lib", "usr/lib64", "etc", "tmp", "proc", "sys", "dev", "root", "trial"):
        (root / folder).mkdir(parents=True)
    for name in ("bin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    plain = DIR / "plain"
    subprocess.run(["nvcc", "-O2", "-std=c++17", "-gencode", "arch=compute_90,code=sm_90", "-cudart",
                    "static", HERE / "plain.cu", "-o", plain, "-ldl"], check=True, timeout=120)
    programs = {"plain": plain, **{name: shutil.which(name) for name in ("sh", "env", "sleep")}}
    for name, path in programs.items():
        shutil.copy(path, root / "usr/bin" / name)
    for path in libraries(*programs.values(), driver("libcuda.so.1")):
        target = root / ("usr" + path.removeprefix("/usr"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    archive = shutil.make_archive(str(DIR / "image"), "tar", root)
    ask("import", "--change", "ENV PATH=/usr/bin:/bin", archive, IMAGE)


def end(service):
    """With every container, and what podman left mounted."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command("rm", "--all", "--force", "--time", "0"), env=environment(), timeout=30)
    stop(service)
    for mount in reversed(mounts()):
        subprocess.run(["umount", mount])


def mounts():
    lines = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
    return [path for path in (line.split()[4] for line in lines) if path.startswith(f"{DIR}/")]


def say_what_is_left():
    shown = [path for path in mounts() if "containers" in path]
    groups = glob.glob("/sys/fs/cgroup/gpuyard-*/*-*.0")
    containers = ask("ps", "--all", "--quiet").split()
    say("no-container-is-left", not (shown or groups or containers),
        f"mounts: {shown}, groups: {groups}, containers: {containers}")


@contextlib.contextmanager
def running():
    """The words by which a server uses it."""
    write_settings()
    socket = DIR / "podman.sock"
    with open(DIR / "service.log", "w") as log:
        service = subprocess.Popen(command("system", "service", "--time", "0", f"unix://{socket}"),
                                   env=environment(), stdout=log, stderr=log, start_new_session=True)
    try:
        until = time.time() + 30
        while not socket.exists() and service.poll() is None and time.time() < until:
            time.sleep(0.1)
        if not socket.exists():
            raise RuntimeError("podman does not serve: " + (DIR / "service.log").read_text())
        make_image()
        yield "--container-socket", str(socket)
        say_what_is_left()
    finally:
        print((DIR / "service.log").read_text()[-3000:])
        end(service)
        shutil.rmtree(DIR, ignore_errors=True)
