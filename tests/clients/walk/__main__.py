"""python -m walk --url URL --label NAME [--ca FILE] [--contract FILE] [--short]

Makes an application with the administrator's password from WALK_PASSWORD, then walks the API
with it. --short only signs in and reads, to show that the client trusts the server's certificate.
"""

import argparse
import logging
import os

from . import audit, identity, infrastructure, organisation
from .assets import walk_assets
from .bootstrap import Administrator
from .document import Document
from .policies import walk_policies
from .report import Report
from .session import Session, connect
from .workloads import walk_workloads

# The contract says that a new NFS source answers as an S3 source.
CORRECTIONS = {("POST", "/api/v1/asset/datasource/nfs"): "NFSAsset"}


def arguments():
    parser = argparse.ArgumentParser(prog="walk")
    parser.add_argument("--url", required=True)
    parser.add_argument("--label", required=True)
    parser.add_argument("--user", required=True)
    parser.add_argument("--ca")
    parser.add_argument("--contract")
    parser.add_argument("--short", action="store_true")
    return parser.parse_args()


def start(options, report):
    administrator = Administrator(options.url, options.user, os.environ["WALK_PASSWORD"],
                                  options.ca)
    documents = [Document("own", administrator.get("/openapi.json"))]
    if options.contract:
        documents.append(Document.load("2.20", options.contract, CORRECTIONS))
    client_id, secret = administrator.make_application("walker")
    report.ok("bootstrap")
    client = connect(options.url, client_id, secret, options.ca)
    report.ok("sign-in")
    return Session(client, documents, report)


def walk(session):
    for part in (identity, organisation, infrastructure):
        for chapter in part.CHAPTERS:
            session.chapter(chapter)
    walk_assets(session)
    walk_workloads(session)
    walk_policies(session)
    for chapter in audit.CHAPTERS:
        session.chapter(chapter)


def main():
    logging.disable(logging.WARNING)  # The client warns about its own deprecated methods.
    options = arguments()
    report = Report(options.label)
    try:
        session = start(options, report)
    except Exception as error:
        report.not_ok("start", f"{type(error).__name__}: {error}")
        return
    if options.short:
        session.chapter(identity.roles)
    else:
        walk(session)


main()
