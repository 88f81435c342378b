"""What tally.py counts, on made-up results."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TALLY = pathlib.Path(__file__).with_name("tally.py")

GTEST = """<testsuites><testsuite name="Quota">
<testcase name="Holds" status="run" result="completed" classname="Quota"/>
<testcase name="NeedsRoot" status="run" result="skipped" classname="Quota">
<skipped message="quota_test.cc:7&#x0A;needs root"/></testcase>
{more}</testsuite></testsuites>"""
FAILURE = """<testcase name="Breaks" status="run" classname="Quota">
<failure message="expected 2"/></testcase>"""


def ctest(**statuses):
    cases = "".join(f'<testcase name="{n}" status="{s}"/>' for n, s in statuses.items())
    return f"<testsuite>{cases}</testsuite>"


class TallyTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = pathlib.Path(self.folder.name, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def tally(self, ci="false"):
        done = subprocess.run([sys.executable, TALLY, self.folder.name], text=True,
                              capture_output=True, check=False, env={**os.environ, "CI": ci})
        return done.returncode, done.stdout.splitlines()

    def test_counts_cases_rather_than_programs(self):
        self.write("ctest/dev.xml", ctest(quota_test="run", tidy="run"))
        self.write("gtest/quota_test.xml", GTEST.format(more=""))
        status, lines = self.tally()
        self.assertEqual(lines, ["skipped: Quota.NeedsRoot: needs root",
                                 "2 passed, 0 failed, 1 skipped"])
        self.assertEqual(status, 0)

    def test_takes_a_skip_for_a_failure_under_ci(self):
        self.write("ctest/dev.xml", ctest(quota_test="run"))
        self.write("gtest/quota_test.xml", GTEST.format(more=""))
        status, lines = self.tally(ci="true")
        self.assertEqual(lines[-1], "1 passed, 1 failed, 0 skipped")
        self.assertEqual(status, 1)

    def test_names_the_failing_case(self):
        self.write("ctest/dev.xml", ctest(quota_test="fail"))
        self.write("gtest/quota_test.xml", GTEST.format(more=FAILURE))
        status, lines = self.tally()
        self.assertIn("FAILED: Quota.Breaks: expected 2", lines)
        self.assertEqual(lines[-1], "1 passed, 1 failed, 1 skipped")
        self.assertEqual(status, 1)

    def test_counts_a_crashed_program_as_one_failure(self):
        self.write("ctest/dev.xml", ctest(quota_test="fail"))
        self.assertEqual(self.tally()[1][-1], "0 passed, 1 failed, 0 skipped")

    def test_counts_a_crash_after_the_last_case(self):
        self.write("ctest/dev.xml", ctest(quota_test="fail"))
        self.write("gtest/quota_test.xml", GTEST.format(more=""))
        self.assertEqual(self.tally()[1][-1], "1 passed, 1 failed, 1 skipped")

    def test_reads_the_lines_of_a_suite(self):
        self.write("suites/clients.txt", "noise\nok login\nnot ok logout said 500\n"
                                         "skip list no registry\nexit 1\n")
        status, lines = self.tally()
        self.assertEqual(lines, ["skipped: clients/list: no registry",
                                 "FAILED: clients/logout: said 500",
                                 "1 passed, 1 failed, 1 skipped"])
        self.assertEqual(status, 1)

    def test_distrusts_a_suite_that_ends_badly_or_says_nothing(self):
        self.write("suites/a.txt", "ok login\nexit 3\n")
        self.write("suites/b.txt", "exit 0\n")
        self.assertEqual(self.tally()[1][-1], "1 passed, 2 failed, 0 skipped")

    def test_fails_when_nothing_ran(self):
        self.assertEqual(self.tally(), (1, ["0 passed, 0 failed, 0 skipped"]))


if __name__ == "__main__":
    unittest.main()
