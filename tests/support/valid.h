// A configuration that the test knows to be valid.
#pragma once

#include "engine/plan/valid_config.h"

namespace warpglass::test {

/// Throws std::bad_optional_access where it is not.
inline ValidConfig valid(const RunConfig& config) {
    return ValidConfig::of(config).value();
}

}  // namespace warpglass::test
