"""Images that somebody prepared, given to the daemon of the lab as a registry would give them."""

import http.client
import io
import json
import pathlib
import shutil
import socket
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


def make_image(site, name, links=(), files=(), changes=()):
    """The name of a new image: busybox with these links and files."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        busybox = pathlib.Path(shutil.which("busybox")).read_bytes()
        add_file(archive, "bin/busybox", busybox)
        given = {path for path, _ in (*links, *files)}
        for word in ("sh", "cat", "ls", "ln", "mkdir", "readlink", "rm", "rmdir", "mv", "sleep",
                     "touch", "grep", "id", "seq", "true", "test"):
            if f"bin/{word}" not in given:
                add_link(archive, f"bin/{word}", "busybox")
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
