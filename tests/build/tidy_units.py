#!/usr/bin/env python3
"""tidy_units.py DATABASE FOLDER SOURCE...: what clang-tidy is to read so that it sees each SOURCE once.

Most of its time goes into the standard headers, which it searches anew for every file. DATABASE is the compile_commands.json
of a unity build; for each of its units a file that includes those of the unit's sources that are named goes into FOLDER, with
a compile_commands.json without precompiled headers, which are GCC's. Prints what to read: those files, and every SOURCE that is
in no unit. Nothing is printed twice and no source is left out. A source with a using-declaration is read by itself:
misc-unused-using-decls looks at no included file. The other checks of .clang-tidy find the same either way.
"""
import json
import os
import re
import sys

INCLUDE = re.compile(r'^#include "([^"]+\.cpp)"$', re.MULTILINE)
USING = re.compile(r"\busing\s+[\w:]+\s*;")
PRECOMPILED = re.compile(r"\s-Winvalid-pch|\s-include \S+cmake_pch\.hxx|\s-fpch-preprocess")


def sources_of(unit):
    """The sources that a file of the database compiles: those a unit includes, or the file itself."""
    if not os.path.basename(unit).startswith("unity_") or not os.path.exists(unit):
        return [unit]
    with open(unit, encoding="utf-8") as file:
        return INCLUDE.findall(file.read())


def has_using_declaration(source):
    with open(source, encoding="utf-8") as file:
        return USING.search(file.read()) is not None


def units(database, folder, wanted):
    """(What to read, the entries of its database); writes the files of several sources."""
    left = [os.path.abspath(source) for source in wanted]
    names, entries = [], []
    def read(entry, name):
        command = PRECOMPILED.sub("", entry["command"].replace(entry["file"], name))
        entries.append({"directory": entry["directory"], "file": name, "command": command})
        names.append(name)

    for entry in database:
        found = [source for source in sources_of(entry["file"]) if source in left]
        left = [source for source in left if source not in found]
        alone = [source for source in found if has_using_declaration(source)]
        together = [source for source in found if source not in alone]
        if len(together) == 1:
            alone += together
        elif together:
            unit = os.path.join(folder, f"unit_{len(names)}.cpp")
            with open(unit, "w", encoding="utf-8") as file:
                for source in together:
                    file.write(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n')
            read(entry, unit)
        for source in alone:
            read(entry, source)
    return names + left, entries


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        database = json.load(file)
    folder = os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    names, entries = units(database, folder, sys.argv[3:])
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)
    print("\n".join(names))


if __name__ == "__main__":
    main()
