"""An image of Debian made of this machine's own packages, without a registry or a network: what
`apt-get`, `useradd`, `su` and `sshd` need, and a source of packages in /opt/source that holds one,
`greeting`."""

import io
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import urllib.parse

from bad_images import Daemon

WANTED = ("apt", "bash", "login", "mawk", "openssh-server", "passwd", "procps", "util-linux")
NAME = "localhost/gpuyard-debian:1"
# What the packages' scripts made of themselves.
MADE = ("etc/pam.d", "etc/alternatives", "etc/nsswitch.conf", "etc/login.defs", "etc/ld.so.cache",
        "etc/security", "etc/debian_version")
PEOPLE = ("root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/usr/sbin/nologin\n"
          "man:x:6:12::/:/usr/sbin/nologin\nsshd:x:100:65534::/run/sshd:/usr/sbin/nologin\n"
          "_apt:x:42:65534::/nonexistent:/usr/sbin/nologin\n"
          "nobody:x:65534:65534::/nonexistent:/usr/sbin/nologin\n")
GROUPS = ("root:x:0:\ndaemon:x:1:\ntty:x:5:\nman:x:12:\nutmp:x:43:\nshadow:x:42:\nadm:x:4:\n"
          "_ssh:x:101:\nnogroup:x:65534:\n")
SHADOW = "".join(f"{line.split(':')[0]}:*:19000:0:99999:7:::\n" for line in PEOPLE.splitlines())


class Tree(tarfile.TarFile):
    """An archive in which the first of each name stays: daemons refuse a name that comes twice."""

    def __init__(self, *arguments, **more):
        self.taken = set()
        super().__init__(*arguments, **more)

    def addfile(self, tarinfo, fileobj=None):
        name = tarinfo.name.rstrip("/")
        if name in self.taken:
            return
        self.taken.add(name)
        super().addfile(tarinfo, fileobj)


def text_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def packages():
    """Those that are wanted, those that every machine has, and all that these need."""
    rows = [line.split() for line in text_of(
        "dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Essential}\n").splitlines()]
    installed = {row[1] for row in rows if row[0] == "installed"}
    essential = {row[1] for row in rows if row[0] == "installed" and row[-1] == "yes"}
    missing = set(WANTED) - installed
    assert not missing, f"this machine lacks the packages {missing}"
    told = text_of("apt-cache", "depends", "--recurse", "--installed", "--no-recommends",
                   "--no-suggests", "--no-conflicts", "--no-breaks", "--no-replaces",
                   "--no-enhances", *WANTED, *sorted(essential))
    named = {line.split(":")[0].strip() for line in told.splitlines() if not line.startswith(" ")}
    return sorted((named & installed) | essential)


def place_of(path):
    """Where a file lies in a tree whose /bin and /lib are links."""
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name).lstrip("/")


def add_text(archive, name, text, mode=0o644):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(text.encode()), mode
    archive.addfile(entry, io.BytesIO(text.encode()))


def add_folder(archive, name, mode=0o755):
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = tarfile.DIRTYPE, mode
    archive.addfile(entry)


def add_packages(archive, chosen):
    done = {""}
    large = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info")
    for path in text_of("dpkg", "-L", *chosen).splitlines():
        place = place_of(path) if path.startswith("/") else ""
        if place in done or place.startswith(large):
            continue
        done.add(place)
        if os.path.lexists(f"/{place}"):
            archive.add(f"/{place}", place, recursive=False)
    for place in MADE:
        archive.add(f"/{place}", place)


def add_records(archive, chosen):
    """What dpkg knows of them."""
    status = pathlib.Path("/var/lib/dpkg/status").read_text(encoding="utf-8").split("\n\n")
    kept = [one for one in status if one.split("\n")[0].removeprefix("Package: ") in chosen]
    add_text(archive, "var/lib/dpkg/status", "\n\n".join(kept) + "\n")
    for name in chosen:
        for path in pathlib.Path("/var/lib/dpkg/info").glob(f"{name}[.:]*list"):
            archive.add(path, str(path).lstrip("/"))
    add_text(archive, "var/lib/dpkg/available", "")
    for folder in ("updates", "info"):
        add_folder(archive, f"var/lib/dpkg/{folder}")


def add_source(archive):
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tree"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "usr/bin").mkdir(parents=True)
        (tree / "DEBIAN/control").write_text("Package: greeting\nVersion: 1.0\nArchitecture: all\n"
                                             "Maintainer: lab <lab@lab.org>\nDescription: greets\n")
        (tree / "DEBIAN/postinst").write_text("#!/bin/sh\nchown daemon:daemon /usr/bin/greeting\n")
        (tree / "usr/bin/greeting").write_text("#!/bin/sh\necho hello from a package\n")
        for path in ("DEBIAN/postinst", "usr/bin/greeting"):
            (tree / path).chmod(0o755)
        package = pathlib.Path(folder) / "greeting.deb"
        text_of("dpkg-deb", "--root-owner-group", "-b", str(tree), str(package))
        content = package.read_bytes()
        archive.add(package, "opt/source/greeting.deb")
        digest = text_of("sha256sum", str(package)).split()[0]
        control = (tree / "DEBIAN/control").read_text()
        add_text(archive, "opt/source/Packages",
                 f"{control}Filename: ./greeting.deb\nSize: {len(content)}\nSHA256: {digest}\n")
    add_text(archive, "etc/apt/sources.list", "deb [trusted=yes] file:/opt/source ./\n")


def write_tree(archive):
    chosen = packages()
    for link in ("bin", "sbin", "lib", "lib64"):
        entry = tarfile.TarInfo(link)
        entry.type, entry.linkname = tarfile.SYMTYPE, f"usr/{link}"
        archive.addfile(entry)
    add_packages(archive, chosen)
    add_records(archive, chosen)
    add_source(archive)
    for name, text, mode in (("passwd", PEOPLE, 0o644), ("group", GROUPS, 0o644),
                             ("shadow", SHADOW, 0o640), ("gshadow", "", 0o640)):
        add_text(archive, f"etc/{name}", text, mode)
    for folder in ("root", "run", "run/sshd", "home", "proc", "sys", "dev",
                   "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/log/apt"):
        add_folder(archive, folder)
    for folder in ("tmp", "var/tmp"):
        add_folder(archive, folder, 0o1777)


def make_debian(site):
    """The image's name, once the site's daemon has it."""
    with tempfile.TemporaryFile() as file:
        with Tree(fileobj=file, mode="w") as archive:
            write_tree(archive)
        size = file.tell()
        file.seek(0)
        query = [("fromSrc", "-"), ("repo", NAME), ("changes", "WORKDIR /root"),
                 ("changes", "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin")]
        daemon = Daemon(site.daemon)
        daemon.timeout = 600
        daemon.request("POST", "/images/create?" + urllib.parse.urlencode(query), file,
                       {"Content-Type": "application/x-tar", "Content-Length": str(size)})
        reply = daemon.getresponse()
        text = reply.read().decode()
    assert reply.status == 200 and '"error"' not in text, text[-500:]
    return NAME


assert shutil.which("dpkg-query"), "these images are made on Debian"
