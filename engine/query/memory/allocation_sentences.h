// What is said of one allocation in whole sentences: what it is and who made it, how long it lives, and
// whether it counts at the peak. Pure; any thread.
#pragma once

#include <string>

#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

/// "512 KiB of activations, allocated by aten::mm in the forward pass of step 1."
std::string allocatedSentence(const AllocationDetail& allocation);
/// "It lives for 12.3 ms, 8.1% of the run.", or "It is live to the end of the run, for at least 120 ms, …".
std::string lifetimeSentence(const AllocationDetail& allocation, TimeRange run);
/// "It is live at the peak and 1.2% of it.", or that it is not.
std::string atPeakSentence(const AllocationDetail& allocation, const MemoryPoint& peak);

}  // namespace warpglass
