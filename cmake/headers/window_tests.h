// Precompiled for the tests of the window.
#pragma once

#include <QTest>

#include "cmake/headers/tests.h"
#include "cmake/headers/window.h"
