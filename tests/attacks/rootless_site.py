"""The site once more, by a plain account: its server and its rootless podman, nothing of root's."""

import pathlib
import pwd
import secrets
import shutil
import subprocess
import tempfile

from bad_images import make_image
from native_tasks import end_processes_of
from site_of_attacks import SCRATCH, Site
from yard import PROGRAM, Server, until

SETTINGS = """[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""

# Containers of a plain account have a network by way of a device that everybody may open on most
# machines. Where this one is root's, the account gets a node of its own, in its own namespace.
DAEMON = """
if test ! -w /dev/net/tun || test "$(stat -c %a /dev/net/tun)" != 666; then
  mknod -m 666 "$1/tun" c 10 200 && mount --bind "$1/tun" /dev/net/tun
fi
exec runuser -u "$2" -- env HOME="$1/home" TMPDIR="$1/run" XDG_RUNTIME_DIR="$1/run" \\
  CONTAINERS_CONF="$1/conf" podman system service --time 0 "unix://$1/run/d.sock"
"""


class RootlessSite(Site):
    """Started by root, since somebody has to make the account."""

    def __enter__(self):
        self.account = f"gyr{secrets.token_hex(4)}"
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="gyr-", dir="/tmp"))
        self.place.chmod(0o755)
        subprocess.run(["useradd", "--create-home", "--home-dir", str(self.place / "home"),
                        self.account], check=True)
        self.as_server = ["runuser", "-u", self.account, "--"]
        self.uid = pwd.getpwnam(self.account).pw_uid
        for folder in (self.folder, self.make("data"), self.make("run"), self.make("log")):
            shutil.chown(folder, self.account, self.account)
        try:
            self.start_daemon()
            self.start_server()
            self.settle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def make(self, name):
        folder = self.place / name
        folder.mkdir(mode=0o700)
        return folder

    def start_daemon(self):
        (self.place / "conf").write_text(SETTINGS)
        with open(SCRATCH / "rootless.log", "w", encoding="utf-8") as log:
            self.podman = subprocess.Popen(
                ["unshare", "--mount", "sh", "-ec", DAEMON, "sh", str(self.place), self.account],
                stdout=log, stderr=log, cwd=self.place, start_new_session=True)
        self.daemon = str(self.place / "run/d.sock")
        until("podman serves", lambda: pathlib.Path(self.daemon).exists()
              or self.podman.poll() is not None)
        assert self.podman.poll() is None, (SCRATCH / "rootless.log").read_text()[-300:]
        self.lab = str(self.place)
        make_image(self, "test")

    def start_server(self):
        """Programs of a checkout may lie where the account cannot go."""
        programs = self.make("programs")
        programs.chmod(0o755)
        for name in ("gpuyard", "gpuyard-shim"):
            shutil.copy(PROGRAM.parent / name, programs / name)
        self.server = Server(self.place / "log", data=self.place / "data")
        self.server.program = [*self.as_server, str(programs / "gpuyard")]
        self.server.tasks = self.server.data / "tasks"
        self.server.start(gpus="8xA100:40Gi", tasks="self",
                          options=["--container-socket", self.daemon])
        self.server.wait_ready()

    def is_container_root(self, uid):
        """The id on the machine of a container's root."""
        return uid == self.uid

    def __exit__(self, *_):
        if getattr(self, "server", None):
            self.server.remove()
        # The root of each container has the account's id, and takes the others with it.
        until(f"{self.account} runs nothing", lambda: not end_processes_of(self.uid))
        subprocess.run(["userdel", self.account], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)

