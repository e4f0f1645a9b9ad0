#!/usr/bin/env python3
"""check_alone.py DATABASE JOBS SOURCE...: whether each SOURCE compiles by itself, as somebody who edits it compiles it.

A unity build does not show that: a source finds what another one of its unit includes. DATABASE is the compile_commands.json
of a unity build that is built, with its precompiled headers. Each source is parsed with the command of the unit it is in,
without generating code; one that the build compiles by itself, or as the first of a unit, is not parsed again. Prints what
the compiler says of those that fail, and the names of sources that are in no unit; then exits 1.

LARGE headers are precompiled here where no unit was: a unit reads them once, its sources one by one would read them for
minutes. Other builds than unity ones precompile them for the same sources.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import tidy_units

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# What a source reaches by its includes -> what is precompiled for it.
LARGE = {"engine/capture/torch_headers.h": "engine/capture/torch_headers.h", "CLI/CLI.hpp": "cmake/headers/cli.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
COMPILER = re.compile(r"\+\+(-\d+)?$")  # g++, /usr/bin/clang++-14


def parse_command(entry, source):
    """The compiler's command that parses `source` with the options of this entry; without ccache, which only caches objects."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if COMPILER.search(word)):]
    output = words.index("-o")
    del words[output:output + 2]
    return [source if word == entry["file"] else word for word in words] + ["-fsyntax-only"]


def commands(database, wanted):
    """(The command of each wanted source that others stand before in a unit, by its path; those that nothing compiles)."""
    left = {os.path.abspath(source) for source in wanted}
    found = {}
    for entry in database:
        sources = tidy_units.sources_of(entry["file"])
        for source in sources:
            if source in left:
                left.remove(source)
                if source != sources[0]:
                    found[source] = (entry["directory"], parse_command(entry, source))
    return found, sorted(left)


def reached(source, seen):
    """What `source` includes, and what the project's headers among that do: their names into `seen`."""
    with open(source, encoding="utf-8") as file:
        names = INCLUDE.findall(file.read())
    for name in names:
        if name not in seen:
            seen.add(name)
            path = os.path.join(ROOT, name)
            if os.path.exists(path):
                reached(path, seen)
    return seen


def precompile(found, folder):
    """Has the commands of `found` read LARGE headers precompiled, one for each set of options, into `folder`."""
    groups = {}
    for source, (directory, command) in found.items():
        if "-include" in command:
            continue
        names = reached(source, set())
        header = next((header for large, header in LARGE.items() if large in names), None)
        if header:
            options = tuple(word for word in command if word not in (source, "-fsyntax-only"))
            groups.setdefault((header, directory, options), []).append(source)
    for number, ((header, directory, options), sources) in enumerate(groups.items()):
        name = os.path.join(folder, f"large_{number}.h")
        with open(name, "w", encoding="utf-8") as file:
            file.write(f"#include <{header}>\n")
        words = [word for word in options if word != "-c"]
        made = subprocess.run(words + ["-x", "c++-header", name, "-o", name + ".gch"], cwd=directory, capture_output=True,
                              check=False)
        if made.returncode == 0:
            for source in sources:
                found[source] = (directory, found[source][1] + ["-include", name])


def problem(job):
    """What is wrong with a source, "" for nothing. A compiler that was killed says nothing of it."""
    directory, command = job
    parsed = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if parsed.returncode == 0:
        return ""
    return parsed.stderr or f"{shlex.join(command)}: ended with {parsed.returncode} and no message"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        database = json.load(file)
    found, missing = commands(database, sys.argv[3:])
    problems = [f"{source}: no unit of {sys.argv[1]} has it" for source in missing]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(int(sys.argv[2])) as pool:
        precompile(found, folder)
        problems += [text for text in pool.map(problem, found.values()) if text]
    if problems:
        print("\n".join(problems))
        sys.exit(1)


if __name__ == "__main__":
    main()
