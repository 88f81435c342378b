"""What a workload may ask of its machine, and whose credentials and accounts it may use."""

import json
import os

from site_of_attacks import IMAGE, refused

KINDS = ("trainings", "workspaces", "inferences", "distributed")


def mount(path, **more):
    return {"image": IMAGE, "storage": {"hostPath": [{"path": path, "mountPath": "/in", **more}]}}


def secure(**security):
    return {"image": IMAGE, "security": security}


def attempt_mount_the_root_folder(site):
    for kind in KINDS:
        refused(site.mallory.submit(mount("/"), kind), "spec.storage.hostPath[0].path")


def attempt_mount_folders_of_the_system(site):
    for path in ("/etc", "/etc/shadow", "/proc", "/sys/fs/cgroup", "/dev", "/run", "/boot",
                 "/root", "/var/run", "/var/lib/containers", "/var"):
        refused(site.mallory.submit(mount(path, readOnly=True)), "can never be mounted")


def attempt_mount_the_data_directory(site):
    data = str(site.server.data)
    for path in (data, f"{data}/keys", os.path.dirname(data)):
        refused(site.mallory.submit(mount(path)), "can never be mounted")


def attempt_mount_the_sockets(site):
    site.needs_containers()
    for path in (site.daemon, "/run/podman/podman.sock", f"{site.lab}/storage"):
        refused(site.mallory.submit(mount(path)), "can never be mounted")


def attempt_mount_by_odd_spellings(site):
    site.allow(paths=[{"path": str(site.folder)}])
    for path in (f"{site.folder}/../../etc", "//etc", "/./etc/", "/etc/.", "etc", "/etc,rw",
                 f"{site.folder}x"):
        refused(site.mallory.submit(mount(path)), "hostPath")
    status, body = site.mallory.submit(mount(f"{site.folder}\n/etc"))
    assert status == 400, body


def attempt_write_where_reading_is_listed(site):
    site.allow(paths=[{"path": str(site.folder), "readOnly": True}])
    refused(site.mallory.submit(mount(str(site.folder))), "set readOnly")


def attempt_list_folders_of_the_system(site):
    target = f"/api/v1/host-access/project/{site.projects['one']}"
    for path in ("/", "/etc", str(site.server.data), "/var/lib"):
        status, body = site.admin.ask("PUT", target, {"paths": [{"path": path}]})
        assert status == 400, f"listed {path}: {status} {body}"


def attempt_list_for_oneself(site):
    target = f"/api/v1/host-access/project/{site.projects['one']}"
    for person in (site.mallory, site.laura):
        refused(person.ask("PUT", target, {"hostNetwork": True}))
        status, _ = person.ask("PUT", "/v1/k8s/setting", {"key": "host-access/tenant/", "value": 1})
        assert status in (400, 403), status


def attempt_make_an_asset_of_a_foreign_home(site):
    body = {"meta": {"name": "home", "scope": "project", "projectId": int(site.projects["one"])},
            "spec": {"path": "/home/otto", "mountPath": "/in"}}
    refused(site.laura.ask("POST", "/api/v1/asset/datasource/host-path", body), "spec.path")


def attempt_add_capabilities(site):
    site.allow()
    for name in ("SYS_ADMIN", "CAP_SYS_PTRACE", "sys_module", "DAC_READ_SEARCH", "ALL", "BPF"):
        refused(site.mallory.submit(secure(capabilities=[name])), "capabilities[0]")


def attempt_share_the_machine(site):
    site.allow()
    refused(site.mallory.submit(secure(hostNetwork=True)), "hostNetwork")
    refused(site.mallory.submit(secure(hostIpc=True)), "hostIpc")
    refused(site.mallory.submit(secure(seccompProfileType="Unconfined")), "seccomp")
    refused(site.mallory.submit(secure(allowPrivilegeEscalation=True)), "allowPrivilege")


def attempt_run_as_the_system(site):
    site.allow()
    refused(site.mallory.submit(secure(runAsUid=0)), "runAsUid")
    refused(site.mallory.submit(secure(runAsUid=2000, runAsGid=0)), "runAsGid")
    refused(site.mallory.submit(secure(runAsUid=2000, supplementalGroups="4,27")), "supplemental")


def attempt_ask_through_a_master(site):
    status, body = site.mallory.submit({"image": IMAGE, "numWorkers": 1}, "distributed",
                                       masterSpec=secure(hostNetwork=True))
    refused((status, body), "masterSpec.security.hostNetwork")


def attempt_ask_through_a_policy(site):
    """A policy of an administrator fills in defaults; they are asked about like the rest."""
    target = "/api/v2/policy/trainings"
    scope = {"scope": "project", "projectId": int(site.projects["one"]), "name": "p"}
    site.admin.make(target, {"meta": scope, "policy": {
        "defaults": {"security": {"hostNetwork": True}}}}, "PUT")
    try:
        refused(site.mallory.submit({"image": IMAGE}), "hostNetwork")
    finally:
        site.admin.ask("DELETE", f"{target}?scope=project&projectId={site.projects['one']}")


