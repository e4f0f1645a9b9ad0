#include "engine/query/completeness/unfinished_step.h"

#include <algorithm>
#include <array>

#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

/// The last that began; kNoStep for none. A damaged file may have lost its steps and kept their phases.
std::int32_t lastStep(const Snapshot& snapshot) {
    std::int32_t last = kNoStep;
    for (const TrackKind kind : {TrackKind::kStep, TrackKind::kPhase}) {
        for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
            forEachStretch(lane, {}, [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end) {
                for (std::uint32_t i = begin; i < end; ++i)
                    last = std::max(last, chunk.step[i]);
            });
        }
    }
    for (const OpenSpan& open : snapshot.openSpans())
        last = std::max(last, open.step);
    return last;
}

UnfinishedStep::End endOf(const RunInfo& info) {
    const std::string state = info.get("state");
    if (state == run_state::kFailed)
        return failedForWantOfMemory(info) ? UnfinishedStep::End::kOutOfMemory : UnfinishedStep::End::kFailed;
    if (state == run_state::kStopped)
        return UnfinishedStep::End::kStopped;
    if (state == run_state::kCutOff)
        return UnfinishedStep::End::kCutOff;
    return state == run_state::kFinished ? UnfinishedStep::End::kNotRead : UnfinishedStep::End::kRuns;
}

}  // namespace

std::optional<UnfinishedStep> unfinishedStep(const Snapshot& snapshot) {
    if (completeSteps(snapshot).count > 0)
        return std::nullopt;
    const std::int32_t step = lastStep(snapshot);
    if (step < 0)
        return std::nullopt;
    return UnfinishedStep{step, endOf(snapshot.info())};
}

std::string inWords(const UnfinishedStep& step) {
    static constexpr std::array<const char*, 6> kEnds = {" so far",
                                                         " until memory ran out",
                                                         " until the run failed",
                                                         " until the run was stopped",
                                                         ", whose end could not be read",
                                                         " until the recording was cut off"};
    return "step " + std::to_string(step.step) + kEnds[static_cast<std::size_t>(step.end)];
}

std::string reasonInWords(const UnfinishedStep& step) {
    if (step.end == UnfinishedStep::End::kRuns)
        return "step " + std::to_string(step.step) + " still runs";
    static constexpr std::array<const char*, 6> kEnds = {"",
                                                         "memory ran out in ",
                                                         "the run failed in ",
                                                         "the run was stopped in ",
                                                         "the file does not hold the end of ",
                                                         "the recording was cut off in "};
    return kEnds[static_cast<std::size_t>(step.end)] + ("step " + std::to_string(step.step));
}

}  // namespace warpglass
