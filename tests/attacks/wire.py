"""What a tool, and a client of a tool, may send through the proxy. The tool is a program of the member,
which answers with whatever bytes it likes; a reverse proxy may stand before the server and share a
connection among people."""

import contextlib
import socket

from browser import link_to, ticket_for
from native_tasks import pair_at
from yard import free_port, until

TOOL = r'''
import os, socket, sys, threading

def answer(link):
    asked = b""
    while b"\r\n\r\n" not in asked:
        more = link.recv(65536)
        if not more:
            return
        asked += more
    name = asked.split(b" ")[1].rpartition(b"/")[2].decode()
    if name == "echo":
        link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(asked) + asked)
    elif name.startswith("x"):
        link.sendall(bytes.fromhex(name[1:]))
    else:
        link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    more = link.recv(65536) if name.startswith("x") else b""
    if more:
        print("TAKEN", repr(more), flush=True)
    link.close()

place = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("listens", flush=True)
while True:
    threading.Thread(target=answer, args=(place.accept()[0],), daemon=True).start()
'''


class Tool:
    """A tool of mallory's under her own account, and a way to it."""

    def __init__(self, site, pair):
        self.site = site
        program = pair.place / "tool.py"
        program.write_text(TOOL, encoding="utf-8")
        port = free_port()
        status, answer = site.mallory.submit(
            {"command": ["python3", str(program), str(port)],
             "exposedUrls": [{"container": port, "authorizationType": "public"}]}, "workspaces")
        assert status in (200, 202), f"{status} {answer}"
        self.ident, self.name = answer["workloadId"], answer["name"]
        until("the tool listens", lambda: "listens" in str(self.log()))
        self.port, self.cookie = ticket_for(site, self.name)
        self.base = f"/one/{self.name}"

    def log(self):
        return self.site.mallory.ask("GET", f"/api/v1/workloads/{self.ident}/logs")[1]

    def end(self):
        self.site.mallory.ask("POST", f"/api/v1/workloads/{self.ident}/cancel")

    def open(self, path, more=""):
        link = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.cookie}\r\n"
                     f"{more}\r\n".encode())
        return link

    def said(self, path, more=""):
        """All that comes back, until nothing more comes for a moment."""
        with self.open(path, more) as link:
            text = link.recv(65536)
            link.settimeout(0.5)
            with contextlib.suppress(TimeoutError):
                while piece := link.recv(65536):
                    text += piece
        return text

    def answer_to(self, raw):
        """What becomes of these bytes as the tool's answer."""
        return self.said(f"{self.base}/x{raw.hex()}")


@contextlib.contextmanager
def tool_at(site):
    with pair_at(site) as pair:
        tool = Tool(site, pair)
        try:
            yield tool
        finally:
            tool.end()


def attempt_take_the_next_request_by_an_upgrade(site):
    """The tool changed the protocol of a plain request; what came next on the connection was its own."""
    with tool_at(site) as tool:
        raw = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        with tool.open(f"{tool.base}/x{raw.hex()}") as link:
            text = link.recv(65536)
            assert text.startswith(b"HTTP/1.1 502"), text
            with contextlib.suppress(OSError):
                link.sendall(b"GET /one/other/ HTTP/1.1\r\nHost: h\r\nCookie: of-somebody-else\r\n\r\n")
                link.recv(65536)
        assert "TAKEN" not in str(tool.log()), tool.log()


