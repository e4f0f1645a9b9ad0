// One recording: the thread that empties the capture stream into a trace while the run goes on.
//
// Owned by the thread that runs the model. Snapshots appear about 60 times a second while events arrive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/capture/gpu_activity.h"
#include "engine/capture/trace_decoder.h"
#include "engine/trace/trace_feed.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {

class Recorder {
public:
    using Info = std::vector<std::pair<std::string, std::string>>;

    /// `info` is what the run states about itself from its start; `gpu` reports what a GPU did, null for
    /// none, and must outlive this. `orderedMemory`: memory events of several threads come in the order of
    /// one lock, a GPU allocator's.
    explicit Recorder(Info info, GpuActivity* gpu = nullptr, bool orderedMemory = false);
    /// Finishes if finish() was not called.
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Call before start(): allocations will not be reported.
    void leaveOutMemory() { m_withMemory = false; }

    std::shared_ptr<TraceFeed> feed() const { return m_writer.feed(); }

    /// Opens the capture stream: the clock starts. Once. Throws std::system_error without more threads.
    void start();
    /// Closes the stream, waits until everything is written, and publishes the last snapshot with this
    /// information, and what kernels wrote of themselves, added. Observers must be detached.
    void finish(Info finalInfo, KernelClocksList clocks = {});

    /// After finish(): memory events at which LibTorch's own total was compared with the recorded sum.
    std::uint64_t checkedTotals() const { return m_checkedTotals; }

private:
    void run();
    void applyOrCount(TraceDecoder& decoder, const CaptureEvent& event);
    void takeGpuRecords(TraceDecoder& decoder, bool last);
    void commit(std::int64_t now);
    void publishFinal(TraceDecoder& decoder, std::int64_t end);
    void describeEnd(TraceDecoder& decoder, std::int64_t end);

    TraceWriter m_writer;
    Info m_info, m_finalInfo;
    KernelClocksList m_clocks;
    GpuActivity* m_gpu = nullptr;
    bool m_orderedMemory = false;
    bool m_withMemory = true;
    std::uint64_t m_checkedTotals = 0;
    std::optional<std::int64_t> m_ended;  // the end event was met while waiting for launches
    std::uint64_t m_withoutMemory = 0;
    std::thread m_thread;
};

}  // namespace warpglass
