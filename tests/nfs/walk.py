#!/usr/bin/env python3
"""A member of a project whose work mounts an NFS export of this (small, real) machine."""

import json
import os
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "lib"), str(TESTS / "attacks")]
from bad_images import make_image  # noqa: E402
from yard import PROGRAM, Client, Server, report, until  # noqa: E402

SCRATCH = pathlib.Path(os.environ["YARD_SCRATCH"])
DATA = pathlib.Path("/srv/data")


SETTINGS = """[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "/tmp/pod/networks"
"""


class Podman:
    """A daemon of root with everything below /tmp, and an image."""

    def __init__(self):
        place = pathlib.Path("/tmp/pod")
        place.mkdir()
        (place / "conf").write_text(SETTINGS)
        self.daemon = str(place / "d.sock")
        self.log = open(SCRATCH / "podman.log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            ["podman", "--root", str(place / "s"), "--runroot", str(place / "r"), "--tmpdir",
             str(place / "t"), "system", "service", "--time", "0", f"unix://{self.daemon}"],
            env={**os.environ, "CONTAINERS_CONF": str(place / "conf")}, stdout=self.log,
            stderr=self.log)
        until("podman serves", lambda: pathlib.Path(self.daemon).exists()
              or self.process.poll() is not None)
        assert self.process.poll() is None, (SCRATCH / "podman.log").read_text()[-300:]
        self.image = make_image(self, "nfs")


class Member:
    def __init__(self):
        self.podman = Podman()
        self.server = Server(SCRATCH)
        self.server.start(gpus="1xA100:40Gi", tasks="isolated",
                          options=["--container-socket", self.podman.daemon])
        self.server.wait_ready()
        self.admin = Client(self.server.port)
        self.cluster, self.project = self.admin.settle_in()
        roles = {r["name"]: r["id"] for r in self.admin.get("/api/v1/authorization/roles")}
        user = self.admin.make("/api/v1/users", {"email": "ann@lab.org", "resetPassword": False})
        self.admin.make("/api/v1/authorization/access-rules", {
            "subjectId": "ann@lab.org", "subjectType": "user", "roleId": roles["L1 researcher"],
            "scopeId": self.project, "scopeType": "project"})
        self.token = self.admin.make("/api/v1/token", {
            "grantType": "password", "username": "ann@lab.org",
            "password": user["tempPassword"]})["accessToken"]

    def type(self, *words, program="gpuyard", code=0):
        own = {**os.environ, "GPUYARD_URL": f"http://127.0.0.1:{self.server.port}",
               "GPUYARD_TOKEN": self.token}
        done = subprocess.run([PROGRAM.parent / program, *words], env=own, text=True, input="",
                              capture_output=True, timeout=120, check=False)
        assert done.returncode == code, f"{done.returncode}: {done.stdout} {done.stderr}"
        return done


def an_export_is_mounted_and_written(member):
    told = member.type("run", "--nfs", "127.0.0.1:/data:/mnt/nfs", "--", "sh", "-c",
                       "grep ' /mnt/nfs ' /proc/mounts; echo from the work >/mnt/nfs/file").stdout
    assert " nfs4 rw," in told, told
    assert (DATA / "file").read_text() == "from the work\n"


def read_only_is_honoured(member):
    told = member.type("run", "--nfs", "127.0.0.1:/data:/mnt/nfs:ro", "--", "sh", "-c",
                       "cat /mnt/nfs/file; echo x 2>&1 >/mnt/nfs/other || echo refused").stdout
    assert "from the work" in told and "refused" in told, told
    assert not (DATA / "other").exists()


def work_from_the_api_mounts_it_too(member):
    body = {"name": "volume", "projectId": member.project, "clusterId": member.cluster,
            "spec": {"command": "cat /mnt/nfs/file", "storage": {"nfs": [
                {"server": "127.0.0.1", "path": "/data", "mountPath": "/mnt/nfs"}]}}}
    member.admin.make("/api/v1/workloads/trainings", body)
    until("it ends", lambda: member.admin.workloads()["volume"]["phase"] == "Completed")
    assert member.type("logs", "volume", program="runai").stdout == "from the work\n"


def a_data_source_of_the_project_is_mounted(member):
    member.admin.make("/api/v1/asset/datasource/nfs", {
        "meta": {"name": "lab-nfs", "scope": "project", "projectId": int(member.project)},
        "spec": {"server": "127.0.0.1", "path": "/data", "mountPath": "/mnt/nfs"}})
    told = member.type("run", "-J", "sourced", "--data-source", "lab-nfs", "--", "cat",
                       "/mnt/nfs/file").stdout
    assert told == "from the work\n", told
    listed = member.admin.workloads()["sourced"]
    assert [d["name"] for d in listed["datasources"]] == ["lab-nfs"], listed


def an_export_that_is_not_there_is_said_in_the_servers_words(member):
    told = member.type("run", "--nfs", "127.0.0.1:/nowhere:/mnt/nfs", "--", "true", code=125).stderr
    assert "/nowhere" in told and "No such file or directory" in told, told


def a_container_has_it_too(member):
    told = member.type("run", "-i", member.podman.image, "--nfs", "127.0.0.1:/data:/mnt/nfs", "--",
                       "sh", "-c", "cat /mnt/nfs/file; grep ' /mnt/nfs ' /proc/mounts").stdout
    assert "from the work" in told and " nfs4 " in told, told
    told = member.type("run", "-i", member.podman.image, "--nfs", "127.0.0.1:/nowhere:/mnt/nfs",
                       "--", "true", code=125).stderr
    assert "/nowhere" in told and "No such file or directory" in told, told


def nothing_stays_mounted(member):
    assert " nfs4 " not in pathlib.Path("/proc/self/mounts").read_text()
    for mounts in pathlib.Path("/proc").glob("[0-9]*/mounts"):
        try:
            assert " nfs4 " not in mounts.read_text(), f"mounted for {mounts}"
        except OSError:
            pass  # it has ended


def main():
    member = Member()
    good = True
    try:
        for one in (an_export_is_mounted_and_written, read_only_is_honoured,
                    work_from_the_api_mounts_it_too, a_data_source_of_the_project_is_mounted,
                    an_export_that_is_not_there_is_said_in_the_servers_words,
                    a_container_has_it_too,
                    nothing_stays_mounted):
            good = report(one.__name__.replace("_", "-"), one, member) and good
    finally:
        member.server.remove()
        member.podman.process.terminate()
        member.podman.process.wait(timeout=60)
        member.podman.log.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
