# SPDX-License-Identifier: Apache-2.0
"""The count of tests is read rightly: a run of no test must never pass for a green one."""

import os
import subprocess
import unittest

from planted_tree import REPOSITORY, PlantedTree

SWIFT_TESTING = """◇ Test run started.
✔ Test one() passed after 0.001 seconds.
✘ Test two() failed after 0.001 seconds with 2 issues.
✘ Test case passing 1 argument x → 3 to three(_:) failed after 0.001 seconds with 1 issue.
✘ Test three(_:) with 2 test cases failed after 0.001 seconds with 1 issue.
✘ Suite SomeTests failed after 0.002 seconds with 3 issues.
✘ Test run with 5 tests in 1 suite failed after 0.002 seconds with 3 issues.
"""
XCTEST = """Test Suite 'All tests' started
\t Executed 2 tests, with 1 failure (0 unexpected) in 0.001 (0.001) seconds
\t Executed 7 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.003 (0.003) seconds
"""


class CountTests(unittest.TestCase):
    def count(self, text):
        done = subprocess.run([f"{REPOSITORY}/scripts/count-tests"], input=text, check=True, capture_output=True, text=True)
        return done.stdout.split()

    def test_counts_swift_testing(self):
        self.assertEqual(self.count(SWIFT_TESTING), ["3", "2", "0"])

    def test_counts_xctest(self):
        self.assertEqual(self.count(XCTEST), ["4", "2", "1"])

    def test_adds_both_up(self):
        self.assertEqual(self.count(XCTEST + SWIFT_TESTING), ["7", "4", "1"])

    def test_counts_nothing_in_an_empty_run(self):
        self.assertEqual(self.count("Build complete!\n"), ["0", "0", "0"])
        self.assertEqual(self.count("✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.\n"), ["0", "0", "0"])

    def test_counts_a_skipped_suite(self):
        self.assertEqual(self.count("➜ Suite DiskTests skipped.\n✔ Test run with 1 test passed after 0.1 seconds.\n")[2], "1")


class EmptyRunTests(PlantedTree):
    """`scripts/test` and `scripts/check` with a `swift` that runs no test."""

    def run_with_swift(self, script, command):
        tool = self.plant("bin/swift", f"#!/bin/sh\n{script}\n")
        os.chmod(tool, 0o755)
        environment = dict(os.environ, PATH=f"{self.root}/bin:{os.environ['PATH']}")
        return subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, timeout=120)

    def test_a_run_without_a_test_has_failed(self):
        done = self.run_with_swift("echo 'Build complete!'", ["scripts/test"])
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 1 failed")

    def test_a_crash_after_the_count_has_failed(self):
        done = self.run_with_swift("echo '✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.'; exit 1",
                                   ["scripts/test"])
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines()[-1], "3 passed, 1 failed")

    def test_a_skipped_test_has_failed(self):
        line = "echo '➜ Test a() skipped.'; echo '✔ Test run with 2 tests in 1 suite passed after 0.1 seconds.'"
        self.assertNotEqual(self.run_with_swift(line, ["scripts/test"]).returncode, 0)

    def test_a_green_run_is_green(self):
        done = self.run_with_swift("echo '✔ Test run with 2 tests in 1 suite passed after 0.1 seconds.'", ["scripts/test"])
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "2 passed, 0 failed"))
