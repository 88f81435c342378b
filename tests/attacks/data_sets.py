"""What a member may do with data sets: to those of another project, to the folders of the server, and to
its memory and disk. otto is a member of project `two` alone, laura of `one` alone."""

import hashlib
import http.client
import json
import os

from site_of_attacks import IMAGE, Skip, refused

MIB = 1 << 20
SECRET = b"the secret of project two"


def varint(number):
    out = bytearray()
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def sized(text):
    return varint(len(text)) + text


def name_of(content):
    return hashlib.blake2b(content, digest_size=32).digest()


def framed(content):
    return name_of(content) + b"\0" + varint(len(content)) + sized(content)


def file(path, segments, size):
    """An entry of a manifest: a file, mode 0644, of the year 1970."""
    return (varint(1) + sized(path.encode()) + varint(0o644) + varint(0) + varint(size)
            + varint(len(segments)) + b"".join(segments))


def of_chunk(content):
    return varint(len(content) << 1) + name_of(content)


def manifest(*entries):
    return b"gydm1\n" + b"".join(entries)


def send(site, person, path, body):
    """The status and the bytes of an answer to a body that is no JSON."""
    link = http.client.HTTPConnection("127.0.0.1", site.server.port, timeout=120)
    link.request("POST", path, body, {"Authorization": f"Bearer {site.people[person].token}",
                                      "Content-Type": "application/octet-stream"})
    reply = link.getresponse()
    text = reply.read()
    link.close()
    return reply.status, text


def place(site, project):
    return f"/api/v1/datasets/{site.projects[project]}"


def push(site, person, project, name, chunks, pieces):
    """The status and the answer of a version whose manifest lies in these pieces."""
    for content in [*chunks, *pieces]:
        status, text = send(site, person, f"{place(site, project)}/chunks", framed(content))
        assert status == 200, f"{status} {text}"
    return site.people[person].ask("POST", f"{place(site, project)}/versions", {
        "name": name, "manifest": [name_of(piece).hex() for piece in pieces]})


def secret_of_otto(site):
    whole = manifest(file("f", [of_chunk(SECRET)], len(SECRET)))
    status, answer = push(site, "otto", "two", "secrets", [SECRET], [whole])
    assert status == 200, f"{status} {answer}"
    return whole


def attempt_read_chunks_of_another_project(site):
    whole = secret_of_otto(site)
    for content in (SECRET, whole):
        for project, expected in (("one", 404), ("two", 403)):
            status, text = send(site, "laura", f"{place(site, project)}/read", name_of(content))
            assert status == expected and SECRET not in text, f"{project}: {status} {text}"
        status, text = send(site, "laura", f"{place(site, 'one')}/missing", name_of(content))
        assert (status, text) == (200, name_of(content)), "a chunk of another project is here"
    status, answer = site.laura.ask("POST", f"{place(site, 'one')}/versions", {
        "name": "stolen", "manifest": [name_of(whole).hex()]})
    assert status == 200 and answer["missing"], f"{status} {answer}"
    for path in ("", "/sets/secrets"):
        refused(site.laura.ask("GET", place(site, "two") + path))
    refused(site.laura.ask("DELETE", f"{place(site, 'two')}/sets/secrets"))


def attempt_lead_out_of_the_folder(site):
    for path in ("../f", "/etc/cron.d/f", "a/../../f", "a//f", "f\0g"):
        whole = manifest(file(path, [of_chunk(b"x")], 1))
        status, answer = push(site, "laura", "one", "odd", [b"x"], [whole])
        assert status == 400, f"{path}: {status} {answer}"


def attempt_send_a_manifest_in_crumbs(site):
    """The ids of its pieces stay in memory, 32 bytes for each."""
    whole = manifest(file("f", [of_chunk(b"x")], 1))
    crumbs = [whole[at:at + 1] for at in range(len(whole))]
    status, answer = push(site, "laura", "one", "crumbs", [b"x"], crumbs)
    assert status == 400, f"{status} {answer}"


def attempt_claim_more_bytes_than_can_be_counted(site):
    largest = 1 << 50
    hole = varint(largest << 1 | 1)
    whole = manifest(*[file(f"f{i:05}", [hole], largest) for i in range(8193)])
    status, answer = push(site, "laura", "one", "endless", [], [whole])
    assert status in (400, 413), f"{status} {answer}"


def attempt_fill_the_disk_with_one_chunk(site):
    """It is stored once and written wherever a file names it."""
    site.needs_containers()
    disk = os.statvfs(site.server.data)
    count = disk.f_bavail * disk.f_frsize // MIB + 1024
    if count > 4 * MIB:
        raise Skip("the disk is too large for one manifest")
    chunk = b"x" * MIB
    whole = manifest(file("f", [of_chunk(chunk)] * count, count * MIB))
    pieces = [whole[at:at + MIB] for at in range(0, len(whole), MIB)]
    status, answer = push(site, "laura", "one", "bomb", [chunk], pieces)
    assert status == 200, f"{status} {answer}"
    ident = site.laura.run({"image": IMAGE, "command": "true", "storage": {"dataSets": [{"name": "bomb"}]}})
    attempt, _ = site.laura.outcome(ident)
    assert attempt["cause"] == "LaunchFailed" and "disk has" in attempt["message"], attempt
    site.laura.make(f"{place(site, 'one')}/sets/bomb", None, "DELETE")


def attempt_read_a_data_set_through_a_study(site):
    """clerk may submit work, and may not read data sets."""
    whole = manifest(file("f", [of_chunk(SECRET)], len(SECRET)))
    status, answer = push(site, "laura", "one", "own", [SECRET], [whole])
    assert status == 200, f"{status} {answer}"
    data = {"command": "cat /data/own/f", "storage": {"dataSets": [{"name": "own"}]}}
    refused(site.clerk.submit(data), "data sets")
    refused(site.clerk.ask("POST", "/api/v1/studies", {
        "name": "stolen", "projectId": str(site.projects["one"]), "spec": {
            "objectives": [{"metric": "loss"}], "maxTrials": 1,
            "parameters": [{"name": "x", "low": 0, "high": 1}], "workload": data}}), "data sets")
    assert "own" in json.dumps(site.laura.make(place(site, "one"), None, "GET"))
