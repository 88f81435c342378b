"""One walk: the client, what went over the wire, and the judging of it."""

import json
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import runai
from runai import models
from runai.exceptions import ApiException
from runai.runai_client import RunaiClient


@dataclass
class Exchange:
    method: str
    path: str
    status: int
    body: bytes

    @property
    def json(self):
        return json.loads(self.body) if self.body else None


class Stopped(Exception):
    """An answer that the rest of a chapter needs did not come."""


def connect(url, client_id, client_secret, ca_file=None):
    return runai.ApiClient(
        runai.Configuration(
            client_id=client_id,
            client_secret=client_secret,
            runai_base_url=url,
            ssl_ca_cert=ca_file,
        )
    )


class Session:
    def __init__(self, api_client, documents, report):
        self.client = RunaiClient(api_client)
        self.report = report
        self._documents = documents
        self._exchanges = []
        self._listen(api_client.rest_client)

    def _listen(self, rest_client):
        """Notes every exchange below the client, so that no call needs to be judged by hand."""
        request = rest_client.request

        def listening(method, url, *args, **kwargs):
            response = request(method, url, *args, **kwargs)
            path = unquote(urlsplit(url).path)
            self._exchanges.append(Exchange(method, path, response.status, response.read()))
            return response

        rest_client.request = listening

    @staticmethod
    def model(name, fields):
        """A request body, checked by the client's own model of it."""
        return getattr(models, name).from_dict(fields)

    def call(self, name, function, /, *args, status=200, **keywords):
        """Makes one call, reports one line, gives the answer's JSON.

        `status` is what must be answered, or several that may be.
        """
        self._exchanges.clear()
        expected = status if isinstance(status, tuple) else (status,)
        try:
            function(*args, **keywords)
        except ApiException:
            pass  # Judged below, like any other answer.
        except Exception as error:
            self.report.not_ok(name, f"{type(error).__name__}: {error}")
            raise Stopped(name) from error
        exchange = self._exchanges[-1]
        if exchange.status not in expected:
            wanted = " or ".join(map(str, expected))
            self.report.not_ok(
                name,
                f"{exchange.method} {exchange.path} gave {exchange.status}, not {wanted}: "
                f"{exchange.body.decode(errors='replace')}",
            )
            raise Stopped(name)
        self.report.judge(name, self._problems(exchange))
        return exchange.json

    def _problems(self, exchange):
        if exchange.status == 204 and exchange.body:
            return ["204 with a body"]
        if exchange.status >= 400 and not {"code", "message"} <= set(exchange.json or {}):
            return [f"an error without code and message: {exchange.body!r}"]
        return [
            problem
            for document in self._documents
            if document.operation(exchange.method, exchange.path) or document.title == "own"
            for problem in document.problems(exchange)
        ]

    def expect(self, name, actual, wanted):
        """Reports whether an answer says what it must."""
        problems = [] if actual == wanted else [f"expected {wanted!r}, got {actual!r}"]
        self.report.judge(name, problems)

    def chapter(self, walk, *args):
        """Runs one chapter; when it breaks off, the others still run."""
        name = ".".join([walk.__name__.replace("_", "-"), *(str(arg.name) for arg in args)])
        try:
            walk(self, *args)
        except Stopped as stopped:
            self.report.not_ok(f"{name}.rest", f"cannot go on without {stopped}")
        except Exception as error:  # A chapter's own slip must not hide the other chapters.
            self.report.not_ok(f"{name}.rest", f"{type(error).__name__}: {error}")


def current(api, name):
    """The method that is not the deprecated one: where the 1.220 client has two of a name, the
    newer one ends in _0."""
    return getattr(api, f"{name}_0", None) or getattr(api, name)
