# SPDX-License-Identifier: Apache-2.0
"""The check of flags finds an option, a command or a key that one place has and another lacks."""

import os

from planted_tree import PlantedTree

DAEMON_HELP = "usage: navsyncd [--socket PATH]\n\noptions:\n      --socket PATH  where to listen\n"
CTL_HELP = "usage: navsyncctl COMMAND\n\ncommands:\n  push    pushes\n  rm      removes\n\noptions:\n      --timeout S  waits\n"
PUSH_HELP = "usage: navsyncctl push STACK\n\noptions:\n      --json  as JSON\n      --timeout S  waits\n"
PAGE = ".Dd January 1, 2026\n.Dt {title} {section}\n.Os\n.Sh NAME\n.Nm {name}\n.Nd a page\n.Sh DESCRIPTION\n{text}\n"
EXAMPLE = "[store]\n#max-drift = 60\n"


class FlagTests(PlantedTree):
    def setUp(self):
        super().setUp()
        self.program("navsyncd", f'case "$*" in *check-config*) ;; *) printf "%s" "{DAEMON_HELP}" ;; esac')
        self.program("navsyncctl", f'case $1 in push) printf "%s" "{PUSH_HELP}" ;; '
                                   f'rm) echo "usage: navsyncctl rm STACK" ;; *) printf "%s" "{CTL_HELP}" ;; esac')
        self.page("navsyncd", 8, ".Fl -socket")
        self.page("navsyncctl", 1, "push and rm take\n.Fl -json\nand\n.Fl -timeout")
        self.page("navsyncd.conf", 5, "The key max-drift is a time.")
        self.plant("packaging/navsyncd.conf.example", EXAMPLE)
        self.plant("packaging/completions/navsyncctl.bash", "# navsyncctl: push rm --json --timeout\n")

    def program(self, name, body):
        os.chmod(self.plant(f".build/debug/{name}", f"#!/bin/bash\n{body}\n"), 0o755)

    def page(self, name, section, text):
        self.plant(f"docs/man/{name}.{section}",
                   PAGE.format(title=name.upper(), section=section, name=name, text=text))

    def test_accepts_what_agrees(self):
        self.assert_holds("flags")

    def test_finds_an_option_without_a_word_in_the_page(self):
        self.page("navsyncctl", 1, "push and rm take\n.Fl -timeout")
        self.assert_finds("flags", "navsyncctl --help has --json")

    def test_finds_an_option_that_only_the_page_has(self):
        self.page("navsyncd", 8, ".Fl -socket\n.Fl -gone")
        self.assert_finds("flags", "navsyncd(8) has --gone")

    def test_takes_a_command_line_of_the_other_program_for_what_it_is(self):
        self.page("navsyncd", 8, ".Fl -socket\n.Ql navsyncctl push --gone .\n.Bd -literal\nnavsyncctl push --json x\n.Ed")
        self.assert_holds("flags")
        self.page("navsyncd", 8, ".Fl -socket\n.Ql navsyncctl push --gone\nand\n.Fl -lost")
        self.assert_finds("flags", "navsyncd(8) has --lost")

    def test_finds_a_command_without_a_word_in_the_page(self):
        self.page("navsyncctl", 1, "push takes\n.Fl -json\nand\n.Fl -timeout")
        self.assert_finds("flags", "does not name the command rm")

    def test_finds_what_is_not_completed(self):
        self.plant("packaging/completions/navsyncctl.bash", "# navsyncctl: push --json --timeout\n")
        self.assert_finds("flags", "does not complete rm")

    def test_finds_a_key_without_a_word_in_the_page(self):
        self.plant("packaging/navsyncd.conf.example", EXAMPLE + "#new-key = 1\n")
        self.assert_finds("flags", "has new-key, navsyncd.conf.5 does not")

    def test_finds_an_example_that_the_daemon_refuses(self):
        self.program("navsyncd", f'case "$*" in *check-config*) echo "line 2: what?" >&2; exit 3 ;; '
                                 f'*) printf "%s" "{DAEMON_HELP}" ;; esac')
        self.assert_finds("flags", "refuses it: line 2: what?")
