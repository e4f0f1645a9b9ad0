// Precompiled for the engine, and a part of what is precompiled for the rest: what most of their sources
// include, and what seldom changes. Sources include what they use all the same, and compile without it
// (WARPGLASS_PCH=OFF). A change here, be it of a comment, has every precompiled header made anew.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "engine/trace/snapshot.h"
