"""Output folders: what a task may put there, and what the server then reads and keeps.

The reader has root's rights until it takes the account that the folder belongs to. What must not
happen: that it reads a file which the task could not, or that one task stops the saving of others.
"""

from native_tasks import pair_at
from site_of_attacks import IMAGE
from yard import until

SECRET = "/etc/shadow"


def spec_of(script, output, image):
    spec = {"command": ["/bin/sh", "-c", script], "storage": {"outputs": [output]}}
    return {**spec, "image": IMAGE} if image else spec


def refused(site, output):
    status, answer = site.laura.submit(spec_of("true", output, image=True))
    assert status in (400, 403), f"{output}: {status} {answer}"


def saved(person, ident):
    """What became of the outputs of work that has ended."""
    def settled():
        status, answer = person.ask("GET", f"/api/v1/workloads/{ident}")
        return answer.get("savedOutputs") if status == 200 else None
    return until("the outputs are settled", settled)


def leave(site, script, path=None, image=True):
    """The id of work of Laura's that has left an output, and what was saved of it."""
    if image:
        site.needs_containers()
    output = {"name": "left", **({"path": path} if path else {})}
    ident = site.laura.run(spec_of(script, output, image))
    attempt, log = site.laura.outcome(ident)
    assert attempt["cause"] in ("Completed", "Exit"), f"{attempt} {log}"
    return ident, saved(site.laura, ident)[0]


def files(person, ident, path):
    return person.ask("GET", f"/api/v1/workloads/{ident}/files?path={path}")


def expect_no_way_out(site, image):
    ident, one = leave(site, f"cd $GPUYARD_OUTPUT; ln -s {SECRET} s; ln -s /etc etc; echo x > f",
                       image=image)
    assert one["files"] == 1, one
    for path in ("etc/shadow", "etc/passwd", "..%2Fspec", "..%2F..%2F..%2F..%2Fetc%2Fshadow",
                 "/etc/shadow", "/proc/self/environ", "s"):
        status, answer = files(site.laura, ident, path)
        assert "root:" not in str(answer), path
        assert status >= 400 or path == "s", (path, status, answer)


def attempt_a_file_of_root_by_a_link(site):
    expect_no_way_out(site, image=True)


def attempt_a_file_of_root_by_a_link_of_plain_work(site):
    with pair_at(site):
        expect_no_way_out(site, image=False)


def attempt_a_renamed_folder(site):
    """The folder that is saved is exchanged for a link before the end."""
    script = ("echo x > /out/f; cd $GPUYARD_OUTPUT; mkdir d; echo y > d/f; mv d e; ln -s /etc d; "
              "mv /out /elsewhere; rmdir /out; ln -s /etc /out; true")
    _, one = leave(site, script, path="/out")
    assert one["files"] == 1 and one["bytes"] == 2, one
    _, one = leave(site, script, path="d/passwd")
    assert not one.get("version"), f"a link in the path was followed: {one}"


def attempt_a_renamed_folder_of_plain_work(site):
    with pair_at(site):
        script = "cd $GPUYARD_OUTPUT; mkdir d; echo y > d/passwd; mv d e; ln -s /etc d; true"
        _, one = leave(site, script, path="d/passwd", image=False)
        assert not one.get("version"), f"a link in the path was followed: {one}"


def attempt_a_hard_link_and_a_device_of_plain_work(site):
    with pair_at(site):
        script = (f"cd $GPUYARD_OUTPUT; ln {SECRET} shadow; ln /etc/passwd passwd; mknod n c 1 3; "
                  "mkfifo pipe; echo x > f; true")
        _, one = leave(site, script, image=False)
        assert one.get("version") and one["files"] == 1 and "pipe" in one["problem"], one


