"""Plain processes of two people with unprivileged accounts, on the machine that they share.

The administrator has let the project have all host paths that these attempts name: what holds here
is the shim, not the rules of submission.
"""

import contextlib
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile

from site_of_attacks import Skip
from yard import PROGRAM, until

SLEEP = "sleep 1000"


class Pair:
    """Two machine accounts, each given to one person, with a folder each."""

    def __init__(self, site):
        if os.geteuid() != 0:
            raise Skip("needs root to make accounts")
        self.site = site
        self.names = {}
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="gyp-"))
        self.place.chmod(0o755)
        for person in ("laura", "mallory"):
            name = f"gyt{secrets.token_hex(4)}"
            subprocess.run(["useradd", "--no-create-home", "--shell", "/bin/sh", name], check=True)
            self.names[person] = name
        self.machine = self.place / "machine"
        self.machine.mkdir(mode=0o755)
        (self.machine / "precious.conf").write_text("kept")
        for person, name in self.names.items():
            folder = self.place / person
            folder.mkdir(mode=0o755)
            shutil.chown(folder, name, name)
            self.give(person, name)
        # So that the attempts come past the control plane, to what the machine itself refuses.
        site.allow(paths=[{"path": str(self.place)}])

    def give(self, person, name):
        users = self.site.admin.make("/api/v1/users", None, "GET")
        listed = users["users"] if isinstance(users, dict) else users
        ident = next(user["id"] for user in listed
                     if (user.get("username") or user.get("email", "")).startswith(f"{person}@"))
        self.site.admin.make(f"/api/v1/users/{ident}", {"unixName": name}, "PATCH")

    def run(self, person, script, storage=None, **more):
        """The newest attempt and the log of a script that has ended."""
        who = getattr(self.site, person)
        spec = {"command": "/bin/sh", "args": f"-c '{script}'", **more}
        if storage:
            spec["storage"] = storage
        status, answer = who.submit(spec)
        if status not in (200, 202):
            return {"endCause": "Refused", "message": str(answer)}, ""
        return who.outcome(answer["workloadId"])

    def bind(self, source, target, **more):
        return {"hostPath": [{"path": str(source), "mountPath": str(target), **more}]}

    def close(self):
        for name in self.names.values():
            uid = pwd.getpwnam(name).pw_uid
            until(f"{name} runs nothing", lambda uid=uid: not end_processes_of(uid))
            subprocess.run(["userdel", name], check=True, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.place, ignore_errors=True)


def runs_as(process, uid):
    """By any of its ids: the folder of a process that gave up rights belongs to root."""
    lines = (process / "status").read_text().splitlines()
    return str(uid) in next(line for line in lines if line.startswith("Uid:")).split()[1:]


def end_processes_of(uid):
    """How many there were, all of them of an account that this file has made."""
    count = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if runs_as(process, uid):
                os.kill(int(process.name), signal.SIGKILL)
                count += 1
    return count


@contextlib.contextmanager
def pair_at(site):
    pair = Pair(site)
    try:
        yield pair
    finally:
        pair.close()


def attempt_root_by_a_bind_over_mount(site):
    with pair_at(site) as pair:
        program = pair.place / "mallory" / "mount"
        proof = pair.machine / "proof"
        program.write_text(f"#!/bin/sh\nid > {proof}\n")
        program.chmod(0o755)
        point = str(pair.place / "mallory/n")
        pair.run("mallory", "true", {
            **pair.bind(program, "/usr/bin/mount"),
            "nfs": [{"server": "127.0.0.1", "path": "/x", "mountPath": point}]})
        assert not proof.exists(), proof.read_text()


def attempt_deletion_by_a_renamed_folder(site):
    with pair_at(site) as pair:
        own = pair.place / "mallory"
        (own / "a").mkdir()
        shutil.chown(own / "a", pair.names["mallory"])
        (own / "file").write_text("")
        pair.run("mallory", f"mv {own}/a {own}/b; ln -s {pair.machine} {own}/a",
                 pair.bind(own / "file", own / "a/precious.conf"))
        assert (pair.machine / "precious.conf").exists(), "a file of the machine was deleted"


def attempt_creation_in_a_folder_of_the_machine(site):
    with pair_at(site) as pair:
        who = site.mallory
        status, answer = who.submit({
            "command": "/bin/sh", "args": f"-c '{SLEEP}'",
            "storage": pair.bind(pair.place / "mallory", pair.machine / "made")})
        if status not in (200, 202):
            return
        ident = answer["workloadId"]
        until("it runs or has ended", lambda: who.ask("GET", f"/api/v1/workloads/{ident}")[1].get(
            "phase") in ("Running", "Failed", "Completed"))
        made = (pair.machine / "made").exists()
        assert not made, "a mount point was made in a folder of the machine"


