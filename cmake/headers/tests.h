// Precompiled for the tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "cmake/headers/engine.h"
