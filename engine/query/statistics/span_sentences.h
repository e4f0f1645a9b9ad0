// What is said of one span in whole sentences: what it is, what waited for whom, and whether it is slow for
// what it is. Each is empty where there is nothing to say. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/query/activity/gpu_busy.h"
#include "engine/query/spans/op_family.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// What a span is, and for how long.
struct SpanSubject {
    TrackKind kind = TrackKind::kCpuThread;
    OpFamily family = OpFamily::kOther;  // of ops and kernels
    Nanoseconds duration, self;
};
/// "A GEMM kernel of 169 µs."
std::string subjectSentence(const SpanSubject& span);

/// How many times as long: "5.9", "14.6", "1,447".
std::string ratioInWords(double ratio);
/// How far from a median, as a share of it: "+24%", "−3.1%", "0%", and of twice the median or more "5.9×".
std::string deviationInWords(double deviation);

/// A span among all of its name, or a step among the steps.
struct AmongItsKind {
    Nanoseconds duration, median;
    std::int64_t instances = 0;
    std::int64_t longer = 0, shorter = 0;  // those that took more and less time
};
/// "It takes 2.3× the median of 12.1 µs, the third slowest of 1,447.", or of a few "The median of the 3 in
/// the run is 12.1 µs."
std::string kindSentence(const AmongItsKind& span);

/// Whether it is slow for what it is, in words over the sentence that shows it: "Not slow: it reaches 733
/// TFLOP/s, 94% of the measured compute peak of 777 TFLOP/s." of a SpanRoof's sentence, else among its kind
/// "Slow for its kind: it takes 2.3× the median of 12.1 µs, the third slowest of 1,447."
std::string roofVerdict(double shareOfRoof, const std::string& sentence);
std::string kindVerdict(const AmongItsKind& span);

/// "It took 1.2% of the time of step 3." `step` is as long as that.
std::string stepShareSentence(Nanoseconds duration, Nanoseconds stepDuration, std::int32_t step);

/// How long work of a GPU had been launched before it ran, and what its GPU did until then (GpuBusy::at() the
/// moment before); nothing where that is not known.
struct WorkWait {
    std::optional<Nanoseconds> queued;
    std::optional<GpuBusy::Stretch> before;
};
/// "It started 312 µs after its launch, as the GPU was busy with earlier work.", or "It started 9.10 µs after
/// its launch. The GPU was idle for 35.2 µs before it: waiting for the host to launch it."
std::string workWaitSentence(const WorkWait& wait);
/// "The GPU was idle for 35.2 µs: waiting for the host to launch the next work."
std::string idleSentence(const GpuBusy::Stretch& idle);
/// Why a GPU was idle, as the end of a sentence: "waiting for the host to launch the next work".
std::string idleCauseWords(GpuBusy::Part cause);
/// "The host waited for the GPU for 98% of it, 12.3 ms.": of something that took `duration` on the host.
std::string hostWaitedSentence(Nanoseconds waited, Nanoseconds duration);

/// "Ops ran for 98% of these 12.3 ms.": of a stretch of time in which `busy` was spent in ops.
std::string hostUseSentence(Nanoseconds busy, Nanoseconds duration);

}  // namespace warpglass
