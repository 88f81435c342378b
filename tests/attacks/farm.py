"""What a member may bring about by the routes of Omniverse Farm's scripts."""

import json

from tracking import send

QUEUE = "/queue/management"
MEMBER = "mallory"
MIB = 1 << 20


def ask(site, person, path, body):
    status, text = send(site, person, "POST", f"{QUEUE}/{path}", json.dumps(body),
                        {"Content-Type": "application/json"})
    return status, text


def definition(name, **more):
    return {"name": name, "command": "sleep", "args": ["1000"], **more}


def attempt_ask_for_what_is_no_number(site):
    """ "nan" was an amount: the work asked for it, and its spec was no JSON for whoever read it again."""
    for amount in ("nan", "inf", "-nan", "NAN", "1e308Gi"):
        for resource in ("cpu", "memory", "nvidia.com/gpu"):
            status, text = ask(site, "laura", "jobs/save", definition(
                "odd", capacity_requirements={"resource_limits": {resource: amount}}))
            assert status == 400, f"{resource} {amount}: {status} {text}"


def attempt_list_tasks_that_fill_the_memory(site):
    """What 5,000 tasks say about themselves was in memory at once, as many times its text."""
    status, text = ask(site, "laura", "jobs/save", definition("wordy"))
    assert status == 200, f"{status} {text}"
    order = {"task_type": "wordy", "user": MEMBER, "status": "unscheduled",
             "metadata": {"x": [0] * 30_000}}
    count = 330
    tasks = []
    for _ in range(count):
        status, text = ask(site, MEMBER, "tasks/submit", order)
        assert status == 200, f"{status} {text}"
        tasks.append(json.loads(text)["task_id"])
    try:
        wanted = f"{QUEUE}/tasks/list?status=unscheduled&task_type=wordy"
        status, text = send(site, MEMBER, "GET", wanted)
        assert status == 200 and len(text) < 17 * MIB, f"{status}, {len(text)} bytes"
        shown = sum(len(group) for group in json.loads(text).values())
        assert 200 < shown < count, shown
        status, text = send(site, MEMBER, "GET", wanted + "&field=task_id")
        assert sum(len(group) for group in json.loads(text).values()) == count
    finally:
        ask(site, MEMBER, "tasks/bulk-status", {"task_ids": tasks, "status": "cancelled"})
        ask(site, MEMBER, "tasks/archive", {"task_ids": tasks})
