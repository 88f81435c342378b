"""Requests that the contract does not allow, and what the server's log says of others."""

import json


def attempt_leave_values_of_a_query_empty(site):
    for query in ("sortOrder=", "limit=", "offset="):
        status, answer = site.admin.ask("GET", f"/api/v1/org-unit/projects?{query}")
        assert status == 400, f"{query}: {status} {answer}"


def attempt_set_a_strategy_to_nothing(site):
    body = {"name": "odd", "labelKey": "a", "labelValue": "b",
            "placementStrategy": {"gpu": None, "cpu": "spread"}}
    status, answer = site.admin.ask("POST", "/api/v1/node-pools", body)
    assert status == 400, f"{status} {answer}"


def attempt_fill_the_log_with_errors(site):
    """What is not offered is no failure of the server."""
    status, _ = site.admin.ask("POST", "/api/v1/org-unit/reports", {})
    assert status == 501, status
    lines = (site.server.home / "server.log").read_text().splitlines()
    errors = [line for line in map(json.loads, lines) if line.get("status") == "501"
              and line.get("level") == "error"]
    assert not errors, errors[0]
