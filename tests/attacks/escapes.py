"""Escapes from containers that advisories of runc, podman, docker and Kubernetes describe.

Each is tried by a member of a project. docs/security-escapes.md has the list.
"""

import contextlib
import hashlib
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import threading
import urllib.parse

from bad_images import make_image
from site_of_attacks import IMAGE, SCRATCH
from yard import PROGRAM, until

CORE_PATTERN = pathlib.Path("/proc/sys/kernel/core_pattern")


class Work:
    """Work of a member that runs until the attempt is over."""

    def __init__(self, site, person, spec):
        self.site, self.person = site, person
        self.ident = person.run(spec)
        self.name = f"try-{site.count}"

    def __enter__(self):
        until("it is ready", lambda: "ready" in self.log())
        return self

    def __exit__(self, *_):
        self.person.ask("DELETE", f"/api/v1/workloads/trainings/{self.ident}")

    def log(self):
        return str(self.person.ask("GET", f"/api/v1/workloads/{self.ident}/logs")[1])

    def read(self, path):
        """What a download of this path holds."""
        query = urllib.parse.urlencode({"path": path})
        return str(self.person.ask("GET", f"/api/v1/workloads/{self.ident}/files?{query}")[1])

    def command(self, *words, stdin=""):
        """What `gpuyard` does as this person."""
        environment = {**os.environ, "GPUYARD_TOKEN": self.person.token,
                       "GPUYARD_URL": f"http://127.0.0.1:{self.site.server.port}"}
        return subprocess.run([str(PROGRAM), *words], env=environment, input=stdin, text=True,
                              capture_output=True, timeout=60, check=False)


def script(text, image=IMAGE, **more):
    return {"image": image, "command": ["/bin/sh", "-c", text], **more}


def lasting(text, **more):
    return script(f"{text}\necho ready; sleep 1000", **more)


def result(person, spec, **more):
    """The words of a submission that was refused, or of work that has ended."""
    status, answer = person.submit(spec, **more)
    if status not in (200, 202):
        assert status in (400, 403), f"{status} {answer}"
        return f"refused {answer}"
    attempt, log = person.outcome(answer["workloadId"])
    return f"{attempt['cause']} {attempt.get('message', '')} {log}"


@contextlib.contextmanager
def canary_of(site):
    """A file of the machine whose words no container may see, and where it lies."""
    site.needs_containers()
    site.allow()
    folder = site.folder / secrets.token_hex(4)
    folder.mkdir(mode=0o755)
    word = secrets.token_hex(8)
    (folder / "canary").write_text(word)
    try:
        yield folder, word
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def attempt_cve_2019_5736_overwrite_the_runtime(site):
    """Processes that enter are caught by their /proc/PID/exe and written to."""
    site.needs_containers()
    runtime = shutil.which("runc")
    before = digest(runtime)
    catch = ("catch() { while true; do for p in /proc/[0-9]*; do "
             "case $(readlink $p/exe) in */busybox|'') continue;; esac; "
             "( exec 3<$p/exe && for i in $(seq 200); do "
             "echo evil >/proc/self/fd/3 && echo overwrote; done ) 2>/dev/null; done; done; }; "
             "catch & catch &")
    image = make_image(site, "exe", links=[("bin/self", "/proc/self/exe")])
    with Work(site, site.mallory, lasting(catch, image=image)) as work:
        for command in ("/bin/self", "/proc/self/exe"):
            work.command("exec", work.name, command)
        assert "overwrote" not in work.log()
    assert digest(runtime) == before, "the container's program changed the runtime"


def attempt_cve_2024_21626_start_in_a_leaked_folder(site):
    with canary_of(site) as (folder, word):
        up = "; ".join(f"cat {'../' * n}{folder}/canary" for n in (1, 3, 5, 7))
        idents = [site.mallory.submit(script(f"{up}; true", workingDir=f"/proc/self/fd/{n}"))
                  for n in (7, 8, 9)]
        for status, answer in idents:
            if status in (200, 202):
                attempt, log = site.mallory.outcome(answer["workloadId"])
                assert word not in f"{attempt} {log}", log


