"""Bare hosts for `gpuyard cluster`: network namespaces with a root, processes, an sshd and a name of their own.

The root of a host is this machine's, seen through an overlay in which Slurm and munge were never installed; what is
installed or written there stays there. The packages come from Debian, fetched once, as a local mirror would have them.
The caller has a network and mounts of its own (see `run`), so that all of it goes with the processes.

The GPUs are device nodes that nothing stands behind, and `nvidia-smi` is a stand-in that tells their model.
"""

import contextlib
import os
import pathlib
import pwd
import secrets
import shutil
import subprocess

from yard import until

PACKAGES = ("slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins", "munge", "libmunge2")
NETWORK = "10.77.0"
GPUS = 2
SMI = """#!/bin/sh
for gpu in 0 1; do echo "40960, NVIDIA A100-SXM4-40GB"; done
"""
# The first process of a host: it ends what is left of those that nobody waits for, and everything with itself.
INIT = r"""
import os, signal
def reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
signal.signal(signal.SIGCHLD, reap)
reap()
while os.read(0, 1):
    pass
"""
ENTER = r"""
set -e
root=$1 name=$2 address=$3 shared=$4
hostname "$name"
mount -t overlay overlay -o "lowerdir=$5:/,upperdir=$6/upper,workdir=$6/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
for place in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$root/$place"; done
chmod 1777 "$root/tmp"
for file in null zero full random urandom tty; do touch "$root/dev/$file"; mount --bind "/dev/$file" "$root/dev/$file"; done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
i=0; while [ $i -lt "$7" ]; do mknod -m 666 "$root/dev/nvidia$i" c 195 $i; i=$((i + 1)); done
mkdir -p "$root/shared" "$root/run/sshd"
[ "$shared" = none ] || mount --bind "$shared" "$root/shared"
ip link set lo up
ip address add "$address/24" dev eth0
ip link set eth0 up
cd "$root"
pivot_root . mnt
umount -l /mnt
/usr/sbin/sshd
echo ready
exec python3 -c "$8"
"""


def call(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, **options)
    assert done.returncode == 0, f"{words}: {done.returncode} {done.stdout[-300:]} {done.stderr[-500:]}"
    return done.stdout


