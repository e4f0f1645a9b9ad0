#include "engine/query/memory/allocation_sentences.h"

#include "engine/base/format.h"
#include "engine/query/spans/place_words.h"

namespace warpglass {

std::string allocatedSentence(const AllocationDetail& allocation) {
    const Category category = allocation.row.category;
    const std::string what = category == Category::kUnknown          ? " of no category"
                             : category == Category::kOptimizerState ? " of optimizer state"
                                                                     : " of " + allocation.category;
    return formatBytes(Bytes(allocation.row.bytes)) + what + ", allocated " +
           (allocation.op.empty() ? std::string() : "by " + allocation.op + " ") +
           placeInWords(allocation.phase, allocation.row.step) + ".";
}

std::string lifetimeSentence(const AllocationDetail& allocation, TimeRange run) {
    const Nanoseconds life = allocation.until - allocation.allocated;
    const std::string share =
        run.duration().value <= 0
            ? std::string()
            : ", " +
                  formatPercent(static_cast<double>(life.value) / static_cast<double>(run.duration().value)) +
                  " of the run";
    return (allocation.toEnd ? "It is live to the end of the recording, for at least " : "It lives for ") +
           formatDuration(life) + share + ".";
}

std::string atPeakSentence(const AllocationDetail& allocation, const MemoryPoint& peak) {
    const bool live =
        allocation.allocated <= peak.time && (!allocation.freed || peak.time < *allocation.freed);
    if (!live)
        return "It is not live at the peak.";
    const std::int64_t all = sumOf(peak.bytes);
    return "It is live at the peak" + (all > 0 ? " and " +
                                                     formatPercent(static_cast<double>(allocation.row.bytes) /
                                                                   static_cast<double>(all)) +
                                                     " of it."
                                               : ".");
}

}  // namespace warpglass
