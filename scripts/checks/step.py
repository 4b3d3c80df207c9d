# SPDX-License-Identifier: Apache-2.0
"""What each step written in Python begins with: the tree, its files, and one way to end."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(ROOT)


def tree_files(*patterns):
    """Tracked and new files, without ignored ones: what a commit of the tree as it is would hold."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", *patterns]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in names if name and os.path.isfile(name))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def table(path):
    """Rows of a table file: blank lines and `#` comments left out, columns split at `|` and stripped."""
    rows = []
    for number, line in enumerate(read(path).splitlines(), 1):
        line = line.strip()
        if line and not line.startswith("#"):
            rows.append((number, [column.strip() for column in line.split("|")]))
    return rows


def end(findings, result):
    """Prints each finding on stderr and the result on stdout; exits 1 if there was a finding."""
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"{len(findings)} findings; {result}" if findings else result)
    sys.exit(1 if findings else 0)
