#include "engine/query/statistics/span_sentences.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "engine/base/format.h"

namespace warpglass {

namespace {

/// Fewer do not tell what is usual.
constexpr std::int64_t kFewOfAKind = 5;

/// As adjectives, each with its article.
constexpr std::array<std::string_view, kOpFamilyCount> kFamilyWords = {
    "A GEMM", "An attention", "A normalization", "An elementwise", "An optimizer", "A copying", "A"};

/// "the slowest", "the third slowest"; empty beyond the tenth.
std::string placeFrom(std::int64_t before, std::string_view end) {
    constexpr std::array<std::string_view, 10> kOrdinals = {
        "", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth ", "ninth ", "tenth "};
    if (before < 0 || before >= std::ssize(kOrdinals))
        return {};
    return "the " + std::string(kOrdinals[static_cast<std::size_t>(before)]) + std::string(end);
}

std::string afterColon(std::string sentence) {
    sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
    return sentence;
}

double ratioToMedian(const AmongItsKind& span) {
    return span.median.value > 0
               ? static_cast<double>(span.duration.value) / static_cast<double>(span.median.value)
               : 1;
}

}  // namespace

std::string ratioInWords(double ratio) {
    constexpr double kMostExact = 999.5;  // from there on three digits have no fraction
    if (ratio >= kMostExact)
        return formatGrouped(std::llround(ratio));
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), ratio < 10 ? "%.2g" : "%.3g", ratio);
    return text.data();
}

std::string deviationInWords(double deviation) {
    if (deviation >= 1)
        return ratioInWords(1 + deviation) + "×";
    return (deviation < 0 ? "−" : deviation > 0 ? "+" : "") + formatPercent(std::abs(deviation));
}

std::string subjectSentence(const SpanSubject& span) {
    const std::string time = formatDuration(span.duration);
    const std::string_view family = kFamilyWords[static_cast<std::size_t>(span.family)];
    switch (span.kind) {
        case TrackKind::kStep:
            return "This step took " + time + ".";
        case TrackKind::kPhase:
            return "The host spent " + time + " in this phase.";
        case TrackKind::kGpuPhase:
            return "The GPU took " + time + " for this phase.";
        case TrackKind::kModule:
            return "The host spent " + time + " in this module.";
        case TrackKind::kCpuThread: {
            const double self = span.duration.value > 0 ? static_cast<double>(span.self.value) /
                                                              static_cast<double>(span.duration.value)
                                                        : 1;
            return std::string(family) + " op of " + time + " on the host, " + formatPercent(self) +
                   " of it its own.";
        }
        case TrackKind::kApiThread:
            return "A call into CUDA that took the host " + time + ".";
        case TrackKind::kGpuStream:
            return std::string(family) + " kernel of " + time + ".";
        case TrackKind::kGpuCopies:
            return "A copy or fill of " + time + ".";
        case TrackKind::kGpuSync:
            return "The host waited " + time + " for the GPU here.";
        case TrackKind::kProfiler:
            return "The profiler itself took " + time + ".";
    }
    return {};
}

std::string kindSentence(const AmongItsKind& span) {
    if (span.instances < 2)
        return "It is the only one in the run.";
    constexpr double kAlike = 0.05;  // less than that between two calls of one kernel says nothing
    const double ratio = ratioToMedian(span);
    const std::string all = formatGrouped(span.instances), median = formatDuration(span.median);
    if (span.instances < kFewOfAKind)
        return "The median of the " + all + " in the run is " + median + ".";
    if (std::abs(ratio - 1) < kAlike)
        return "It takes as long as usual: the median of " + all + " is " + median + ".";
    const bool slow = ratio > 1;
    std::string rank = placeFrom(slow ? span.longer : span.shorter, slow ? "slowest of " : "fastest of ");
    if (rank.empty()) {
        const auto beaten = static_cast<double>(slow ? span.shorter : span.longer);
        rank = (slow ? "slower than " : "faster than ") +
               formatPercent(beaten / static_cast<double>(span.instances - 1)) + " of ";
    }
    return "It takes " + ratioInWords(ratio) + "× the median of " + median + ", " + rank + all + ".";
}

std::string roofVerdict(double shareOfRoof, const std::string& sentence) {
    constexpr double kGood = 0.75, kFair = 0.5;
    return (shareOfRoof >= kGood   ? "Not slow: "
            : shareOfRoof >= kFair ? "Somewhat slow: "
                                   : "Slow: ") +
           afterColon(sentence);
}

std::string kindVerdict(const AmongItsKind& span) {
    constexpr double kSlow = 1.25;
    if (span.instances < kFewOfAKind || ratioToMedian(span) < kSlow)
        return kindSentence(span);
    return "Slow for its kind: " + afterColon(kindSentence(span));
}

std::string stepShareSentence(Nanoseconds duration, Nanoseconds stepDuration, std::int32_t step) {
    if (step == kNoStep || stepDuration.value <= 0 || duration.value <= 0)
        return {};
    return "It took " +
           formatPercent(static_cast<double>(duration.value) / static_cast<double>(stepDuration.value)) +
           " of the time of step " + std::to_string(step) + ".";
}

std::string idleCauseWords(GpuBusy::Part cause) {
    switch (cause) {
        case GpuBusy::Part::kGap:
            return "a gap before work that had been launched already";
        case GpuBusy::Part::kSynchronization:
            return "the host was waiting for the GPU and could launch nothing";
        case GpuBusy::Part::kHostLate:
            return "waiting for the host to launch the next work";
        default:
            return "not known: the next launch was not recorded";
    }
}

std::string idleSentence(const GpuBusy::Stretch& idle) {
    const std::string time = "The GPU was idle for " + formatDuration(Nanoseconds(idle.end - idle.begin));
    if (idle.part == GpuBusy::Part::kUnknown)
        return time + ", for a reason that is " + idleCauseWords(idle.part) + ".";
    return time + ": " + idleCauseWords(idle.part) + ".";
}

std::string workWaitSentence(const WorkWait& wait) {
    using Part = GpuBusy::Part;
    const auto& before = wait.before;
    const bool busy = before && before->part == Part::kBusy;
    const bool idle = before && !busy && before->part != Part::kOutside;
    std::string sentence;
    if (wait.queued)
        sentence = "It started " + formatDuration(*wait.queued) + " after its launch" +
                   (busy ? ", as the GPU was busy with earlier work." : ".");
    if (!idle)
        return sentence;
    const std::string time = formatDuration(Nanoseconds(before->end - before->begin));
    sentence += (sentence.empty() ? "" : " ") + std::string("The GPU was idle for ") + time + " before it";
    switch (before->part) {
        case Part::kHostLate:
            return sentence + ": waiting for the host to launch it.";
        case Part::kSynchronization:
        case Part::kGap:
            return sentence + ": " + idleCauseWords(before->part) + ".";
        default:
            return sentence + (wait.queued ? "; why is not known." : "; its launch was not recorded.");
    }
}

std::string hostWaitedSentence(Nanoseconds waited, Nanoseconds duration) {
    if (waited.value <= 0 || duration.value <= 0)
        return {};
    const double share = static_cast<double>(waited.value) / static_cast<double>(duration.value);
    return "The host waited for the GPU for " + formatPercent(std::min(1.0, share)) + " of it, " +
           formatDuration(waited) + ".";
}

std::string hostUseSentence(Nanoseconds busy, Nanoseconds duration) {
    if (duration.value <= 0)
        return {};
    return "Ops ran for " +
           formatPercent(static_cast<double>(busy.value) / static_cast<double>(duration.value)) +
           " of these " + formatDuration(duration) + ".";
}

}  // namespace warpglass
