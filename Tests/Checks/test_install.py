# SPDX-License-Identifier: Apache-2.0
"""scripts/install puts what the layout lists, and takes exactly that away again."""

import gzip
import os
import shutil
import subprocess

from planted_tree import PlantedTree

LAYOUT = """build:navsyncd | bin | 0755 | stripped
docs/man/*.8 | share/man/man8 | 0644 | gzip
systemd/*.service | lib/systemd/system | 0644 | paths
packaging/completions/*.bash | share/bash-completion/completions | 0644 | as it is
packaging/*.conf.example | share/doc/navsync/examples | 0644 | as it is
"""


class InstallTests(PlantedTree):
    def setUp(self):
        super().setUp()
        self.plant("packaging/install-layout.txt", LAYOUT)
        self.plant("docs/man/navsyncd.8", ".TH a page\n")
        self.plant("systemd/navsyncd.service", "ExecStart=/usr/bin/navsyncd --flag\n")
        self.plant("packaging/completions/navsyncctl.bash", "complete\n")
        self.plant("packaging/navsyncd.conf.example", "# nothing\n")
        os.mkdir(f"{self.root}/built")
        shutil.copy(shutil.which("true"), f"{self.root}/built/navsyncd")
        self.target = f"{self.root}/target"

    def install(self, *arguments, prefix="/opt/nav"):
        environment = dict(os.environ, NAVSYNC_BUILT=f"{self.root}/built")
        command = [f"{self.root}/scripts/install", "--prefix", prefix, "--destdir", self.target, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)

    def installed(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.target)
                      for folder, _, names in os.walk(self.target) for name in names)

    def test_puts_each_file_where_the_layout_says(self):
        self.assertEqual(self.install().returncode, 0)
        self.assertEqual(self.installed(), [
            "opt/nav/bin/navsyncd",
            "opt/nav/lib/systemd/system/navsyncd.service",
            "opt/nav/share/bash-completion/completions/navsyncctl",
            "opt/nav/share/doc/navsync/examples/navsyncd.conf",
            "opt/nav/share/man/man8/navsyncd.8.gz",
        ])
        with gzip.open(f"{self.target}/opt/nav/share/man/man8/navsyncd.8.gz", "rt") as page:
            self.assertEqual(page.read(), ".TH a page\n")
        with open(f"{self.target}/opt/nav/lib/systemd/system/navsyncd.service", encoding="utf-8") as unit:
            self.assertEqual(unit.read(), "ExecStart=/opt/nav/bin/navsyncd --flag\n")

    def test_removes_exactly_that(self):
        self.install()
        theirs = self.plant("target/opt/nav/share/man/man8/theirs.8.gz", "x")
        self.assertEqual(self.install("--remove").returncode, 0)
        self.assertEqual(self.installed(), [os.path.relpath(theirs, self.target)])
        self.assertFalse(os.path.exists(f"{self.target}/opt/nav/share/doc/navsync"))

    def test_removing_twice_is_no_error(self):
        self.install()
        self.install("--remove")
        self.assertEqual(self.install("--remove").returncode, 0)

    def test_the_list_is_what_is_installed(self):
        self.install()
        listed = self.install("--list").stdout.split()
        self.assertEqual(sorted(os.path.relpath(name, self.target) for name in listed), self.installed())

    def test_refuses_a_relative_prefix(self):
        done = self.install(prefix="opt")
        self.assertEqual(done.returncode, 2)
        self.assertIn("must be absolute", done.stderr)
