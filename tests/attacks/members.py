"""What members, a department administrator and strangers may bring about by the words that they send.

dana administers the department of project `one`, and nothing else.
"""

import http.client
import json
import os
import subprocess
import tempfile

from site_of_attacks import Person, refused
from native_tasks import pair_at
from yard import PROGRAM, until

ROOT = "root"  # a folder of /proc
FOLDER = {"path": "/etc", "mountPath": "/mnt"}
EVIL = [{"storage": {"hostPath": [FOLDER]}}, {"security": {"hostNetwork": True}},
        {"security": {"capabilities": ["SYS_ADMIN"]}}, {"security": {"runAsUid": 0, "runAsGid": 0}},
        {"image": "dir:/etc"}]


def dana(site):
    """She is made with the first attempt that needs her."""
    if "dana" not in site.people:
        admin = site.admin
        roles = admin.make("/api/v1/authorization/roles", None, "GET")
        email = "dana@lab.example.org"
        made = admin.make("/api/v1/users", {"email": email, "resetPassword": False})
        admin.make("/api/v1/authorization/access-rules", {
            "subjectId": email, "subjectType": "user", "scopeType": "department",
            "scopeId": department(site, "one"),
            "roleId": next(one["id"] for one in roles if one["name"] == "Department administrator")})
        site.people["dana"] = site.sign_in(email, made["tempPassword"])
    return site.people["dana"]


def department(site, name):
    listed = site.admin.make("/api/v1/org-unit/departments", None, "GET")["departments"]
    return next(one["id"] for one in listed if one["name"] == f"dept-{name}")


def meta(site, name, project="one"):
    return {"name": name, "scope": "project", "projectId": int(site.projects[project])}


def attempt_bring_a_mount_by_a_policy(site):
    """Its defaults go into everybody's specs, and are asked like words of the submitter."""
    place = "/api/v2/policy/trainings"
    where = f"?scope=project&projectId={site.projects['one']}"
    try:
        for defaults in EVIL[:3] + EVIL[4:]:
            if "storage" in defaults:
                defaults = {"storage": {"hostPath": {"instances": [FOLDER]}}}
            status, answer = dana(site).ask("PUT", place + where, {
                "meta": meta(site, "evil"), "policy": {"defaults": defaults}})
            assert status in (200, 400), f"{status} {answer}"
            if status == 200:
                refused(site.laura.submit({"command": "id"}))
    finally:
        dana(site).ask("DELETE", place + where)


def attempt_bring_a_mount_by_an_asset(site):
    person = dana(site)
    for folder in ("/etc", "/srv", "/", "/root"):
        refused(person.ask("POST", "/api/v1/asset/datasource/host-path", {
            "meta": meta(site, "folder"), "spec": {"path": folder, "mountPath": "/mnt"}}))
    for number, more in enumerate(EVIL):
        spec = {"image": "localhost/none:1", "command": "id", **more}
        status, answer = person.ask("POST", "/api/v1/asset/environment", {
            "meta": meta(site, f"evil-{number}"), "spec": spec})
        assert status in (202, 400, 403), f"{status} {answer}"
        if status != 202:
            continue
        environment = answer["meta"]["id"]
        template = person.make("/api/v1/asset/workload-template", {
            "meta": meta(site, f"evil-{number}"), "spec": {
                "assets": {"environment": environment}, "specificEnv": more}})["meta"]["id"]
        for assets in ({"environment": environment}, {"template": template}):
            status, answer = site.laura.submit({"assets": assets})
            # What an environment does not bring at all is left out.
            harmless = status == 200 and not any(word in str(answer["spec"]) for word in (
                "/etc", "SYS_ADMIN", "hostNetwork", "runAsUid"))
            assert status == 403 or harmless, f"{assets} {more}: {status} {answer}"


def attempt_make_assets_elsewhere(site):
    spec = {"image": "localhost/none:1"}
    for scope in ({"scope": "department", "departmentId": department(site, "two")},
                  {"scope": "project", "projectId": int(site.projects["two"])}):
        refused(dana(site).ask("POST", "/api/v1/asset/environment", {
            "meta": {"name": "elsewhere", **scope}, "spec": spec}))
    refused(dana(site).ask("POST", "/api/v1/asset/environment", {
        "meta": {"name": "elsewhere", "scope": "tenant"}, "spec": spec}))
    for scope, ident in (("project", site.projects["one"]), ("department", department(site, "one"))):
        refused(dana(site).ask("PUT", f"/api/v1/host-access/{scope}/{ident}",
                               {"paths": [{"path": "/srv"}], "hostNetwork": True}))


