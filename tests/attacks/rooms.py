"""What one member may take of the server's memory, time and descriptors: all share one process.

The site's server has little to do, so its size says what an attempt has cost it.
"""

import base64
import http.client
import json
import pathlib
import socket
import threading
import time
import uuid

from data_sets import MIB, framed, name_of, place, send, sized, varint
from native_tasks import pair_at
from tracking import API, ask, make
from yard import until

MEMBER = "mallory"


def resident(site):
    """MiB that the process which speaks to strangers has in memory."""
    status = pathlib.Path(f"/proc/{site.server.process.pid}/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1024


def attempt_send_a_manifest_of_holes(site):
    """A hole takes a byte of the manifest and 48 in memory. 16 MiB of them took the server 1.3 GiB."""
    count = 16 * MIB
    head = (b"gydm1\n" + varint(1) + sized(b"f") + varint(0o644) + varint(0) + varint(count)
            + varint(count))
    hole = b"\x03"
    pieces = [head + hole * (MIB - len(head)), hole * MIB, hole * len(head)]
    for piece in pieces:
        status, text = send(site, "laura", f"{place(site, 'one')}/chunks", framed(piece))
        assert status == 200, f"{status} {text}"
    before = resident(site)
    names = [name_of(piece).hex() for piece in pieces]
    status, answer = site.laura.ask("POST", f"{place(site, 'one')}/versions", {
        "name": "holes", "manifest": [names[0]] + [names[1]] * 15 + [names[2]]})
    assert status == 400, f"{status} {answer}"
    assert resident(site) - before < 100, "the manifest grew in memory"


def attempt_fill_a_journal_with_nothing(site):
    """Entries without a text were counted as nothing, and stayed in memory."""
    journal = f"/api/v1/study-journals/{site.projects['one']}/nothing"
    statuses = []
    for number in range(13):
        statuses.append(site.mallory.ask("POST", journal, {
            "id": f"a{number}", "entries": [""] * 99_000})[0])
    site.mallory.ask("DELETE", journal)
    assert statuses[0] == 204 and statuses[-1] == 412, statuses


def attempt_search_for_what_nearly_fits(site):
    """Eight such searches stopped the I/O threads for 17 seconds."""
    for number in range(40):
        make(site, MEMBER, "/experiments/create", {
            "name": f"near-{site.count}-{number}", "tags": [{"key": "k", "value": "a" * 5000}]})
    site.count += 1
    status, text = ask(site, MEMBER, "POST", f"{API}/experiments/search",
                       {"filter": f"tags.k LIKE '%{'a' * 2400}b%'"})
    assert status == 400 and "pattern" in text, f"{status} {text}"
    wanted = " AND ".join([f"tags.k LIKE '%a_{'a' * 900}b%'"] * 50)
    statuses, began = [], time.monotonic()
    searches = [threading.Thread(target=lambda: statuses.append(
        ask(site, MEMBER, "POST", f"{API}/experiments/search", {"filter": wanted})[0]))
        for _ in range(8)]
    for search in searches:
        search.start()
    for search in searches:
        search.join()
    assert set(statuses) <= {200, 429, 503} and 200 in statuses, statuses
    assert time.monotonic() - began < 15, "the searches took too long"


def attempt_keep_specs_of_megabytes(site):
    """Each took three times its length in memory for as long as the work is known."""
    words = ["sleep", "1000", *["x" * 100_000] * 70]
    status, answer = site.mallory.submit({"command": words})
    assert status == 413 and "bytes" in str(answer), f"{status} {str(answer)[:300]}"
    status, answer = site.mallory.ask("POST", "/api/v1/studies", {
        "name": "long", "projectId": str(site.projects["one"]), "spec": {
            "objectives": [{"metric": "loss"}], "maxTrials": 1,
            "parameters": [{"name": "x", "low": 0, "high": 1}], "workload": {"command": words}}})
    assert status == 413, f"{status} {str(answer)[:300]}"
    status, answer = site.admin.ask("POST", "/api/v1/asset/environment", {
        "meta": {"name": "long", "scope": "project", "projectId": int(site.projects["one"])},
        "spec": {"image": "localhost/none:1", "command": "x" * 2_000_000}})
    assert status in (400, 413), f"{status} {str(answer)[:300]}"


def attempt_have_long_answers_kept(site):
    """An answer to a request with an Idempotency-Key was kept for a day, however long."""
    body = json.dumps({"order": "cancel", "ids": [str(uuid.uuid4()) for _ in range(5000)]})
    link = http.client.HTTPConnection("127.0.0.1", site.server.port, timeout=60)
    before = resident(site)
    for number in range(120):
        link.request("POST", "/api/v1/workloads/orders", body, {
            "Content-Type": "application/json", "Authorization": f"Bearer {site.mallory.token}",
            "Idempotency-Key": f"long-{site.count}-{number}"})
        reply = link.getresponse()
        assert reply.status == 200 and len(reply.read()) > 500_000
    link.close()
    site.count += 1
    assert resident(site) - before < 48, f"{resident(site) - before} MiB are kept"


def shell_into(site, person, ident):
    """A connection on which a command in running work was asked for."""
    link = socket.create_connection(("127.0.0.1", site.server.port), timeout=60)
    key = base64.b64encode(b"0" * 16).decode()
    link.sendall(f"GET /api/v1/workloads/{ident}/exec?command=sleep&command=600 HTTP/1.1\r\n"
                 "Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                 f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
                 f"Authorization: Bearer {site.people[person].token}\r\n\r\n".encode())
    return link


def attempt_hold_every_descriptor(site):
    """4,000 shells of one member took all descriptors of the server; it answered nobody."""
    with pair_at(site):
        ident = site.mallory.run({"command": "sleep 600"})
        until("it runs", lambda: site.mallory.ask(
            "GET", f"/api/v1/workloads/{ident}")[1].get("phase") == "Running")
        held, answers = [], []
        try:
            for _ in range(16):
                more = [shell_into(site, MEMBER, ident) for _ in range(20)]
                held += more
                answers += [link.recv(12) for link in more]
            assert answers.count(b"HTTP/1.1 101") == 300, answers.count(b"HTTP/1.1 101")
            assert answers.count(b"HTTP/1.1 429") == 20, set(answers)
            own = site.laura.run({"command": "sleep 600"})
            until("hers runs", lambda: site.laura.ask(
                "GET", f"/api/v1/workloads/{own}")[1].get("phase") == "Running")
            hers = shell_into(site, "laura", own)
            held.append(hers)
            assert hers.recv(12) == b"HTTP/1.1 101", "another member has no shell"
        finally:
            for link in held:
                link.close()
        again = shell_into(site, MEMBER, ident)
        seats = [again]
        until("the seats are free again", lambda: seats.append(
            shell_into(site, MEMBER, ident)) or seats[-1].recv(12) == b"HTTP/1.1 101")
        for link in seats:
            link.close()
        site.mallory.ask("POST", f"/api/v1/workloads/{ident}/cancel")
        site.laura.ask("POST", f"/api/v1/workloads/{own}/cancel")


def attempt_ask_for_numbers_without_end(site):
    for compute in ({"cpuCoreRequest": -1}, {"cpuCoreRequest": 1e308}, {"cpuMemoryRequest": "-5Gi"},
                    {"cpuMemoryRequest": "9e30Gi"}, {"cpuMemoryRequest": "9223372036854775807Gi"},
                    {"gpuDevicesRequest": -1}, {"gpuDevicesRequest": 10**9},
                    {"gpuPortionRequest": "NaN", "gpuRequestType": "portion"}):
        status, answer = site.mallory.submit({"command": "true", "compute": compute})
        assert status == 400, f"{compute}: {status} {answer}"
    status, answer = site.mallory.submit({
        "command": "true", "numWorkers": 10**9, "distributedFramework": "PyTorch"}, "distributed")
    assert status == 400, f"{status} {answer}"
