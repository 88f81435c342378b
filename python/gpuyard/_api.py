"""Requests to the server, one connection for each thread."""

import http.client
import json
import os
import ssl
import threading
import time
import urllib.parse

_TRIES = 5


class ApiError(RuntimeError):
    """The server refused; `status` is its HTTP status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Api:
    """Thread-safe. The address and the token come from GPUYARD_URL and GPUYARD_TOKEN."""

    def __init__(self, url=None, token=None):
        url = url or os.environ.get("GPUYARD_URL")
        if not url:
            raise ApiError(0, "no server is known: set GPUYARD_URL and GPUYARD_TOKEN")
        self._url = urllib.parse.urlsplit(url)
        self._token = token or os.environ.get("GPUYARD_TOKEN")
        self._local = threading.local()

    def _connect(self):
        if self._url.scheme == "https":
            certificates = os.environ.get("GPUYARD_CA_FILE")
            context = ssl.create_default_context(cafile=certificates)
            return http.client.HTTPSConnection(self._url.netloc, timeout=60, context=context)
        return http.client.HTTPConnection(self._url.netloc, timeout=60)

    def _once(self, method, path, data):
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = "Bearer " + self._token
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except BaseException:
            connection.close()
            self._local.connection = None
            raise

    def ask(self, method, path, body=None):
        """The answer's JSON. A server that is away is asked again for a while, but only with what may
        be sent twice."""
        data = None if body is None else json.dumps(body)
        for attempt in range(_TRIES):
            try:
                status, text = self._once(method, path, data)
            except (OSError, http.client.HTTPException) as error:
                if method != "GET" or attempt + 1 == _TRIES:
                    raise ApiError(0, f"the server is out of reach: {error}") from error
                time.sleep(2 ** attempt * 0.25)
                continue
            answer = json.loads(text) if text else None
            if status < 300:
                return answer
            details = answer.get("details", "") if isinstance(answer, dict) else ""
            message = answer.get("message", "") if isinstance(answer, dict) else str(answer)
            raise ApiError(status, f"{message}{'; ' if details else ''}{details}")
        raise AssertionError("not reached")

    def project(self, name=None):
        """The id of the named project, or of the only one."""
        name = name or os.environ.get("GPUYARD_PROJECT")
        projects = self.ask("GET", "/api/v1/org-unit/projects?limit=500")["projects"]
        found = [one for one in projects if name in (None, one["name"], str(one["id"]))]
        if len(found) != 1:
            known = ", ".join(one["name"] for one in projects)
            raise ApiError(0, f"which project? set GPUYARD_PROJECT to one of: {known}")
        return str(found[0]["id"])