def attempt_bring_a_mount_by_a_study(site):
    """The study is taken, and its trials are asked like any other work."""
    workloads = [{"command": "id", "storage": {"hostPath": [FOLDER]}},
                 {"image": "localhost/none:1", "command": "id {x}",
                  "storage": {"hostPath": [{"path": "{x}", "mountPath": "/mnt"}]}}]
    for number, workload in enumerate(workloads):
        status, answer = site.mallory.ask("POST", "/api/v1/studies", {
            "name": f"mount-{number}", "projectId": str(site.projects["one"]), "spec": {
                "objectives": [{"metric": "loss"}], "maxTrials": 1,
                "parameters": [{"name": "x", "choices": ["/etc"]}], "workload": workload}})
        assert status in (201, 400, 403), f"{status} {answer}"
        if status != 201:
            continue
        study = f"/api/v1/studies/{answer['id']}"
        ended = until("the trial is refused", lambda study=study: [
            one for one in [site.mallory.make(study, None, "GET")] if one["state"] == "Paused"])[0]
        assert "could not be submitted: spec.storage.hostPath" in ended["message"], ended
        site.mallory.ask("POST", f"{study}/stop")


def attempt_take_up_work_after_its_list_is_gone(site):
    site.allow(paths=[{"path": "/srv/gyx"}])
    status, answer = site.mallory.submit({"image": "localhost/none:1", "storage": {
        "hostPath": [{"path": "/srv/gyx/y", "mountPath": "/m"}]}})
    assert status in (200, 202), f"{status} {answer}"
    site.allow(paths=[])
    work = f"/api/v1/workloads/{answer['workloadId']}"
    site.mallory.ask("POST", f"{work}/cancel")
    until("it has ended", lambda: site.mallory.ask("GET", work)[1].get("phase") in (
        "Cancelled", "Failed", "Stopped"))
    refused(site.mallory.ask("POST", f"{work}/rerun"))


def keyed(person, key, body):
    link = http.client.HTTPConnection("127.0.0.1", person.site.server.port, timeout=60)
    link.request("POST", "/api/v1/workloads/trainings", json.dumps(body), {
        "Content-Type": "application/json", "Authorization": f"Bearer {person.token}",
        "Idempotency-Key": key})
    reply = link.getresponse()
    text = reply.read()
    link.close()
    return reply.status, reply.getheader("Idempotency-Replayed"), text


def attempt_get_anothers_answer_by_its_key(site):
    body = {"name": f"keyed-{site.count}", "clusterId": site.cluster,
            "projectId": site.projects["one"], "spec": {"command": "true"}}
    site.count += 1
    assert keyed(site.laura, "the-key", body)[0] in (200, 202)
    assert keyed(site.laura, "the-key", body)[1] == "true", "this shows nothing"
    assert keyed(site.otto, "the-key", body)[:2] == (403, None)
    status, replayed, text = keyed(site.mallory, "the-key", body)
    assert (status, replayed) == (409, None), f"{status} {replayed} {text}"


def attempt_end_the_question_of_a_list(site):
    for query, expected in (("search=%27%20OR%201%3D1--", 200), ("filterBy=name%3D%3D%27%22", 200),
                            ("sortBy=name%3Bdrop", 400), ("sortBy=(select%201)", 400),
                            ("search=%00", 400), ("sortOrder=asc%3B", 400), ("offset=-1", 400),
                            ("limit=99999999999", 400), ("search=%25", 200), ("search=_", 200)):
        status, answer = site.otto.ask("GET", f"/api/v1/workloads?{query}")
        assert status == expected, f"{query}: {status} {answer}"
        if status == 200:
            foreign = [one for one in answer["workloads"]
                       if str(one["projectId"]) != str(site.projects["two"])]
            assert not foreign, f"{query}: {foreign}"


def attempt_be_a_person_twice(site):
    for email in ("LAURA@lab.example.org", "laura@LAB.example.org", "laura@lab.example.org ",
                  "laura\ufb01@lab.example.org", "\u017ftranger@lab.example.org",
                  "laura@lab.example.org\u200b", "laura@lab.example.org\n"):
        status, answer = dana(site).ask("POST", "/api/v1/users", {
            "email": email, "resetPassword": False})
        assert status in (400, 409), f"{email!r}: {status} {answer}"
    status, answer = site.admin.ask("POST", "/api/v1/apps", {"name": "laura@lab.example.org"})
    assert status == 400, f"{status} {answer}"