def attempt_cve_2026_41579_devices_behind_a_link(site):
    """The image's /dev is a link to a folder of the machine."""
    with canary_of(site) as (folder, _):
        (folder / "ptmx").write_text("kept")
        image = make_image(site, "dev", links=[("dev", folder)])
        result(site.mallory, script("true", image=image))
        assert (folder / "ptmx").read_text() == "kept"
        assert sorted(os.listdir(folder)) == ["canary", "ptmx"], os.listdir(folder)


def attempt_cve_2026_55686_a_working_folder_behind_a_link(site):
    with canary_of(site) as (folder, _):
        image = make_image(site, "workdir", links=[("link", folder)],
                           changes=["WORKDIR /link/by-image"])
        result(site.mallory, script("true", image=image))
        result(site.mallory, script("true", image=image, workingDir="/link/by-spec"))
        assert os.listdir(folder) == ["canary"], os.listdir(folder)


def attempt_cve_2024_1753_a_mount_target_that_is_a_link(site):
    """The image's links lead the mounts of the workload to the machine."""
    with canary_of(site) as (folder, word):
        image = make_image(site, "target", links=[("gpuyard", "/"), ("output", folder),
                                                  ("volume", folder)])
        text = result(site.mallory, script(
            "touch /gpuyard/output/planted /volume/planted; cat /volume/canary", image=image,
            storage={"emptyDirVolume": [{"path": "/volume"}]}))
        assert word not in text and os.listdir(folder) == ["canary"], text


def attempt_cve_2022_0492_release_agent(site):
    site.needs_containers()
    agents = list(pathlib.Path("/sys/fs/cgroup").glob("*/release_agent"))
    before = [path.read_text() for path in agents]
    text = result(site.mallory, script(
        "write() { for f in $(find / -name release_agent 2>/dev/null); do "
        "echo /evil >$f && echo wrote $f; done; }; write; mkdir /tmp/c; "
        "for s in rdma memory cpu; do mount -t cgroup -o $s cgroup /tmp/c && write; done; "
        "unshare -Urm sh -c 'mount -t cgroup -o rdma cgroup /tmp/c && "
        "echo /evil >/tmp/c/release_agent && echo wrote'; true"))
    assert "Completed" in text and "wrote" not in text, text
    assert [path.read_text() for path in agents] == before


def attempt_cve_2022_0811_kernel_settings(site):
    """By a setting smuggled into the request, and by hand."""
    site.needs_containers()
    before = CORE_PATTERN.read_text()
    pattern = "|/bin/false evil"
    try:
        text = result(site.mallory, script(
            f"echo '{pattern}' >/proc/sys/kernel/core_pattern && echo wrote; true",
            annotations=[{"name": "security.alpha.kubernetes.io/sysctls",
                          "value": f"kernel.shm_rmid_forced=1+kernel.core_pattern={pattern}"}]))
        assert "wrote" not in text, text
        status, _ = site.mallory.submit(script("true", security={
            "sysctls": {"kernel.core_pattern": pattern}}))
        assert status in (200, 202, 400, 403), status
        assert CORE_PATTERN.read_text() == before, CORE_PATTERN.read_text()
    finally:
        if CORE_PATTERN.read_text() != before:
            CORE_PATTERN.write_text(before)


def attempt_cve_2025_31133_files_that_are_hidden(site):
    """The image's /dev/null is a link, by which hidden files of /proc could show through."""
    site.needs_containers()
    before = CORE_PATTERN.read_text()
    image = make_image(site, "null", links=[("dev/null", "/proc/sys/kernel/core_pattern")])
    text = result(site.mallory, script(
        "for f in /proc/kcore /proc/keys /proc/timer_list /proc/sysrq-trigger; do "
        "read -r line <$f && echo shown $f; echo b >$f && test ! -c $f && echo wrote $f; done; "
        "echo '|/bin/false evil' >/proc/sys/kernel/core_pattern && echo wrote; true", image=image))
    assert "shown" not in text and "wrote" not in text, text
    assert CORE_PATTERN.read_text() == before


LIBRARY = """
#include <fcntl.h>
#include <stdlib.h>
__attribute__((constructor)) static void Loaded(void) {
  const char* proof = getenv("PROOF");
  open(proof ? proof : "/loaded", O_CREAT | O_WRONLY, 0644);
}
"""


