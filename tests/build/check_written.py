#!/usr/bin/python3
"""Checks what packaging/run.sh says it has written: reads its standard output, one path a line, from standard input.

Every file must be there and not empty, every picture must show something, and the picture of each view that a user looks
at first must be among them. Ends with status 1 and a sentence for each fault.
"""
import pathlib
import sys

from PIL import Image

# A page of one color, or with a title alone, has fewer colors and more of its commonest one; smoothed text alone has some
# dozens of shades.
LEAST_COLOURS = 12
MOST_OF_ONE_COLOUR = 0.998
FIRST_LOOKED_AT = {"summary", "timeline", "memory", "ops", "phases"}


def fault_of_picture(path):
    """A sentence, or nothing where the picture shows something."""
    with Image.open(path) as picture:
        pixels = picture.convert("RGB")
    colors = pixels.getcolors(pixels.width * pixels.height)
    commonest = max(count for count, _ in colors) / (pixels.width * pixels.height)
    if len(colors) < LEAST_COLOURS or commonest > MOST_OF_ONE_COLOUR:
        return f"{path} shows nothing: {len(colors)} colors, one of them on {commonest:.1%} of it"
    return None


def faults(paths):
    """What is wrong with the files at `paths`, a sentence each."""
    found = []
    for path in paths:
        if not path.is_file() or path.stat().st_size == 0:
            found.append(f"{path} was said to be written and is not there, or is empty")
        elif path.suffix == ".png":
            found.append(fault_of_picture(path))
    missing = FIRST_LOOKED_AT - {path.stem for path in paths if path.suffix == ".png"}
    if missing:
        found.append(f"no picture was written of {', '.join(sorted(missing))}")
    return [fault for fault in found if fault]


def main():
    paths = [pathlib.Path(line) for line in sys.stdin.read().splitlines()]
    found = faults(paths)
    for fault in found:
        print(fault, file=sys.stderr)
    print(f"{len(paths)} files written, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
