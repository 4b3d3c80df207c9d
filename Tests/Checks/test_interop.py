# SPDX-License-Identifier: Apache-2.0
"""The check of the second reader fails when it has compared nothing."""

import os
import shutil

from planted_tree import REPOSITORY, PlantedTree


class InteropTests(PlantedTree):
    def setUp(self):
        super().setUp()
        for folder in ("Tests/Interop", "Tests/Vectors/wire", "docs/spec", "Sources/NavWire/Compression"):
            shutil.copytree(f"{REPOSITORY}/{folder}", f"{self.root}/{folder}")

    def test_finds_that_nothing_was_built(self):
        self.assert_finds("interop", "navsyncctl does not exist")

    def test_finds_vectors_that_were_lost(self):
        vectors = f"{self.root}/Tests/Vectors/wire"
        for name in os.listdir(vectors):
            if "zstd" in name:
                os.remove(f"{vectors}/{name}")
        self.assert_finds("interop", "only 0 vectors (zstd)")

    def test_finds_a_library_that_reads_another_path(self):
        for name, answer in (("navsyncctl", "[]"), ("wiredocuments", "")):
            os.chmod(self.plant(f".build/debug/{name}", f"#!/bin/sh\necho '{answer}'\n"), 0o755)
        self.assert_finds("interop", "the second reader disagrees")
