#!/usr/bin/env python3
"""Shows that check_boundaries.py catches what it is there to catch: each test plants one crossing."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_boundaries.py")


class Includes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path in ("engine/base/units.h", "engine/io/run_file.h", "engine/runner/model.h", "ui/theme/theme.h",
                     "ui/models/run_document.h", "ui/panels/run_panel.h"):
            self.write(path, "#pragma once")
        self.write("engine/runner/runner_api.h", '#include "engine/base/units.h"')

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8")

    def check(self):
        return subprocess.run([sys.executable, str(CHECKER), "includes", str(self.root)], capture_output=True, text=True)

    def expect_caught(self, path, text, words):
        self.write(path, text)
        result = self.check()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(f"{path}:1: ", result.stdout)
        self.assertIn(words, result.stdout)

    def expect_allowed(self, path, text):
        self.write(path, text)
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_clean_tree_passes(self):
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("7 files read, 0 crossings", result.stdout)

    def test_empty_tree_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, str(CHECKER), "includes", folder], capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)

    def test_each_crossing_is_caught(self):
        for path, text, words in (
                *(("engine/query/bad.cpp", f"#include <{header}>", "may not use Qt")
                  for header in ("QString", "QtCore/QString", "qglobal.h", "qcustomplot.h")),
                ("app/cli/bad.cpp", "#include <QCoreApplication>", "may not use Qt"),
                *(("ui/models/bad.cpp", f"#include <{header}>", "may not use LibTorch")
                  for header in ("torch/torch.h", "ATen/ATen.h", "c10/util/Exception.h")),
                ("ui/charts/bad.cpp", "#include <cuda_runtime.h>", "may not use CUDA"),
                ("ui/charts/bad.cpp", "#include <cupti.h>", "may not use CUPTI"),
                *((f"{folder}/bad.cpp", "#include <torch/torch.h>", "may not use LibTorch")
                  for folder in ("engine/io", "engine/session", "engine/kernels", "app/window", "app/cli")),
                ("engine/runner/bad.cpp", '#include "cupti.h"', "may not use CUPTI"),
                ("engine/trace/bad.h", '#include "engine/io/run_file.h"', "engine/trace may not include"),
                ("engine/io/bad.h", '#include "engine/query/spans/span_filter.h"', "engine/io may not include"),
                ("ui/charts/bad.h", '#include "ui/panels/run_panel.h"', "ui/charts may not include"),
                # A relative path is followed, and a file that is not there is judged by its name.
                ("engine/trace/bad.h", '#include "../io/run_file.h"', "may not include engine/io/run_file.h"),
                ("engine/base/bad.h", '#include "ui/models/absent.h"', "engine/base may not include"),
                ("engine/base/bad.h", "  #  include <ui/models/run_document.h>", "engine/base may not include"),
                ("engine/session/bad.cpp", '#include "engine/runner/model.h"', "engine/session may not include")):
            with self.subTest(f"{path}: {text}"):
                self.expect_caught(path, text, words)
            (self.root / path).unlink()

    def test_torch_in_the_runners_interface(self):
        self.expect_caught("engine/runner/runner_api.h", "#include <torch/torch.h>", "must stand without LibTorch")

    def test_folder_without_a_place(self):
        self.write("engine/extra/new.h", "#pragma once")
        result = self.check()
        self.assertEqual(result.returncode, 1)
        self.assertIn("engine/extra/new.h: its folder has no place", result.stdout)

    def test_what_is_allowed(self):
        self.expect_allowed("engine/capture/observer.cpp", "#include <ATen/record_function.h>")
        self.expect_allowed("engine/cuda/session.cpp", "#include <cupti.h>\n#include <cuda_runtime_api.h>\n"
                            "#include <c10/cuda/CUDACachingAllocator.h>")
        self.expect_allowed("engine/runner/model.cpp", '#include <torch/torch.h>\n#include "engine/base/units.h"')
        self.expect_allowed("ui/panels/panel.cpp", '#include <QWidget>\n#include "ui/models/run_document.h"')
        self.expect_allowed("app/window/main.cpp", '#include <QApplication>\n#include "engine/io/run_file.h"')
        self.expect_allowed("engine/session/session.cpp", '#include "engine/runner/runner_api.h"')
        self.expect_allowed("engine/io/file.cpp", "#include <sqlite3.h>\n#include <zstd.h>\n#include <vector>")


class Binaries(unittest.TestCase):
    """CMake builds the planted programs: they link libraries of the forbidden names."""

    def check(self, variable, kind):
        program = os.environ[variable]
        return subprocess.run([sys.executable, str(CHECKER), "binary", program, kind], capture_output=True, text=True)

    def test_planted_libraries_are_caught(self):
        """The last one links CUDA behind another library."""
        for variable, kind, words in (("PLANTED_QT", "no-qt", "links Qt: libQt6Planted.so"),
                                      ("PLANTED_QT", "no-qt-no-torch", "links Qt: libQt6Planted.so"),
                                      ("PLANTED_TORCH", "no-torch", "links LibTorch: libtorch_planted.so"),
                                      ("PLANTED_INDIRECT", "no-torch", "links CUDA: libcudart_planted.so")):
            with self.subTest(f"{variable} {kind}"):
                result = self.check(variable, kind)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn(words, result.stdout)

    def test_others_pass(self):
        self.assertEqual(self.check("PLANTED_QT", "no-torch").returncode, 0)
        self.assertEqual(self.check("PLANTED_TORCH", "no-qt").returncode, 0)


if __name__ == "__main__":
    unittest.main()
