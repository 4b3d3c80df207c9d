# SPDX-License-Identifier: Apache-2.0
"""The layer check finds what it is for: planted imports, and planted calls compiled into a pure target."""

import os
import subprocess

from planted_tree import PlantedTree

PURE = "// SPDX-License-Identifier: Apache-2.0\npackage struct Clean { package var number = 1 }\n"

# Name of the offence, its source, and what the finding must name. All of them compile without an import that the
# table of imports would catch, but for those marked.
OFFENDERS = [
    ("a clock of libc", '@_silgen_name("clock_gettime") func f(_: Int32, _: UnsafeMutableRawPointer) -> Int32\n'
     "package func now(_ p: UnsafeMutableRawPointer) -> Int32 { f(0, p) }", "clock_gettime"),
    ("a read", '@_silgen_name("read") func f(_: Int32, _: UnsafeMutableRawPointer, _: Int) -> Int\n'
     "package func take(_ p: UnsafeMutableRawPointer) -> Int { f(0, p, 1) }", "read"),
    ("a socket", '@_silgen_name("socket") func f(_: Int32, _: Int32, _: Int32) -> Int32\n'
     "package func open() -> Int32 { f(1, 1, 0) }", "socket"),
    ("the environment", '@_silgen_name("getenv") func f(_: UnsafePointer<CChar>) -> UnsafePointer<CChar>?\n'
     'package func home() -> Bool { f("HOME") != nil }', "getenv"),
    ("a thread", '@_silgen_name("pthread_self") func f() -> UInt\npackage func me() -> UInt { f() }', "pthread_self"),
    ("getrandom", '@_silgen_name("getrandom") func f(_: UnsafeMutableRawPointer, _: Int, _: UInt32) -> Int\n'
     "package func dice(_ p: UnsafeMutableRawPointer) -> Int { f(p, 8, 0) }", "getrandom"),
    ("a call through Glibc", "import Glibc\npackage func now() -> Int { time(nil) }", "calls time,"),
    ("a random number", "package func dice() -> Int { Int.random(in: 1...6) }", "randomness"),
    ("the system's generator", "package func dice() -> UInt64 { var g = SystemRandomNumberGenerator(); return g.next() }",
     "randomness"),
    ("a shuffle", "package func mix(_ a: [Int]) -> [Int] { a.shuffled() }", "randomness"),
    ("a random element", "package func pick(_ a: [Int]) -> Int? { a.randomElement() }", "randomness"),
    ("a random coin", "package func coin() -> Bool { .random() }", "randomness"),
    ("a Swift clock", "package func now() -> ContinuousClock.Instant { ContinuousClock().now }", "a clock"),
    ("a task", "package func later() { Task { } }", "swift_task"),
    ("a print", 'package func say() { print("x") }', "input or output"),
    ("a line from stdin", "package func ask() -> String? { readLine() }", "input or output"),
    ("the command line", "package func name() -> Int { CommandLine.arguments.count }", "the environment"),
    ("a lock", "import Synchronization\npackage let lock = Mutex(1)\npackage func get() -> Int { lock.withLock { $0 } }",
     "not pure"),
    ("a date of Foundation", "import Foundation\npackage func now() -> Double { Date().timeIntervalSince1970 }",
     "not pure"),
]

WIRE_OFFENDERS = [
    ("the time", "import FoundationEssentials\npackage func now() -> Date { Date() }", "a clock"),
    ("a random UUID", "import FoundationEssentials\npackage func name() -> UUID { UUID() }", "randomness"),
    ("a file", "import FoundationEssentials\npackage func f(_ u: URL) throws -> Data { try Data(contentsOf: u) }", "files"),
    ("the user's time zone", "import FoundationEssentials\npackage func f() -> Int { TimeZone.current.secondsFromGMT() }",
     "environment"),
    ("the user's locale", "import FoundationEssentials\npackage func f() -> String { Locale.current.identifier }",
     "environment"),
    ("the file system", "import FoundationEssentials\n"
     "package func f() -> Bool { FileManager.default.fileExists(atPath: \"x\") }", "files"),
]

WIRE_ALLOWED = """import FoundationEssentials
package func f(_ s: String) -> UUID? { UUID(uuidString: s) }
package func g(_ t: Double) -> Date { Date(timeIntervalSinceReferenceDate: t) }
package func h(_ s: String) -> URL? { URL(string: s) }
package func i(_ b: [UInt8]) -> Data { Data(b) }
package func j(_ d: [String: Int]) -> [Int] { d.values.sorted() }
package func l(_ z: TimeZone) -> Int { z.hashValue }
package func k(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { var c = a; c.append(contentsOf: b); return c }
"""


class LayerTests(PlantedTree):
    def setUp(self):
        super().setUp()
        for target in ("NavWire", "NavSync"):
            self.compile(target, f"{target}Clean", PURE)

    def compile(self, target, name, text):
        """Plants a source and its object file, as a debug build would leave them."""
        source = self.plant(f"Sources/{target}/{name}.swift", text)
        objects = f"{self.root}/.build/debug/{target}.build"
        os.makedirs(objects, exist_ok=True)
        subprocess.run(["swiftc", "-c", "-parse-as-library", "-swift-version", "6", "-package-name", "planted",
                        "-module-name", target, "-suppress-warnings", "-o", f"{objects}/{name}.swift.o", source],
                       check=True, capture_output=True, timeout=120)
        return source

    def hide_imports(self, source):
        """Takes the import lines away after compiling, so that only the symbols can give it away."""
        with open(source, encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("import")]
        with open(source, "w", encoding="utf-8") as file:
            file.writelines(lines)

    def test_accepts_a_clean_tree(self):
        self.assert_holds("layers")

    def test_finds_planted_imports(self):
        for text in ("import Glibc\n", "package import Foundation\n", "@preconcurrency import Dispatch\n",
                     "import struct Foundation.Date\n", "internal import Synchronization\n",
                     "#if canImport(Glibc)\nimport Glibc\n#endif\n"):
            with self.subTest(text):
                self.plant("Sources/NavSync/NavSyncClean.swift", PURE + text)
                self.assert_finds("layers", "NavSyncClean.swift", "imports")

    def test_finds_the_compressor_imported_outside_its_room(self):
        self.compile("NavWire", "Path", PURE.replace("Clean", "Path"))
        self.plant("Sources/NavWire/Path/Path.swift", PURE + "import CZstd\n")
        self.assert_finds("layers", "imports CZstd")

    def test_finds_a_folder_without_a_rule(self):
        self.plant("Sources/NavNew/New.swift", PURE)
        self.assert_finds("layers", "Sources/NavNew/New.swift")

    def test_finds_planted_calls(self):
        for name, text, word in OFFENDERS:
            with self.subTest(name):
                self.hide_imports(self.compile("NavSync", "Offender", text))
                self.assert_finds("layers", "Offender.swift", word)

    def test_finds_planted_calls_through_foundation_types(self):
        for name, text, word in WIRE_OFFENDERS:
            with self.subTest(name):
                self.compile("NavWire", "Offender", text)
                self.assert_finds("layers", "Offender.swift", word)

    def test_allows_pure_uses_of_foundation_types(self):
        self.compile("NavWire", "Allowed", WIRE_ALLOWED)
        self.assert_holds("layers")

    def test_finds_a_source_that_was_not_built(self):
        self.plant("Sources/NavSync/Unbuilt.swift", PURE)
        self.assert_finds("layers", "Unbuilt.swift", "missing")
