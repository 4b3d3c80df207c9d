# SPDX-License-Identifier: Apache-2.0
"""A small tree in a temporary folder, with the real checks in it, for planting offenders."""

import os
import shutil
import subprocess
import tempfile
import unittest

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class PlantedTree(unittest.TestCase):
    """Each test gets a fresh tree that every check under test accepts until something is planted."""

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="planted-")
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(f"{REPOSITORY}/scripts", f"{self.root}/scripts",
                        ignore=shutil.ignore_patterns("__pycache__"))
        # Exceptions are for the files of the real tree.
        for name in ("words", "file-length"):
            self.plant(f"scripts/checks/{name}-allowed.txt", "")
        subprocess.run(["git", "init", "-q", self.root], check=True)

    def plant(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        return full

    def check(self, step):
        """Runs a step in the tree: (holds, result line and findings)."""
        done = subprocess.run([f"{self.root}/scripts/checks/{step}"], capture_output=True, text=True, timeout=120)
        return done.returncode == 0, done.stdout + done.stderr

    def assert_holds(self, step):
        holds, output = self.check(step)
        self.assertTrue(holds, output)

    def assert_finds(self, step, *words):
        holds, output = self.check(step)
        self.assertFalse(holds, f"{step} accepted the offender: {output}")
        for word in words:
            self.assertIn(word, output)
