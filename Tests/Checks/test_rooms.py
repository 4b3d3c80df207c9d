# SPDX-License-Identifier: Apache-2.0
"""The check of rooms finds an arrow that points back, and nothing where there is none."""

from planted_tree import PlantedTree

ORDER = "One | Low High root\n"
LOW = "package struct Low { package enum Kind { case some } }\n"


class RoomTests(PlantedTree):
    def setUp(self):
        super().setUp()
        self.plant("scripts/checks/rooms-order.txt", ORDER)
        self.plant("Sources/One/Low/Low.swift", LOW)
        self.plant("Sources/One/High/High.swift", "struct High { var low: Low }\nprivate struct Hidden {}\n")
        self.plant("Sources/One/One.swift", "struct Whole { var high: High }\n")

    def test_accepts_arrows_that_point_down(self):
        self.assert_holds("rooms")

    def test_finds_an_arrow_that_points_up(self):
        for text in ("func f(_ high: High) {}\n", "extension High {}\n", "let all: [High?] = []\n", "let w = Whole.self\n"):
            with self.subTest(text):
                self.plant("Sources/One/Low/Low.swift", LOW + text)
                self.assert_finds("rooms", "Sources/One/Low/Low.swift", "stands after Low")

    def test_passes_over_what_is_no_use(self):
        for text in ("// For High.\n", "/* High */\n", 'let name = "High \\" High"\n', "let highest = 1\n",
                     "struct Hidden {}\n", "enum Kind {}\n"):
            with self.subTest(text):
                self.plant("Sources/One/Low/Low.swift", LOW + text)
                self.assert_holds("rooms")

    def test_finds_a_room_that_stands_nowhere(self):
        self.plant("Sources/One/New/New.swift", "struct New {}\n")
        self.assert_finds("rooms", "Sources/One/New/New.swift", "does not say where New stands")

    def test_finds_a_module_that_stands_nowhere(self):
        self.plant("Sources/Two/Two.swift", "struct Two {}\n")
        self.assert_finds("rooms", "Sources/Two", "no line")

    def test_finds_a_line_for_nothing(self):
        self.plant("scripts/checks/rooms-order.txt", ORDER + "Gone | root\n")
        self.assert_finds("rooms", "Gone has no sources")
