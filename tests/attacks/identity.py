"""Attempts on identity: machine accounts, tokens, sessions, sign-in limits, keys."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time
import urllib.parse

from site_of_attacks import IMAGE, Person, Site
from yard import ADMIN, PASSWORD, PROGRAM, Server, until

USERS = "/api/v1/users"
RULES = "/api/v1/authorization/access-rules"
# Seconds. The server needs one; a busy machine with sanitizers takes its time.
ENDS_WITHIN = 30


class Lab(Site):
    """A server without an engine, for attempts that would disturb the others."""

    def __enter__(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="gyi-"))
        self.server = Server(self.scratch)
        self.start()
        return self

    def start(self):
        self.server.start(options=["--engine", "none"])
        self.server.wait_ready()
        self.people["admin"] = self.sign_in(ADMIN, PASSWORD)


def roles(site):
    return {role["name"]: role["id"]
            for role in site.admin.make("/api/v1/authorization/roles", None, "GET")}


def grant(site, email, role, scope, kind):
    return site.admin.make(RULES, {"subjectId": email, "subjectType": "user",
                                   "roleId": roles(site)[role], "scopeId": str(scope),
                                   "scopeType": kind})["id"]


def user(site, name, **more):
    """A new user who has signed in, with their address under users."""
    site.count += 1
    email = f"{name}{site.count}@lab.example.org"
    made = site.admin.make(USERS, {"email": email, "resetPassword": False, **more})
    person = site.sign_in(email, made["tempPassword"])
    person.email, person.password = email, made["tempPassword"]
    person.path = f"{USERS}/{made['id']}"
    return person


def department_admin(site):
    person = user(site, "dadmin")
    departments = site.admin.make("/api/v1/org-unit/departments", None, "GET")["departments"]
    grant(site, person.email, "Department administrator", departments[0]["id"], "department")
    return person


def says_no(answer, *codes):
    assert answer[0] in codes, f"not refused: {answer}"


def attempt_a_department_administrator_maps_himself_to_an_account(site):
    person = department_admin(site)
    for name in ("root", "daemon", "nobody", "www-data", ""):
        says_no(person.ask("PATCH", person.path, {"unixName": name}), 403)
    says_no(person.ask("POST", USERS, {"email": "x@evil.org", "unixName": "nobody"}), 403)


def attempt_a_department_administrator_takes_an_account_by_address(site):
    person = department_admin(site)
    made = person.make(USERS, {"email": "nobody@evil.org", "resetPassword": False})
    site.admin.make(RULES, {"subjectId": "nobody@evil.org", "subjectType": "user",
                            "roleId": roles(site)["L1 researcher"],
                            "scopeId": str(site.projects["one"]), "scopeType": "project"})
    thief = site.sign_in("nobody@evil.org", made["tempPassword"])
    attempt, log = thief.outcome(thief.run({"command": "id", "compute": {"cpuCoreRequest": 0.1}}))
    assert "uid=" not in str(log), log
    assert "no account on the machine" in json.dumps(attempt), attempt


def attempt_anybody_is_mapped_to_a_system_account(site):
    person = user(site, "plain")
    for name in ("root", "daemon", "0", "root ", "../root"):
        says_no(site.admin.ask("PATCH", person.path, {"unixName": name}), 400)


def attempt_an_account_is_given_to_two(site):
    user(site, "first", unixName="some-account")
    second = user(site, "second")
    says_no(site.admin.ask("PATCH", second.path, {"unixName": "some-account"}), 409)
    third = user(site, "third")
    says_no(site.admin.ask("PATCH", second.path, {"unixName": third.email.split("@")[0]}), 409)


def attempt_a_reset_leads_to_the_account_of_another(site):
    owner = user(site, "owner", unixName="owners-account")
    says_no(department_admin(site).ask("POST", f"{owner.path}/password"), 403)


def attempt_a_reset_or_a_deletion_leads_to_work_that_runs_under_an_account(site):
    """Work belongs to an e-mail: a new password, or a new user of that name, would enter it."""
    person, boss = user(site, "owner"), department_admin(site)
    for email in (person.email, boss.email):
        grant(site, email, "L1 researcher", site.projects["one"], "project")
    ident = person.run({"command": "sleep 60", "hold": True})
    says_no(boss.ask("POST", f"{person.path}/password"), 403)
    says_no(boss.ask("DELETE", person.path), 403)
    site.admin.ask("DELETE", f"/api/v1/workloads/trainings/{ident}")


def attempt_an_editor_removes_administrators(site):
    boss = user(site, "boss")
    rule = grant(site, boss.email, "System administrator", "1", "tenant")
    editor = user(site, "editor")
    grant(site, editor.email, "Editor", "1", "tenant")
    says_no(editor.ask("DELETE", f"{RULES}/{rule}"), 403)


def acting_as(person, site):
    """A personal token and a token of an own application."""
    personal = person.make("/api/v1/me/tokens", {"name": "kept"})["token"]
    app = person.make("/api/v1/user-applications", {"name": "kept"})
    return Person(site, personal), app


def app_sign_in(site, app):
    return Person(site, "").ask("POST", "/api/v1/token", {
        "grantType": "app_token", "appId": app["clientId"], "appSecret": app["secret"]})


def attempt_tokens_outlive_a_reset(site):
    person = user(site, "victim")
    personal, app = acting_as(person, site)
    site.admin.make(f"{person.path}/password", None)
    says_no(personal.ask("GET", "/api/v1/me"), 401)
    says_no(app_sign_in(site, app), 401)


def attempt_tokens_outlive_a_sign_out(site):
    person = user(site, "victim")
    personal, app = acting_as(person, site)
    acting = Person(site, app_sign_in(site, app)[1]["accessToken"])
    person.make("/api/v1/me/logout", None)
    says_no(person.ask("GET", "/api/v1/me"), 401)
    says_no(personal.ask("GET", "/api/v1/me"), 401)
    says_no(acting.ask("GET", "/api/v1/me"), 401)
    says_no(app_sign_in(site, app), 401)


def attempt_a_refresh_token_is_used_twice(site):
    person = user(site, "victim")
    nobody = Person(site, "")
    answer = nobody.make("/api/v1/token", {"grantType": "password", "username": person.email,
                                           "password": person.password})
    renewal = {"grantType": "refresh_token", "refreshToken": answer["refreshToken"]}
    fresh = nobody.make("/api/v1/token", renewal)
    says_no(nobody.ask("POST", "/api/v1/token", renewal), 401)
    says_no(Person(site, fresh["accessToken"]).ask("GET", "/api/v1/me"), 401)
    says_no(nobody.ask("POST", "/api/v1/token", {
        "grantType": "refresh_token", "refreshToken": fresh["refreshToken"]}), 401)


def attempt_a_followed_log_outlives_the_right_to_it(site):
    site.needs_containers()
    person = user(site, "reader")
    rule = grant(site, person.email, "L2 researcher", site.projects["one"], "project")
    ident = site.laura.run({"image": IMAGE, "command": "sh -c 'while echo tick; do sleep 1; done'",
                            "compute": {"cpuCoreRequest": 0.1}})
    link = http.client.HTTPConnection("127.0.0.1", site.server.port, timeout=60)

    def follow():
        link.request("GET", f"/api/v1/workloads/{ident}/logs?follow=true",
                     headers={"Authorization": f"Bearer {person.token}"})
        reply = link.getresponse()
        if reply.status == 200:
            return reply
        reply.read()
        return None
    reply = until("the log can be followed", follow)
    reply.read(5)
    site.admin.ask("DELETE", f"{RULES}/{rule}")
    began = time.monotonic()
    with contextlib.suppress(http.client.IncompleteRead, ConnectionError):
        while reply.read(5):
            assert time.monotonic() - began < ENDS_WITHIN, "the log goes on"
    site.admin.ask("DELETE", f"/api/v1/workloads/trainings/{ident}")
    took = time.monotonic() - began
    assert took < ENDS_WITHIN, f"it took {took:.1f} s"


TOOL = (r"while true; do (printf 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
        r"Upgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n'; "
        "sleep 1000) | nc -l -p 8888; done")


def open_tool(site, name, token):
    """A connection to the tool that has left HTTP, or None."""
    status, answer = Person(site, token).ask("POST", "/api/v1/tools", {"path": f"/one/{name}/"})
    if status not in (200, 201):
        return None
    link = urllib.parse.urlsplit(answer["url"]).port
    connection = socket.create_connection(("127.0.0.1", link), timeout=20)
    connection.sendall((f"GET /one/{name}/ws HTTP/1.1\r\nHost: 127.0.0.1:{link}\r\n"
                        f"Authorization: Bearer {token}\r\nConnection: Upgrade\r\n"
                        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode())
    if b" 101 " in connection.recv(4096).split(b"\r\n")[0]:
        return connection
    connection.close()
    return None


def attempt_a_connection_to_a_tool_outlives_the_right_to_it(site):
    site.needs_containers()
    person = user(site, "visitor")
    rule = grant(site, person.email, "L2 researcher", site.projects["one"], "project")
    ident = site.laura.run({"image": IMAGE, "command": ["/bin/sh", "-c", TOOL],
                            "exposedUrls": [{"container": 8888, "authorizationType": "public"}]})
    name = f"try-{site.count}"
    link = until("the tool is reached", lambda: open_tool(site, name, person.token))
    link.settimeout(2)
    with contextlib.suppress(TimeoutError):
        raise AssertionError(f"it did not stay open: {link.recv(4096)}")
    link.settimeout(ENDS_WITHIN)
    site.admin.ask("DELETE", f"{RULES}/{rule}")
    began = time.monotonic()
    with contextlib.suppress(ConnectionError):
        assert not link.recv(4096), "the tool said something"
    took = time.monotonic() - began
    site.admin.ask("DELETE", f"/api/v1/workloads/trainings/{ident}")
    assert took < ENDS_WITHIN, f"it took {took:.1f} s"


def wrong_sign_in(site, number, headers=None, app=False):
    link = http.client.HTTPConnection("127.0.0.1", site.server.port, timeout=60)
    body = {"grantType": "app_token", "appId": f"a{number}", "appSecret": "x"} if app else {
        "grantType": "password", "username": f"guess{number}@lab.org", "password": "wrong"}
    link.request("POST", "/api/v1/token", json.dumps(body),
                 {"Content-Type": "application/json", **(headers or {})})
    reply = link.getresponse()
    reply.read()
    return reply.status


def attempt_wrong_secrets_lock_out_everybody_at_an_address(_):
    with Lab() as lab:
        person = user(lab, "fresh")
        statuses = {wrong_sign_in(lab, n, app=True) for n in range(60)}
        assert 429 in statuses, statuses
        lab.sign_in(ADMIN, PASSWORD)
        lab.sign_in(person.email, person.password)


def attempt_wrong_passwords_lock_out_those_who_sign_in_there(_):
    with Lab() as lab:
        statuses = {wrong_sign_in(lab, n) for n in range(60)}
        assert 429 in statuses, statuses
        lab.sign_in(ADMIN, PASSWORD)


def attempt_an_invented_address_gives_more_guesses(_):
    with Lab() as lab:
        statuses = {wrong_sign_in(lab, n, {"X-Forwarded-For": f"10.1.2.{n}"}) for n in range(60)}
        assert 429 in statuses, statuses


def attempt_a_lost_vault_key_is_replaced(_):
    with Lab() as lab:
        cluster = lab.admin.make("/api/v1/clusters", None, "GET")[0]["uuid"]
        lab.admin.make("/api/v1/asset/credentials/password", {
            "meta": {"name": "kept", "scope": "tenant", "clusterId": cluster},
            "spec": {"user": "ann", "password": "secret"}})
        lab.server.stop()
        key = lab.server.data / "keys/vault.key"
        saved = key.read_bytes()
        key.unlink()
        lab.server.start(options=["--engine", "none"])
        assert lab.server.process.wait(timeout=60) != 0
        assert not key.exists(), "a new key was made"
        key.write_bytes(saved)
        key.chmod(0o600)
        lab.start()


def attempt_the_number_of_workloads_is_read_without_signing_in(site):
    status, text = Person(site, "").ask("GET", "/metrics")
    assert status == 401 or "gpuyard_workloads" not in text, text
    link = http.client.HTTPConnection("127.0.0.1", site.server.port, timeout=60)
    link.request("GET", "/metrics")
    assert "gpuyard_workloads" not in link.getresponse().read().decode()


def attempt_names_are_told_by_a_bad_token(site):
    site.laura.run({"command": "true", "compute": {"cpuCoreRequest": 0.1}})
    name = f"try-{site.count}"
    stranger = Person(site, "nonsense")
    there = stranger.ask("GET", f"/one/{name}/")
    invented = stranger.ask("GET", "/one/no-such-work/")
    # An answer may repeat the path that was asked for, and nothing else of it.
    assert str(there).replace(name, "NAME") == str(invented).replace("no-such-work", "NAME"), (
        there, invented)


def attempt_tests_of_notifications_flood_an_address(site):
    person = user(site, "sender")
    rule = person.make("/api/v1/notifications/rules", {
        "name": "flood", "events": ["Completed"], "channel": "webhook",
        "secret": "0123456789abcdef", "target": "https://127.0.0.1:9/x"})
    statuses = [person.ask("POST", f"/api/v1/notifications/rules/{rule['id']}/test")[0]
                for _ in range(12)]
    assert 429 in statuses, statuses


def attempt_a_taken_port_costs_the_first_password(_site):
    """Somebody who holds the port at the first start: the password is made once, and must be told."""
    lab = Lab()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        data = tempfile.mkdtemp(prefix="gyd-")
        done = subprocess.run(
            [str(PROGRAM), "up", "--engine", "none", "--data-dir", data,
             "--listen", f"127.0.0.1:{taken.getsockname()[1]}"],
            env={k: v for k, v in os.environ.items() if not k.startswith("GPUYARD_")},
            capture_output=True, text=True, timeout=60, check=False)
    password = re.search(r"password +(\S+)", done.stdout)
    assert done.returncode == 10 and password, done
    lab.server = Server(lab.folder, pathlib.Path(data))
    try:
        lab.server.start(options=["--engine", "none"])
        lab.server.wait_ready()
        lab.sign_in(ADMIN, password[1])
    finally:
        lab.server.remove()
