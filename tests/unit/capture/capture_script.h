// A run written by hand for the decoder's tests, event by event, and what became of it in words.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/capture/name_registry.h"
#include "engine/capture/trace_decoder.h"

namespace warpglass::test {

/// Time advances by 10 ns an event.
class CaptureScript {
public:
    CaptureScript() : m_decoder(m_writer) {}

    CaptureScript& step(std::int64_t step) {
        CaptureEvent e = make(CaptureKind::kStepBegin);
        e.step = step;
        return send(e);
    }
    CaptureScript& endStep() { return send(make(CaptureKind::kStepEnd)); }
    CaptureScript& phase(Phase phase, bool keeps = false) {
        CaptureEvent e = make(CaptureKind::kPhaseBegin);
        e.detail = static_cast<std::uint8_t>(phase);
        e.sequence = keeps ? 1 : 0;
        return send(e);
    }
    CaptureScript& endPhase() { return send(make(CaptureKind::kPhaseEnd)); }
    CaptureScript& cutPhase() {
        CaptureEvent e = make(CaptureKind::kPhaseEnd);
        e.detail = CaptureEvent::kCutOff;
        return send(e);
    }
    CaptureScript& module(const char* path) { return named(CaptureKind::kModuleBegin, path); }
    CaptureScript& endModule() { return send(make(CaptureKind::kModuleEnd)); }
    CaptureScript& part(const char* name) { return named(CaptureKind::kPartBegin, name); }
    CaptureScript& endPart() { return send(make(CaptureKind::kPartEnd)); }
    CaptureScript& op(const char* name, std::int64_t sequence = -1, bool backwardNode = false) {
        CaptureEvent e = make(CaptureKind::kOpBegin);
        e.name = NameRegistry::idOf(name);
        e.sequence = sequence;
        e.depth = m_depth++;
        e.detail = backwardNode ? CaptureEvent::kBackwardNode : 0;
        return send(e);
    }
    CaptureScript& node(const char* name, std::int64_t sequence) { return op(name, sequence, true); }
    /// `types`: of its inputs and outputs; "" where they are not recorded.
    CaptureScript& endOp(std::string_view types = {}) {
        CaptureEvent e = make(CaptureKind::kOpEnd);
        e.depth = --m_depth;
        if (!types.empty())
            e.name = NameRegistry::idOf(types);
        return send(e);
    }
    /// An op end that the ring had no room for.
    CaptureScript& loseEndOp() {
        --m_depth;
        return *this;
    }
    CaptureScript& allocate(std::uint64_t address, std::int64_t bytes, std::int64_t requested = 0) {
        CaptureEvent e = make(CaptureKind::kAllocate);
        e.address = address;
        e.bytes = bytes;
        e.requested = requested;
        e.total = m_total += bytes;
        return send(e);
    }
    CaptureScript& release(std::uint64_t address, std::int64_t bytes) {
        CaptureEvent e = make(CaptureKind::kFree);
        e.address = address;
        e.bytes = bytes;
        e.total = m_total -= bytes;
        return send(e);
    }
    CaptureScript& segment(SegmentAction action, std::uint64_t address, std::int64_t bytes,
                           std::int64_t stream = 0, std::uint32_t pool = 0) {
        CaptureEvent e = make(CaptureKind::kSegment);
        e.detail = static_cast<std::uint8_t>(action);
        e.address = address;
        e.bytes = bytes;
        e.total = stream;
        e.name = pool;
        return send(e);
    }
    CaptureScript& call(const char* name, std::uint64_t correlation) {
        m_calls.push_back(correlation);
        CaptureEvent e = make(CaptureKind::kApiBegin);
        e.name = NameRegistry::idOf(name);
        e.correlation = correlation;
        return send(e);
    }
    CaptureScript& endCall() {
        CaptureEvent e = make(CaptureKind::kApiEnd);
        e.correlation = m_calls.back();
        m_calls.pop_back();
        return send(e);
    }
    /// The call that is open waited since it began.
    CaptureScript& waited(const char* what) {
        CaptureEvent e = make(CaptureKind::kWait);
        e.end = e.time;
        e.time -= 10;
        e.name = NameRegistry::idOf(what);
        e.correlation = m_calls.back();
        return send(e);
    }
    /// Its end, or its begin, found the ring full.
    CaptureScript& loseEndCall() {
        m_calls.pop_back();
        return *this;
    }
    CaptureScript& loseCall(std::uint64_t correlation) {
        m_calls.push_back(correlation);
        return *this;
    }
    /// What follows comes from this thread.
    CaptureScript& onThread(std::uint16_t thread) {
        std::swap(m_depth, m_depths[thread]);
        m_thread = thread;
        return *this;
    }
    GpuTracks& gpu() { return m_decoder.gpu(); }
    CaptureScript& mark(std::uint64_t address, Category category) {
        CaptureEvent e = make(CaptureKind::kMark);
        e.address = address;
        e.detail = static_cast<std::uint8_t>(category);
        return send(e);
    }
    /// What other runs of the process have allocated.
    CaptureScript& alreadyAllocated(std::int64_t bytes) {
        m_total = bytes;
        return *this;
    }

    std::shared_ptr<const Snapshot> finish() {
        m_decoder.finish(m_time + 10);
        m_writer.commit(Nanoseconds(m_time + 10));
        return m_writer.feed()->latest();
    }
    std::uint64_t checkedTotals() const { return m_decoder.memory().checkedTotals(); }

private:
    CaptureEvent make(CaptureKind kind) {
        CaptureEvent e{.kind = kind};
        e.time = m_time += 10;
        e.thread = m_thread;
        return e;
    }
    CaptureScript& named(CaptureKind kind, const char* name) {
        CaptureEvent e = make(kind);
        e.name = NameRegistry::idOf(name);
        return send(e);
    }
    CaptureScript& send(const CaptureEvent& e) {
        m_decoder.apply(e);
        return *this;
    }

    TraceWriter m_writer;
    TraceDecoder m_decoder;
    std::int64_t m_time = 0;
    std::int64_t m_total = 0;
    std::uint16_t m_depth = 0;
    std::uint16_t m_thread = 0;
    std::vector<std::uint64_t> m_calls;
    std::map<std::uint16_t, std::uint16_t> m_depths;  // where a thread left off
};

using Texts = std::vector<std::string>;

/// "forward blocks.0.attn/scores".
std::string describe(const Snapshot& s, PlaceId id);

/// "name [place] step begin-end", in rows of depth, of every span of the tracks of a kind.
Texts spansOf(const Snapshot& s, TrackKind kind, bool withTimes = false);

/// "alloc 4096+100 stream 0 pool 0 [forward blocks.0] step 2 aten::a @30", with the allocation of a block.
Texts segmentsOf(const Snapshot& s);

struct TraceDecoderTest : testing::Test {
    CaptureScript run;
};

}  // namespace warpglass::test
