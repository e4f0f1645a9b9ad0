// Precompiled for the command line: CLI11 takes longer to read than any source that uses it.
#pragma once

#include <CLI/CLI.hpp>

#include "cmake/headers/engine.h"
