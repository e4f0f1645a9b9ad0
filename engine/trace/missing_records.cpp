#include "engine/trace/missing_records.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace warpglass {
namespace {

constexpr std::string_view kDamagedKey = "missing.any";
constexpr std::array<std::string_view, kRecordKindCount> kKeys = {
    "missing.kernels",  "missing.gpu-phases", "missing.memory-events", "missing.allocations",
    "missing.steps",    "missing.phases",     "missing.ops",           "missing.modules",
    "missing.places",   "missing.calls",      "missing.copies",        "missing.waits",
    "missing.segments", "missing.counters",   "missing.profiler"};

/// "5396 of 12600" and, of those, "(65536 amidst others)".
std::string countText(const MissingRecords::Count& count) {
    std::string text = std::to_string(count.missing) + " of " + std::to_string(count.total);
    if (count.amidst > 0)
        text += " (" + std::to_string(count.amidst) + " amidst others)";
    return text;
}

/// The number at the beginning of `text`, which loses it and what stands before the next one.
std::uint64_t takeNumber(std::string_view& text) {
    constexpr std::string_view kDigits = "0123456789";
    text.remove_prefix(std::min(text.size(), text.find_first_of(kDigits)));
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return problem == std::errc() ? std::min<std::uint64_t>(number, INT64_MAX) : 0;
}

MissingRecords::Count countFrom(std::string_view text) {
    MissingRecords::Count count;
    count.missing = takeNumber(text);
    count.total = std::max(takeNumber(text), count.missing);
    count.amidst = std::min(takeNumber(text), count.missing);
    return count;
}

}  // namespace

RecordKind recordKindOf(TrackKind kind) {
    using enum RecordKind;
    constexpr auto kByTrack = std::to_array(
        {kSteps, kPhases, kModules, kOps, kCalls, kKernels, kCopies, kGpuPhases, kWaits, kProfiler});
    static_assert(kByTrack.size() == kTrackKindNames.size());
    return kByTrack[static_cast<std::size_t>(kind)];
}

void stateMissing(RunInfo& info, const MissingRecords& missing) {
    // A copy of a run that lacked something lacks it too, though only gaps amidst others can be seen.
    const MissingRecords stated = statedMissing(info);
    info.set(kDamagedKey, "yes");
    for (std::size_t i = 0; i < kRecordKindCount; ++i) {
        MissingRecords::Count count = missing.counts[i];
        count.missing += stated.counts[i].missing - stated.counts[i].amidst;
        count.total = std::max({count.total, stated.counts[i].total, count.missing});
        if (count.missing > 0)
            info.set(kKeys[i], countText(count));
    }
}

bool statesMissing(const RunInfo& info) {
    return info.has(kDamagedKey);
}

MissingRecords statedMissing(const RunInfo& info) {
    MissingRecords stated;
    stated.damaged = statesMissing(info);
    for (std::size_t i = 0; i < kRecordKindCount; ++i)
        stated.counts[i] = countFrom(info.get(kKeys[i]));
    return stated;
}

}  // namespace warpglass
