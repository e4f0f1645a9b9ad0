#include "ui/models/idle_details.h"

#include <QCoreApplication>

#include "engine/base/format.h"
#include "engine/query/activity/gpu_idle.h"
#include "engine/query/spans/step_spans.h"
#include "engine/query/statistics/span_sentences.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString text(const char* source) {
    return QCoreApplication::translate("IdleDetails", source);
}

/// As idleCauseWords(), in few words.
QString shortCause(GpuBusy::Part part) {
    switch (part) {
        case GpuBusy::Part::kGap:
            return text("between two kernels");
        case GpuBusy::Part::kSynchronization:
            return text("the host waited");
        case GpuBusy::Part::kHostLate:
            return text("waiting for the host");
        default:
            return text("unknown");
    }
}

QString exactText(std::int64_t nanoseconds) {
    return toQString(formatGrouped(nanoseconds)) + QStringLiteral("\u202Fns");
}

/// What began on that GPU as the stretch ended.
std::optional<SpanRef> spanAtEnd(const Snapshot& snapshot, const SelectedIdle& idle) {
    const std::vector<std::string> gpus = gpusOf(snapshot);
    const std::int64_t moment = idle.stretch.end;
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        for (const TrackId track : snapshot.tracksOfKind(kind)) {
            if (idle.gpu >= gpus.size() ||
                gpuOfTrack(snapshot.name(snapshot.track(track).name)) != gpus[idle.gpu])
                continue;
            for (const SpanLane& lane : snapshot.lanesOf(track)) {
                const std::uint64_t row = lane.firstStartingAt(Nanoseconds(moment));
                const auto span = row < lane.rows() ? lane.row(row) : std::nullopt;
                if (span && span->start == moment && span->name == idle.stretch.next)
                    return SpanRef{lane.id(), row};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

IdleDetails describeIdle(const Snapshot& snapshot, const SelectedIdle& idle) {
    IdleDetails details;
    details.idle = idle;
    details.next = toQString(snapshot.name(idle.stretch.next));
    if (!details.next.isEmpty())
        details.nextSpan = spanAtEnd(snapshot, idle);
    if (const auto step = stepHolding(snapshot, Nanoseconds(idle.stretch.begin));
        step && step->range.duration().value > 0) {
        details.step = step->step;
        details.shareOfStep = static_cast<double>(idle.stretch.end - idle.stretch.begin) /
                              static_cast<double>(step->range.duration().value);
    }
    return details;
}

std::vector<IdleFact> idleFacts(const IdleDetails& details, const StepClock& clock) {
    using Kind = IdleFact::Kind;
    const GpuBusy::Stretch& stretch = details.idle.stretch;
    const std::int64_t duration = stretch.end - stretch.begin;
    std::vector<IdleFact> facts;
    facts.push_back(
        {Kind::kCause, text("Cause"), shortCause(stretch.part), toQString(idleCauseWords(stretch.part))});
    facts.push_back({Kind::kNext,
                     text("Ended by"),
                     details.next.isEmpty() ? text("the end of the step") : details.next,
                     {}});
    const auto moment = [&](Kind kind, const char* label, std::int64_t at) {
        facts.push_back({kind, text(label), clock.text(Nanoseconds(at)), exactText(at)});
    };
    moment(Kind::kBegin, "Start", stretch.begin);
    moment(Kind::kEnd, "End", stretch.end);
    facts.push_back({Kind::kDuration, text("Duration"), toQString(formatDuration(Nanoseconds(duration))),
                     exactText(duration)});
    if (details.step != kNoStep)
        facts.push_back(
            {Kind::kShare,
             text("Share"),
             text("%1 of step %2")
                 .arg(toQString(formatPercent(details.shareOfStep)), QString::number(details.step)),
             {}});
    return facts;
}

}  // namespace warpglass::ui
