"""Escapes from jobs that advisories of Slurm and Kubernetes describe, tried by plain processes.

docs/security-escapes.md has the list.
"""

import os
import pwd
import shutil
import socket
import subprocess

from escapes import Work
from native_tasks import SLEEP, pair_at
from site_of_attacks import IMAGE
from yard import until


def upgrade(site, person, target):
    """The first line of the answer to a WebSocket of that person."""
    with socket.create_connection(("127.0.0.1", site.server.port)) as link:
        link.settimeout(20)
        link.sendall((f"GET {target} HTTP/1.1\r\nHost: x\r\n"
                      f"Authorization: Bearer {person.token}\r\n"
                      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
        return link.recv(4096).decode(errors="replace").partition("\r\n")[0]


def attempt_cve_2022_29500_act_as_the_server(site):
    """With what a task finds around it: variables, sockets, the folder of the tasks."""
    with pair_at(site) as pair:
        reach = ("import glob, os, socket\n"
                 f"data = \"{site.server.data}\"\n"
                 "for path in [data + \"/gpuyard.sock\"] + glob.glob("
                 f"\"{site.server.tasks}/**\", recursive=True):\n"
                 "  try:\n"
                 "    link = socket.socket(socket.AF_UNIX); link.settimeout(5); link.connect(path)\n"
                 "    link.sendall(b\"GET /api/v1/me HTTP/1.0\\r\\n\\r\\n\")\n"
                 "    print(\"answe\" + \"red\", path, link.recv(4096))\n"
                 "  except OSError as error: print(\"closed\", path, error)\n")
        program = pair.place / "mallory/reach.py"
        program.write_text(reach)
        _, log = pair.run("mallory", f"env; /usr/bin/python3 {program}")
        assert "closed" in str(log) and "answered" not in str(log), str(log)[-600:]
        tokens = [line.partition("=")[2] for line in str(log).split("\n") if "eyJ" in line]
        for token in tokens:
            me = type(site.mallory)(site, token).ask("GET", "/api/v1/me")
            assert "mallory@" in str(me) or me[0] == 401, me


def attempt_cve_2022_29501_send_to_a_socket_as_root(site):
    """The server connects for a member; nothing but a declared port of the task is reached."""
    site.needs_containers()
    with Work(site, site.mallory, {
            "image": IMAGE, "command": ["/bin/sh", "-c", "echo ready; sleep 1000"],
            "ports": [{"serviceType": "ClusterIP", "container": 8080}]}) as work:
        for port in (f"{site.daemon}", "%2Frun%2Fpodman%2Fpodman.sock", "unix:/run/x.sock", "0",
                     "-1", "65536", str(site.server.port), "8080%00", "8080/../../x", "22"):
            line = upgrade(site, site.mallory, f"/api/v1/workloads/{work.ident}/ports/{port}")
            assert " 101 " not in line, f"{port}: {line}"


def attempt_cve_2022_29502_join_the_terminal_of_another(site):
    with pair_at(site):
        ident = site.laura.run({"command": "/bin/sh", "args": f"-c 'echo ready; {SLEEP}'",
                                "tty": True, "stdin": True})
        until("it runs", lambda: "ready" in str(
            site.laura.ask("GET", f"/api/v1/workloads/{ident}/logs")[1]))
        for person in (site.mallory, site.otto):
            for way in ("attach", "exec?command=id", "files?path=/", "ports/22"):
                line = upgrade(site, person, f"/api/v1/workloads/{ident}/{way}")
                assert " 403 " in line or " 404 " in line, f"{way}: {line}"
        line = upgrade(site, site.laura, f"/api/v1/workloads/{ident}/exec?command=id")
        assert " 101 " in line, f"its owner: {line}"
        site.laura.ask("DELETE", f"/api/v1/workloads/trainings/{ident}")


def attempt_cve_2023_41914_lead_the_server_to_foreign_files(site):
    """A task puts links where the server later writes, owns or deletes."""
    with pair_at(site) as pair:
        victim = pair.machine / "folder"
        victim.mkdir()
        (victim / "kept").write_text("kept")
        before = victim.stat()
        script = (f"for d in . .. $TMPDIR $TMPDIR/..; do ln -s {victim} $d/folder; "
                  f"ln -sf {victim}/kept $d/log; ln -sf {victim}/kept $d/state; done; "
                  f"cd /; mv $TMPDIR $TMPDIR-gone; ln -s {victim} $TMPDIR; "
                  "echo temporary=$TMPDIR; echo written >&2")
        who = site.mallory
        ident = who.run({"command": "/bin/sh", "args": f"-c '{script}'"})
        _, log = who.outcome(ident)
        folder = str(log).partition("temporary=")[2].split()[0]
        until("its temporary folder is emptied", lambda: not os.listdir(folder))
        who.ask("DELETE", f"/api/v1/workloads/trainings/{ident}")
        assert (victim / "kept").read_text() == "kept"
        after = victim.stat()
        assert (after.st_uid, after.st_mode) == (before.st_uid, before.st_mode), after
        assert (victim / "kept").stat().st_uid == before.st_uid


def attempt_cve_2024_10220_a_repository_that_runs_programs(site):
    """What a repository makes git run, runs with the rights of the task's owner."""
    if not shutil.which("git"):
        raise AssertionError("git is missing")
    with pair_at(site) as pair:
        own, machine = pair.place / "mallory", pair.machine
        repository = own / "repository"
        for words in (["init", "-q", "--template=", str(repository)],
                      ["-C", str(repository), "-c", "user.name=x", "-c", "user.email=x@x",
                       "commit", "-q", "--allow-empty", "-m", "x"]):
            subprocess.run(["git", *words], check=True)
        for source in (f"ext::sh -c touch% {own}/ran;touch% {machine}/ran",
                       f"--upload-pack=touch {machine}/ran", str(repository)):
            pair.run("mallory", "true", {"git": [
                {"repository": source, "branch": "master", "path": str(own / "clone")}]})
        assert not (machine / "ran").exists(), "a repository wrote to a folder of the machine"
        uid = pwd.getpwnam(pair.names["mallory"]).pw_uid
        for name in ("ran", "clone"):
            if (own / name).exists():
                assert os.stat(own / name).st_uid == uid, name
