"""Requests that the contract does not allow, and what the server's log says of others."""

import contextlib
import json
import pathlib
import socket
import tempfile
import time

from yard import Server

HEALTHZ = b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"


def attempt_leave_values_of_a_query_empty(site):
    for query in ("sortOrder=", "limit=", "offset="):
        status, answer = site.admin.ask("GET", f"/api/v1/org-unit/projects?{query}")
        assert status == 400, f"{query}: {status} {answer}"


def attempt_set_a_strategy_to_nothing(site):
    body = {"name": "odd", "labelKey": "a", "labelValue": "b",
            "placementStrategy": {"gpu": None, "cpu": "spread"}}
    status, answer = site.admin.ask("POST", "/api/v1/node-pools", body)
    assert status == 400, f"{status} {answer}"


def attempt_fill_the_log_with_errors(site):
    """What is not offered is no failure of the server."""
    status, _ = site.admin.ask("POST", "/api/v1/org-unit/reports", {})
    assert status == 501, status
    lines = (site.server.home / "server.log").read_text().splitlines()
    errors = [line for line in map(json.loads, lines) if line.get("status") == "501"
              and line.get("level") == "error"]
    assert not errors, errors[0]


def status_of(link):
    """Of the next answer; 0 if the connection ends before it."""
    line = link.recv(4096).split(b"\r\n")[0]
    return int(line.split()[1]) if line.startswith(b"HTTP/1.1 ") else 0


def healthz(port, source="127.0.0.1"):
    with socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0)) as link:
        link.sendall(HEALTHZ)
        return status_of(link)


def attempt_end_the_server_by_a_chunk_in_pieces(site):
    """The parser asserts that the end of an empty body comes in one piece."""
    with socket.create_connection(("127.0.0.1", site.server.port), timeout=20) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.sendall(b"POST /api/v1/token HTTP/1.1\r\nHost: h\r\n"
                     b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        for byte in b"0\r\n\r\n":
            time.sleep(0.05)  # each should arrive alone; if two come together, this proves less
            link.sendall(bytes([byte]))
        assert status_of(link) == 400
    assert site.server.process.poll() is None, "the server has ended"
    assert healthz(site.server.port) == 200


def attempt_take_every_connection_of_the_server(_):
    most = 20
    server = Server(pathlib.Path(tempfile.mkdtemp(prefix="gyr-")))
    server.start(options=["--engine", "none", "--max-connections", str(most)])
    try:
        server.wait_ready()
        with contextlib.ExitStack() as held:
            for _ in range(3 * most):
                with contextlib.suppress(OSError):
                    link = held.enter_context(
                        socket.create_connection(("127.0.0.1", server.port), timeout=20))
                    link.sendall(HEALTHZ)  # an answer shows that the server holds the connection
                    status_of(link)
            for _ in range(3):
                status = healthz(server.port, "127.0.0.2")
                assert status == 200, status
    finally:
        server.remove()


def attempt_ask_for_an_endless_study(site):
    """Each suggestion looks at all of its parts, and each line of a log at its pattern."""
    parameter = {"name": "x", "low": 0, "high": 1}
    good = {"objectives": [{"metric": "loss"}], "parameters": [parameter]}
    bad = [{"constraints": ["x < 1"] * 101}, {"constraints": ["x" * 1001]},
           {"derived": [{"name": f"d{i}", "expression": "x"} for i in range(101)]},
           {"parameters": [{**parameter, "name": f"p{i}"} for i in range(501)]},
           {"parameters": [{"name": "x", "choices": list(range(10_001))}]},
           {"objectives": [{"metric": f"m{i}"} for i in range(11)]},
           {"pattern": "loss={loss}" + "x" * 1000}]
    for number, more in enumerate(bad):
        status, answer = site.people["mallory"].ask("POST", "/api/v1/studies", {
            "name": f"endless-{number}", "projectId": str(site.projects["one"]),
            "spec": {**good, **more}})
        assert status == 400, f"{list(more)}: {status} {answer}"
