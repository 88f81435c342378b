#!/usr/bin/env python3
"""Adds up test results and prints `N passed, N failed, N skipped` as the last line.

Usage: tally.py DIRECTORY, which holds ctest/*.xml, gtest/*.xml and suites/*.txt as tools/dev/test.sh
describes. Failures and skips are listed by name with their reason. With CI=true in the environment
a skip is a failure. Exit status: 0 if nothing failed and something ran.
"""

import os
import pathlib
import sys
import xml.etree.ElementTree as ET


class Tally:
    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []

    def fail(self, name, reason):
        self.failed.append((name, one_line(reason)))

    def skip(self, name, reason):
        self.skipped.append((name, one_line(reason)))


def one_line(text):
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def add_gtest(tally, path):
    """Counts each case of one GoogleTest program; returns whether one of them failed."""
    failed_before = len(tally.failed)
    for case in ET.parse(path).getroot().iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        failure, skipped = case.find("failure"), case.find("skipped")
        if failure is not None:
            tally.fail(name, failure.get("message"))
        elif skipped is not None:
            tally.skip(name, skipped.get("message"))
        elif case.get("status") == "notrun":
            tally.skip(name, "disabled")
        else:
            tally.passed += 1
    return len(tally.failed) > failed_before


def gtest_file(root, name):
    path = root / "gtest" / f"{name}.xml"
    try:
        ET.parse(path)
    except (OSError, ET.ParseError):
        return None
    return path


def add_ctest(tally, root, path):
    for entry in ET.parse(path).getroot().iter("testcase"):
        name, status = entry.get("name"), entry.get("status")
        cases = gtest_file(root, name)
        case_failed = add_gtest(tally, cases) if cases else False
        if status == "fail" and not case_failed:
            failure = entry.find("failure")
            reason = failure.get("message") if failure is not None else None
            tally.fail(name, reason or "the program ended abnormally; its output is above")
        elif status in ("notrun", "disabled"):
            skipped = entry.find("skipped")
            tally.skip(name, skipped.get("message") if skipped is not None else status)
        elif status == "run" and not cases:
            tally.passed += 1


def add_suite(tally, path):
    """One suite: `ok NAME`, `not ok NAME reason`, `skip NAME reason`, at the end `exit N`."""
    suite, reported, failed, status = path.stem, 0, False, None
    for line in path.read_text(errors="replace").splitlines():
        kind, _, rest = line.partition(" ")
        if line.startswith("not ok "):
            kind, rest = "not ok", line[len("not ok "):]
        name, _, reason = rest.partition(" ")
        if kind == "ok" and name:
            tally.passed += 1
        elif kind == "not ok" and name:
            tally.fail(f"{suite}/{name}", reason)
            failed = True
        elif kind == "skip" and name:
            tally.skip(f"{suite}/{name}", reason)
        elif kind == "exit" and rest.isdigit():
            status = int(rest)
            continue
        else:
            continue
        reported += 1
    if status != 0 and not failed:
        tally.fail(suite, f"ended with status {status} without naming a failure")
    elif reported == 0:
        tally.fail(suite, "reported no test")


def collect(root):
    tally = Tally()
    for path in sorted((root / "ctest").glob("*.xml")):
        add_ctest(tally, root, path)
    for path in sorted((root / "suites").glob("*.txt")):
        add_suite(tally, path)
    return tally


def main():
    root = pathlib.Path(sys.argv[1])
    tally = collect(root)
    if os.environ.get("CI") == "true":
        for name, reason in tally.skipped:
            tally.fail(name, f"skipped, which CI does not accept: {reason}")
        tally.skipped = []
    for name, reason in tally.skipped:
        print(f"skipped: {name}: {reason}")
    for name, reason in tally.failed:
        print(f"FAILED: {name}: {reason}")
    if tally.passed + len(tally.failed) + len(tally.skipped) == 0:
        print("dev: no test ran; does the pattern match anything?", file=sys.stderr)
    summary = f"{tally.passed} passed, {len(tally.failed)} failed, {len(tally.skipped)} skipped"
    (root / "summary.txt").write_text(summary + "\n")
    print(summary)
    return 0 if tally.passed > 0 and not tally.failed else 1


if __name__ == "__main__":
    sys.exit(main())
