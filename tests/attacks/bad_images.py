"""Images that somebody prepared, given to the daemon of the lab as a registry would give them."""

import http.client
import io
import json
import pathlib
import shutil
import socket
import subprocess
import tarfile
import urllib.parse


class Daemon(http.client.HTTPConnection):
    """The daemon of the lab, by its socket."""

    def __init__(self, path):
        super().__init__("daemon", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def add_link(archive, name, target):
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = tarfile.SYMTYPE, str(target)
    archive.addfile(entry)


def add_file(archive, name, content):
    entry = tarfile.TarInfo(name)
    entry.mode, entry.size = 0o755, len(content)
    archive.addfile(entry, io.BytesIO(content))


def add_folder(archive, name):
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = tarfile.DIRTYPE, 0o777
    archive.addfile(entry)


def make_image(site, name, links=(), files=(), changes=()):
    """The name of a new image: busybox with these links and files."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        busybox = pathlib.Path(shutil.which("busybox")).read_bytes()
        add_file(archive, "bin/busybox", busybox)
        given = {path for path, _ in (*links, *files)}
        for word in subprocess.check_output(["busybox", "--list"], text=True).split():
            if f"bin/{word}" not in given and word != "busybox":
                add_link(archive, f"bin/{word}", "busybox")
        add_file(archive, "etc/passwd", b"root:x:0:0::/root:/bin/sh\n"
                                        b"user:x:1000:1000::/home/user:/bin/sh\n")
        add_file(archive, "etc/group", b"root:x:0:\nuser:x:1000:\n")
        if not any(path.startswith("lib") for path in given):
            # With the machine's /usr mounted, its programs run in there too.
            add_link(archive, "lib", "usr/lib")
            add_link(archive, "lib64", "usr/lib64")
        for folder in ("home/user", "mnt", "root", "tmp", "usr"):
            add_folder(archive, folder)
        for path, target in links:
            add_link(archive, path, target)
        for path, bytes_of in files:
            add_file(archive, path, bytes_of)
    image = f"localhost/gpuyard-{name}:1"
    query = [("fromSrc", "-"), ("repo", image), ("changes", "ENV PATH=/bin"),
             *(("changes", change) for change in changes)]
    daemon = Daemon(site.daemon)
    daemon.request("POST", "/images/create?" + urllib.parse.urlencode(query), content.getvalue(),
                   {"Content-Type": "application/x-tar"})
    reply = daemon.getresponse()
    text = reply.read().decode()
    assert reply.status == 200 and '"error"' not in text, json.dumps(text)
    return image
