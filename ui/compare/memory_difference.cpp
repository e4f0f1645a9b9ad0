#include "ui/compare/memory_difference.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/summary/out_of_memory.h"
#include "ui/models/span_details.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/time_ruler.h"

namespace warpglass::ui {

MemoryDifference::MemoryDifference(RunDocument& a, RunDocument& b, TimeAxis& axis)
    : m_axis(axis), m_a{a}, m_b{b} {
    for (Run* run : {&m_a, &m_b}) {
        const auto takeEnd = [this, run] {
            const auto& snapshot = run->document.snapshot();
            run->end = snapshot ? outOfMemoryTime(*snapshot).value_or(snapshot->range().end) : Nanoseconds();
            drop();
        };
        takeEnd();
        connect(&run->document, &RunDocument::snapshotChanged, this, takeEnd);
    }
}

void MemoryDifference::drop() {
    m_curves.reset();
    emit changed();
}

void MemoryDifference::setOffset(Nanoseconds offset) {
    m_b.offset = offset;
    drop();
}

void MemoryDifference::setSteps(std::optional<TimeRange> ofA, std::optional<TimeRange> ofB) {
    m_a.step = ofA;
    m_b.step = ofB;
    drop();
}

void MemoryDifference::setCategory(std::optional<Category> category) {
    if (category == m_category)
        return;
    m_category = category;
    drop();
}

TimeRange MemoryDifference::Run::shown() const {
    const TimeRange run{Nanoseconds(0), end};
    return step ? TimeRange{std::max(run.begin, step->begin), std::min(run.end, step->end)} : run;
}

/// What is lost is not 0.
bool MemoryDifference::Run::hasMemory() const {
    return document.snapshot() && Completeness(*document.snapshot()).has(DataKind::kMemory);
}

std::optional<std::int64_t> MemoryDifference::at(const Run& run, Nanoseconds time) const {
    const TimeRange range = run.shown();
    if (time < range.begin || time > range.end || !run.hasMemory())
        return std::nullopt;
    return sumOfShown(run.document.memory().at(time));
}

std::int64_t MemoryDifference::sumOfShown(const CategoryBytes& bytes) const {
    return m_category ? bytes[static_cast<std::size_t>(*m_category)] : sumOf(bytes);
}

std::vector<std::int64_t> MemoryDifference::columns(const Run& run, int width) const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(std::max(0, width)), kNone);
    if (width <= 0 || !run.hasMemory())
        return sums;
    const TimeRange visible = m_axis.visibleRange();
    const TimeRange shown{visible.begin + run.offset, visible.end + run.offset};
    const double perColumn = static_cast<double>(shown.duration().value) / width;
    // The part of it in which the run has something to show, in whole columns.
    const auto columnOf = [&](Nanoseconds t) {
        return static_cast<int>(
            std::clamp(std::floor(static_cast<double>((t - shown.begin).value) / perColumn), 0.0,
                       static_cast<double>(width)));
    };
    const TimeRange range = run.shown();
    const int first = columnOf(range.begin), last = columnOf(range.end);
    if (last <= first)
        return sums;
    const auto timeOf = [&](int column) {
        return shown.begin + Nanoseconds(std::llround(perColumn * column));
    };
    const std::vector<MemoryColumn> found =
        run.document.memory().columns({timeOf(first), timeOf(last)}, static_cast<std::size_t>(last - first));
    for (std::size_t i = 0; i < found.size(); ++i)
        sums[static_cast<std::size_t>(first) + i] =
            m_category ? sumOfShown(found[i].atPeak) : found[i].maxTotal;
    return sums;
}

const MemoryDifference::Curves& MemoryDifference::curves(int width) {
    const TimeRange visible = m_axis.visibleRange();
    if (m_curves && m_curves->visible == visible && m_curves->width == width)
        return *m_curves;
    m_curves = Curves{visible, width, columnsOfA(width), columnsOfB(width)};
    for (const auto* sums : {&m_curves->a, &m_curves->b}) {
        for (const std::int64_t sum : *sums)
            m_curves->top = std::max(m_curves->top, sum);
    }
    return *m_curves;
}

QString MemoryDifference::phaseAtPeak(bool ofA, std::int64_t highest) const {
    const Run& run = ofA ? m_a : m_b;
    const TimeRange visible = m_axis.visibleRange(), whole = run.shown();
    const auto peak = run.document.memory().peakIn(
        {std::max(visible.begin + run.offset, whole.begin), std::min(visible.end + run.offset, whole.end)});
    return peak && sumOf(peak->bytes) == highest
               ? toQString(spanNameAt(*run.document.snapshot(), TrackKind::kPhase, peak->time))
               : QString();
}

QString MemoryDifference::Run::momentText(Nanoseconds moment) const {
    const bool steps = document.snapshot() && !ClockChoice::instance().countsFromRun();
    return (steps ? StepClock(*document.snapshot()) : StepClock()).text(moment);
}

QString MemoryDifference::exactText(Nanoseconds time) const {
    const auto exact = [](std::optional<std::int64_t> bytes) {
        return bytes ? tr("%1 bytes").arg(toQString(formatGrouped(*bytes))) : tr("nothing recorded then");
    };
    const auto a = ofA(time), b = ofB(time);
    const bool aligned = m_axis.clock().alignment().has_value();
    const QString momentOfA = aligned ? m_axis.clock().text(time) : m_a.momentText(time);
    const QString momentOfB = aligned ? momentOfA : m_b.momentText(time + m_b.offset);
    QString text = tr("A at %1: %2\nB at %3: %4").arg(momentOfA, exact(a), momentOfB, exact(b));
    if (a && b)
        text +=
            tr("\nB − A: %1%2 bytes")
                .arg(*b < *a ? QStringLiteral("−") : QString(), toQString(formatGrouped(std::abs(*b - *a))));
    return text;
}

}  // namespace warpglass::ui
