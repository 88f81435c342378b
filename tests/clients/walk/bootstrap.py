"""What an administrator does by hand before a client can work: an application with all rights."""

import json
import ssl
import urllib.error
import urllib.request


class Administrator:
    def __init__(self, url, username, password, ca_file=None):
        self._url = url
        self._context = ssl.create_default_context(cafile=ca_file) if ca_file else None
        self._token = None
        answer = self.post("/api/v1/token", {
            "grantType": "password", "username": username, "password": password})
        self._token = answer["accessToken"]

    def get(self, path):
        return self._send(urllib.request.Request(self._url + path))

    def post(self, path, body):
        return self._send(urllib.request.Request(self._url + path, json.dumps(body).encode()))

    def _send(self, request):
        request.add_header("Content-Type", "application/json")
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        try:
            with urllib.request.urlopen(request, context=self._context, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{request.full_url}: {error.code} {error.read()!r}") from error

    def make_application(self, name):
        """A client id and its secret, with the system administrator's role on everything."""
        application = self.post("/api/v1/apps", {"name": name})
        roles = self.get("/api/v1/authorization/roles")
        role = next(role for role in roles if role["name"] == "System administrator")
        self.post("/api/v1/authorization/access-rules", {
            "subjectId": application["clientId"], "subjectType": "app", "roleId": role["id"],
            "scopeType": "tenant", "scopeId": str(role["tenantId"])})
        return application["clientId"], application["secret"]

    def make_own_application(self, name):
        """One that acts as the administrator."""
        application = self.post("/api/v1/user-applications", {"name": name})
        return application["clientId"], application["secret"]
