#include "engine/capture/range_scope.h"

#include <nvtx3/nvToolsExt.h>

#include <exception>
#include <string>

#include "engine/capture/capture_stream.h"

namespace warpglass {
namespace {

constexpr CaptureKind kBegins[] = {CaptureKind::kStepBegin, CaptureKind::kPhaseBegin,
                                   CaptureKind::kModuleBegin, CaptureKind::kPartBegin,
                                   CaptureKind::kCaptureBegin};
constexpr CaptureKind kEnds[] = {CaptureKind::kStepEnd, CaptureKind::kPhaseEnd, CaptureKind::kModuleEnd,
                                 CaptureKind::kPartEnd, CaptureKind::kCaptureEnd};

/// Records an event of now, of which `fill` states the rest; false where nothing is recorded.
template <class Fill>
bool record(CaptureKind kind, Fill&& fill) {
    CaptureStream& stream = CaptureStream::instance();
    if (!stream.isOpen())
        return false;
    CaptureEvent event;
    event.kind = kind;
    event.time = stream.now();
    fill(event);
    stream.pushSurely(event);
    return true;
}

}  // namespace

RangeScope::RangeScope(RangeKind kind, const char* text, std::uint32_t name, std::int64_t value,
                       std::uint8_t detail)
    : m_kind(kind),
      m_recorded(false),
      m_kept(OpenRanges::areKept()),
      m_exceptions(std::uncaught_exceptions()) {
    nvtxRangePushA(text);
    if (m_kept)
        OpenRanges::open({kind, NameRegistry::idOf(text)});
    m_recorded = record(kBegins[static_cast<std::size_t>(kind)], [&](CaptureEvent& event) {
        event.step = value;
        event.name = name;
        event.detail = detail;
    });
}

RangeScope::~RangeScope() {
    if (m_recorded)
        record(kEnds[static_cast<std::size_t>(m_kind)], [this](CaptureEvent& event) {
            event.detail = std::uncaught_exceptions() > m_exceptions ? CaptureEvent::kCutOff : 0;
        });
    if (m_kept)
        OpenRanges::close();
    nvtxRangePop();
}

StepScope::StepScope(std::int64_t step)
    : RangeScope(RangeKind::kStep, ("step " + std::to_string(step)).c_str(), 0, step, 0) {}

PhaseScope::PhaseScope(Phase phase, bool keepsForBackward)
    : RangeScope(RangeKind::kPhase, phaseName(phase).data(), 0, keepsForBackward ? 1 : 0,
                 static_cast<std::uint8_t>(phase)) {}

ModuleScope::ModuleScope(ModulePath path)
    : RangeScope(RangeKind::kModule, path.text().c_str(), path.id(), 0, 0) {}

PartScope::PartScope(RegisteredName part)
    : RangeScope(RangeKind::kPart, part.text().c_str(), part.id(), 0, 0) {}

CaptureScope::CaptureScope() : RangeScope(RangeKind::kCapture, "graph capture", 0, 0, 0) {}

void recordGraphLaunch() {
    record(CaptureKind::kGraphLaunch, [](CaptureEvent&) {});
}

void recordGpuPhase(Phase phase, std::int64_t step, std::int64_t begin, std::int64_t end) {
    CaptureStream& stream = CaptureStream::instance();
    if (!stream.isOpen())
        return;
    CaptureEvent event;
    event.kind = CaptureKind::kGpuPhase;
    event.time = begin;
    event.end = end;
    event.bytes = step;
    event.detail = static_cast<std::uint8_t>(phase);
    stream.push(event);
}

void markMemory(const void* address, Category category) {
    record(CaptureKind::kMark, [&](CaptureEvent& event) {
        event.address = reinterpret_cast<std::uintptr_t>(address);
        event.detail = static_cast<std::uint8_t>(category);
    });
}

void recordCounter(RegisteredName counter, double value) {
    record(CaptureKind::kCounter, [&](CaptureEvent& event) {
        event.value = value;
        event.name = counter.id();
    });
}

}  // namespace warpglass
