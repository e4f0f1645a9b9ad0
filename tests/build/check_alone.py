#!/usr/bin/env python3
"""check_alone.py DATABASE JOBS SOURCE...: whether each SOURCE compiles by itself, as somebody who edits it compiles it.

A unity build does not show that: a source finds what another one of its unit includes. DATABASE is the compile_commands.json
of a unity build that is built, with its precompiled headers. Each source is parsed with the command of the unit it is in,
without generating code. Prints what the compiler says of those that fail, and the names of sources that are in no unit; then
exits 1.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

import tidy_units

COMPILER = re.compile(r"\+\+(-\d+)?$")  # g++, /usr/bin/clang++-14


def parse_command(entry, source):
    """The compiler's command that parses `source` with the options of this entry; without ccache, which only caches objects."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if COMPILER.search(word)):]
    output = words.index("-o")
    del words[output:output + 2]
    return [source if word == entry["file"] else word for word in words] + ["-fsyntax-only"]


def commands(database, wanted):
    """(The command of each wanted source by its path, those that no unit has)."""
    left = {os.path.abspath(source) for source in wanted}
    found = {}
    for entry in database:
        for source in tidy_units.sources_of(entry["file"]):
            if source in left:
                left.remove(source)
                found[source] = (entry["directory"], parse_command(entry, source))
    return found, sorted(left)


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
    with concurrent.futures.ThreadPoolExecutor(int(sys.argv[2])) as pool:
        problems += [text for text in pool.map(problem, found.values()) if text]
    if problems:
        print("\n".join(problems))
        sys.exit(1)


if __name__ == "__main__":
    main()
