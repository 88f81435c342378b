"""python -m walk --url URL --label NAME [--ca FILE] [--contract FILE] [--short]

Makes an application with the administrator's password from WALK_PASSWORD, then walks the API
with it. --short only signs in and reads, to show that the client trusts the server's certificate.
"""

import argparse
import logging
import os

from . import audit, contract, identity, infrastructure, metrics, organisation
from .assets import walk_assets
from .bootstrap import Administrator
from .coverage import Coverage
from .document import Document
from .policies import walk_policies
from .report import Report
from .session import Session, connect
from .workloads import walk_workloads


def arguments():
    parser = argparse.ArgumentParser(prog="walk")
    parser.add_argument("--url", required=True)
    parser.add_argument("--label", required=True)
    parser.add_argument("--user", required=True)
    parser.add_argument("--ca")
    parser.add_argument("--contract")
    parser.add_argument("--calls", help="the calls of the version that is promised; made if absent")
    parser.add_argument("--short", action="store_true")
    return parser.parse_args()


class Start:
    """An administrator, the documents to judge by, and sessions of applications."""

    def __init__(self, options):
        self._options = options
        self.report = Report(options.label)
        self.administrator = Administrator(options.url, options.user,
                                           os.environ["WALK_PASSWORD"], options.ca)
        self._documents = [Document("own", self.administrator.get("/openapi.json"))]
        if options.contract:
            self._documents.append(contract.load(options.contract))

    def session(self, name, make):
        """`make(name)` gives a client id and its secret."""
        try:
            client = connect(self._options.url, *make(name), self._options.ca)
        except Exception as error:
            self.report.not_ok(f"{name}.sign-in", f"{type(error).__name__}: {error}")
            return None
        self.report.ok(f"{name}.sign-in")
        return Session(client, self._documents, self.report)


def walk(session):
    for part in (identity, organisation, infrastructure):
        for chapter in part.CHAPTERS:
            session.chapter(chapter)
    walk_assets(session)
    walk_workloads(session)
    walk_policies(session)
    for chapter in metrics.CHAPTERS + audit.CHAPTERS:
        session.chapter(chapter)


def main():
    logging.disable(logging.WARNING)  # The client warns about its own deprecated methods.
    options = arguments()
    try:
        start = Start(options)
    except Exception as error:
        Report(options.label).not_ok("start", f"{type(error).__name__}: {error}")
        return
    session = start.session("walker", start.administrator.make_application)
    if session is None:
        return
    if options.short:
        session.chapter(identity.roles)
        return
    coverage = Coverage(session.client)
    walk(session)
    own = start.session("own-walker", start.administrator.make_own_application)
    if own:
        own.chapter(identity.own_applications)
    start.report.judge("every-call-of-its-groups", coverage.missing(options.calls))


main()
