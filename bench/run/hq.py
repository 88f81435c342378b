"""`true` tasks through HyperQueue: its server and one worker in this process, records in memory.

  hq.py COUNT SLOTS    prints tasks a second until the job is finished
"""
import contextlib
import io
import sys
import time

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig


def rate(count, slots):
    with LocalCluster() as cluster:
        cluster.start_worker(WorkerConfig(cores=slots))
        client = cluster.client()
        job = Job()
        for _ in range(count):
            job.program(["true"], stdout=None, stderr=None)
        began = time.monotonic()
        client.wait_for_jobs([client.submit(job)])
        return count / (time.monotonic() - began)


if __name__ == "__main__":
    with contextlib.redirect_stderr(io.StringIO()):  # its progress bar
        measured = rate(int(sys.argv[1]), int(sys.argv[2]))
    print(f"{measured:.1f}")
