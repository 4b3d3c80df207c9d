# SPDX-License-Identifier: Apache-2.0
"""The checks of text: words, lengths, links, vectors."""

from planted_tree import PlantedTree

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


class WordTests(PlantedTree):
    def test_accepts_a_clean_tree(self):
        self.plant("Sources/NavSync/A.swift", SPDX + "struct A {}\n")
        self.assert_holds("words")

    def test_finds_what_has_no_place(self):
        for path, line in [("README.md", "see /home/somebody/x"), ("Sources/NavSync/A.swift", "// TODO later"),
                           ("Sources/NavSync/A.swift", "let a = try! f()"), ("Tests/T/A.swift", "usleep(10)"),
                           ("Sources/NavSync/A.swift", "struct StackManager {}"), ("Tests/T/A.swift", "import XCTest"),
                           ("Sources/NavSync/A.swift", "public struct A {}"),
                           ("Sources/NavSync/A.swift", "final class A: @unchecked Sendable {}"),
                           ("scripts/x", "pkill navsyncd")]:
            with self.subTest(line):
                self.plant(path, SPDX + "\n" * 9 + line + "\n")
                self.assert_finds("words", path + ":11")
                self.plant(path, SPDX)

    def test_takes_an_exception_with_a_reason_while_it_is_needed(self):
        allowed = "scripts/checks/words-allowed.txt"
        self.plant("Tests/T/A.swift", SPDX + "usleep(10)\n")
        self.plant(allowed, "Tests/T/A.swift | usleep( | because\n")
        self.assert_finds("words", "A.swift:2")
        self.plant(allowed, "Tests/T/A.swift | usleep( | paces a thread, and nothing waits for time to pass\n")
        self.assert_holds("words")
        self.plant("Tests/T/A.swift", SPDX)
        self.assert_finds("words", "needs no exception")

    def test_finds_a_missing_licence_line(self):
        self.plant("Sources/NavSync/A.swift", "struct A {}\n")
        self.assert_finds("words", "A.swift:1", "licence")


class FileLengthTests(PlantedTree):
    def test_finds_a_long_file(self):
        self.plant("Sources/NavSync/Long.swift", SPDX * 401)
        self.assert_finds("file-length", "Long.swift: 401 lines")

    def test_wants_a_reason_for_an_exception(self):
        self.plant("Sources/NavSync/Long.swift", SPDX * 401)
        allowed = "scripts/checks/file-length-allowed.txt"
        self.plant(allowed, "Sources/NavSync/Long.swift | 450 | because\n")
        self.assert_finds("file-length", "a real reason")
        self.plant(allowed, "Sources/NavSync/Long.swift | 450 | one table, which two files would tear apart\n")
        self.assert_holds("file-length")

    def test_finds_an_exception_that_is_not_needed(self):
        self.plant("Sources/NavSync/Short.swift", SPDX)
        self.plant("scripts/checks/file-length-allowed.txt",
                   "Sources/NavSync/Short.swift | 450 | one table, which two files would tear apart\n")
        self.assert_finds("file-length", "needs no exception")

    def test_finds_two_files_of_one_name_in_a_module(self):
        self.plant("Sources/NavSync/A/X.swift", SPDX)
        self.plant("Sources/NavSync/B/X.swift", SPDX)
        self.assert_finds("file-length", "already has a X.swift")


class DocumentTests(PlantedTree):
    RECORD = "# 0001. Title\n\n## Context\n\n## Decision\n\n## Rejected\n\n## Consequences\n"

    def setUp(self):
        super().setUp()
        for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY"):
            self.plant(f"{name}.md", f"# {name}\n\n## A part\n")
        self.plant("LICENSE", "x\n")
        self.plant("CHANGELOG.md", "## [Unreleased]\n")
        self.plant("docs/README.md", "[t](decisions/0000-template.md) [r](decisions/0001-title.md)\n")
        self.plant("docs/decisions/0000-template.md", self.RECORD)
        self.plant("docs/decisions/0001-title.md", self.RECORD)

    def test_accepts_whole_documents(self):
        self.plant("README.md", "[a](ARCHITECTURE.md#a-part) [b](#a-part) `docs/decisions/`\n\n## A part\n")
        self.assert_holds("docs")

    def test_finds_broken_links_and_names(self):
        for text in ("[a](NOWHERE.md)", "[a](ARCHITECTURE.md#nothing)", "`Sources/NavSync/Gone.swift`"):
            with self.subTest(text):
                self.plant("README.md", text)
                self.assert_finds("docs", "README.md")

    def test_finds_an_incomplete_record(self):
        self.plant("docs/decisions/0001-title.md", self.RECORD.replace("## Rejected", ""))
        self.assert_finds("docs", "no '## Rejected'")

    def test_finds_two_records_of_one_number(self):
        self.plant("docs/decisions/0001-other.md", self.RECORD)
        self.assert_finds("docs", "0001 is also", "does not list")


class VersionTests(PlantedTree):
    def setUp(self):
        super().setUp()
        self.plant("Sources/NavSync/Software.swift", SPDX + 'static let version = "1.2.3"\n')
        self.plant("CHANGELOG.md", "## [Unreleased]\n\nThe next version is 1.2.3.\n")
        self.plant("docs/man/navsyncd.8", ".Os navsync 1.2.3\n")

    def test_accepts_one_version(self):
        self.assert_holds("versions")

    def test_finds_another(self):
        for path, text in [("CHANGELOG.md", "The next version is 1.2.4.\n"), ("docs/man/navsyncd.8", ".Os\n"),
                           ("docs/man/navsyncctl.1", ".Os navsync 1.2.2\n"),
                           ("Sources/navsyncd/A.swift", 'let name = "navsyncd 1.2.3"\n')]:
            with self.subTest(path):
                self.setUp()
                self.plant(path, text)
                self.assert_finds("versions", path)


class VectorTests(PlantedTree):
    def test_fails_on_an_empty_folder(self):
        self.plant("Tests/Samples/a.json", "[]")
        self.assert_finds("vectors", "no vector found")

    def test_wants_to_know_what_is_expected(self):
        self.plant("Tests/Samples/a.json", "[]")
        self.plant("Tests/Vectors/wire/a.vector", "expect: refused\ncomment: too short\n\nxx")
        self.assert_holds("vectors")
        self.plant("Tests/Vectors/wire/a.vector", "comment: too short\n\nxx")
        self.assert_finds("vectors", "no 'expect:'")
