// Numbers as people read them: three significant digits, a thin space at which no line is broken (U+202F), a
// unit ("152 ms"; but "43%" and "1.3×"). The window and the command line's tables use the same functions;
// CSV and JSON use plain integers instead.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/units.h"

namespace warpglass {

/// "3.24 GiB", "512 B"; binary units, rounded half up to three significant digits, or two where the lower
/// unit would take four ("0.99 GiB" and not "1010 MiB"); negative sizes keep their sign.
std::string formatBytes(Bytes bytes);
/// "3,479,482,368 bytes", for tooltips.
std::string formatBytesExact(Bytes bytes);
/// "4.06 µs", "45.4 ms", "12.3 s", "2 min 5 s".
std::string formatDuration(Nanoseconds duration);
/// A mean or a sum in nanoseconds, likewise; 0 for what is no number.
std::string formatMeanDuration(double nanoseconds);
/// A moment of a run, exact enough to tell kernels apart, where three digits would put all of a step at one
/// time: "248.481 ms" below a second, "12.345678 s" from there: whole microseconds, rounded half away from 0,
/// with a thin space before the unit. Negative times carry a hyphen.
std::string formatMoment(Nanoseconds moment);
/// "1.75 TFLOP".
std::string formatFlops(Flops flops);
/// "4.10 TB/s", "216 GB/s", "0.52 MB/s": decimal, as makers state bandwidths. `perSecond` >= 0.
std::string formatByteRate(double perSecond);
/// "768 TFLOP/s".
std::string formatFlopRate(double perSecond);
/// "128.6 M" (four digits are kept, so that model sizes read as people name them), "50.3 k", "950".
std::string formatCount(std::int64_t count);
/// "128,625,408".
std::string formatGrouped(std::int64_t count);
/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words);
/// Its first letter, if it is one of ASCII's, as a sentence begins.
std::string capitalized(std::string text);
/// As it stands within a sentence: "forward time" for "Forward time"; "MFU" stays.
std::string withinSentence(std::string text);
/// A count that is a mean: "1,234" where it is whole, else with one decimal, "0.3".
std::string formatMeanCount(double count);
/// "24%", "8.9%", "0.31%"; the argument is a fraction, 0.24 for 24%.
std::string formatPercent(double fraction);
/// The same of a lower bound, which is not rounded up: 0.148 is at least 14%.
std::string formatPercentAtLeast(double fraction);

}  // namespace warpglass
