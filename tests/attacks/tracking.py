"""What a member of one project may do to the runs, files and models of another, through the routes that
MLflow's clients use. otto is a member of project `two` alone, mallory of `one` alone."""

import gzip
import http.client
import json
import urllib.parse

API = "/api/2.0/mlflow"
FILES = "/api/2.0/mlflow-artifacts/artifacts"
SECRET = "the-secret-of-project-two"


def send(site, person, method, path, body=None, headers=None):
    """The status and the text of an answer; the body is sent as it is."""
    link = http.client.HTTPConnection("127.0.0.1", site.server.port, timeout=60)
    link.request(method, path, body, {"Authorization": f"Bearer {site.people[person].token}",
                                      **(headers or {})})
    reply = link.getresponse()
    text = reply.read().decode(errors="replace")
    link.close()
    return reply.status, text


def ask(site, person, method, path, body=None, **headers):
    if method == "GET":
        path += "?" + urllib.parse.urlencode(body or {}, doseq=True)
        body = None
    return send(site, person, method, path, json.dumps(body) if body is not None else None,
                {"Content-Type": "application/json", **headers})


def make(site, person, path, body):
    status, text = ask(site, person, "POST", API + path, body)
    assert status == 200, f"{path}: {status} {text}"
    return json.loads(text)


def things_of_otto(site):
    """An experiment with a run, files, a logged model and a registered one, all with the secret."""
    site.count += 1
    name = f"otto-{site.count}"
    experiment = make(site, "otto", "/experiments/create", {"name": name})["experiment_id"]
    run = make(site, "otto", "/runs/create", {"experiment_id": experiment, "tags": [
        {"key": "note", "value": SECRET}]})["run"]["info"]["run_id"]
    make(site, "otto", "/runs/log-batch", {
        "run_id": run, "params": [{"key": "p", "value": SECRET}],
        "metrics": [{"key": "loss", "value": 0.125, "timestamp": 1, "step": 1}]})
    file = f"{experiment}/{run}/artifacts/{SECRET}.txt"
    status, text = send(site, "otto", "PUT", f"{FILES}/{file}", SECRET)
    assert status == 200, f"{status} {text}"
    logged = make(site, "otto", "/logged-models", {
        "experiment_id": experiment, "name": SECRET})["model"]["info"]["model_id"]
    make(site, "otto", "/registered-models/create", {"name": name, "description": SECRET})
    make(site, "otto", "/model-versions/create", {"name": name, "source": f"models:/{logged}",
                                                  "model_id": logged, "description": SECRET})
    return {"name": name, "experiment": experiment, "run": run, "file": file, "logged": logged}


def readings(its):
    """Everything by which the things of otto could be read."""
    run, experiment, model = its["run"], its["experiment"], its["name"]
    yield "GET", f"{API}/runs/get", {"run_id": run}
    yield "POST", f"{API}/runs/search", {"experiment_ids": [experiment]}
    yield "GET", f"{API}/experiments/get", {"experiment_id": experiment}
    yield "GET", f"{API}/experiments/get-by-name", {"experiment_name": model}
    yield "POST", f"{API}/experiments/search", {"max_results": 1000}
    yield "GET", f"{API}/metrics/get-history", {"run_id": run, "metric_key": "loss"}
    yield "GET", f"{API}/metrics/get-history-bulk", {"run_id": [run], "metric_key": "loss"}
    yield "GET", f"{API}/metrics/get-history-bulk-interval", {"run_ids": [run], "metric_key": "loss"}
    yield "GET", f"{API}/artifacts/list", {"run_id": run}
    yield "GET", FILES, {"path": f"{experiment}/{run}/artifacts"}
    yield "GET", FILES, {"path": experiment}
    yield "GET", f"{FILES}/{its['file']}", None
    yield "GET", f"{API}/logged-models/{its['logged']}", None
    yield "GET", f"{API}/logged-models/{its['logged']}/artifacts/directories", None
    yield "POST", f"{API}/logged-models/search", {"experiment_ids": [experiment]}
    yield "GET", f"{API}/registered-models/get", {"name": model}
    yield "GET", f"{API}/registered-models/search", None
    yield "GET", f"{API}/model-versions/get", {"name": model, "version": 1}
    yield "GET", f"{API}/model-versions/get-download-uri", {"name": model, "version": 1}
    yield "GET", f"{API}/model-versions/search", None


