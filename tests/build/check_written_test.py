#!/usr/bin/python3
"""Shows that check_written.py catches what it is there to catch."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from PIL import Image, ImageDraw

CHECKER = pathlib.Path(__file__).with_name("check_written.py")


class Written(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.paths = [self.draw(name) for name in ("summary", "timeline", "memory", "ops", "phases")]

    def draw(self, name, colors=40):
        """A picture with vertical stripes of so many colors."""
        picture = Image.new("RGB", (400, 200), "white")
        for stripe in range(colors):
            ImageDraw.Draw(picture).line((stripe, 0, stripe, 199), fill=(stripe, 2 * stripe, 0))
        path = self.folder / f"{name}.png"
        picture.save(path)
        return path

    def check(self):
        lines = "".join(f"{path}\n" for path in self.paths)
        return subprocess.run([sys.executable, "-B", str(CHECKER)], input=lines, capture_output=True, text=True)

    def expect_fault(self, words):
        result = self.check()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(words, result.stderr)

    def test_pictures_that_show_something_pass(self):
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("5 files written, 0 faults", result.stdout)

    def test_a_picture_of_one_color_is_caught(self):
        self.paths.append(self.draw("treemap", colors=0))
        self.expect_fault("treemap.png shows nothing")

    def test_a_file_that_was_not_written_is_caught(self):
        self.paths.append(self.folder / "tiny.wgrun")
        self.expect_fault("tiny.wgrun was said to be written and is not there")

    def test_an_empty_file_is_caught(self):
        empty = self.folder / "tiny-ops.txt"
        empty.touch()
        self.paths.append(empty)
        self.expect_fault("tiny-ops.txt was said to be written and is not there, or is empty")

    def test_a_view_that_was_left_out_is_caught(self):
        self.paths.remove(self.folder / "timeline.png")
        self.expect_fault("no picture was written of timeline")

    def test_nothing_written_is_caught(self):
        self.paths = []
        self.expect_fault("no picture was written of memory, ops, phases, summary, timeline")


if __name__ == "__main__":
    unittest.main()
