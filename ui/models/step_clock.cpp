#include "ui/models/step_clock.h"

#include <algorithm>

#include "engine/base/format.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

StepClock::StepClock(const Snapshot& snapshot) {
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kStep)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            lane.forEachChunk(
                0, lane.rows(),
                [&](const SpanChunk& rows, std::uint32_t from, std::uint32_t to, std::uint64_t) {
                    for (std::uint32_t row = from; row < to; ++row)
                        m_steps.push_back({Nanoseconds(rows.start[row]), rows.step[row]});
                });
        }
    }
    for (const OpenSpan& span : snapshot.openSpans()) {
        if (snapshot.track(snapshot.lane(span.lane).track()).kind == TrackKind::kStep)
            m_steps.push_back({Nanoseconds(span.start), span.step});
    }
    std::erase_if(m_steps, [](const Step& step) { return step.number == kNoStep; });
    std::ranges::stable_sort(m_steps, {}, &Step::begin);
}

const StepClock::Step* StepClock::at(Nanoseconds moment) const {
    const auto after =
        std::upper_bound(m_steps.begin(), m_steps.end(), moment,
                         [](Nanoseconds value, const Step& step) { return value < step.begin; });
    return after == m_steps.begin() ? nullptr : &*(after - 1);
}

StepClock StepClock::since(Nanoseconds alignment) {
    StepClock clock;
    clock.m_alignment = alignment;
    return clock;
}

QString StepClock::text(Nanoseconds moment) const {
    if (m_alignment) {
        const Nanoseconds since = moment - *m_alignment;
        const bool before = since < Nanoseconds(0);
        return (before ? QStringLiteral("−") : QStringLiteral("+")) +
               toQString(formatMoment(before ? -since : since));
    }
    const Step* const step = at(moment);
    if (!step)
        return toQString(formatMoment(moment));
    return QStringLiteral("%1 + %2").arg(name(*step), toQString(formatMoment(moment - step->begin)));
}

QString StepClock::text(TimeRange range) const {
    QString begin = text(range.begin), end = text(range.end);
    const QString step =
        m_alignment || !at(range.begin) ? QString() : QStringLiteral("%1 + ").arg(name(*at(range.begin)));
    const bool oneStep = step.isEmpty() || at(range.begin) == at(range.end);
    if (oneStep)
        end.remove(0, step.size());
    const QChar thin(0x202F);
    const bool sameUnit = oneStep && end.count(thin) == 1 && begin.section(thin, 1) == end.section(thin, 1);
    return (sameUnit ? begin.section(thin, 0, 0) : begin) + QStringLiteral("–") + end;
}

QString StepClock::name(const Step& step) {
    return QObject::tr("step %1").arg(step.number);
}

ClockChoice& ClockChoice::instance() {
    static ClockChoice choice;
    return choice;
}

void ClockChoice::setCountsFromRun(bool fromRun) {
    if (fromRun == m_fromRun)
        return;
    m_fromRun = fromRun;
    emit changed();
}

}  // namespace warpglass::ui
