#include "engine/query/statistics/span_sentences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "engine/base/format.h"
#include "engine/query/spans/place_words.h"

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

std::string timesWords(double ratio) {
    constexpr double kMostExact = 1000;
    if (ratio >= kMostExact)
        return formatGrouped(std::llround(ratio));
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), ratio < 10 ? "%.2g" : "%.3g", ratio);
    return text.data();
}

}  // namespace

std::string subjectSentence(const SpanSubject& span) {
    const std::string time = formatDuration(span.duration), where = " " + placeInWords(span.phase, span.step);
    const std::string_view family = kFamilyWords[static_cast<std::size_t>(span.family)];
    const std::string ofStep = span.step == kNoStep ? std::string() : " of step " + std::to_string(span.step);
    switch (span.kind) {
        case TrackKind::kStep:
            return "This step took " + time + ".";
        case TrackKind::kPhase:
            return "The host spent " + time + " in this phase" + ofStep + ".";
        case TrackKind::kGpuPhase:
            return "The GPU took " + time + " for this phase" + ofStep + ".";
        case TrackKind::kModule:
            return "The host spent " + time + " in this module," + where + ".";
        case TrackKind::kCpuThread: {
            const double self = span.duration.value > 0 ? static_cast<double>(span.self.value) /
                                                              static_cast<double>(span.duration.value)
                                                        : 1;
            return std::string(family) + " op of " + time + " on the host, " + formatPercent(self) +
                   " of it its own," + where + ".";
        }
        case TrackKind::kApiThread:
            return "A call into CUDA that took the host " + time + "," + where + ".";
        case TrackKind::kGpuStream:
            return std::string(family) + " kernel of " + time + where + ".";
        case TrackKind::kGpuCopies:
            return "A copy or fill of " + time + where + ".";
        case TrackKind::kGpuSync:
            return "The host waited " + time + " for the GPU here," + where + ".";
        case TrackKind::kProfiler:
            return "The profiler itself took " + time + ".";
    }
    return {};
}

std::string kindSentence(const AmongItsKind& span) {
    if (span.instances < 2)
        return {};
    constexpr double kAlike = 0.05;  // less than that between two calls of one kernel says nothing
    const double ratio = span.median.value > 0 ? static_cast<double>(span.duration.value) /
                                                     static_cast<double>(span.median.value)
                                               : 1;
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
    return "It takes " + timesWords(ratio) + "× the median of " + median + ": " + rank + all + ".";
}

std::string verdictSentence(std::optional<double> shareOfRoof, const AmongItsKind& span) {
    constexpr double kGood = 0.75, kFair = 0.5;
    if (shareOfRoof) {
        const std::string reaches = "it reaches " + formatPercent(*shareOfRoof) + " of its roof.";
        return (*shareOfRoof >= kGood   ? "Not slow: "
                : *shareOfRoof >= kFair ? "Somewhat slow: "
                                        : "Slow: ") +
               reaches;
    }
    if (span.instances < kFewOfAKind || span.median.value <= 0)
        return {};
    constexpr double kSlow = 1.25;
    const double ratio = static_cast<double>(span.duration.value) / static_cast<double>(span.median.value);
    return (ratio >= kSlow ? "Slow for its kind: " : "Not slow for its kind: ") + timesWords(ratio) +
           "× the median of " + formatGrouped(span.instances) + ".";
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

std::string launchSentence(const LaunchNames& chain) {
    const std::string by = chain.call.empty() ? std::string() : " with " + chain.call;
    switch (chain.at) {
        case CauseLevel::kWork:
            if (chain.op.empty())
                return chain.call.empty() ? std::string() : chain.call + " launched it, outside any op.";
            if (chain.captured)
                return chain.op + " launched it as the graph was captured" +
                       (chain.call.empty() ? "." : "; " + chain.call + " replayed it.");
            return chain.op + " launched it" + by + ".";
        case CauseLevel::kLaunch:
            if (chain.op.empty())
                return chain.work.empty() ? std::string() : "This call launched " + chain.work + ".";
            return chain.op + " made this call" +
                   (chain.work.empty() ? "." : ", which launched " + chain.work + ".");
        case CauseLevel::kOp:
            return chain.work.empty() ? std::string() : "It launched " + chain.work + by + ".";
        case CauseLevel::kModule:
            return chain.work.empty() || chain.op.empty()
                       ? std::string()
                       : "The first work in it is " + chain.work + ", launched by " + chain.op + ".";
        case CauseLevel::kWait:
            return chain.work.empty() ? std::string() : "It waited for " + chain.work + ".";
    }
    return {};
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
