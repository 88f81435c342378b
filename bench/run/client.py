"""What bench/run.sh asks of a Gpuyard server, through its HTTP API.

  client.py jobs URL TOKEN COUNT CONNECTIONS     `true` jobs until every record says Completed
  client.py latency URL TOKEN COUNT              one job after the other: submission to running
  client.py load URL TOKEN RUNNING PENDING       fills the server: `sleep` jobs and a queue

Each prints one JSON object. Requests are written to plain sockets: the client shares the
processor with the server, so it must cost little.
"""
import calendar
import json
import socket
import sys
import time
from urllib.parse import quote, urlparse


# A hundred fit on two cores at once; Slurm is given 128 places.
SMALL = {"cpuCoreRequest": 0.02, "cpuMemoryRequest": "10Mi"}


class Connection:
    def __init__(self, url, token):
        self.host = urlparse(url)
        self.head = f"Host: {self.host.netloc}\r\nAuthorization: Bearer {token}\r\n"
        self.socket = socket.create_connection((self.host.hostname, self.host.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def send(self, method, path, body=None):
        text = "" if body is None else json.dumps(body)
        kind = "Content-Type: application/json\r\n" if text else ""
        self.socket.sendall(
            f"{method} {path} HTTP/1.1\r\n{self.head}{kind}Content-Length: {len(text)}\r\n\r\n{text}".encode()
        )

    def more(self):
        got = self.socket.recv(1 << 18)
        if not got:
            raise ConnectionError("the server closed the connection")
        self.rest += got

    def receive(self):
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        status = int(lines[0].split()[1])
        size = next((int(l.split(":")[1]) for l in lines if l.lower().startswith("content-length:")), 0)
        while len(self.rest) < size:
            self.more()
        body, self.rest = self.rest[:size], self.rest[size:]
        if status >= 300:
            raise RuntimeError(f"{lines[0]}: {body[:500].decode()}")
        return json.loads(body) if body else None

    def ask(self, method, path, body=None):
        self.send(method, path, body)
        return self.receive()


class Yard:
    def __init__(self, url, token):
        self.url, self.token = url, token
        self.one = Connection(url, token)
        cluster = self.one.ask("GET", "/api/v1/clusters")[0]["uuid"]
        pool = self.one.ask("GET", "/api/v1/node-pools")["nodepools"][0]["id"]
        name = f"bench-{time.time_ns() // 1000 % 10**10}"
        draft = {
            "name": name,
            "clusterId": cluster,
            "resources": [{"nodePool": {"id": pool}, "gpu": {"deserved": 1}}],
        }
        project = self.one.ask("POST", "/api/v1/org-unit/projects", draft)["id"]
        self.base = {"projectId": str(project), "clusterId": cluster}

    def job(self, name, words, **compute):
        command, _, args = words.partition(" ")
        spec = {"command": command, "args": args, "compute": compute or SMALL}
        return {**self.base, "name": name, "spec": spec}

    def submit(self, drafts, connections):
        """Keeps one submission in flight on each connection."""
        links = [Connection(self.url, self.token) for _ in range(connections)]
        made = []
        for at in range(0, len(drafts), connections):
            batch = list(zip(links, drafts[at : at + connections]))
            for link, draft in batch:
                link.send("POST", "/api/v1/workloads/trainings", draft)
            made += [link.receive() for link, _ in batch]
        return made

    def count(self, phase):
        where = quote(f"phase=={phase},projectId=={self.base['projectId']}")
        return self.one.ask("GET", f"/api/v1/workloads/count?filterBy={where}")["count"]

    def wait(self, phase, count, every):
        while (now := self.count(phase)) < count:
            if self.count("Failed"):
                raise RuntimeError("a job failed")
            time.sleep(every)
        return now


def run_jobs(yard, count, connections):
    drafts = [yard.job(f"job-{i}", "true") for i in range(count)]
    start = time.monotonic()
    yard.submit(drafts, connections)
    submitted = time.monotonic() - start
    yard.wait("Completed", count, 0.1)
    took = time.monotonic() - start
    return {"jobs": count, "seconds": took, "rate": count / took, "submitted_rate": count / submitted}


def seconds_of(text):
    whole, _, part = text.rstrip("Z").partition(".")
    at = time.strptime(whole, "%Y-%m-%dT%H:%M:%S")
    return calendar.timegm(at) + float(f"0.{part or 0}")


def measure_latency(yard, count):
    took = []
    for i in range(count):
        before = time.time()
        made = yard.submit([yard.job(f"one-{i}", "true")], 1)[0]
        yard.wait("Completed", i + 1, 0.005)
        path = f"/api/v1/workloads/{made['workloadId']}/attempts"
        attempt = yard.one.ask("GET", path)["attempts"][0]
        took.append((seconds_of(attempt["startedAt"]) - before) * 1000)
    took.sort()
    return {"jobs": count, "p50_ms": took[len(took) // 2], "p99_ms": took[len(took) * 99 // 100]}


def fill(yard, running, pending):
    tiny = {"cpuCoreRequest": 0.001, "cpuMemoryRequest": "1Mi"}
    holder = yard.job("holder", "sleep 100000", gpuDevicesRequest=1, gpuRequestType="portion",
                      gpuPortionRequest=1, **tiny)
    sleeps = [yard.job(f"sleep-{i}", "sleep 100000", **tiny) for i in range(running - 1)]
    yard.submit([holder], 1)
    yard.wait("Running", 1, 0.1)
    yard.submit(sleeps, 8)
    yard.wait("Running", running, 0.5)
    queue = [
        yard.job(f"wait-{i}", "true", gpuDevicesRequest=1, gpuRequestType="portion",
                 gpuPortionRequest=1, **tiny)
        for i in range(pending)
    ]
    yard.submit(queue, 8)
    return {"running": yard.wait("Running", running, 0.5), "pending": yard.wait("Pending", pending, 0.5)}


def main():
    what, url, token, *numbers = sys.argv[1:]
    tasks = {"jobs": run_jobs, "latency": measure_latency, "load": fill}
    print(json.dumps(tasks[what](Yard(url, token), *map(int, numbers))))


if __name__ == "__main__":
    main()