def attempt_give_names_that_are_paths(site):
    quota = {"clusterId": site.cluster, "parentId": department(site, "one"), "resources": []}
    for name in ("..", "a/b", "A", "a.b", "-x", "x" * 64, "a b", "a\n", "a\u202eb", ""):
        status, answer = site.mallory.ask("POST", "/api/v1/workloads/trainings", {
            "name": name, "clusterId": site.cluster, "projectId": site.projects["one"],
            "spec": {"command": "true"}})
        assert status == 400, f"work {name!r}: {status} {answer}"
        status, answer = dana(site).ask("POST", "/api/v1/org-unit/projects", {"name": name, **quota})
        assert status == 400, f"project {name!r}: {status} {answer}"
    for name in ("api", "docs", "mlflow", "metrics"):
        status, answer = dana(site).ask("POST", "/api/v1/org-unit/projects", {"name": name, **quota})
        assert status in (400, 409), f"project {name!r}: {status} {answer}"


def attempt_send_messages_to_the_inside(site):
    """Of the many ways to write an address; who may test a rule is slowed down after five."""
    port = site.server.port
    rules = "/api/v1/notifications/rules"
    for target in (f"http://127.0.0.1:{port}/healthz", f"http://2130706433:{port}/",
                   f"http://[::ffff:127.0.0.1]:{port}/", f"http://x@0.0.0.0:{port}/"):
        made = site.mallory.make(rules, {"name": f"in-{site.count}", "channel": "webhook",
                                         "target": target, "events": ["Completed"],
                                         "secret": "0123456789abcdef"})
        site.count += 1
        answer = site.mallory.make(f"{rules}/{made['id']}/test", None)
        assert "not a public address" in answer["lastError"], answer
        site.mallory.ask("DELETE", f"{rules}/{made['id']}")
    for target in ("file:///etc/passwd", "gopher://127.0.0.1/", "http+unix://x/", "http://a b/",
                   "http://a\\@b/", "http://"):
        status, answer = site.mallory.ask("POST", rules, {
            "name": "odd", "channel": "webhook", "target": target, "events": ["Completed"],
            "secret": "0123456789abcdef"})
        assert status == 400, f"{target}: {status} {answer}"


def attempt_send_mail_with_headers_of_ones_own(site):
    for target in ("a@b.org>\r\nRCPT TO:<c@d.org", "a@b.org\r\nBcc: x@y.org", "a@b.org,c@d.org",
                   "\"a b\"@x.org", "-oQ/tmp@x.org", "a@b.org\0"):
        status, answer = site.mallory.ask("POST", "/api/v1/notifications/rules", {
            "name": "mail", "channel": "email", "target": target, "events": ["Completed"]})
        assert status == 400, f"{target!r}: {status} {answer}"


def attempt_order_the_work_of_another_project(site):
    ident = site.otto.run({"command": "sleep 60"}, project="two")
    work = f"/api/v1/workloads/{ident}"
    for part in ("", "/logs", "/events", "/attempts", "/pods", "/usage", "/why", "/outputs",
                 "/files?path=/etc/passwd", "/history"):
        assert site.mallory.ask("GET", work + part)[0] in (403, 404), part
    for order in ("cancel", "hold", "release", "rerun", "park"):
        assert site.mallory.ask("POST", f"{work}/{order}")[0] in (403, 404), order
    for order in ("cancel", "hold", "suspend"):
        status, answer = site.mallory.ask("POST", "/api/v1/workloads/orders",
                                          {"order": order, "ids": [ident]})
        assert status in (200, 403) and not answer.get("succeeded"), f"{order}: {status} {answer}"
    journal = f"/api/v1/study-journals/{site.projects['two']}/j"
    refused(site.mallory.ask("GET", journal))
    refused(site.mallory.ask("POST", journal, {"id": "a", "entries": ["x"]}))
    refused(site.mallory.ask("DELETE", journal))


def attempt_read_the_machine_by_the_way_of_files(site):
    with pair_at(site):
        ident = site.mallory.run({"command": "sleep 600"})
        work = f"/api/v1/workloads/{ident}"
        until("it runs", lambda: site.mallory.ask("GET", work)[1].get("phase") == "Running")
        for path in ("/etc/shadow", "/proc/1/environ", f"{site.server.data}/keys", "/root", "../spec",
                     "../../", f"/proc/self/{ROOT}/etc/shadow", "-rf", f"/proc/1/{ROOT}/etc/shadow",
                     f"/proc/{site.server.process.pid}/environ"):
            status, answer = site.mallory.ask("GET", f"{work}/files?path={path}")
            assert status == 404 and "root:x" not in str(answer), (path, status, str(answer)[:300])
        for person in (site.laura, site.otto):
            assert person.ask("GET", f"{work}/files?path=/etc/passwd")[0] in (403, 404)
        site.mallory.ask("POST", f"{work}/cancel")


