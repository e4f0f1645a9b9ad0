// Quantiles of Student's t distribution. Pure; any thread.
#pragma once

#include <cstddef>

namespace warpglass {

/// The t with P(|T| ≤ t) = 95%: 12.7 at one degree of freedom, 1.96 at very many. `degrees` is at least 1.
double studentQuantile95(std::size_t degrees);

}  // namespace warpglass
