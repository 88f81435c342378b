"""Escapes from tools that advisories of JupyterHub and its spawners describe.

docs/security-escapes.md has the list.
"""

import json
import secrets

from browser import KEY, ask, sign_in_a_page, ticket_for, tool_of
from escapes import Work, result, script
from site_of_attacks import IMAGE
from yard import until

UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}


def page_of(site, person, key):
    """The cookie of a page that this person has signed in with a key of their own."""
    status, answer = person.ask("GET", "/api/v1/me")
    assert status == 200, answer
    body = json.dumps({"grantType": "password", "username": person.email,
                       "password": person.password})
    headers = {"Content-Type": "application/json", "Gpuyard-Page": key}
    status, headers, text = ask(site.server.port, "POST", "/api/v1/token", headers, body)
    assert status == 200, text
    return headers["Set-Cookie"].partition(";")[0]


def attempt_cve_2024_28233_toss_a_cookie(site):
    """A page on another port of the host sets the dashboard's cookie; whose session is it then?"""
    from identity import user
    thief = page_of(site, user(site, "tosser"), "t" * 43)
    admin = sign_in_a_page(site)
    for cookies in (f"{thief}; {admin}", f"{admin}; {thief}", thief):
        status, _, text = ask(site.server.port, "GET", "/api/v1/me",
                              {"Cookie": cookies, "Gpuyard-Page": KEY})
        assert status == 401 or b"admin@gpuyard.local" in text, text


SERVE = (r"while true; do printf 'HTTP/1.1 200 OK\r\nSet-Cookie: gpuyard_session=evil; Path=/\r\n"
         r"Set-Cookie: gpuyard_tools=evil; Path=/\r\nSet-Cookie: own=1; Path=/; Domain=127.0.0.1\r\n"
         r"Content-Length: 2\r\nConnection: close\r\n\r\nhi' | nc -l -p 8888; done & "
         "echo ready; sleep 1000")


def attempt_cve_2024_28233_set_cookies_for_the_site(site):
    """A tool's own answers set cookies for more than its path."""
    site.needs_containers()
    spec = {"image": IMAGE, "command": ["/bin/sh", "-c", SERVE],
            "exposedUrls": [{"container": 8888}]}
    with Work(site, site.mallory, spec) as work:
        port, cookie = ticket_for(site, work.name)

        def answer():
            status, headers, _ = ask(port, "GET", f"/one/{work.name}/", {"Cookie": cookie})
            return (headers.get_all("Set-Cookie") or []) if status == 200 else None
        cookies = until("the tool answers", answer)
    assert [line for line in cookies if line.startswith("own=1")], cookies
    for line in cookies:
        assert not line.startswith("gpuyard_") or "evil" not in line, line
        assert "domain" not in line.lower() and f"Path=/one/{work.name}" in line, line


def attempt_cve_2026_40864_change_things_from_another_site(site):
    """Forms and pictures of other sites come with the mode no-cors."""
    cookie = sign_in_a_page(site)
    name = f"forged-{secrets.token_hex(4)}@lab.example.org"
    for headers in ({}, {"Sec-Fetch-Mode": "no-cors"}, {"Sec-Fetch-Mode": "no-cors",
                    "Sec-Fetch-Site": "cross-site"}, {"Origin": "null"},
                    {"Sec-Fetch-Mode": "no-cors", "Gpuyard-Page": ""}):
        for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded"):
            status, _, text = ask(site.server.port, "POST", "/api/v1/users",
                                  {"Cookie": cookie, "Content-Type": kind, **headers},
                                  json.dumps({"email": name}))
            assert status in (401, 403), f"{headers} {kind}: {status} {text}"
    assert name not in json.dumps(site.admin.make("/api/v1/users", None, "GET"))


def attempt_cve_2024_28179_a_websocket_of_a_tool_without_signing_in(site):
    name = tool_of(site)
    port, _ = ticket_for(site, name)
    for headers in ({}, {"Authorization": "Bearer junk"}, {"Cookie": "gpuyard_tools=junk"},
                    {"Sec-WebSocket-Protocol": "bearer.junk"}):
        status, _, _ = ask(port, "GET", f"/one/{name}/api/kernels", {**UPGRADE, **headers})
        assert status == 401, f"{headers}: {status}"


def attempt_cve_2020_15110_names_that_become_the_same(site):
    """The volume of another project by a name that is written like its own."""
    site.needs_containers()
    word = secrets.token_hex(8)
    mine = {"pvc": [{"claimName": "data", "path": "/v", "existingPvc": False}]}
    text = result(site.otto, script(f"echo {word} >/v/file", storage=mine), project="two")
    assert "Completed" in text, text
    for claim in ("data", "two.data", "../two.data", "two/data", "..two.data", "./../two.data",
                  "two-data", "TWO.data", "data\u0000", "%2e%2e/two.data"):
        storage = {"pvc": [{"claimName": claim, "path": "/v", "existingPvc": False}]}
        text = result(site.mallory, script("cat /v/file; true", storage=storage))
        assert word not in text, f"{claim}: {text}"
