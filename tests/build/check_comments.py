#!/usr/bin/env python3
"""Refuses sentences of the code's comments that begin with "Of": these are fragments, which readers have to puzzle out.

    check_comments.py ROOT          the sources in engine/, ui/, app/ and tests/

Prints one line for each and exits 1 if there is one.
"""

import pathlib
import re
import sys

FOLDERS = ["engine", "ui", "app", "tests"]
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}

# After the slashes, and after another sentence.
FRAGMENT = re.compile(r"//[/!]?<?\s*(?:\S.*[.:;?!]\s+)?Of\s")


def fragments(root):
    """The lines that hold one, as "path:line: text"."""
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                if FRAGMENT.search(line):
                    found.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
    return found


def main():
    if len(sys.argv) != 2 or not all((pathlib.Path(sys.argv[1]) / folder).is_dir() for folder in FOLDERS):
        sys.exit(__doc__)
    found = fragments(pathlib.Path(sys.argv[1]))
    for fragment in found:
        print(fragment)
    if found:
        print(f'{len(found)} sentences of comments begin with "Of": write them out, as "For a kernel, this is its title."')
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
