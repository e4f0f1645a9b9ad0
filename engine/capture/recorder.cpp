#include "engine/capture/recorder.h"

#include <pthread.h>

#include <chrono>
#include <new>

#include "engine/capture/capture_stream.h"

namespace warpglass {
namespace {

using namespace std::chrono_literals;

/// A screen shows 60 pictures a second; a snapshot more often would be seen by nobody.
constexpr std::int64_t kCommitInterval = 16'000'000;  // ns
/// Long enough to cost the model's threads nothing, short enough that the ring holds what arrives meanwhile.
constexpr auto kIdle = 4ms;
/// How often the GPU's records are asked for: enough for a live view; each time costs CUDA's own lock.
constexpr std::int64_t kGpuInterval = 50'000'000;  // ns
/// Events between two looks at the clock.
constexpr int kBatch = 4096;

struct NamedLoss {
    CaptureKind kind;
    std::string_view name;
};
constexpr NamedLoss kNamedLosses[] = {{CaptureKind::kOpBegin, "op lost: event ring full"},
                                      {CaptureKind::kOpEnd, "end of an op lost: event ring full"},
                                      {CaptureKind::kAllocate, "allocation lost: event ring full"},
                                      {CaptureKind::kFree, "free lost: event ring full"},
                                      {CaptureKind::kApiBegin, "call into CUDA lost: event ring full"},
                                      {CaptureKind::kApiEnd, "end of a call into CUDA lost: event ring full"},
                                      {CaptureKind::kWait, "wait lost: event ring full"},
                                      {CaptureKind::kSegment, "segment event lost: event ring full"},
                                      {CaptureKind::kCounter, "counter sample lost: event ring full"},
                                      {CaptureKind::kGpuPhase, "phase on the GPU lost: event ring full"},
                                      {CaptureKind::kNodeMade, "graph node lost: event ring full"},
                                      {CaptureKind::kNodeCloned, "graph node lost: event ring full"}};

}  // namespace

Recorder::Recorder(Info info, GpuActivity* gpu, bool orderedMemory)
    : m_info(std::move(info)), m_gpu(gpu), m_orderedMemory(orderedMemory) {}

Recorder::~Recorder() {
    if (m_thread.joinable())
        finish({});
}

void Recorder::start() {
    CaptureStream::instance().open();
    try {
        m_thread = std::thread([this] { run(); });
    } catch (...) {
        CaptureStream::instance().close();
        throw;
    }
    pthread_setname_np(m_thread.native_handle(), "wg-recorder");
}

void Recorder::finish(Info finalInfo, KernelClocksList clocks) {
    m_finalInfo = std::move(finalInfo);
    m_clocks = std::move(clocks);
    CaptureStream& stream = CaptureStream::instance();
    CaptureEvent end;
    end.kind = CaptureKind::kEnd;
    end.time = stream.now();
    stream.pushSurely(end);  // also hands m_finalInfo and m_clocks to the recorder's thread
    m_thread.join();
    stream.close();
}

void Recorder::run() {
    CaptureStream& stream = CaptureStream::instance();
    for (const auto& [key, value] : m_info)
        m_writer.setInfo(key, value);
    const bool launches = m_gpu && m_gpu->tellsOfLaunches();
    TraceDecoder decoder(m_writer, m_orderedMemory, launches && m_gpu->tellsOfKernels());
    decoder.gpu().expectLaunches(launches);
    if (!m_withMemory)
        decoder.leaveOutMemory();
    commit(0);

    std::int64_t committed = 0, gpuAsked = 0;
    bool changed = false;
    CaptureEvent event;
    for (;;) {
        int taken = 0;
        while (taken < kBatch && stream.pop(event)) {
            if (event.kind == CaptureKind::kEnd)
                return publishFinal(decoder, event.time);
            applyOrCount(decoder, event);
            ++taken;
        }
        changed = changed || taken > 0;
        const std::int64_t now = stream.now();
        if (m_gpu && now - gpuAsked >= kGpuInterval) {
            gpuAsked = now;
            takeGpuRecords(decoder, false);
            changed = true;
            if (m_ended)
                return publishFinal(decoder, *m_ended);
        }
        if (changed && now - committed >= kCommitInterval) {
            commit(now);
            committed = now;
            changed = false;
        }
        if (taken < kBatch)
            std::this_thread::sleep_for(kIdle);
    }
}

/// A machine out of memory must not take the run down from here: the event is lost and counted.
void Recorder::applyOrCount(TraceDecoder& decoder, const CaptureEvent& event) {
    try {
        decoder.apply(event);
    } catch (const std::bad_alloc&) {
        ++m_withoutMemory;
    }
}

/// A record is decoded only after every event that was pushed before it arrived: its launch is among them.
void Recorder::takeGpuRecords(TraceDecoder& decoder, bool last) {
    try {
        m_gpu->flush(last);
        if (!m_gpu->collect() && !last && !decoder.gpu().hasRows())
            return;
    } catch (const std::bad_alloc&) {
        ++m_withoutMemory;
        return;
    }
    CaptureStream& stream = CaptureStream::instance();
    const std::uint64_t pushed = stream.pushed();
    CaptureEvent event;
    while (!last && stream.popped() < pushed) {
        if (!stream.pop(event))
            continue;  // claimed, and about to be written
        if (event.kind == CaptureKind::kEnd) {
            m_ended = event.time;
            break;
        }
        applyOrCount(decoder, event);
    }
    try {
        m_gpu->decode([&](const GpuRecord& record) { decoder.gpu().add(record); });
        decoder.gpu().endBatch(last);
    } catch (const std::bad_alloc&) {
        ++m_withoutMemory;
    }
}

/// Without memory for a snapshot the last one stays, and the next attempt holds what this one would have.
void Recorder::commit(std::int64_t now) {
    try {
        m_writer.commit(Nanoseconds(now));
    } catch (const std::bad_alloc&) {
        ++m_withoutMemory;
    }
}

void Recorder::publishFinal(TraceDecoder& decoder, std::int64_t end) {
    try {
        describeEnd(decoder, end);
    } catch (const std::bad_alloc&) {
        ++m_withoutMemory;  // what has been said of the end so far is published all the same
    }
    m_checkedTotals = decoder.memory().checkedTotals();
    commit(end);
}

void Recorder::describeEnd(TraceDecoder& decoder, std::int64_t end) {
    if (m_gpu) {
        takeGpuRecords(decoder, true);
        for (const LossCount& loss : m_gpu->losses())
            m_writer.countLoss(loss.name, loss.count);
    }
    decoder.finish(end);
    const CaptureStream& stream = CaptureStream::instance();
    for (const NamedLoss& loss : kNamedLosses) {
        if (const std::uint64_t count = stream.lost(loss.kind))
            m_writer.countLoss(loss.name, count);
    }
    if (m_withoutMemory > 0)
        m_writer.countLoss("event lost: no memory to record it", m_withoutMemory);
    for (const auto& [key, value] : m_finalInfo)
        m_writer.setInfo(key, value);
    for (const KernelClocks& kernel : m_clocks) {
        if (const std::uint64_t lost = kernel.lostTiles + kernel.lostRounds)
            m_writer.countLoss("kernel clock lost: no room on the GPU", lost);
    }
    m_writer.setKernelClocks(std::move(m_clocks));
}

}  // namespace warpglass
