#!/usr/bin/env python3
"""Holds the code to the boundaries that ARCHITECTURE.md draws.

    check_boundaries.py includes ROOT          who includes whom, in engine/, ui/ and app/
    check_boundaries.py binary FILE KIND       what FILE links: KIND is no-qt, no-torch, or no-qt-no-torch

Prints one line for each crossing and exits 1 if there is one.
"""

import pathlib
import re
import subprocess
import sys

# A folder may include itself and these, and what these may include. Everything else is a crossing.
USES = {
    "engine/base": [],
    "engine/plan": ["engine/base", "engine/kernels/flash_attention.h"],
    "engine/trace": ["engine/base"],
    # The rooms of the queries, each above those before it.
    "engine/query/spans": ["engine/trace", "engine/plan"],
    "engine/query/completeness": ["engine/query/spans"],
    "engine/query/memory": ["engine/query/completeness"],
    "engine/query/links": ["engine/query/memory"],
    "engine/query/activity": ["engine/query/links"],
    "engine/query/model": ["engine/query/memory"],
    "engine/query/statistics": ["engine/query/activity", "engine/query/model"],
    "engine/query/summary": ["engine/query/statistics"],
    "engine/query/compare": ["engine/query/summary"],
    "engine/query/findings": ["engine/query/compare"],
    "engine/query": ["engine/query/findings"],
    "engine/tables": ["engine/query"],
    "engine/io": ["engine/trace"],
    "engine/session": ["engine/io", "engine/query", "engine/runner/runner_api.h"],
    "engine/sweep": ["engine/session", "engine/tables"],
    "engine/experiments": ["engine/sweep", "engine/query/findings"],
    "engine/lessons": ["engine/sweep"],
    "engine/report": ["engine/experiments", "engine/io"],
    "engine/capture": ["engine/trace"],
    "engine/kernels": [],
    "engine/runner": ["engine/capture", "engine/kernels", "engine/plan"],
    "engine/cuda": ["engine/capture", "engine/runner/gpu.h"],
    # The window's colors name the engine's categories and families.
    "ui/theme": ["engine/tables"],
    "ui/controls": ["ui/theme"],
    "ui/models": ["engine/io", "ui/controls"],
    "ui/timeline": ["ui/models"],
    "ui/charts": ["ui/models"],
    "ui/panels": ["ui/models"],
    "ui/compare": ["ui/timeline", "ui/charts"],
    "ui/memory": ["ui/timeline", "ui/charts"],
    "ui/figures": ["ui/controls"],
    "ui/report": ["engine/report", "ui/controls"],
    "ui/sweep": ["engine/sweep", "engine/experiments", "ui/charts"],
    "ui/experiments": ["ui/sweep"],
    "app/cli": ["engine/report", "engine/session", "engine/tables"],
    "app/window": ["engine/lessons", "engine/report", "engine/session", "ui/timeline", "ui/charts", "ui/memory", "ui/panels",
                   "ui/compare", "ui/figures", "ui/report", "ui/experiments"],
}
# The runner's interface has no LibTorch in it, so that those who load it at run time can include it.
# gpu.h has none either: it is what the runner knows of libwarpglass-cuda.
STANDALONE_HEADERS = {"engine/runner/runner_api.h": ["engine/trace", "engine/plan"],
                      "engine/runner/gpu.h": ["engine/trace", "engine/plan"],
                      # What attention's kernels do in which order decides what the plan says that they move.
                      "engine/kernels/flash_attention.h": []}

TORCH = re.compile(r"^(torch|ATen|c10|caffe2|libshm)/")
CUDA = re.compile(r"^(cuda|cublas|cudnn|curand|cusolver|cusparse|nccl|nvrtc|nvtx3/|nvToolsExt|cooperative_groups|cub/|thrust/)")
CUPTI = re.compile(r"^(extras/CUPTI/.*|cupti.*|generated_cuda.*_meta)\.h$|^cupti")
QT = re.compile(r"^(Q[A-Z]\w*|Qt\w+/.*|q[a-z]+\.h|ui_\w+\.h|qcustomplot\.h)$")

# Which folders may include which outside headers; the first kind that matches decides.
OUTSIDE = [
    ("Qt", QT, ["ui", "app/window"]),
    ("LibTorch", TORCH, ["engine/capture", "engine/runner", "engine/cuda"]),
    ("CUPTI", CUPTI, ["engine/cuda"]),
    ("CUDA", CUDA, ["engine/capture", "engine/kernels", "engine/cuda"]),
]

INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".cu", ".cuh"}

LIBRARY_RULES = {
    "no-qt": [("Qt", re.compile(r"^lib(Qt\d|QCustomPlot|qcustomplot)"))],
    "no-torch": [("LibTorch", re.compile(r"^lib(torch|c10|caffe2)")),
                 ("CUDA", re.compile(r"^lib(cuda|cudart|cublas|cudnn|cufft|cufile|curand|cusolver|cusparse|cupti|nccl|"
                                     r"nvJitLink|nvrtc|nvshmem|nvToolsExt|nvtx)"))],
}
LIBRARY_RULES["no-qt-no-torch"] = LIBRARY_RULES["no-qt"] + LIBRARY_RULES["no-torch"]


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def allowed_from(folder):
    """The folders and single headers that `folder` may include, with what those may include in turn."""
    found, todo = set(), [folder]
    while todo:
        item = todo.pop()
        if item not in found:
            found.add(item)
            todo += STANDALONE_HEADERS.get(item, USES.get(item, []))
    return found


def folder_of(path):
    return max((f for f in USES if within(path, f)), key=len, default=None)


def include_crossings(root):
    """One sentence for each include that crosses a boundary, and how many files were read."""
    crossings, files = [], 0
    for top in ("engine", "ui", "app"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file():
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            folder = folder_of(path)
            if folder is None:
                crossings.append(f"{path}: its folder has no place among the boundaries (tests/build/check_boundaries.py)")
                continue
            allowed = allowed_from(path if path in STANDALONE_HEADERS else folder)
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    problem = crossing(root, file, path, folder, allowed, match.group(1), match.group(2))
                    if problem:
                        crossings.append(f"{path}:{number}: {problem}")
    return crossings, files


def crossing(root, file, path, folder, allowed, bracket, name):
    """Why this include is not allowed, or None."""
    target = None
    if bracket == '"':
        # As the compiler looks: beside the file, then from the root.
        for base in (file.parent, root):
            candidate = (base / name).resolve()
            if candidate.is_file() and within(candidate.as_posix(), root.resolve().as_posix()):
                target = candidate.relative_to(root.resolve()).as_posix()
                break
    if target is None and re.match(r"^(engine|ui|app)/", name):
        target = name
    if target is not None:
        if any(within(target, a) for a in allowed):
            return None
        return f"{folder} may not include {target}"
    for what, pattern, folders in OUTSIDE:
        if pattern.match(name):
            if path in STANDALONE_HEADERS:
                return f"{path} must stand without {what}, so it may not include {name}"
            if not any(within(folder, f) for f in folders):
                return f"{folder} may not use {what}: {name}"
            return None
    return None


def needed_libraries(file):
    """Names of the libraries that the file needs, itself and through others. Those LibTorch is reached through are
    found by ldd; a library that ldd cannot find still has its name here."""
    direct = subprocess.run(["readelf", "--dynamic", "--wide", str(file)], capture_output=True, text=True, check=True)
    names = set(re.findall(r"\(NEEDED\).*\[(.+?)\]", direct.stdout))
    if not names:
        raise ValueError(f"{file}: readelf shows no needed library")
    through = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=True)
    for line in through.stdout.splitlines():
        words = line.split()
        if words:
            names.add(pathlib.PurePath(words[0]).name)
    return names


def binary_crossings(file, kind):
    return [f"{file} links {what}: {name}"
            for what, pattern in LIBRARY_RULES[kind]
            for name in sorted(needed_libraries(file)) if pattern.match(name)]


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "includes":
        crossings, files = include_crossings(pathlib.Path(arguments[1]))
        if files == 0:
            crossings = [f"{arguments[1]}: no source file found"]
        summary = f"{files} files read"
    elif len(arguments) == 3 and arguments[0] == "binary" and arguments[2] in LIBRARY_RULES:
        crossings = binary_crossings(arguments[1], arguments[2])
        summary = f"{arguments[1]} read"
    else:
        print(__doc__, file=sys.stderr)
        return 2
    for line in crossings:
        print(line)
    print(f"{summary}, {len(crossings)} crossings")
    return 1 if crossings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
