#include "engine/cuda/phase_clock.h"

#include "engine/capture/capture_stream.h"

namespace warpglass {
namespace {

/// Null when CUDA gives none; its phase then has no time.
cudaEvent_t makeEvent() {
    cudaEvent_t event = nullptr;
    if (cudaEventCreate(&event) == cudaSuccess)
        return event;
    cudaGetLastError();
    return nullptr;
}

bool isCapturing(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive;
}

}  // namespace

void PhaseClock::begin(cudaStream_t stream) {
    m_used = 0;
    if (!m_base)
        m_base = makeEvent();
    if (m_base && cudaEventRecord(m_base, stream) == cudaSuccess)
        m_baseTime = CaptureStream::instance().now();
}

void PhaseClock::mark(Phase phase, cudaStream_t stream) {
    if (isCapturing(stream)) {
        m_captured.push_back({phase, makeEvent()});
        if (cudaEvent_t event = m_captured.back().event)
            cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal);
        return;
    }
    if (m_used == m_marks.size())
        m_marks.push_back({phase, makeEvent()});
    Mark& mark = m_marks[m_used++];
    mark.phase = phase;
    if (mark.event)
        cudaEventRecord(mark.event, stream);
}

std::vector<GpuPhaseTime> PhaseClock::times() const {
    const Mark* marks = m_used > 0 ? m_marks.data() : m_captured.data();
    const std::size_t count = m_used > 0 ? m_used : m_captured.size();
    const auto timeOf = [this](const Mark& mark) {
        float milliseconds = 0;
        if (!m_base || !mark.event ||
            cudaEventElapsedTime(&milliseconds, m_base, mark.event) != cudaSuccess) {
            cudaGetLastError();
            return std::int64_t{-1};
        }
        return m_baseTime + static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6);
    };
    std::vector<GpuPhaseTime> times;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const GpuPhaseTime time{marks[i].phase, timeOf(marks[i]), timeOf(marks[i + 1])};
        if (time.begin >= 0 && time.end >= time.begin)
            times.push_back(time);
    }
    return times;
}

void PhaseClock::clear() {
    for (std::vector<Mark>* marks : {&m_marks, &m_captured}) {
        for (const Mark& mark : *marks) {
            if (mark.event)
                cudaEventDestroy(mark.event);
        }
        marks->clear();
    }
    if (m_base)
        cudaEventDestroy(m_base);
    m_base = nullptr;
    m_used = 0;
}

}  // namespace warpglass
