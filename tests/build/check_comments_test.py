#!/usr/bin/env python3
"""Shows that check_comments.py catches what it is there to catch."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_comments.py")


class Comments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("engine", "ui", "app", "tests"):
            (self.root / name).mkdir()

    def check(self, text, name="engine/a.h"):
        (self.root / name).write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, "-B", str(CHECKER), str(self.root)], capture_output=True, text=True)

    def expect_caught(self, text, name="engine/a.h", line=1):
        result = self.check(text, name)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(f"{name}:{line}: ", result.stdout)

    def test_sentences_pass(self):
        text = '/// For a kernel, this is its title, of two words.\n// One of\n// many. "Of 4.00 MiB"\ncall(Case::Of);\n'
        result = self.check(text)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_fragment_is_caught_wherever_it_begins(self):
        self.expect_caught("/// Of a kernel its title.\n")
        self.expect_caught("int a;\n    // Of the axis.\n", line=2)
        self.expect_caught("int width;  //!< Of the axis.\n")
        self.expect_caught("/// The title of a kernel. Of an op its types.\n")
        self.expect_caught("// Of what?\n", "engine/b.cu")

    def test_every_folder_is_read(self):
        for folder in ("engine", "ui", "app", "tests"):
            self.expect_caught("// Of the axis.\n", f"{folder}/a.cpp")

    def test_a_folder_without_sources_is_refused(self):
        (self.root / "ui").rmdir()
        self.assertEqual(self.check("").returncode, 1)


if __name__ == "__main__":
    unittest.main()
