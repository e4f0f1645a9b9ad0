#!/usr/bin/env python3
"""Shows that tidy_units.py has every source read exactly once, and by itself where that matters."""

import pathlib
import tempfile
import unittest

import tidy_units


class TidyUnits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def source(self, name, text="int f();\n"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def entry(self, file):
        command = f"c++ -O1 -fpch-preprocess -Winvalid-pch -include /b/cmake_pch.hxx -o x.o -c {file}"
        return {"directory": str(self.folder), "file": file, "command": command}

    def unit(self, name, sources):
        return self.source(name, "/* generated */\n\n" + "\n".join(f'#include "{s}"\n' for s in sources))

    def read(self, name):
        """The sources that clang-tidy sees through a file."""
        if not pathlib.Path(name).name.startswith("unit_"):
            return [name]
        return [line.split('"')[1] for line in pathlib.Path(name).read_text(encoding="utf-8").splitlines()]

    def test_every_source_is_read_once_and_only_what_is_wanted(self):
        a, b, c, alone, unknown = (self.source(f"{n}.cpp") for n in ("a", "b", "c", "alone", "unknown"))
        unit = self.unit("unity_0_cxx.cxx", [a, b, c])
        # A second target that compiles one of them as well adds nothing.
        names, entries = tidy_units.units([self.entry(unit), self.entry(alone), self.entry(a)], str(self.folder),
                                          [a, b, alone, unknown])
        self.assertEqual(sorted(s for name in names for s in self.read(name)), sorted([a, b, alone, unknown]))
        self.assertEqual([self.read(entry["file"]) for entry in entries], [[a, b], [alone]])

    def test_a_using_declaration_is_read_by_itself(self):
        a, b = self.source("a.cpp"), self.source("b.cpp")
        c = self.source("c.cpp", "namespace x { using std::swap; }\n")
        d = self.source("d.cpp", "using namespace std;\nusing Alias = int;\n")
        names, entries = tidy_units.units([self.entry(self.unit("unity_0_cxx.cxx", [a, b, c, d]))], str(self.folder),
                                          [a, b, c, d])
        self.assertEqual([self.read(name) for name in names], [[a, b, d], [c]])
        self.assertEqual([entry["file"] for entry in entries], names)

    def test_gccs_precompiled_headers_are_left_out(self):
        a = self.source("a.cpp")
        _, entries = tidy_units.units([self.entry(a)], str(self.folder), [a])
        self.assertEqual(entries[0]["command"], f"c++ -O1 -o x.o -c {a}")


if __name__ == "__main__":
    unittest.main()