def attempt_answer_with_what_is_no_http(site):
    """Nothing of it may be read as a second answer, or as an answer without a status."""
    head = b"HTTP/1.1 200 OK\r\n"
    hidden = head + b"X-Hidden: 1\r\nContent-Length: 0\r\n\r\n"
    with tool_at(site) as tool:
        for raw in (head + b"Content-Length: 5\r\nContent-Length: 50\r\n\r\nhello" + hidden,
                    head + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
                    head + b"Content-Length: -5\r\n\r\nhello",
                    b"HTTP/1.1 200 OK\nSet-Cookie: a=b\nContent-Length: 0\n\n",
                    b"HTTP/1.1 99999 X\r\n\r\n", b"HTTP/1.1 000 X\r\n\r\n", b"HTTP/1.1 999 X\r\n\r\n",
                    b"<html>", head + b"X-A: a\0b\r\nContent-Length: 0\r\n\r\n",
                    b"HTTP/1.1 200 O\rK\r\nX-A: a\rX-Hidden: 1\r\nContent-Length: 0\r\n\r\n",
                    b"HTTP/1.1 100 Continue\r\n\r\n" * 20):
            text = tool.answer_to(raw)
            assert text.startswith(b"HTTP/1.1 502 ") and b"X-Hidden" not in text, (raw, text)
        for status in (b"204 No Content", b"304 Not Modified"):
            text = tool.answer_to(b"HTTP/1.1 " + status + b"\r\nContent-Length: 60\r\n\r\n" + hidden)
            assert text.count(b"HTTP/1.1") == 1 and b"Hidden" not in text, text


def attempt_set_our_cookies_under_other_names(site):
    with tool_at(site) as tool:
        for cookie in ("gpuyard_tools=x; Path=/", ";gpuyard_tools=x", "=gpuyard_tools=x",
                       " gpuyard_tools =x", "__Host-gpuyard_session=x", "gpuyard_tools;x=1"):
            text = tool.answer_to(f"HTTP/1.1 200 OK\r\nSet-Cookie: {cookie}\r\n"
                                  "Content-Length: 0\r\n\r\n".encode())
            assert text.startswith(b"HTTP/1.1 200") and b"set-cookie" not in text.lower(), text
        text = tool.answer_to(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/; Domain=127.0.0.1\r\n"
                              b"Service-Worker-Allowed: /\r\nContent-Length: 0\r\n\r\n")
        assert f"a=1; Path={tool.base}\r\n".encode() in text and b"worker" not in text.lower(), text


def attempt_tell_a_tool_to_be_somebody_else(site):
    """By the names under which tools are told who calls: Grafana's among them."""
    names = ("X-WEBAUTH-USER", "X-User", "X-Username", "X-Email", "X-Authenticated-User",
             "X-Forwarded-Groups", "X-Client-Cert", "True-Client-IP", "X-Original-Host",
             "X_Forwarded_User", "Remote-User", "X-Goog-Authenticated-User-Email")
    with tool_at(site) as tool:
        more = "".join(f"{name}: somebody-else\r\n" for name in names)
        text = tool.said(f"{tool.base}/echo", more + "Connection: X-Forwarded-User\r\n")
        assert b"somebody-else" not in text, text
        assert b"x-forwarded-user: mallory@lab.example.org\r\n" in text, text
        assert tool.said(f"{tool.base}/echo", "X-Forwarded-User : x\r\n").startswith(b"HTTP/1.1 400")


def attempt_reach_a_tool_by_another_path(site):
    """What is the tool's, and nothing else, answers to its ticket."""
    with tool_at(site) as tool:
        one, name = "/one", tool.name
        for path in (f"{tool.base}/%2e%2e/%2e%2e/api", f"/{tool.base}/", f"{one}//{name}/",
                     f"{tool.base}/../x", f"{tool.base}%2fecho", f"{tool.base};x/echo",
                     f"{one}/{name.upper()}/", f"{tool.base}/x?gpuyard-code=zzz", "/api/v1/me",
                     f"{one}/{name}\\x", "/../api/v1/me", "*", "http://h/api/v1/me"):
            text = tool.said(path)
            assert text[9:12] in (b"400", b"401", b"404"), (path, text[:300])
        port, path = link_to(site, f"{tool.base}/")
        codes = []
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as link:
                link.sendall(f"GET {path} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
                codes.append(link.recv(4096)[9:12])
        assert codes == [b"303", b"401"], f"the code of a link is good twice: {codes}"
