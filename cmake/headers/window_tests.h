// Precompiled for the tests of the window. Not <QTest>: what it declares differs with the folder of a test.
#pragma once

#include "cmake/headers/tests.h"
#include "cmake/headers/window.h"
