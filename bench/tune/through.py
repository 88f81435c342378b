"""Gpuyard as a member of a project meets it: every suggestion and every result is a call to a server."""
import atexit
import http.client
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mlflow"))


class Through:
    """A tool of compare.py. The server is started once, from YARD_BUILD."""

    _member = _project = None
    _studies = 0

    def __init__(self, sampler):
        self.sampler = sampler
        if Through._member is None:
            self._start_server()

    @classmethod
    def _start_server(cls):
        from lab import Lab, Person
        lab = Lab(pathlib.Path(tempfile.mkdtemp(prefix="gyt-")))
        atexit.register(lab.end)
        cls._member = Person(lab.server.port, lab.ada)
        cls._project = str(cls._ask("GET", "/api/v1/org-unit/projects")["projects"][0]["id"])

    @classmethod
    def _ask(cls, method, path, body=None):
        try:
            status, answer = cls._member.ask(method, path, body)
        except (http.client.RemoteDisconnected, ConnectionResetError):
            # The server closes connections that were silent for long, as while the peer computes.
            status, answer = cls._member.ask(method, path, body)
        assert status in (200, 201), (status, answer)
        return answer

    @staticmethod
    def _parameter(at, kind):
        word, _, count = kind.partition(":")
        if word == "float":
            return {"name": f"x{at}", "low": 0, "high": 1}
        choices = [str(i) for i in range(int(count))]
        return {"name": f"x{at}", "choices": choices, "type": "ordinal" if word == "ord" else "categorical"}

    def start(self, kinds, seed, budget, workers):
        Through._studies += 1
        self.names = [f"x{at}" for at in range(len(kinds))]
        made = self._ask("POST", "/api/v1/studies", {
            "name": f"study-{Through._studies}", "projectId": self._project, "spec": {
                "objectives": [{"metric": "loss"}], "sampler": self.sampler, "seed": seed,
                "maxTrials": budget, "concurrency": workers,
                "parameters": [self._parameter(at, kind) for at, kind in enumerate(kinds)]}})
        self.trials = f"/api/v1/studies/{made['id']}/trials"

    def ask(self):
        trial = self._ask("POST", self.trials, {})
        return trial["number"], [float(trial["parameters"][name]) for name in self.names]

    def tell(self, number, value):
        self._ask("POST", f"{self.trials}/{number}/tell", {"values": [value]})
