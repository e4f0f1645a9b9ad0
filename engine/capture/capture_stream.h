// The one stream of capture events of this process, from the observers to the recorder's thread.
//
// It lives as long as the process, because observers that LibTorch calls cannot be waited for; a recording
// opens it and closes it, and while it is closed every push is one load and a branch. Ring order is the order
// of the trace.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "engine/capture/capture_clock.h"
#include "engine/capture/capture_event.h"
#include "engine/capture/event_ring.h"
#include "engine/capture/observed_scopes.h"

namespace warpglass {

class CaptureStream {
public:
    static CaptureStream& instance() {
        CaptureStream* made = s_instance.load(std::memory_order_acquire);
        return made ? *made : make();
    }

    /// Starts the clock at 0 and makes the calling thread thread 0. Precondition: closed, and drained.
    void open();
    /// Events that threads push from now on are not taken.
    void close();
    bool isOpen() const { return m_open.load(std::memory_order_acquire); }
    /// ns since open().
    std::int64_t now() const { return CaptureClock::now() - m_start; }

    /// When open() started the clock, on CaptureClock; for others who tell the time by that.
    std::int64_t startTime() const { return m_start; }

    /// What a thread knows of itself in the present recording.
    struct ThreadState {
        std::uint64_t recording = 0;
        std::uint16_t index = 0;
        /// Ops that are open on it.
        std::uint16_t depth = 0;
        ObservedScopes observed;
        /// What the allocator was last asked for on it: where that came to be, and the bytes.
        std::uint64_t requestAddress = 0;
        std::int64_t requested = 0;
    };
    /// The calling thread's.
    ThreadState& thread();

    /// Fills in the thread and pushes. When the ring is full the event is lost and counted.
    void push(CaptureEvent event) noexcept;
    /// The same for an event of `thread`, the calling one, that `fill(CaptureEvent&)` completes in its place.
    template <class Fill>
    void emit(const ThreadState& thread, CaptureKind kind, Fill&& fill) noexcept {
        const bool taken = m_ring.tryEmplace([&](CaptureEvent& event) {
            event = CaptureEvent();
            event.thread = thread.index;
            event.kind = kind;
            fill(event);
        });
        if (!taken)
            countLost(kind);
    }
    /// The same for the few events that the trace cannot do without (ranges, marks, the end): waits for room.
    void pushSurely(CaptureEvent event) noexcept;

    /// For a thread that the trace has no track for, of events that belong to none: it takes no thread's
    /// number. When the ring is full the event is lost and counted.
    void pushFromOutside(const CaptureEvent& event) noexcept;

    /// The recorder's thread only.
    bool pop(CaptureEvent& event) noexcept { return m_ring.tryPop(event); }
    /// How many events were ever pushed, and popped: what was pushed before a moment has been popped once
    /// popped() reaches what pushed() was then.
    std::uint64_t pushed() const noexcept { return m_ring.pushed(); }
    std::uint64_t popped() const noexcept { return m_ring.popped(); }
    /// How many events of a kind the present recording lost.
    std::uint64_t lost(CaptureKind kind) const {
        return m_lost[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
    }

private:
    CaptureStream() : m_ring(kCapacity) {}
    static CaptureStream& make();
    void renew(ThreadState& state, std::uint64_t recording);
    void countLost(CaptureKind kind) noexcept {
        m_lost[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed);
    }

    // 262,144 events of 64 bytes, 16 MiB. At a million events per second this lasts a third of a second, for
    // which the recorder's thread may be without a core.
    static constexpr std::size_t kCapacity = std::size_t{1} << 18;

    static inline std::atomic<CaptureStream*> s_instance{nullptr};

    EventRing<CaptureEvent> m_ring;
    std::atomic<bool> m_open{false};
    std::atomic<std::uint64_t> m_recording{0};
    std::atomic<std::uint32_t> m_threads{0};
    std::int64_t m_start = 0;
    std::array<std::atomic<std::uint64_t>, kCaptureKindCount> m_lost{};
};

}  // namespace warpglass
