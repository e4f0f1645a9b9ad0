// What a reader looks at first in a run besides its findings: the kernel with the most time, and the highest
// moment of memory. Each is in the form of a finding, so that it is shown as one is: its sentence, and
// exactly where it is to be seen.
//
// Pure; any thread that has the facts.
#pragma once

#include <optional>
#include <string>

#include "engine/query/findings/finding.h"

namespace warpglass {

class RunFacts;

struct RunSight {
    /// What it is in a few words: "multi-tensor · fused adam fp32".
    std::string title;
    /// Its rule is "largest-kernel", "largest-op" or "peak", which no finding has.
    Finding shown;
    /// Its share of the time of all kernels, or of all ops' self time, 0…1; 0 for the peak.
    double workShare = 0;
};

/// The kernel whose calls take the most time in the steps, all shapes of one name together; of a run on the
/// CPU the op, by its self time. Nothing where no time is known.
std::optional<RunSight> largestWork(const RunFacts& facts);
/// Nothing without memory events.
std::optional<RunSight> highestMoment(const RunFacts& facts);

}  // namespace warpglass
