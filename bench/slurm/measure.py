#!/usr/bin/env python3
"""Wall time of the same jobs on the same Slurm, by sbatch and through a Gpuyard server, in turns.

    bench/slurm/measure.py RESULT.json [--jobs N] [--rounds N]

The Slurm is that of tests/slurm/lab: four nodes on the loopback, each with 64 declared CPUs. Every job is
`true` on a tenth of a CPU. Three ways, each by one ordinary account:

  sbatch    one sbatch a job, one after the other, from a shell on the login node
  array     one sbatch for all, as an array: the quickest that Slurm offers
  gpuyard   submitted through HTTP by a member of a project; the server reaches Slurm through ssh

The time is that from the first submission until Slurm has no job left (sbatch), or until the record of
each says Completed (gpuyard). Also printed: status queries of the server in each second, by slurmctld's
own count of them. Needs root, since Slurm's daemons do. Everything runs on the loopback and is removed.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/lib"))
sys.path.insert(0, str(ROOT / "bench/run"))
from client import Connection  # noqa: E402
from clusters import SlurmLab, World  # noqa: E402
from yard import until  # noqa: E402

LINKS = 8
SMALL = {"cpuCoreRequest": 0.1, "cpuMemoryRequest": "50M"}


def on_login_node(lab, script):
    subprocess.run(
        ["ssh", "-o", "BatchMode=yes", "-o", f"UserKnownHostsFile={lab.dir}/etc/known_hosts",
         "-i", f"{lab.dir}/etc/login_key", "-p", lab.env["YARD_LOGIN_PORT"],
         f"{lab.account}@127.0.0.1", script],
        check=True, stdout=subprocess.DEVNULL, timeout=1800)


def wait_for_slurm(lab):
    while lab.slurm("squeue", "-h", "-o", "%i").strip():
        time.sleep(0.2)


def by_sbatch(lab, jobs, array):
    settings = f"export SLURM_CONF={lab.dir}/etc/slurm.conf; cd {lab.folder};"
    one = "sbatch --parsable -o /dev/null --mem=50 --wrap true"
    began = time.monotonic()
    if array:
        on_login_node(lab, f"{settings} {one} --array=1-{jobs} >/dev/null")
    else:
        on_login_node(lab, f"{settings} for i in $(seq {jobs}); do {one} >/dev/null || exit 1; done")
    wait_for_slurm(lab)
    return time.monotonic() - began


def count(link, project, phase):
    where = quote(f"phase=={phase},projectId=={project}")
    return link.ask("GET", f"/api/v1/workloads/count?filterBy={where}")["count"]


def through_server(world, jobs, label):
    project = world.projects["institute"]
    url = f"http://127.0.0.1:{world.server.port}"
    links = [Connection(url, world.token) for _ in range(LINKS)]
    before = count(links[0], project, "Completed")
    drafts = [{"name": f"{label}-{i}", "projectId": project, "clusterId": world.ids["institute"],
               "spec": {"command": "/bin/true", "compute": SMALL}} for i in range(jobs)]
    began = time.monotonic()
    for at in range(0, jobs, LINKS):
        batch = list(zip(links, drafts[at:at + LINKS]))
        for link, draft in batch:
            link.send("POST", "/api/v1/workloads/trainings", draft)
        for link, _ in batch:
            link.receive()
    while count(links[0], project, "Completed") < before + jobs:
        assert not count(links[0], project, "Failed"), "a job failed"
        time.sleep(0.2)
    return time.monotonic() - began


def status_queries(lab):
    """How often anybody has asked slurmctld for jobs, by its own count."""
    for line in lab.slurm("sdiag").splitlines():
        if "REQUEST_JOB_INFO " in line or "REQUEST_JOB_INFO\t" in line:
            return int(line.split("count:")[1].split()[0])
    return 0


def measure(world, jobs, rounds):
    took = {"sbatch": [], "array": [], "gpuyard": []}
    asked = []
    for number in range(rounds):
        took["sbatch"].append(by_sbatch(world.lab, jobs, array=False))
        took["array"].append(by_sbatch(world.lab, jobs, array=True))
        before = status_queries(world.lab)
        took["gpuyard"].append(through_server(world, jobs, f"job-{number}"))
        asked.append((status_queries(world.lab) - before) / took["gpuyard"][-1])
        print({name: round(times[-1], 2) for name, times in took.items()}, flush=True)
    result = {name: round(statistics.median(times), 2) for name, times in took.items()}
    result["jobs"] = jobs
    result["to_sbatch"] = round(result["gpuyard"] / result["sbatch"], 3)
    result["status_queries_a_second"] = round(max(asked), 2)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result")
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    sizes = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("bench/slurm: Slurm's daemons are started as root")
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="gpuyard-bench-slurm-"))
    lab, world = SlurmLab(scratch), None
    try:
        lab.start()
        world = World(lab, scratch)
        world.launch()
        world.settle_in()
        until("Slurm is connected", lambda: world.cluster_state("institute") == "Connected")
        result = measure(world, sizes.jobs, sizes.rounds)
    finally:
        if world:
            world.server.remove()
        lab.stop()
    print(f"{result['jobs']} jobs of `true`: sbatch {result['sbatch']} s, array {result['array']} s, "
          f"Gpuyard {result['gpuyard']} s, {result['to_sbatch']} of sbatch (aim 1.1); "
          f"{result['status_queries_a_second']} status queries a second (aim 1)")
    pathlib.Path(sizes.result).write_text(json.dumps(result) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
