"""How tools/dev/test.sh runs suites: each once, two at a time, some alone, their words kept apart."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
# Notes when it begins and ends; says two lines with a pause of the other's making between them.
SUITE = """#!/bin/bash
echo "begin $(basename "$(dirname "$0")")" >>"$(dirname "$0")/../../order"
echo "ok first"
for ((i = 0; i < 20000; i++)); do :; done
echo "ok second"
echo "end $(basename "$(dirname "$0")")" >>"$(dirname "$0")/../../order"
exit {code}
"""
NAMES = ["attacks", "cli", "containers", "daily", "limits", "run", "slurm", "web", "why"]
ALONE = {"limits", "slurm"}
PODMAN = {"attacks", "containers", "run"}


class SuitesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copytree(TOOLS / "dev", self.root / "tools/dev")
        for name in NAMES:
            (self.root / "tests" / name).mkdir(parents=True)
            run = self.root / "tests" / name / "run"
            run.write_text(SUITE.format(code=1 if name == "why" else 0), encoding="utf-8")
            run.chmod(0o755)
        script = ("set -euo pipefail; source tools/dev/common.sh; source tools/dev/test.sh; "
                  "run_suites .")
        self.done = subprocess.run(["bash", "-c", script], cwd=self.root, text=True,
                                   capture_output=True, check=False, timeout=120)
        self.order = [line.split() for line in (self.root / "order").read_text().splitlines()]

    def test_all_of_it(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertEqual(sorted(name for what, name in self.order if what == "begin"), NAMES)
        running = set()
        for what, name in self.order:
            if what == "end":
                running.remove(name)
                continue
            running.add(name)
            self.assertLessEqual(len(running), 2, running)
            self.assertLessEqual(len(running & PODMAN), 1, running)
            self.assertFalse(len(running) > 1 and running & ALONE, running)

    def test_the_words_of_a_suite_stand_together(self):
        lines = self.done.stderr.splitlines()
        for name in NAMES:
            at = lines.index(f"== suite: tests/{name}")
            self.assertEqual(lines[at + 1:at + 3], ["ok first", "ok second"], name)

    def test_each_leaves_its_results(self):
        for name in NAMES:
            text = (self.root / "build/test/suites" / f"{name}.txt").read_text(encoding="utf-8")
            self.assertEqual(text, f"ok first\nok second\nexit {1 if name == 'why' else 0}\n")


if __name__ == "__main__":
    unittest.main()