def attempt_cve_2019_14271_a_library_of_the_image_in_the_daemon(site):
    with canary_of(site) as (folder, _):
        source, library = folder / "nss.c", folder / "nss.so"
        source.write_text(LIBRARY)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        subprocess.run(["true"], env={"LD_PRELOAD": str(library), "PROOF": str(folder / "proof")},
                       check=True)
        assert (folder / "proof").exists(), "the library does nothing"
        places = ("lib", "lib64", "lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu")
        content = library.read_bytes()
        image = make_image(site, "nss", files=[
            ("etc/nsswitch.conf", b"passwd: evil\ngroup: evil\nhosts: evil\n"),
            *((f"{place}/libnss_{name}.so.2", content)
              for place in places for name in ("evil", "files"))])
        with Work(site, site.mallory, lasting("mkdir /own; touch /own/file", image=image)) as work:
            assert "file" in work.read("/own")
            local = folder / "sent"
            local.write_text("x")
            work.command("cp", str(local), f"{work.name}:/own/")
            work.command("exec", work.name, "/bin/true")
            assert "loaded" not in work.command("exec", work.name, "--", "ls", "/").stdout


def attempt_cve_2022_1227_programs_of_the_image_in_the_daemon(site):
    """Programs that a daemon might run in the namespaces of a container leave a mark."""
    site.needs_containers()
    trap = b"#!/bin/busybox sh\n/bin/busybox touch /ran\nexec /bin/busybox sleep 0\n"
    names = ("nsenter", "ps", "tar", "top", "getent", "mount", "umount", "newuidmap", "sysctl")
    image = make_image(site, "top", files=[(f"{folder}/{name}", trap) for name in names
                                           for folder in ("bin", "usr/bin", "sbin", "usr/sbin")])
    with Work(site, site.mallory, lasting("mkdir /own; touch /own/file", image=image)) as work:
        assert "file" in work.read("/own")
        for part in ("usage", "metrics", "processes", "attempts", "pods"):
            work.person.ask("GET", f"/api/v1/workloads/{work.ident}/{part}")
        listed = work.command("exec", work.name, "--", "ls", "/").stdout
        assert "own" in listed and "ran" not in listed.split(), listed


def swap(place, leads_to):
    """Turns `place` into a link and back into a folder without end, in the background."""
    return (f"mkdir -p /spare; touch /spare/planted; "
            f"(while true; do ln -s {leads_to} {place}; rm {place}; mkdir {place}; "
            f"touch {place}/planted; rm -r {place}; done) 2>/dev/null &")


def attempt_cve_2018_15664_copies_through_a_changing_link(site):
    with canary_of(site) as (folder, word), \
            Work(site, site.mallory, lasting(swap("/swap", "/"))) as work:
        for _ in range(8):
            assert word not in work.read(f"/swap{folder}/canary")
        local = folder / "sent"
        local.write_text("x")
        (folder / "target").mkdir(mode=0o777)
        (folder / "target").chmod(0o777)
        for _ in range(3):
            work.command("cp", str(local), f"{work.name}:/swap{folder}/target/")
        assert not os.listdir(folder / "target")


def attempt_cve_2023_0778_an_output_that_becomes_a_link(site):
    with canary_of(site) as (folder, word):
        place = "/gpuyard/output/model"
        text = (f"(while true; do ln -s {folder}/canary {place}; rm {place}; echo w >{place}; "
                f"rm {place}; done) 2>/dev/null &")
        with Work(site, site.mallory, lasting(text)) as work:
            for _ in range(8):
                assert word not in work.read(place)
            assert word not in work.read("/gpuyard/output")


def attempt_cve_2019_11246_a_download_that_leaves_its_folder(site):
    """The copy on the member's own machine."""
    with canary_of(site) as (folder, _):
        outside, inside = folder / "outside", folder / "inside"
        outside.mkdir()
        inside.mkdir()
        with Work(site, site.mallory, lasting(f"mkdir /tree; {swap('/tree/a', outside)}")) as work:
            for _ in range(4):
                work.command("cp", f"{work.name}:/tree", str(inside))
        assert not os.listdir(outside), os.listdir(outside)


def mounts():
    return {line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().split("\n")
            if line}


