// What the observers report during a run: plain values small enough to be copied through a ring
// (event_ring.h), with nothing in them that could dangle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/trace/ids.h"

namespace warpglass {

enum class CaptureKind : std::uint8_t {
    kOpBegin,  // name, sequence, depth, detail = kBackwardNode
    kOpEnd,  // depth of the op that ends; name = the types of its inputs and outputs, where they are recorded
    kAllocate,      // address, bytes, total, requested
    kFree,          // address, bytes (positive), total
    kMark,          // address; detail = Category of the allocation that is now at it
    kStepBegin,     // step
    kStepEnd,       //
    kPhaseBegin,    // detail = Phase; sequence = 1 when what it computes is kept for a backward pass
    kPhaseEnd,      // detail = kCutOff
    kModuleBegin,   // name
    kModuleEnd,     //
    kPartBegin,     // name
    kPartEnd,       //
    kCounter,       // name, value
    kSegment,       // detail = SegmentAction; address, bytes, total = the stream's handle, name = pool
    kApiBegin,      // name, correlation; a call into CUDA, which may launch work for a GPU
    kApiEnd,        // correlation; detail = kFailed
    kWait,          // time, end: a call into CUDA that waited; name = what for, correlation
    kNodeMade,      // node: a graph's node, made by what is running on this thread
    kNodeCloned,    // node (the original), other (its copy in an instantiated graph)
    kCaptureBegin,  // from here a step is captured as a CUDA graph, not run
    kCaptureEnd,    //
    kGraphLaunch,   // the captured graph is about to be launched
    kGpuPhase,      // time, end: when the GPU began and ended a phase; detail = Phase, bytes = step
    kEnd            // the recording is over; nothing follows
};
inline constexpr std::size_t kCaptureKindCount = static_cast<std::size_t>(CaptureKind::kEnd) + 1;

struct CaptureEvent {
    /// ns on the run's clock.
    std::int64_t time = 0;
    union {
        /// Autograd's sequence number, negative for none.
        std::int64_t sequence = -1;
        std::int64_t step;
        std::uint64_t address;
        std::uint64_t correlation;
        std::uint64_t node;
        double value;
    };
    union {
        std::int64_t bytes = 0;
        std::uint64_t other;
    };
    union {
        /// LibTorch's own count of allocated bytes after the event.
        std::int64_t total = 0;
        std::int64_t end;
    };
    /// For kAllocate, the bytes asked for, before the allocator rounded them up; 0 where it does not say.
    std::int64_t requested = 0;
    /// A NameRegistry id.
    std::uint32_t name = 0xffffffffu;
    /// Threads count from 0 in the order in which they are first seen; 0 is the thread that runs the model.
    std::uint16_t thread = 0;
    /// How many ops of the thread enclose this one.
    std::uint16_t depth = 0;
    CaptureKind kind = CaptureKind::kEnd;
    std::uint8_t detail = 0;

    /// In `detail` of kOpBegin: the op is an autograd node of the backward pass, whose sequence number is
    /// that of the forward op that made it.
    static constexpr std::uint8_t kBackwardNode = 1;
    /// In `detail` of kApiEnd: the call failed, and nothing runs because of it.
    static constexpr std::uint8_t kFailed = 1;
    /// In `detail` of kPhaseEnd: an exception ended the phase, a stop or a failure.
    static constexpr std::uint8_t kCutOff = 1;
};

static_assert(std::is_trivially_copyable_v<CaptureEvent>);
static_assert(sizeof(CaptureEvent) == 56, "with its turn counter it fits into a cache line");

}  // namespace warpglass
