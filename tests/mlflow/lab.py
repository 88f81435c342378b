"""A server with two projects and ordinary people in them, for the suites and benchmarks of tracking."""

import contextlib
import http.client
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
from yard import GONE, PASSWORD, Client, Server  # noqa: E402


class Lab:
    """Projects `lab` and `other`; ada researches in `lab`, bob in `other`, vic only looks at `lab`."""

    def __init__(self, scratch, data=None, **start):
        scratch.mkdir(parents=True, exist_ok=True)
        self.server = Server(scratch, data)
        self.server.start(**start)
        self.server.wait_ready()
        self.admin = Client(self.server.port)
        cluster, lab = self.admin.settle_in()
        other = self.admin.make("/api/v1/org-unit/projects", {
            "name": "other", "clusterId": cluster,
            "resources": self.admin.get(f"/api/v1/org-unit/projects/{lab}")["resources"]})["id"]
        roles = {role["name"]: role["id"] for role in self.admin.get("/api/v1/authorization/roles")}
        self.ada = self.person("ada@lab.org", roles["L1 researcher"], lab)
        self.bob = self.person("bob@lab.org", roles["L1 researcher"], other)
        self.vic = self.person("vic@lab.org", roles["Viewer"], lab)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.port}"

    def person(self, email, role, project):
        """Makes somebody with a role in a project: their personal token."""
        made = self.admin.make("/api/v1/users", {"email": email})
        self.admin.make("/api/v1/authorization/access-rules", {
            "subjectId": email, "subjectType": "user", "roleId": role, "scopeId": str(project),
            "scopeType": "project"})
        first = self.sign_in(email, made["tempPassword"])
        status, body = Person(self.server.port, first).ask(
            "POST", "/api/v1/me/password",
            {"currentPassword": made["tempPassword"], "newPassword": PASSWORD})
        assert status < 300, (status, body)
        status, body = Person(self.server.port, self.sign_in(email, PASSWORD)).ask(
            "POST", "/api/v1/me/tokens", {"name": "tracking"})
        assert status == 201, (status, body)
        return body["token"]

    def sign_in(self, email, password):
        status, body = Person(self.server.port, "").ask(
            "POST", "/api/v1/token",
            {"grantType": "password", "username": email, "password": password})
        assert status == 200, (status, body)
        return body["accessToken"]

    def end(self):
        self.server.remove()


class Person:
    """Plain requests with somebody's token, on one connection."""

    def __init__(self, port, token):
        self.port, self.token = port, token
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, method, path, body=None, headers=None):
        sent = {"Content-Type": "application/json", **(headers or {})}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        data = body if isinstance(body, (bytes, str, type(None))) else json.dumps(body)
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.connection.request(method, path, data, sent)  # may be refused before its end
            reply = self.connection.getresponse()
            text = reply.read()
        except GONE:
            self.connection.close()
            raise
        kind = reply.headers.get("Content-Type", "")
        return reply.status, json.loads(text) if "json" in kind and text else text

    def track(self, route, body):
        return self.ask("POST", f"/api/2.0/mlflow/{route}", body)
