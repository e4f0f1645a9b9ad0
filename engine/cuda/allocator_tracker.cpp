#include "engine/cuda/allocator_tracker.h"

#include <c10/cuda/CUDACachingAllocator.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/capture/capture_stream.h"
#include "engine/trace/chunks.h"

namespace warpglass {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

/// The device that is recorded; the tracker passes over the others, and over everything while it is −1.
std::atomic<int> s_trackedDevice{-1};

/// What the tracker remembers from one event to the next. Set up before s_trackedDevice, under the
/// allocator's lock from then on.
struct TrackerState {
    /// What the allocator held when the recording began; told of before its first event.
    std::vector<CaptureEvent> before;
    /// A block that was asked to be freed and has not come free at once: told of when anything else happens.
    CaptureEvent freeing;
    bool isFreeing = false;
};
TrackerState& tracker() {
    static TrackerState& state = *new TrackerState;  // LibTorch may call to the end of the process
    return state;
}

CaptureEvent segmentEvent(SegmentAction action, std::uint64_t address, std::size_t size, const void* stream,
                          std::uint32_t pool) {
    CaptureEvent event;
    event.kind = CaptureKind::kSegment;
    event.detail = static_cast<std::uint8_t>(action);
    event.address = address;
    event.bytes = static_cast<std::int64_t>(size);
    event.total = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(stream));
    event.name = pool;
    return event;
}

/// One number for LibTorch's pair: odd for pools that programs make, even for those of graphs.
std::uint32_t poolNumber(const c10::MempoolId_t& id) {
    return static_cast<std::uint32_t>(id.second != 0 ? id.second * 2 + 1 : id.first * 2);
}

/// Nothing for an allocation, which is a memory event.
std::optional<SegmentAction> segmentAction(allocator::TraceEntry::Action action) {
    switch (action) {
        case allocator::TraceEntry::SEGMENT_ALLOC:
            return SegmentAction::kAllocate;
        case allocator::TraceEntry::SEGMENT_FREE:
            return SegmentAction::kFree;
        case allocator::TraceEntry::SEGMENT_MAP:
            return SegmentAction::kMap;
        case allocator::TraceEntry::SEGMENT_UNMAP:
            return SegmentAction::kUnmap;
        case allocator::TraceEntry::OOM:
            return SegmentAction::kOutOfMemory;
        case allocator::TraceEntry::FREE_REQUESTED:
            return SegmentAction::kHold;
        case allocator::TraceEntry::FREE_COMPLETED:
            return SegmentAction::kRelease;
        case allocator::TraceEntry::ALLOC:
        case allocator::TraceEntry::SNAPSHOT:
            break;
    }
    return std::nullopt;
}

/// The segments that are there before the recording, and the blocks in use in them.
std::vector<CaptureEvent> segmentsNow(int device) {
    std::vector<CaptureEvent> events;
    constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    if (allocator::getDeviceStats(static_cast<c10::DeviceIndex>(device)).reserved_bytes[kAll].current == 0)
        return events;
    for (const allocator::SegmentInfo& segment : allocator::snapshot({0, 0}, false).segments) {
        if (segment.device != device)
            continue;
        const std::uint32_t pool = poolNumber(segment.owner_private_pool_id);
        // A small expandable segment is mapped piece by piece, and known by their size.
        const std::size_t piece = segment.is_expandable && !segment.is_large
                                      ? std::size_t{c10::CachingAllocator::kSmallBuffer}
                                      : segment.total_size;
        for (std::size_t done = 0; done < segment.total_size; done += piece)
            events.push_back(segmentEvent(
                segment.is_expandable ? SegmentAction::kMap : SegmentAction::kAllocate,
                segment.address + done, std::min(piece, segment.total_size - done), segment.stream, pool));
        std::uint64_t address = segment.address;
        for (const allocator::BlockInfo& block : segment.blocks) {
            if (block.active)
                events.push_back(
                    segmentEvent(SegmentAction::kHold, address, block.size, segment.stream, pool));
            address += block.size;
        }
    }
    return events;
}

}  // namespace

/// Nearly every block comes free the moment that it is asked to: then the memory event says all, and nothing
/// is pushed here, nor is the clock read.
void onAllocatorEvent(const allocator::TraceEntry& entry) {
    // A snapshot of any device says that it is of the first.
    if (entry.device_ != s_trackedDevice.load(std::memory_order_acquire) ||
        entry.action_ == allocator::TraceEntry::SNAPSHOT)
        return;
    CaptureStream& stream = CaptureStream::instance();
    if (!stream.isOpen())
        return;
    TrackerState& state = tracker();
    if (!state.before.empty()) {
        for (const CaptureEvent& event : state.before)
            stream.push(event);
        state.before.clear();
    }
    if (state.isFreeing) {
        state.isFreeing = false;
        if (entry.action_ == allocator::TraceEntry::FREE_COMPLETED && entry.addr_ == state.freeing.address)
            return;
        state.freeing.time = stream.now();  // the decoder knows when it was freed
        stream.push(state.freeing);
    }
    const std::optional<SegmentAction> action = segmentAction(entry.action_);
    if (!action) {  // the memory event that follows on this thread takes it along
        CaptureStream::ThreadState& thread = stream.thread();
        thread.requestAddress = entry.addr_;
        thread.requested = static_cast<std::int64_t>(entry.size_);
        return;
    }
    CaptureEvent event =
        segmentEvent(*action, entry.addr_, entry.size_, entry.stream_, poolNumber(entry.mempool_));
    if (action == SegmentAction::kHold) {
        state.freeing = event;
        state.isFreeing = true;
        return;
    }
    event.time = stream.now();
    stream.push(event);
}

void attachAllocatorTracker() {
    static const bool attached = [] {
        allocator::attachAllocatorTraceTracker(onAllocatorEvent);
        return true;
    }();
    static_cast<void>(attached);
}

void beginTracking(int device) {
    beginTracking(device, segmentsNow(device));
}

void beginTracking(int device, std::vector<CaptureEvent> held) {
    tracker().isFreeing = false;
    tracker().before = std::move(held);
    s_trackedDevice.store(device, std::memory_order_release);
}

void endTracking() {
    s_trackedDevice.store(-1, std::memory_order_release);
}

}  // namespace warpglass