def attempt_another_projects_data_set(site):
    for name in ("../two/x", "two/x", "/two", "..", "x%2fy", "two:x", "a\nb", "a\u001b[2J"):
        refused(site, {"name": name})
        refused(site, {"name": "x", "tag": name})
    # Of one's own project only, whatever another project calls its own.
    leave(site, "echo laura > $GPUYARD_OUTPUT/f")
    status, answer = site.otto.ask("GET", f"/api/v1/datasets/{site.projects['one']}")
    assert status == 403, (status, answer)
    status, answer = site.otto.ask("GET", f"/api/v1/datasets/{site.projects['two']}")
    makers = {one["createdBy"] for data in answer["dataSets"] for one in data["versions"]}
    assert status == 200 and makers <= {"otto@lab.example.org"}, answer


def attempt_to_save_without_the_right(site):
    status, answer = site.clerk.submit(spec_of("true", {"name": "mine"}, image=True))
    assert status == 403, f"{status} {answer}"


def attempt_the_outputs_of_another_project(site):
    ident, _ = leave(site, "echo laura > $GPUYARD_OUTPUT/f")
    for path in ("outputs", "files?path=f"):
        status, answer = site.otto.ask("GET", f"/api/v1/workloads/{ident}/{path}")
        assert status in (403, 404), (path, status, answer)


def attempt_a_file_larger_than_any_disk(site):
    _, one = leave(site, "truncate -s 2199023255552 $GPUYARD_OUTPUT/huge; echo x > $GPUYARD_OUTPUT/f")
    assert not one.get("version") and "huge" in one["problem"], one
    _, one = leave(site, "truncate -s 21474836480 $GPUYARD_OUTPUT/sparse")
    assert one.get("version"), one
    status, answer = site.laura.ask("GET", f"/api/v1/datasets/{site.projects['one']}")
    assert status == 200 and answer["storedBytes"] < 64 << 20, answer["storedBytes"]


def attempt_names_with_control_characters(site):
    script = ('cd $GPUYARD_OUTPUT; printf x > "$(printf "a\\033[2Jb\\nc")"; '
              'printf x > "$(printf "caf\\351")"; printf x > plain')
    ident, one = leave(site, script)
    assert one.get("version") and "caf\\xe9" in one["problem"], one
    status, answer = site.laura.ask("GET", f"/api/v1/workloads/{ident}/outputs")
    assert status == 200, answer
    names = [entry["path"] for entry in answer["files"]]
    assert not any(ord(letter) < 32 for name in names for letter in name), names
    status, events = site.laura.ask("GET", f"/api/v1/workloads/{ident}/events?limit=50")
    text = "".join(event["message"] for event in events["events"])
    assert not any(ord(letter) < 32 for letter in text), text


def attempt_many_files_in_one_answer(site):
    script = ("cd $GPUYARD_OUTPUT; i=0; while [ $i -lt 10050 ]; do : > f$i; i=$((i+1)); done; "
              "mkdir -p " + "/".join(["d"] * 300))
    ident, one = leave(site, script)
    assert one["files"] >= 10_000, one
    status, answer = site.laura.ask("GET", f"/api/v1/workloads/{ident}/outputs")
    assert status == 200 and answer["truncated"] and len(answer["files"]) == 10_000, status


def attempt_a_closed_file_of_plain_work(site):
    """Root could read it; its owner cannot."""
    with pair_at(site):
        _, one = leave(site, "cd $GPUYARD_OUTPUT; echo x > f; echo y > g; chmod 0 g", image=False)
        assert one["files"] == 1 and "g" in one["problem"], one


def attempt_outputs_of_a_container(site):
    """Its root is no root of the machine, and so is the reader of what it left."""
    script = ("cd $GPUYARD_OUTPUT; echo x > f; ln -s / all; echo y > /out/g; id -u > u")
    ident, one = leave(site, script, path="/out")
    assert one["files"] == 1 and one["bytes"] == 2, one
    status, answer = files(site.laura, ident, "/gpuyard/output/f")
    assert status == 200 and "x" in answer, (status, answer)
    for path in ("all/etc/shadow", "all/etc/passwd", "/etc/shadow"):
        status, answer = files(site.laura, ident, path)
        assert status >= 400 and "root:" not in str(answer), (path, status)
