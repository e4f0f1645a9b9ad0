// What LibTorch's caching allocator does on a GPU, beside the memory events that LibTorch reports itself
// (torch_observers.h): the requested size of each allocation, segments, out-of-memory events, and blocks that
// become available later than they were freed. They become capture events (CaptureKind::kSegment); a
// requested size comes with the kAllocate that follows it.
#pragma once

#include <c10/core/CachingDeviceAllocator.h>

#include <vector>

#include "engine/capture/capture_event.h"

namespace warpglass {

/// Once LibTorch knows its devices; for good: LibTorch has no way back. Any number of times, one thread.
void attachAllocatorTracker();

/// From here on the device's events are reported while the capture stream is open, beginning with what the
/// allocator holds (as of now, unless given). No allocation on the device may be in progress.
void beginTracking(int device);
void beginTracking(int device, std::vector<CaptureEvent> held);
void endTracking();

/// What LibTorch calls, under the allocator's lock: it copies numbers and calls nothing of LibTorch.
void onAllocatorEvent(const c10::CachingDeviceAllocator::TraceEntry& entry);

}  // namespace warpglass