def tells(text, its):
    """Whether an answer holds more than what was asked for, which a refusal repeats."""
    for asked in (its["file"], its["logged"], its["name"]):
        text = text.replace(asked, "")
    return SECRET in text or "0.125" in text


def attempt_read_runs_and_models_of_another_project(site):
    its = things_of_otto(site)
    for method, path, body in readings(its):
        status, text = ask(site, "otto", method, path, body)
        assert status == 200, f"this shows nothing: {path}: {status} {text}"
        twin = path.replace("/api/2.0", "/ajax-api/2.0")
        for way, headers in ((path, {}), (twin, {}), (f"/mlflow/two{path}", {}),
                             (path, {"X-MLFLOW-WORKSPACE": "two"})):
            status, text = ask(site, "mallory", method, way, body, **headers)
            assert status < 500 and not tells(text, its), f"{method} {way}: {status} {text}"


def attempt_change_runs_and_models_of_another_project(site):
    its = things_of_otto(site)
    run, name = {"run_id": its["run"]}, {"name": its["name"]}
    tries = [
        ("POST", f"{API}/runs/log-batch", {**run, "params": [{"key": "x", "value": "y"}]}),
        ("POST", f"{API}/runs/log-metric", {**run, "key": "loss", "value": 9, "timestamp": 9}),
        ("POST", f"{API}/runs/set-tag", {**run, "key": "note", "value": "y"}),
        ("POST", f"{API}/runs/update", {**run, "status": "FAILED"}),
        ("POST", f"{API}/runs/delete", run),
        ("POST", f"{API}/runs/log-inputs", {**run, "datasets": []}),
        ("POST", f"{API}/runs/create", {"experiment_id": its["experiment"]}),
        ("POST", f"{API}/experiments/update", {"experiment_id": its["experiment"], "new_name": "x"}),
        ("POST", f"{API}/experiments/delete", {"experiment_id": its["experiment"]}),
        ("POST", f"{API}/logged-models", {"experiment_id": its["experiment"], "name": "x"}),
        ("PATCH", f"{API}/logged-models/{its['logged']}/tags", {"tags": [{"key": "k", "value": "v"}]}),
        ("DELETE", f"{API}/logged-models/{its['logged']}", None),
        ("POST", f"{API}/model-versions/create", {**name, "source": "x"}),
        ("DELETE", f"{API}/model-versions/delete", {**name, "version": "1"}),
        ("DELETE", f"{API}/registered-models/delete", name),
        ("PUT", f"{FILES}/{its['file']}", {"not": "his"}),
        ("DELETE", f"{FILES}/{its['file']}", None),
        ("DELETE", f"{FILES}/{its['experiment']}", None),
    ]
    for method, path, body in tries:
        for way, headers in ((path, {}), (f"/mlflow/two{path}", {}),
                             (path, {"X-MLFLOW-WORKSPACE": "two"})):
            status, text = ask(site, "mallory", method, way, body, **headers)
            assert status in (400, 403, 404), f"{method} {way}: {status} {text}"
    assert send(site, "otto", "GET", f"{FILES}/{its['file']}") == (200, SECRET)
    seen = json.loads(ask(site, "otto", "GET", f"{API}/runs/get", run)[1])["run"]
    assert seen["info"]["status"] == "RUNNING" and len(seen["data"]["params"]) == 1, seen


def attempt_meet_in_the_folder_of_the_short_name(site):
    """"0" is everybody's default experiment, but no folder that two projects share."""
    for person, method in (("otto", "PUT"), ("otto", "GET"), ("mallory", "GET"), ("mallory", "DELETE")):
        status, text = send(site, person, method, f"{FILES}/0/shared.txt",
                            SECRET if method == "PUT" else None)
        assert status == 404 and SECRET not in text, f"{person} {method}: {status} {text}"


