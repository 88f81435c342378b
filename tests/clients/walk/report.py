"""One line per test on standard output, as ./dev test counts them."""


class Report:
    def __init__(self, prefix):
        self._prefix = prefix

    def ok(self, name):
        print(f"ok {self._prefix}/{name}", flush=True)

    def not_ok(self, name, reason):
        reason = " ".join(str(reason).split())[:600]
        print(f"not ok {self._prefix}/{name} {reason}", flush=True)

    def judge(self, name, problems):
        """One line: good if nothing is wrong, else everything that is."""
        if problems:
            self.not_ok(name, "; ".join(problems))
        else:
            self.ok(name)
