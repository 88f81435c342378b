"""Slurm's accounting on the loopback: munge, MariaDB and slurmdbd in a folder of their own, with job records
that are written straight into the table of slurmdbd. No job runs."""

import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/lib"))
from yard import free_port, until  # noqa: E402

PROGRAMS = ("munged", "mariadbd", "mariadb-install-db", "mariadb", "slurmdbd", "sacctmgr", "sacct")
# A job each 31 s of a year, one in twenty failed; the states are Slurm's JOB_COMPLETE and JOB_FAILED.
ROWS = """
INSERT INTO bench_job_table
  (het_job_id, het_job_offset, id_array_job, id_array_task, job_name, id_assoc, id_job, id_qos, id_resv, id_wckey, id_user, id_group, mod_time, account,
   cpus_req, state_reason_prev, exit_code, nodelist, nodes_alloc, `partition`, priority, state, timelimit,
   time_submit, time_eligible, time_start, time_end, tres_alloc, tres_req, work_dir, node_inx)
SELECT 0, 4294967294, 0, 4294967294, CONCAT('trial-', HEX(seq * 7919 MOD {count}), '-', seq), 1, seq, 1, 0, 0, 20000 + seq MOD 200, 100,
  {begin} + seq * {step} + 21, 'lab', 1, 0, IF(seq MOD 20 = 7, 256, 0), 'n1', 1, 'main', 1,
  IF(seq MOD 20 = 7, 5, 3), 60, {begin} + seq * {step}, {begin} + seq * {step}, {begin} + seq * {step} + 1,
  {begin} + seq * {step} + 21, '1=1,2=10,4=1', '1=1,2=10,4=1', '/home/lab', '0'
FROM seq_1_to_{count}
"""


def missing():
    """Why the peer cannot be measured; empty if it can."""
    lack = [name for name in PROGRAMS if shutil.which(name) is None]
    if lack:
        return f"not installed: {', '.join(lack)}"
    return "" if os.geteuid() == 0 else "Slurm's daemons are started as root"


def resident(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


class Accounting:
    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gyh-slurm-"))
        self.folder.chmod(0o755)
        self.processes = []
        self.begin = int(time.time()) - 365 * 86_400
        try:
            self.start_munge()
            self.start_database()
            self.start_slurmdbd()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)

    def spawn(self, *words, **more):
        log = open(self.folder / f"{words[0]}.log", "ab")
        with log:
            process = subprocess.Popen(words, stdout=log, stderr=log, **more)
        self.processes.append(process)
        return process

    def start_munge(self):
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(secrets.token_bytes(1024))
        self.spawn("munged", "--foreground", "--force", f"--key-file={key}",
                   *(f"--{name}={self.folder}/munge.{end}" for name, end in (
                       ("socket", "sock"), ("pid-file", "pid"), ("seed-file", "seed"), ("log-file", "log"))))
        until("munge answers", (self.folder / "munge.sock").exists)

    def start_database(self):
        data, self.port = self.folder / "mariadb", free_port()
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--user=root",
                        "--auth-root-authentication-method=normal", "--skip-test-db"],
                       check=True, capture_output=True)
        # The sizes that Slurm's documentation asks for, within what a machine of this size spares.
        self.database = self.spawn(
            "mariadbd", "--no-defaults", f"--datadir={data}", "--user=root", "--bind-address=127.0.0.1",
            f"--port={self.port}", f"--socket={self.folder}/db.sock", f"--pid-file={self.folder}/db.pid",
            "--innodb-buffer-pool-size=1024M", "--innodb-lock-wait-timeout=900",
            "--innodb-flush-log-at-trx-commit=1", "--max-allowed-packet=16M")
        until("MariaDB answers", lambda: self.sql("SELECT 1", check=False).returncode == 0)
        self.password = secrets.token_hex(16)
        self.sql("CREATE DATABASE accounting; CREATE USER slurm@'127.0.0.1' IDENTIFIED BY "
                 f"'{self.password}'; GRANT ALL ON accounting.* TO slurm@'127.0.0.1'")

    def sql(self, text, check=True):
        done = subprocess.run(["mariadb", "--no-defaults", f"--socket={self.folder}/db.sock", "-uroot"],
                              input=text, text=True, capture_output=True, check=False)
        assert done.returncode == 0 or not check, done.stderr
        return done

    def start_slurmdbd(self):
        port = free_port()
        conf = self.folder / "slurmdbd.conf"
        conf.touch(0o600)
        conf.write_text(f"""AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.sock
DbdHost={socket.gethostname()}
DbdAddr=127.0.0.1
DbdPort={port}
SlurmUser=root
LogFile={self.folder}/dbd.log
PidFile={self.folder}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={self.port}
StorageUser=slurm
StoragePass={self.password}
StorageLoc=accounting
""", encoding="utf-8")
        (self.folder / "slurm.conf").write_text(f"""ClusterName=bench
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.sock
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={port}
AccountingStoragePass={self.folder}/munge.sock
NodeName=n1 NodeAddr=127.0.0.1
PartitionName=main Nodes=ALL
""", encoding="utf-8")
        self.env = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.dbd = self.spawn("slurmdbd", "-D", env=self.env)
        until("slurmdbd knows the cluster", lambda: self.ask(
            "sacctmgr", "-i", "add", "cluster", "bench", check=False).returncode == 0)
        self.ask("sacctmgr", "-i", "add", "account", "lab", "cluster=bench")

    def ask(self, *words, check=True):
        done = subprocess.run(words, env=self.env, capture_output=True, text=True, check=False,
                              timeout=900)
        assert done.returncode == 0 or not check, f"{words}: {done.stderr}"
        return done

    def fill(self, count):
        self.sql("USE accounting; " + ROWS.format(
            count=count, begin=self.begin, step=max(365 * 86_400 // count, 1)))

    def lines(self, *words):
        answer = self.ask("sacct", "-a", "-X", "-n", "-P", "-D",
                          "-o", "JobID,JobName,State,End", *words).stdout.splitlines()
        assert answer, f"sacct {words} found nothing"
        return answer

    def failed_of_a_day(self, number):
        """sacct has no pages: the nearest question is the failed jobs of one day."""
        first = self.begin + (number + 1) * 86_400
        self.lines("-s", "F", *(word for name, when in (("-S", first), ("-E", first + 86_400))
                                for word in (name, time.strftime("%FT%T", time.localtime(when)))))

    def named(self, number):
        """sacct finds whole names only."""
        name = self.sql(f"SELECT job_name FROM accounting.bench_job_table WHERE id_job={number + 1}").stdout
        self.lines("-S", "now-365days", "-E", "now", f"--name={name.split()[-1]}")

    def resident_mib(self):
        return resident(self.database.pid) + resident(self.dbd.pid)

    def disk_kib(self):
        files = (self.folder / "mariadb").rglob("*")
        return sum(path.stat().st_blocks * 512 for path in files if path.is_file()) / 1024