def attempt_leave_the_folder_of_artifacts(site):
    mine = make(site, "mallory", "/experiments/create", {"name": f"walk-{site.count}"})
    site.count += 1
    own = mine["experiment_id"]
    ups = ("..", "%2e%2e", "%2E%2E", "..%2f..", "%2e%2e%2f%2e%2e", "..%5c..", "....//..", "%00", ".")
    for up in ups:
        for path in (f"{own}/{up}/{up}/{up}/keys/token.key", f"{up}/keys/token.key",
                     f"{own}/{up}/{up}/gpuyard.db", f"{own}//etc/passwd", f"/{own}/x"):
            for method in ("GET", "PUT", "DELETE"):
                status, text = send(site, "mallory", method, f"{FILES}/{path}",
                                    "x" if method == "PUT" else None)
                assert status in (400, 404, 405), f"{method} {path}: {status} {text[:200]}"
        status, text = ask(site, "mallory", "GET", FILES,
                           {"path": f"{own}/{urllib.parse.unquote(up)}/.."})
        assert status in (400, 404), f"list {up}: {status} {text[:200]}"
    keys = site.server.data / "keys"
    assert (keys / "token.key").stat().st_size > 16, "a key of the server was changed"


def attempt_keep_files_where_another_project_does(site):
    its = things_of_otto(site)
    for place in (its["experiment"], f"{its['experiment']}/{its['run']}", "..", "../../keys", "",
                  f"/{its['experiment']}", "0"):
        for scheme in ("mlflow-artifacts:/", "mlflow-artifacts:", "mlflow-artifacts://x/"):
            site.count += 1
            status, text = ask(site, "mallory", "POST", f"{API}/experiments/create", {
                "name": f"place-{site.count}", "artifact_location": f"{scheme}{place}"})
            assert status == 400 and "not yours" in text, f"{scheme}{place}: {status} {text}"


def attempt_learn_the_place_of_a_foreign_model(site):
    its = things_of_otto(site)
    name = f"copy-of-{its['name']}"
    make(site, "mallory", "/registered-models/create", {"name": name})
    make(site, "mallory", "/model-versions/create", {"name": name, "source": f"models:/{its['logged']}",
                                                     "model_id": its["logged"]})
    text = ask(site, "mallory", "GET", f"{API}/model-versions/get-download-uri",
               {"name": name, "version": 1})[1]
    assert f"{its['experiment']}/" not in text, text


def attempt_make_one_run_larger_and_larger(site):
    run = make(site, "mallory", "/runs/create", {"experiment_id": "0"})["run"]["info"]["run_id"]
    text = json.dumps({"utc_time_created": "x" * 1_000_000})
    answers = [ask(site, "mallory", "POST", f"{API}/runs/log-model",
                   {"run_id": run, "model_json": text}) for _ in range(6)]
    assert [status for status, _ in answers[-2:]] == [400, 400], answers[-1]
    assert "artifacts" in answers[-1][1], answers[-1]


def attempt_send_bodies_that_are_too_large_for_tracking(site):
    status, _ = send(site, "mallory", "PUT", f"{FILES}/0-{site.projects['one']}/big", None,
                     {"Content-Length": str(60 << 30)})
    assert status == 413, status
    values = b'{"run_id": "x", "metrics": [' + b"{}," * 150_000 + b"{}]}"
    headers = {"Content-Type": "application/json"}
    assert send(site, "mallory", "POST", f"{API}/runs/log-batch", values, headers)[0] == 413
    packed = gzip.compress(b'{"run_id": "' + b"x" * 20_000_000 + b'"}')
    headers["Content-Encoding"] = "gzip"
    assert send(site, "mallory", "POST", f"{API}/runs/log-batch", packed, headers)[0] == 413


