#!/usr/bin/env python3
"""Shows that check_alone.py finds a source that lives off what another one of its unit includes."""

import pathlib
import shutil
import tempfile
import unittest
import unittest.mock

import check_alone


@unittest.skipUnless(shutil.which("c++"), "there is no compiler called c++")
class CheckAlone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("x.h", "#pragma once\nstruct X {};\n")
        self.first = self.write("first.cpp", '#include "x.h"\nX e() { return {}; }\n')
        self.whole = self.write("whole.cpp", '#include "x.h"\nX f() { return {}; }\n')
        self.needy = self.write("needy.cpp", "X g() { return {}; }\n")
        unit = self.write("unity_0_cxx.cxx", self.unit_of(self.first, self.whole, self.needy))
        self.database = [{"directory": str(self.folder), "file": unit,
                          "command": f"/usr/bin/ccache c++ -o x.o -c {unit}"}]

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def unit_of(self, *sources):
        return "".join(f'#include "{source}"\n' for source in sources)

    def test_a_source_that_needs_its_neighbors_includes_is_found(self):
        found, missing = check_alone.commands(self.database, [self.whole, self.needy])
        self.assertEqual(missing, [])
        self.assertEqual(check_alone.problem(found[self.whole]), "")
        self.assertIn("needy.cpp", check_alone.problem(found[self.needy]))

    def test_a_source_that_nothing_compiles_is_named(self):
        unknown = self.write("unknown.cpp", "int h();\n")
        self.assertEqual(check_alone.commands(self.database, [unknown]), ({}, [unknown]))

    def test_a_compiler_that_was_killed_is_no_source_that_compiles(self):
        self.assertIn("-9", check_alone.problem((str(self.folder), ["sh", "-c", "kill -9 $$"])))

    def test_a_compiler_of_any_version_is_found_behind_ccache(self):
        entry = dict(self.database[0], command=f"/usr/bin/ccache /usr/bin/g++-15 -o x.o -c {self.whole}", file=self.whole)
        self.assertEqual(check_alone.parse_command(entry, self.whole)[0], "/usr/bin/g++-15")

    def test_a_source_that_is_compiled_by_itself_is_not_compiled_again(self):
        alone = dict(self.database[0], command=f"c++ -o x.o -c {self.whole}", file=self.whole)
        self.assertEqual(check_alone.commands([alone], [self.whole]), ({}, []))

    def test_the_first_source_of_a_unit_finds_nothing_of_its_neighbors(self):
        self.assertEqual(check_alone.commands(self.database, [self.first]), ({}, []))

    def test_a_large_header_is_precompiled_and_hides_nothing_of_another(self):
        large = self.write("large.h", '#pragma once\n#include "x.h"\n')
        user = self.write("user.cpp", f'#include "{large}"\nX k() {{ return {{}}; }}\n')
        self.database[0]["command"] = self.database[0]["command"].replace("-c", f"-I{self.folder} -c")
        self.write("unity_0_cxx.cxx", self.unit_of(self.first, user, self.needy))
        found, _ = check_alone.commands(self.database, [user, self.needy])
        with unittest.mock.patch.dict(check_alone.LARGE, {large: large}):
            check_alone.precompile(found, str(self.folder))
        self.assertIn("-include", found[user][1])
        self.assertTrue(list(self.folder.glob("*.gch")))
        self.assertEqual(check_alone.problem(found[user]), "")
        self.assertIn("needy.cpp", check_alone.problem(found[self.needy]))

    def test_nothing_is_written(self):
        found, _ = check_alone.commands(self.database, [self.whole])
        before = sorted(self.folder.iterdir())
        check_alone.problem(found[self.whole])
        self.assertEqual(sorted(self.folder.iterdir()), before)


if __name__ == "__main__":
    unittest.main()
