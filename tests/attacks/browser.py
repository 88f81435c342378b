"""What pages of tools, pages of strangers and clients without a name may do to browsers and server."""

import gzip
import http.client
import json
import re
import socket
import urllib.parse

from yard import ADMIN, PASSWORD

KEY = "k" * 43


def ask(port, method, path, headers=None, body=None):
    """The status, the headers and the body of one request."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    link.request(method, path, body, headers or {})
    reply = link.getresponse()
    text = reply.read()
    link.close()
    return reply.status, reply.headers, text


def tool_of(site, person="mallory", project="one"):
    """A workload of that person with a tool: its name."""
    who = site.people[person]
    status, answer = who.submit({"image": "localhost/none:1", "exposedUrls": [{"container": 8888}]},
                                "workspaces", project)
    assert status in (200, 202), f"{status} {answer}"
    return answer["name"]


def link_to(site, path, person="mallory"):
    """The tools' port, and the path with its code."""
    url = urllib.parse.urlsplit(site.people[person].make("/api/v1/tools", {"path": path})["url"])
    return url.port, f"{url.path}?{url.query}"


def ticket_for(site, name, person="mallory"):
    """The tools' port, and the cookie that the link became."""
    port, path = link_to(site, f"/one/{name}/", person)
    status, headers, body = ask(port, "GET", path)
    assert status == 303, f"{status} {body}"
    return port, headers["Set-Cookie"].partition(";")[0]


def sign_in_a_page(site):
    """The cookie of a page of the dashboard that is signed in as the administrator."""
    body = json.dumps({"grantType": "password", "username": ADMIN, "password": PASSWORD})
    status, headers, text = ask(site.server.port, "POST", "/api/v1/token",
                                {"Content-Type": "application/json", "Gpuyard-Page": KEY}, body)
    assert status == 200 and not re.search(rb"eyJ[\w-]+\.[\w-]+\.", text), f"{status} {text}"
    return headers["Set-Cookie"].partition(";")[0]


def me(site, **headers):
    return ask(site.server.port, "GET", "/api/v1/me",
               {name.replace("_", "-"): value for name, value in headers.items()})[0]


def attempt_use_the_cookie_of_a_tool_as_a_token(site):
    _, cookie = ticket_for(site, tool_of(site))
    value = cookie.partition("=")[2]
    assert me(site, Authorization=f"Bearer {value}") == 401
    assert me(site, Cookie=cookie) == 401
    assert me(site, Cookie=f"gpuyard_session={value}", Gpuyard_Page=KEY) == 401


def attempt_use_the_cookie_of_a_tool_for_another_one(site):
    port, cookie = ticket_for(site, tool_of(site))
    other = tool_of(site)
    assert ask(port, "GET", f"/one/{other}/", {"Cookie": cookie})[0] == 401


def attempt_change_the_cookie_of_a_tool(site):
    name = tool_of(site)
    port, cookie = ticket_for(site, name)
    for at in (20, len(cookie) // 2, len(cookie) - 2):
        changed = cookie[:at] + ("A" if cookie[at] != "A" else "B") + cookie[at + 1:]
        assert ask(port, "GET", f"/one/{name}/", {"Cookie": changed})[0] == 401


def attempt_use_a_link_twice_or_for_another_tool(site):
    name, other = tool_of(site), tool_of(site)
    port, path = link_to(site, f"/one/{name}/")
    assert ask(port, "GET", path.replace(f"/{name}/", f"/{other}/"))[0] == 401
    assert ask(port, "GET", path)[0] == 303
    assert ask(port, "GET", path)[0] == 401


def attempt_open_a_tool_of_another_project(site):
    name = tool_of(site, "otto", "two")
    status, answer = site.mallory.ask("POST", "/api/v1/tools", {"path": f"/two/{name}/"})
    assert status in (403, 404), f"{status} {answer}"


def attempt_learn_names_of_tools_without_signing_in(site):
    name = tool_of(site)
    port, _ = link_to(site, f"/one/{name}/")
    for headers in ({}, {"Authorization": "Bearer junk"}, {"Cookie": "gpuyard_tools=junk"}):
        for door in (port, site.server.port):
            there = ask(door, "GET", f"/one/{name}/", headers)
            nothing = ask(door, "GET", "/one/there-is-nothing/", headers)
            # An answer may repeat the path that was asked for, and nothing else of it.
            said = str(there[2]).replace(name, "NAME"), str(nothing[2]).replace("there-is-nothing", "NAME")
            assert there[0] == nothing[0] and said[0] == said[1], f"{door} {headers} {said}"


def attempt_use_the_dashboards_cookie_alone(site):
    """Every port of the host receives it."""
    cookie = sign_in_a_page(site)
    assert me(site, Cookie=cookie, Gpuyard_Page=KEY) == 200
    assert me(site, Cookie=cookie) == 401
    assert me(site, Cookie=cookie, Gpuyard_Page="x" * 43) == 401
    assert me(site, Gpuyard_Page=KEY) == 401
    assert me(site, Authorization=f"Bearer {cookie.partition('=')[2]}") == 401


def attempt_act_as_the_dashboard_from_another_origin(site):
    cookie = sign_in_a_page(site)
    for header in ({"Origin": f"http://127.0.0.1:{site.server.port + 1}"}, {"Origin": "null"},
                   {"Sec_Fetch_Site": "same-site"}):
        assert me(site, Cookie=cookie, Gpuyard_Page=KEY, **header) == 403, header


def attempt_open_a_websocket_from_another_origin(site):
    name = tool_of(site)
    port, cookie = ticket_for(site, name)
    hello = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
             "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://127.0.0.1:1"}
    assert ask(port, "GET", f"/one/{name}/api", {**hello, "Cookie": cookie})[0] == 403
    assert ask(site.server.port, "GET", "/api/v1/workloads/x/exec",
               {**hello, "Authorization": f"Bearer {site.mallory.token}"})[0] == 403


def attempt_send_a_bomb_without_signing_in(site):
    bomb = gzip.compress(b"[" + b"{}," * 2_700_000 + b"{}]")
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    assert ask(site.server.port, "POST", "/api/v1/token", headers, bomb)[0] == 415
    plain = {"Content-Type": "application/json"}
    assert ask(site.server.port, "POST", "/api/v1/token", plain, b" " * 20_000)[0] == 413


def attempt_send_more_values_than_a_body_may_hold(site):
    body = b"[" + b"{}," * 100_000 + b"{}]"
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {site.mallory.token}"}
    assert ask(site.server.port, "POST", "/api/v1/workloads/batch", headers, body)[0] in (413, 404)
    assert ask(site.server.port, "POST", "/api/v1/workloads/trainings", headers, body)[0] == 413


def attempt_make_the_server_wait_for_a_strangers_body(site):
    with socket.create_connection(("127.0.0.1", site.server.port), timeout=60) as link:
        link.sendall(b"POST /api/v1/workloads/trainings HTTP/1.1\r\nHost: h\r\n"
                     b"Content-Length: 8000000\r\n\r\n")
        assert b" 401 " in link.recv(4096).split(b"\r\n")[0]
