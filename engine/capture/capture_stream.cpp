#include "engine/capture/capture_stream.h"

#include <thread>

namespace warpglass {

CaptureStream& CaptureStream::make() {
    static CaptureStream& stream = *new CaptureStream;  // never destroyed, see the header
    s_instance.store(&stream, std::memory_order_release);
    return stream;
}

void CaptureStream::open() {
    WG_CHECK(!isOpen());
    CaptureEvent leftover;
    while (m_ring.tryPop(leftover)) {
    }
    for (auto& lost : m_lost)
        lost.store(0, std::memory_order_relaxed);
    m_threads.store(0, std::memory_order_relaxed);
    m_start = CaptureClock::now();
    m_recording.fetch_add(1, std::memory_order_release);
    thread();
    m_open.store(true, std::memory_order_release);
}

void CaptureStream::close() {
    m_open.store(false, std::memory_order_release);
}

CaptureStream::ThreadState& CaptureStream::thread() {
    thread_local ThreadState local;
    ThreadState* state = &local;
    asm("" : "+r"(state));  // GCC would ask for its address once more to return it, which is a call
    const std::uint64_t recording = m_recording.load(std::memory_order_acquire);
    if (state->recording != recording) [[unlikely]]
        renew(*state, recording);
    return *state;
}

void CaptureStream::renew(ThreadState& state, std::uint64_t recording) {
    state = {};
    state.recording = recording;
    state.index = static_cast<std::uint16_t>(m_threads.fetch_add(1, std::memory_order_relaxed));
}

void CaptureStream::push(CaptureEvent event) noexcept {
    event.thread = thread().index;
    pushFromOutside(event);
}

void CaptureStream::pushFromOutside(const CaptureEvent& event) noexcept {
    if (!m_ring.tryPush(event))
        countLost(event.kind);
}

void CaptureStream::pushSurely(CaptureEvent event) noexcept {
    event.thread = thread().index;
    while (!m_ring.tryPush(event))
        std::this_thread::yield();
}

}  // namespace warpglass
