#!/usr/bin/env python3
"""What a crowd of clients costs a release server, and what an attacker does to the others.

    bench/load.py [SECONDS]      the program is build/release/gpuyard, or YARD_BUILD's

Measurements, each against a server of its own with its defaults (no engine):

  quiet      nothing beside the probes
  crowd      2,000 idle connections and 250 that send half of an 8 MB body: memory, p99 of /healthz;
             once without a token and once with one
  strangers  sixteen clients without a token send compressed bodies at 39 KB/s together: p99 of /healthz
  member     four clients with a token send the largest bodies that are taken: p99 of /healthz

Prints one line of JSON for each. Exits 1 if memory exceeds 200 MiB, or p99 of crowd or strangers 50 ms.
A build with sanitizers keeps what was freed, so its memory is shown and not judged.
"""

import contextlib
import gzip
import http.client
import json
import os
import pathlib
import resource
import socket
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/lib"))
from yard import ADMIN, PASSWORD, PROGRAM, Server  # noqa: E402

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
MOST_MEMORY = 200 * 1024
MOST_P99 = 50.0


@contextlib.contextmanager
def serving():
    server = Server(pathlib.Path(tempfile.mkdtemp(prefix="gyb-")))
    server.start(options=["--engine", "none"])
    try:
        server.wait_ready()
        yield server
    finally:
        server.remove()


def memory(server):
    """Resident, in KiB: now and at the most."""
    text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return int(fields["VmRSS"].split()[0]), int(fields["VmHWM"].split()[0])


def probe(server, seconds):
    """Milliseconds that /healthz took, on connections of its own."""
    took, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        link.request("GET", "/healthz")
        assert link.getresponse().status == 200
        link.close()
        took.append((time.monotonic() - began) * 1000)
        time.sleep(0.02)
    return sorted(took)


def told(name, took, **more):
    line = {"name": name, "probes": len(took), "p50_ms": round(took[len(took) // 2], 1),
            "p99_ms": round(took[min(len(took) - 1, len(took) * 99 // 100)], 1),
            "max_ms": round(took[-1], 1), **more}
    print(json.dumps(line), flush=True)
    return line


def token(server):
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    link.request("POST", "/api/v1/token", json.dumps(
        {"grantType": "password", "username": ADMIN, "password": PASSWORD}),
        {"Content-Type": "application/json"})
    return json.loads(link.getresponse().read())["accessToken"]


def quiet():
    with serving() as server:
        return told("quiet", probe(server, min(SECONDS, 5)), rss_kib=memory(server)[0])


def crowd(who):
    with serving() as server:
        bearer = f"Authorization: Bearer {token(server)}\r\n" if who == "member" else ""
        head = (f"POST /api/v1/workloads/trainings HTTP/1.1\r\nHost: h\r\n{bearer}"
                "Content-Type: application/json\r\nContent-Length: 8000000\r\n\r\n").encode()
        half = b" " * 4_000_000
        open_ones = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2000)]
        for _ in range(250):
            link = socket.create_connection(("127.0.0.1", server.port))
            link.settimeout(0.5)
            with contextlib.suppress(OSError):
                link.sendall(head)
                link.sendall(half)
            open_ones.append(link)
        took = probe(server, min(SECONDS, 10))
        rss, peak = memory(server)
        for link in open_ones:
            link.close()
        return told(f"crowd of a {who}", took, idle=2000, half_open=250, rss_kib=rss, peak_kib=peak)


class Senders:
    """Threads that send one request again and again, each at its share of the rate."""

    def __init__(self, server, count, request, pause):
        self.stop = threading.Event()
        self.sent = 0
        self.threads = [threading.Thread(target=self.send, args=(server, request, pause))
                        for _ in range(count)]

    def send(self, server, request, pause):
        while not self.stop.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
                link.request(*request)
                link.getresponse().read()
                link.close()
                self.sent += 1
            self.stop.wait(pause)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads:
            thread.join()


def strangers():
    body = gzip.compress(b"[" + b"{}," * 2_700_000 + b"{}]")
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    with serving() as server:
        # Sixteen clients send 39 KB/s together.
        pause = 16 * len(body) / 39_000
        with Senders(server, 16, ("POST", "/api/v1/token", body, headers), pause) as senders:
            took = probe(server, SECONDS)
        return told("strangers", took, body_bytes=len(body), requests=senders.sent)


def member():
    values = b"[" + b"{}," * 99_000 + b"{}]"
    with serving() as server:
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip",
                   "Authorization": f"Bearer {token(server)}"}
        body = gzip.compress(values + b" " * (1_000_000 - len(values)))
        request = ("POST", "/api/v1/workloads/trainings", body, headers)
        with Senders(server, 4, request, 0) as senders:
            took = probe(server, SECONDS)
        return told("member", took, body_bytes=len(body), requests=senders.sent)


def main():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    sanitized = b"__asan_init" in PROGRAM.read_bytes()
    print(json.dumps({"machine": f"{os.cpu_count()} cores", "load": os.getloadavg()[0],
                      "date": time.strftime("%Y-%m-%d"), "sanitized": sanitized}), flush=True)
    quiet()
    crowds = [crowd("stranger"), crowd("member")]
    slowest = max(line["p99_ms"] for line in [*crowds, strangers()])
    member()
    largest = max(line["peak_kib"] for line in crowds)
    return 0 if (sanitized or largest <= MOST_MEMORY) and slowest <= MOST_P99 else 1


if __name__ == "__main__":
    sys.exit(main())
