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
/// Events between two looks at the clock.
constexpr int kBatch = 4096;

struct NamedLoss {
    CaptureKind kind;
    std::string_view name;
};
constexpr NamedLoss kNamedLosses[] = {{CaptureKind::kOpBegin, "op lost: event ring full"},
                                      {CaptureKind::kOpEnd, "end of an op lost: event ring full"},
                                      {CaptureKind::kAllocate, "allocation lost: event ring full"},
                                      {CaptureKind::kFree, "free lost: event ring full"}};

}  // namespace

Recorder::Recorder(Info info) : m_info(std::move(info)) {}

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

void Recorder::finish(Info finalInfo) {
    m_finalInfo = std::move(finalInfo);
    CaptureStream& stream = CaptureStream::instance();
    CaptureEvent end;
    end.kind = CaptureKind::kEnd;
    end.time = stream.now();
    stream.pushSurely(end);  // also hands m_finalInfo to the recorder's thread
    m_thread.join();
    stream.close();
}

void Recorder::run() {
    CaptureStream& stream = CaptureStream::instance();
    for (const auto& [key, value] : m_info)
        m_writer.setInfo(key, value);
    TraceDecoder decoder(m_writer);
    commit(0);

    std::int64_t committed = 0;
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
    m_checkedTotals = decoder.checkedTotals();
    commit(end);
}

void Recorder::describeEnd(TraceDecoder& decoder, std::int64_t end) {
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
}

}  // namespace warpglass