class Host:
    def __init__(self, lab, number, shared=True):
        self.lab, self.name, self.address = lab, f"gpu{number}", f"{NETWORK}.{number}"
        self.node = f"{self.name}-{lab.tag}"  # nobody else's control groups have it
        place = lab.place / self.name
        home = pathlib.Path("upper") / pwd.getpwuid(0).pw_dir.lstrip("/")
        for part in ("upper/etc/ssh", home / ".ssh", "upper/usr/local/bin", "work", "root"):
            (place / part).mkdir(parents=True)
        ssh = place / "upper/etc/ssh"
        call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ssh / "ssh_host_ed25519_key")
        (ssh / "sshd_config").write_text(
            "HostKey /etc/ssh/ssh_host_ed25519_key\nUsePAM no\nPasswordAuthentication no\n"
            "PermitRootLogin prohibit-password\nMaxSessions 100\nMaxStartups 100\n")
        keys = place / home / ".ssh/authorized_keys"
        shutil.copy(lab.place / "admin.pub", keys)
        (place / home).chmod(0o700)
        smi = place / "upper/usr/local/bin/nvidia-smi"
        smi.write_text(SMI)
        smi.chmod(0o755)
        key = (ssh / "ssh_host_ed25519_key.pub").read_text().split()[:2]
        with open(lab.known_hosts, "a", encoding="utf-8") as known:
            print(self.name, *key, file=known)
        self.start(number, shared)

    def start(self, number, shared):
        place = self.lab.place / self.name
        folder = str(self.lab.shared) if shared else "none"
        self.init = subprocess.Popen(
            ["unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
             "sh", "-c", f"read go; {ENTER}", "sh", str(place / "root"), self.node, self.address, folder,
             str(self.lab.base), str(place), str(GPUS), INIT],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # The other end goes to the host's own network, which it has once it left ours.
        own = os.readlink("/proc/self/ns/net")
        until(f"{self.name} has a network", lambda: os.readlink(f"/proc/{self.init.pid}/ns/net") != own)
        call("ip", "link", "add", f"v{number}", "type", "veth", "peer", "name", "eth0",
             "netns", self.init.pid)
        call("ip", "link", "set", f"v{number}", "master", "switch", "up")
        self.init.stdin.write("\n")
        self.init.stdin.flush()
        assert self.init.stdout.readline() == "ready\n", f"{self.name} did not start"
        self.pid = int(pathlib.Path(f"/proc/{self.init.pid}/task/{self.init.pid}/children").read_text().split()[0])

    def sh(self, script, code=0):
        """As root, on the host, beside its sshd."""
        done = subprocess.run(["nsenter", f"--target={self.pid}", "--all", "sh", "-c", script], check=False,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
                              env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
        assert done.returncode == code, (self.name, script, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def files(self):
        """What was written on it: name, time of the change and size, without what daemons write as they run."""
        upper = self.lab.place / self.name / "upper"
        found = {}
        for path in upper.rglob("*"):
            name = str(path.relative_to(upper))
            if path.is_file() and not name.startswith(("var/log", "var/lib/slurm", "var/lib/munge")):
                about = path.lstat()
                found[name] = (about.st_mtime_ns, about.st_size, about.st_mode)
        return found

    def end(self):
        self.init.stdin.close()
        try:
            self.init.wait(10)
        except subprocess.TimeoutExpired:
            self.init.kill()
            self.init.wait()


class Lab:
    def __init__(self, place):
        self.place, self.tag = place, secrets.token_hex(3)
        self.base, self.shared = place / "base/upper", place / "shared"
        self.known_hosts, self.key = place / "known_hosts", place / "admin"
        self.hosts = {}

    def start(self):
        call("mount", "-t", "tmpfs", "-o", "size=2g,mode=755", "tmpfs", self.place)
        self.shared.mkdir(mode=0o755)
        call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        call("ip", "link", "set", "lo", "up")
        call("ip", "link", "add", "switch", "type", "bridge")
        call("ip", "address", "add", f"{NETWORK}.254/24", "dev", "switch")
        call("ip", "link", "set", "switch", "up")
        self.make_bare()

    def make_bare(self):
        """The overlay without Slurm, with its packages as apt keeps what it has fetched."""
        root = self.place / "base/root"
        for part in (self.base, self.place / "base/work", root):
            part.mkdir(parents=True)
        call("mount", "-t", "overlay", "overlay", "-o",
             f"lowerdir=/,upperdir={self.base},workdir={self.place}/base/work", root)
        there = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\n", "slurm*", "munge", "libmunge2"],
                               capture_output=True, text=True, check=False).stdout.split()
        call("chroot", root, "dpkg", "--purge", "--force-depends", *there)
        for account in ("slurm", "munge"):
            subprocess.run(["chroot", root, "userdel", account], capture_output=True, check=False)
        for folder in ("etc/slurm", "etc/munge", "var/lib/slurm", "var/log/slurm", "var/lib/munge", "var/log/munge",
                       "var/lib/gpuyard", "var/lib/gpuyard-cluster"):
            shutil.rmtree(root / folder, ignore_errors=True)
        for package in pathlib.Path(os.environ["GPUYARD_DEBS"]).glob("*.deb"):
            shutil.copy(package, root / "var/cache/apt/archives")
        for key in (root / "etc/ssh").glob("ssh_host_*"):
            key.unlink()
        # The names of all hosts, as a lab's name server would tell them.
        (root / "etc/hosts").write_text("127.0.0.1 localhost\n" + "".join(
            f"{NETWORK}.{n} gpu{n} gpu{n}-{self.tag}\n" for n in range(1, 5)))
        call("mount", "--bind", root / "etc/hosts", "/etc/hosts")
        call("umount", "-l", root)

    def add(self, number, shared=True):
        host = Host(self, number, shared)
        self.hosts[host.name] = host
        return host

    def stop(self):
        for host in self.hosts.values():
            host.end()
            for group in pathlib.Path("/sys/fs/cgroup").glob(f"*/slurm_{host.node}"):
                for folder, _, _ in os.walk(group, topdown=False):
                    with contextlib.suppress(OSError):
                        os.rmdir(folder)


def fetch(folder):
    """The packages into the folder; by lists of our own where this machine's are old or gone."""
    if subprocess.run(["apt-get", "-q", "download", *PACKAGES], cwd=folder, capture_output=True,
                      check=False).returncode == 0:
        return
    for part in ("lists/partial", "archives/partial"):
        (folder / part).mkdir(parents=True)
    own = ["-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}", "-o", "APT::Sandbox::User=root"]
    call("apt-get", "-q", *own, "update", timeout=300)
    call("apt-get", "-q", *own, "download", *PACKAGES, cwd=folder, timeout=300)
