"""What a program inside a container, root there, is on the machine. Needs a real podman, of root or of
a plain account."""

import subprocess

from data_sets import file, manifest, of_chunk, push
from escapes import Work
from escapes_of_jobs import upgrade
from site_of_attacks import IMAGE
from yard import paths_below, until


def shell(script, **more):
    return {"image": IMAGE, "command": ["/bin/sh", "-c", script], **more}


def task_files(site, name):
    return [path for place in (site.server.data, site.server.tasks) for path in paths_below(place)
            if path.match(name)]


def said(site, person, script, **more):
    """The log of a container that ends well."""
    ident = person.run(shell(script, **more))
    attempt, log = person.outcome(ident)
    text = log if isinstance(log, str) else str(log)
    assert attempt["cause"] == "Completed", f"{attempt} {text}"
    return text


def attempt_be_the_machines_root(site):
    site.needs_containers()
    site.allow()
    text = said(site, site.mallory, "id -u; cat /proc/self/uid_map; touch /gpuyard/output/mine")
    inside, outside, count = [int(word) for word in text.split()[1:4]]
    assert inside == 0 and site.is_container_root(outside) and count in (1, 65536), text
    owners = {path.stat().st_uid for path in task_files(site, "work/mine")}
    assert owners and all(site.is_container_root(uid) for uid in owners), owners


def attempt_gain_privileges(site):
    site.needs_containers()
    text = said(site, site.mallory, "grep -E 'NoNewPrivs|Seccomp:' /proc/self/status;"
                "mknod /tmp/disk b 8 0 2>&1; mount -t tmpfs none /mnt 2>&1; "
                "echo x 2>&1 >/proc/sysrq-trigger; dmesg 2>&1 | head -n 1; true")
    assert "NoNewPrivs:\t1" in text and "Seccomp:\t2" in text, text
    assert text.count("ermi") >= 2, f"something was permitted: {text}"


def attempt_keep_listed_capabilities_inside(site):
    """Even with SYS_ADMIN, root of the container cannot touch what is the machine's."""
    site.needs_containers()
    site.allow(capabilities=["SYS_ADMIN", "SYS_PTRACE", "DAC_READ_SEARCH"])
    text = said(site, site.mallory,
                "grep CapEff /proc/self/status; mount -t proc proc /mnt 2>&1;"
                "echo 0 2>&1 > /proc/sys/kernel/panic || echo kept; read -r _ root _ </proc/self/uid_map; echo root $root",
                security={"capabilities": ["SYS_ADMIN", "SYS_PTRACE", "DAC_READ_SEARCH"]})
    assert "kept" in text and site.is_container_root(int(text.split()[-1])), text
    site.allow()


def attempt_work_as_usual(site):
    """No attack: what people do as root in a container works."""
    site.needs_containers()
    text = said(site, site.mallory,
                "touch /etc/x && chown 1000:1000 /etc/x && stat -c %u:%g /etc/x && "
                "mkdir /usr/local && su user -c 'id -u' && rm -r /home/user && echo fine")
    assert "fine" in text and "1000:1000" in text, text


def attempt_share_a_volume_with_a_colleague(site):
    """No attack: members of a project write to each other's files in its volumes."""
    site.needs_containers()
    volume = {"storage": {"pvc": [{"claimName": "shared", "path": "/volume", "existingPvc": False}]}}
    said(site, site.mallory, "echo one > /volume/file", **volume)
    text = said(site, site.laura, "echo two >> /volume/file && cat /volume/file", **volume)
    assert "one" in text and "two" in text, text


def attempt_reach_ones_own_port(site):
    """No attack: a page inside a container is reached through the server, by its owner."""
    site.needs_containers()
    page = shell("echo page > /tmp/index.html; echo ready; exec httpd -f -p 127.0.0.1:8080 -h /tmp",
                 ports=[{"serviceType": "ClusterIP", "container": 8080}])
    with Work(site, site.mallory, page) as work:
        path = f"/api/v1/workloads/{work.ident}/ports/8080"
        until("the port answers", lambda: " 101 " in upgrade(site, site.mallory, path))
        line = upgrade(site, site.otto, path)
        assert " 403 " in line or " 404 " in line, line


def attempt_be_root_at_the_socket(site):
    """Root of another user namespace has root's number at the socket, and is nobody."""
    path = str(site.server.data / "gpuyard.sock")
    ask = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--unix-socket", path,
           "http://x/api/v1/me"]
    status = [subprocess.run([*site.as_server, *words, *ask], capture_output=True, text=True,
                             check=False).stdout
              for words in ([], ["unshare", "--user", "--map-root-user", "--pid", "--fork"])]
    # The folder of a server without privileges is closed even on the way to the socket.
    assert status[0] == "200" and status[1] in ("401", "000"), status


def attempt_be_root_on_a_host_path(site):
    """Root of a container is no owner of root's files, not even on a listed folder."""
    site.needs_containers()
    folder = site.folder / "of-root"
    folder.mkdir(mode=0o755, exist_ok=True)
    (folder / "closed").write_text("secret")
    (folder / "closed").chmod(0o600)
    site.allow(paths=[{"path": str(site.folder)}])
    text = said(site, site.mallory, "cat /in/closed 2>&1; touch /in/new 2>&1; true",
                storage={"hostPath": [{"path": str(folder), "mountPath": "/in"}]})
    assert "secret" not in text and not (folder / "new").exists(), text
    site.allow()


def attempt_change_the_program_of_every_container(site):
    """/gpuyard/shim is one file of the machine, which every container of everybody has."""
    site.needs_containers()
    script = ("sum() { cksum < /gpuyard/shim; }; a=$(sum); (echo x > /gpuyard/shim) 2>&1; "
              "rm -f /gpuyard/shim 2>&1; mv /gpuyard/shim /tmp/x 2>&1; chmod 777 /gpuyard/shim 2>&1; "
              "chown 1:1 /gpuyard/shim 2>&1; ln /gpuyard/shim /gpuyard/output/twin 2>&1; "
              "mount -o remount,rw /gpuyard/shim 2>&1; umount /gpuyard/shim 2>&1; "
              "(echo x > /gpuyard/shim) 2>&1; [ \"$a\" = \"$(sum)\" ] && echo kept; true")
    text = said(site, site.mallory, script)
    assert "kept" in text, text
    assert said(site, site.laura, "echo well").strip().endswith("well")


def attempt_change_a_data_set_that_is_mounted(site):
    """Others read the same folder."""
    site.needs_containers()
    whole = manifest(file("f", [of_chunk(b"as pushed")], 9))
    status, answer = push(site, "laura", "one", "shared", [b"as pushed"], [whole])
    assert status == 200, f"{status} {answer}"
    more = {"storage": {"dataSets": [{"name": "shared", "mountPath": "/d"}]}}
    text = said(site, site.laura, "(echo x > /d/f) 2>&1; rm -f /d/f 2>&1; chmod 777 /d /d/f 2>&1; "
                "touch /d/new 2>&1; mount -o remount,rw /d 2>&1; umount /d 2>&1; cat /d/f", **more)
    assert text.endswith("as pushed"), text
    assert said(site, site.laura, "cat /d/f; ls /d", **more) == "as pushedf\n"


def attempt_exhaust_the_machine_from_inside(site):
    """Processes and memory end at the limits of the task."""
    site.needs_containers()
    text = said(site, site.mallory, "cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max "
                "2>/dev/null; i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); done 2>/dev/null; "
                "kill $(jobs -p) 2>/dev/null; echo done")
    assert "done" in text, text
    assert "max" not in text.split("done")[0].split(), f"processes have no limit: {text}"