def attempt_cve_2021_30465_a_mount_target_that_changes(site):
    """One container turns a folder of a shared volume while others are mounted into it."""
    with canary_of(site) as (folder, word):
        volume = {"claimName": "race", "path": "/volume", "existingPvc": False}
        storage = {"storage": {"pvc": [volume]}}
        inner = {"storage": {"pvc": [volume], "emptyDirVolume": [{"path": "/volume/swap/in"}]}}
        before = mounts()
        with Work(site, site.mallory, lasting(swap("/volume/swap", "/"), **storage)):
            for person in (site.mallory, site.laura, site.mallory):
                text = result(person, script(
                    f"cat /volume/swap/in{folder}/canary /volume/swap{folder}/canary "
                    f"{folder}/canary; true", **inner))
                assert word not in text, text
        # Other suites mount things too, in folders of their own.
        odd = {path for path in mounts() - before
               if not path.startswith((site.lab, str(site.server.tasks), str(site.server.data),
                                       str(SCRATCH.parent), "/run/netns", "/tmp/gy",
                                       "/tmp/gpuyard"))}
        assert not odd, odd
        assert os.listdir(folder) == ["canary"]


def attempt_cve_2017_1002101_a_link_in_a_volume(site):
    """A link that was left in a volume is named as what to mount."""
    with canary_of(site) as (folder, word):
        plain = {"pvc": [{"claimName": "linked", "path": "/volume", "existingPvc": False}]}
        text = result(site.mallory, script("ln -sfn / /volume/evil", storage=plain))
        assert "Completed" in text, text
        for claim in ({"claimName": "linked", "subPath": "evil"}, {"claimName": "linked/evil"},
                      {"claimName": "linked", "subPath": "../.."}, {"claimName": "../../.."}):
            text = result(site.mallory, script(
                f"cat /in{folder}/canary /in/evil{folder}/canary; true",
                storage={"pvc": [{"path": "/in", "existingPvc": False, **claim}]}))
            assert word not in text, f"{claim} {text}"


def attempt_cve_2021_25741_a_folder_exchanged_before_its_mount(site):
    with canary_of(site) as (folder, word):
        listed = folder.parent / f"{folder.name}-listed"
        listed.mkdir()
        site.allow(paths=[{"path": str(listed), "readOnly": True}])
        done = threading.Event()

        def turn():
            place = listed / "x"
            while not done.is_set():
                place.mkdir()
                place.rmdir()
                place.symlink_to(folder)
                place.unlink()
        turner = threading.Thread(target=turn)
        turner.start()
        try:
            idents = [site.mallory.run(script("cat /in/canary", storage={"hostPath": [
                {"path": f"{listed}/x", "mountPath": "/in", "readOnly": True}]}))
                for _ in range(6)]
            for ident in idents:
                assert word not in str(site.mallory.outcome(ident)), "the link was followed"
        finally:
            done.set()
            turner.join()
            site.allow()


def attempt_cve_2024_9407_options_of_mounts(site):
    """Options hidden in paths and names, to make a mount of the workload the machine's too."""
    site.needs_containers()
    site.allow(paths=[{"path": str(site.folder)}])
    look = "grep -E 'shared:[0-9]' /proc/self/mountinfo && echo is shared; true"
    for storage in ({"pvc": [{"claimName": "opt,bind-propagation=rshared", "path": "/v"}]},
                    {"pvc": [{"claimName": "opt", "path": "/v,bind-propagation=rshared"}]},
                    {"pvc": [{"claimName": "opt", "path": "/v:rshared"}]},
                    {"hostPath": [{"path": str(site.folder), "mountPath": "/v:rshared",
                                   "mountPropagation": "Bidirectional"}]}):
        text = result(site.mallory, script(look, storage=storage))
        assert "is shared" not in text, text
    site.allow()


CONNECT = """
import socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect(chr(0) + sys.argv[1])
print("connec" + "ted")
"""


def attempt_cve_2020_15257_sockets_without_a_file(site):
    """A socket in the machine's network namespace that has a name and no file."""
    site.needs_containers()
    name = f"gpuyard-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        python = "/usr/bin/python3"
        control = subprocess.run([python, "-c", CONNECT, name], capture_output=True, text=True,
                                 check=True)
        assert "connected" in control.stdout
        site.allow(paths=[{"path": "/usr", "readOnly": True}])
        machine = {"hostPath": [{"path": "/usr", "mountPath": "/usr", "readOnly": True}]}
        text = result(site.mallory, {"image": IMAGE, "storage": machine,
                                     "command": [python, "-c", CONNECT, name]})
        site.allow()
        assert "ConnectionRefusedError" in text and "connected" not in text, text