def attempt_read_a_file_as_an_image(site):
    for image in ("docker-archive:/home/otto/a.tar", "dir:/etc", "oci-archive:x.tar", "/etc",
                  "containers-storage:other", "a?x=1"):
        refused(site.mallory.submit({"image": image}), "spec.image")


def attempt_run_as_a_colleague(site):
    site.needs_containers()
    site.allow()
    ident = site.mallory.run({**secure(runAsUid=1000), "command": "id"})
    attempt, _ = site.mallory.outcome(ident)
    assert attempt["cause"] == "LaunchFailed" and "may not run as 1000" in attempt["message"], attempt


def attempt_mount_through_a_link(site):
    site.needs_containers()
    site.allow(paths=[{"path": str(site.folder)}])
    for name, leads_to in (("etc", "/etc"), ("data", str(site.server.data)),
                           ("socket", site.daemon), ("home", "/home")):
        link = site.folder / name
        link.unlink(missing_ok=True)
        link.symlink_to(leads_to)
        ident = site.mallory.run({**mount(str(link)), "command": "ls /in"})
        attempt, _ = site.mallory.outcome(ident)
        assert attempt["cause"] == "LaunchFailed" and "leads to" in attempt["message"], attempt


def attempt_change_a_colleagues_process(site):
    """The work of laura, a plain process under her account, waits for GPUs that there are not."""
    ident = site.laura.run({"command": "serve", "compute": {"gpuDevicesRequest": 999}},
                           "inferences")
    for fields in ({"command": "id"}, {"args": "x"}, {"image": IMAGE},
                   {"environmentVariables": [{"name": "LD_PRELOAD", "value": "/tmp/x.so"}]}):
        refused(site.mallory.ask("PATCH", f"/api/v1/workloads/inferences/{ident}",
                                 {"spec": fields}), "laura@lab.example.org")
    site.laura.ask("DELETE", f"/api/v1/workloads/inferences/{ident}")


def attempt_order_a_colleagues_study_where_work_is_kept_apart(site):
    """It stops laura's work, and makes more of it in her name."""
    path = f"/api/v1/org-unit/projects/{site.projects['one']}"
    resources = site.admin.make(path, None, "GET")["resources"]
    study = site.laura.make("/api/v1/studies", {
        "name": "search", "projectId": str(site.projects["one"]), "spec": {
            "objectives": [{"metric": "loss"}], "parameters": [{"name": "x", "low": 0, "high": 1}]}})
    site.admin.make(path, {"resources": resources, "workAccess": "private"}, "PUT")
    try:
        one = f"/api/v1/studies/{study['id']}"
        for order, body in (("/pause", None), ("/resume", None), ("/extend", {"maxTrials": 9}),
                            ("/trials", {"parameters": {"x": 0.5}}), ("/stop", None)):
            refused(site.mallory.ask("POST", one + order, body), "laura@lab.example.org")
        refused(site.mallory.ask("DELETE", one), "laura@lab.example.org")
        site.laura.make(f"{one}/stop", None)
        site.laura.make(one, None, "DELETE")
    finally:
        site.admin.make(path, {"resources": resources, "workAccess": "team"}, "PUT")


def registry(site, name, url, scope):
    site.admin.make("/api/v1/asset/credentials/docker-registry", {
        "meta": {"name": name, **scope},
        "spec": {"user": "bot", "password": "s3cret", "url": url}})


def attempt_print_a_credential_without_a_right(site):
    registry(site, "company", "registry.company.example", {"scope": "tenant"})
    spec = {"command": "env", "environmentVariables": [
        {"name": "X", "secret": {"name": "company", "key": "password"}}]}
    refused(site.clerk.submit(spec), "environmentVariables[0].secret")
    refused(site.clerk.submit({"image": IMAGE, "imagePullSecrets": [{"name": "company"}]}),
            "imagePullSecrets")


def attempt_use_a_credential_of_another_project(site):
    registry(site, "twos", "registry.two.example",
             {"scope": "project", "projectId": int(site.projects["two"])})
    ident = site.laura.run({"image": IMAGE, "command": "env", "environmentVariables": [
        {"name": "X", "secret": {"name": "twos", "key": "password"}}]})
    attempt, log = site.laura.outcome(ident)
    assert attempt["cause"] == "LaunchFailed" and "s3cret" not in json.dumps(log), attempt


def attempt_count_projects(site):
    foreign = site.mallory.submit({"command": "x"}, project=site.projects["two"])
    invented = site.mallory.submit({"command": "x"}, project="4711")
    assert foreign[0] == invented[0] == 403, (foreign, invented)