def attempt_reading_past_a_closed_home(site):
    with pair_at(site) as pair:
        home = pair.place / "laura"
        home.chmod(0o700)
        (home / "project").mkdir()
        (home / "project/thesis").write_text("the thesis of laura")
        _, log = pair.run("mallory", f"cat {pair.place}/mallory/in/thesis",
                          pair.bind(home / "project", pair.place / "mallory/in"))
        assert "the thesis of laura" not in str(log), log


def attempt_finding_out_what_exists(site):
    with pair_at(site) as pair:
        home = pair.place / "laura"
        home.chmod(0o700)
        (home / "there").write_text("")
        told = [pair.run("mallory", "true", pair.bind(home / name, pair.place / "mallory/in"))[0]
                for name in ("there", "gone!")]
        words = [str(end.get("message")).replace("there", "NAME").replace("gone!", "NAME")
                 for end in told]
        assert words[0] == words[1], words


def attempt_a_link_out_of_the_allowed_folder(site):
    with pair_at(site) as pair:
        link = pair.place / "mallory/link"
        link.symlink_to("/etc")
        end, log = pair.run("mallory", f"cat {pair.place}/mallory/in/hostname",
                            pair.bind(link, pair.place / "mallory/in"))
        assert end.get("endCause", end.get("cause")) != "Completed", log


def attempt_reading_the_work_of_another(site):
    with pair_at(site) as pair:
        laura = site.laura
        script = f"printf %s-%s we ights > model.txt; pwd; echo ready; {SLEEP}"
        ident = laura.run({"command": "/bin/sh", "args": f"-c '{script}'"})
        until("laura works", lambda: "ready" in str(
            laura.ask("GET", f"/api/v1/workloads/{ident}/logs")[1]))
        folder = str(laura.ask("GET", f"/api/v1/workloads/{ident}/logs")[1]).split()[0]
        _, log = pair.run("mallory", "cat /proc/*/cmdline | tr \"\\0\" \" \"; "
                                     f"cat {folder}/model.txt; "
                                     f"ls {pathlib.Path(folder).parent}; cat {folder}/../spec")
        assert "we-ights" not in str(log), log
        assert folder not in str(log).replace(f"{folder}/model.txt", "").replace(
            f"{folder}/../spec", ""), f"a command line names {folder}"


def attempt_reading_the_database(site):
    with pair_at(site) as pair:
        data = site.server.data
        files = f"{data}/gpuyard.db {data}/gpuyard.db-wal {data}/keys/*"
        _, log = pair.run("mallory", f"cat {files}; ls {data}")
        assert "argon2id" not in str(log) and "token.key" not in str(log), str(log)[:300]
        assert data.stat().st_mode & 0o77 == 0, oct(data.stat().st_mode)
        for name in ("gpuyard.db", "gpuyard.db-wal"):
            assert (data / name).stat().st_mode & 0o77 == 0, name


def attempt_the_password_in_the_environment(site):
    text = pathlib.Path(f"/proc/{site.server.process.pid}/environ").read_bytes()
    assert b"correct-horse" not in text, text[:200]


def attempt_a_port_of_the_machine(site):
    """Through work of one's own to a port that something else has, declared or not."""
    with pair_at(site) as pair, socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ident = site.mallory.run({"command": "/bin/sh", "args": f"-c 'echo ready; {SLEEP}'",
                                  "ports": [{"serviceType": "ClusterIP", "container": port}]})
        until("it runs", lambda: "ready" in str(
            site.mallory.ask("GET", f"/api/v1/workloads/{ident}/logs")[1]))
        for person, wanted in (("mallory", port), ("mallory", site.server.port), ("laura", port)):
            with socket.create_connection(("127.0.0.1", site.server.port)) as link:
                link.settimeout(20)
                link.sendall((
                    f"GET /api/v1/workloads/{ident}/ports/{wanted} HTTP/1.1\r\nHost: x\r\n"
                    f"Authorization: Bearer {getattr(site, person).token}\r\n"
                    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
                answer = link.recv(4096).decode(errors="replace")
            assert " 101 " not in answer.partition("\r\n")[0], f"{person} {wanted}: {answer[:80]}"
        assert pair


def attempt_work_as_root(site):
    with pair_at(site) as pair:
        _, log = pair.run("mallory", "id -u; grep NoNewPrivs /proc/self/status")
        assert str(pwd.getpwnam(pair.names["mallory"]).pw_uid) in str(log), log
        assert "NoNewPrivs:\t1" in str(log).replace("\\t", "\t"), log


def attempt_starting_a_server_whose_work_is_root(site):
    """`self` as root, and the server's account for more than this machine."""
    if os.geteuid() != 0:
        raise Skip("needs root")
    for arguments in (["up", "--native-tasks", "self"],
                      ["server", "--native-tasks", "root", "--listen", "0.0.0.0:0"]):
        data = tempfile.mkdtemp(prefix="gyd-")
        done = subprocess.run([str(PROGRAM), *arguments, "--data-dir", data],
                              capture_output=True, text=True, timeout=60, check=False)
        shutil.rmtree(data, ignore_errors=True)
        assert done.returncode == 2 and "native-tasks" in done.stderr, done
