// What became of a trial: whether the gain that a finding expected came true.
#pragma once

#include <optional>
#include <string>

#include "engine/query/findings/finding.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

enum class TrialVerdict : std::uint8_t {
    kCameTrue,  // four fifths of the expected gain or more
    kPartly,    // a fifth or more
    kNot,       // less, or it got worse
    kNoAnswer   // the run did not come far enough to tell, or its steps differ by more than was to be gained
};

struct TrialOutcome {
    TrialVerdict verdict = TrialVerdict::kNoAnswer;
    /// The trial's value of the metric; nothing if the run did not get far enough.
    std::optional<double> measured;
    /// "Execution graph: 8.50 ms per step instead of 27.5 ms; best case 9.44 ms, so the gain came true."
    std::string sentence;
};

/// `timeline` is that of the run that tried it, ended. Precondition: it has a snapshot.
TrialOutcome trialOutcome(const Trial& trial, const MemoryTimeline& timeline);
/// "Best case: 9.44 ms per step, which saves 18.1 ms (66%)."; of memory "Predicted: …".
std::string expectationSentence(const Trial& trial);

}  // namespace warpglass