def attempt_change_ones_own_record(site):
    """A plain process between its folders: the account may pass, not look or write."""
    with pair_at(site) as pair:
        script = ("ls .. ; cat ../spec ../state ; echo x > ../spec ; mv ../work ../gone ; "
                  "echo cause=Completed >> ../state ; rm -rf ../log.0 ; echo x > ../log.0 ; exit 3")
        attempt, log = pair.run("mallory", script)
        assert attempt["exitCode"] == 3 if "exitCode" in attempt else attempt["cause"] == "Exit", attempt
        assert "uid=" not in log and log.count("denied") >= 6, log


def attempt_reach_the_servers_processes(site):
    with pair_at(site) as pair:
        server = site.server.process.pid
        children = subprocess.run(["pgrep", "-P", str(server)], capture_output=True, text=True,
                                  check=False).stdout.split()
        for pid in (server, *map(int, children)):
            script = (f"kill -9 {pid}; head -c1 /proc/{pid}/mem; cat /proc/{pid}/environ; "
                      f"ls /proc/{pid}/fd; cat /proc/{pid}/maps; ls /proc/{pid}/root")
            _, log = pair.run("mallory", script)
            assert "GPUYARD" not in log and "rwx" not in log and "r-xp" not in log, log
        assert site.server.process.poll() is None
        _, log = pair.run("mallory", "for f in $(find /sys/fs/cgroup -name cgroup.procs); do "
                          "(echo $$ > $f) 2>/dev/null && echo MOVED $f; done; echo done")
        assert "MOVED" not in log and "done" in log, log


def attempt_pass_for_a_route_of_another_name(site):
    """Without signing in."""
    nobody = Person(site, "")
    for path in ("/api/v1/users", "/api/v1/users/.", "/api/v1//users", "//api/v1/users",
                 "/..;/api/v1/users", "/API/v1/users", "/api/v1/users%2f", "/api/v1/users;x=1",
                 "/docs/../../etc/passwd", "/docs/%2e%2e/%2e%2e/etc/passwd", "/docs/%00",
                 "/assets/..%2f..%2fetc/passwd", "/metrics", "/mlflow/one/api/2.0/mlflow/runs/get",
                 "/api/v1/me", "/api/v1/audit/log", "/debug/pprof", "/.git/config"):
        status, answer = nobody.ask("GET", path)
        assert status in (400, 401, 404), f"{path}: {status} {str(answer)[:200]}"
        assert "root:x" not in str(answer) and "@lab" not in str(answer), f"{path}: {answer}"


def attempt_bring_a_program_by_a_vpn_profile(site):
    """OpenVPN loads what these name with root's rights; the verb promises profiles without programs."""
    head = "client\ndev tun\nremote 127.0.0.1 9 udp\n"
    plugin = "plugin /tmp/gyx.so\n"
    profiles = [f"setenv opt {plugin}", f"<ca>\n</ca>x\n{plugin}<ca>\n</ca>\n",
                "<ca>\n" + "x" * 255 + f"</ca>\n{plugin}<ca>\n</ca>\n",
                f"<connection>\nremote a 1\n<ca>\n</connection>\n{plugin}</ca>\n</connection>\n"]
    with tempfile.TemporaryDirectory(prefix="gyn-") as home:
        for number, profile in enumerate(profiles):
            file = os.path.join(home, f"p{number}.ovpn")
            with open(file, "w", encoding="utf-8") as out:
                out.write(head + profile)
            subprocess.run([PROGRAM, "vpn", "install", file], check=False, capture_output=True,
                           env={"HOME": home, "PATH": os.environ["PATH"], "XDG_CONFIG_HOME": home})
        kept = [os.path.join(place, name) for place, _, names in os.walk(home) for name in names
                if place != home]
        for file in kept:
            with open(file, encoding="utf-8") as text:
                assert "gyx.so" not in text.read(), file
        assert len(kept) <= 1, f"more was taken than the profile without its plugin: {kept}"
    assert site.server.process.poll() is None
