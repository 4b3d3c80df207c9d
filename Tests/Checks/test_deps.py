# SPDX-License-Identifier: Apache-2.0
"""scripts/deps installs what is missing and nothing else, and says what to run when it may not."""

import os
import re
import shutil
import subprocess

from planted_tree import REPOSITORY, PlantedTree

with open(f"{REPOSITORY}/scripts/deps", encoding="utf-8") as script:
    ALL = re.search(r"^build_packages=\((.*)\)$", script.read(), re.MULTILINE).group(1).split()
WITHOUT_PKG_CONFIG = [name for name in ALL if name != "pkg-config"]


class DependencyTests(PlantedTree):
    """PATH holds stubs alone: each appends its name and arguments to a file."""

    def setUp(self):
        super().setUp()
        self.calls = f"{self.root}/calls"
        for tool in ("bash", "env", "cat", "mktemp", "rm", "true"):
            os.makedirs(f"{self.root}/bin", exist_ok=True)
            os.symlink(shutil.which(tool), f"{self.root}/bin/{tool}")
        self.stub("swift", "")
        self.stub("apt-get", f'echo "apt-get $*" >>{self.calls}')
        self.installed(ALL)
        self.user(0)

    def stub(self, name, body):
        path = self.plant(f"bin/{name}", f"#!/bin/bash\n{body}\n")
        os.chmod(path, 0o755)

    def installed(self, packages):
        names = "|".join(packages) or "none"
        self.stub("dpkg-query", f'case ${{!#}} in {names}) echo installed ;; *) exit 1 ;; esac')

    def user(self, number):
        self.stub("id", f"echo {number}")

    def deps(self, *arguments):
        done = subprocess.run([f"{self.root}/scripts/deps", *arguments], env={"PATH": f"{self.root}/bin"},
                              capture_output=True, text=True, timeout=60)
        calls = []
        if os.path.exists(self.calls):
            with open(self.calls, encoding="utf-8") as file:
                calls = file.read().splitlines()
        return done, calls

    def test_touches_nothing_when_nothing_is_missing(self):
        done, calls = self.deps("build")
        self.assertEqual((done.returncode, done.stdout, calls), (0, "", []))

    def test_installs_exactly_what_is_missing(self):
        self.installed([name for name in ALL if name not in ("libsqlite3-dev", "libsystemd-dev")])
        done, calls = self.deps("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(calls, ["apt-get update -q",
                                 "apt-get install -q -y --no-install-recommends libsqlite3-dev libsystemd-dev"])

    def test_takes_pkgconf_for_pkg_config(self):
        self.installed(["pkgconf", *WITHOUT_PKG_CONFIG])
        self.assertEqual(self.deps("build")[1], [])

    def test_the_checks_need_more_than_the_build(self):
        done, calls = self.deps("check")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("shellcheck", calls[-1])
        self.assertNotIn("libzstd-dev", calls[-1])

    def test_says_what_to_run_without_rights(self):
        self.installed(WITHOUT_PKG_CONFIG)
        self.user(1000)
        self.stub("sudo", "exit 1")
        done, calls = self.deps("build")
        self.assertEqual((done.returncode, calls), (1, []))
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends pkg-config", done.stderr)

    def test_uses_sudo_that_asks_nothing(self):
        self.installed(WITHOUT_PKG_CONFIG)
        self.user(1000)
        self.stub("sudo", 'shift; exec "$@"')
        done, calls = self.deps("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(calls[-1], "apt-get install -q -y --no-install-recommends pkg-config")

    def test_shows_why_an_installation_failed(self):
        self.installed(WITHOUT_PKG_CONFIG)
        self.stub("apt-get", "echo 'E: no network' >&2; exit 100")
        done, _ = self.deps("build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("E: no network", done.stderr)

    def test_says_that_swift_is_missing(self):
        os.remove(f"{self.root}/bin/swift")
        done, _ = self.deps("build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("swift is not in PATH", done.stderr)

    def test_looks_for_libraries_where_there_is_no_dpkg(self):
        os.remove(f"{self.root}/bin/dpkg-query")
        self.stub("pkg-config", '[ "${!#}" != openssl ]')
        done, _ = self.deps("build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the development files of openssl are missing", done.stderr)