def attempt_make_one_run_larger_by_the_way_of_the_python_module(site):
    run = make(site, "mallory", "/runs/create", {"experiment_id": "0"})["run"]["info"]["run_id"]
    last = 0
    for part in range(12):
        values = {f"{part}-{i}": "x" * 6000 for i in range(100)}
        last, text = ask(site, "mallory", "POST", f"/api/v1/runs/{run}/batch", {"records": [
            {"kind": "config", "time": 1, "values": values}]})
        assert last in (200, 400), f"{last} {text}"
    assert last == 400, last


def attempt_give_a_run_endless_metrics(site):
    run = make(site, "mallory", "/runs/create", {"experiment_id": "0"})["run"]["info"]["run_id"]
    last, text = 0, ""
    for part in range(11):
        metrics = [{"key": f"m{part}-{i}", "value": 1, "timestamp": 1} for i in range(1000)]
        last, text = ask(site, "mallory", "POST", f"{API}/runs/log-batch",
                         {"run_id": run, "metrics": metrics})
    assert last == 400 and "metrics" in text, f"{last} {text}"


def attempt_search_with_endless_words(site):
    one = "metrics.a > 1"
    for more in ({"filter": " AND ".join([one] * 51)}, {"order_by": ["metrics.a"] * 11},
                 {"filter": f"tags.a = '{'x' * 70_000}'"}):
        status, text = ask(site, "mallory", "POST", f"{API}/runs/search",
                           {"experiment_ids": ["0"], **more})
        assert status == 400, f"{status} {text[:300]}"


def attempt_search_one_experiment_again_and_again(site):
    make(site, "mallory", "/runs/create", {"experiment_id": "0"})
    found = make(site, "mallory", "/runs/search", {"experiment_ids": ["0"] * 20, "max_results": 1000})
    ids = [run["info"]["run_id"] for run in found["runs"]]
    assert len(ids) == len(set(ids)), "a run was found twice"


def attempt_nest_folders_of_artifacts(site):
    deep = "/".join(["d"] * 200)
    place = f"{FILES}/0-{site.projects['one']}/{deep}/file"
    status, text = send(site, "mallory", "PUT", place, "x")
    assert status == 400, f"{status} {text}"


def attempt_send_parts_after_the_right_is_gone(site):
    """The secret of an upload in parts went on filling the disk when its owner might write there no more."""
    if "pat" not in site.people:
        roles = {role["name"]: role["id"]
                 for role in site.admin.make("/api/v1/authorization/roles", None, "GET")}
        site.add("pat", "one", roles["L1 researcher"])
    run = make(site, "pat", "/runs/create", {"experiment_id": "0"})["run"]["info"]
    place = f"{run['experiment_id']}/{run['run_id']}/artifacts"
    status, text = ask(site, "pat", "POST", f"/api/2.0/mlflow-artifacts/mpu/create/{place}",
                       {"path": "weights", "num_parts": 3})
    assert status == 200, f"{status} {text}"
    parts = json.loads(text)["credentials"]

    def send_part(number):
        """As MLflow's clients do it: without a token."""
        link = http.client.HTTPConnection("127.0.0.1", site.server.port, timeout=60)
        link.request("PUT", urllib.parse.urlsplit(parts[number]["url"]).path, b"x" * 100,
                     parts[number]["headers"])
        reply = link.getresponse()
        reply.read()
        link.close()
        return reply.status

    assert send_part(0) == 200
    rules = site.admin.make("/api/v1/authorization/access-rules", None, "GET")["accessRules"]
    for rule in rules:
        if rule["subjectId"].startswith("pat@"):
            assert site.admin.ask("DELETE", f"/api/v1/authorization/access-rules/{rule['id']}")[0] < 300
    assert send_part(1) == 403, "a part was taken"
    users = site.admin.make("/api/v1/users", None, "GET")
    person = next(one for one in users if one["username"].startswith("pat@"))
    assert site.admin.ask("DELETE", f"/api/v1/users/{person['id']}")[0] < 300
    assert send_part(2) == 404, "a part was taken"
    del site.people["pat"]
