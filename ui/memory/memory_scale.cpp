#include "ui/memory/memory_scale.h"

#include <QWidget>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/plan/memory_prediction.h"
#include "engine/query/model/plan_of_run.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/chart_text.h"
#include "ui/models/span_details.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Above the highest value, for the peak's label; of a low plot no more than so much.
constexpr double kLabelRoom = 24, kMostHeadroom = 1.24;
/// A mark every 40 px at the closest.
constexpr int kPixelsPerTick = 40;
/// A line across further above the run than this would leave the run too little room.
constexpr double kMostAbove = 1.6;
/// But for the limit of one that ran out of memory: as far as the run can still be read.
constexpr double kMostAboveWhenOut = 4;
/// Below the plot, for the events' numbers.
constexpr int kEventAxis = 18;
/// From one number to the next at the closest: "10,000,000".
constexpr int kPixelsPerEventTick = 90;
constexpr std::pair<std::uint64_t, std::uint64_t> kNoEvents{0, 0};

}  // namespace

MemoryScale::MemoryScale(const RunDocument& document, const TimeAxis& axis, const QWidget& widget)
    : m_document(document), m_axis(axis), m_widget(widget) {}

void MemoryScale::setSpacing(Spacing spacing) {
    m_spacing = spacing;
    invalidate();
}

void MemoryScale::setLabelWidth(int width) {
    m_labelWidth = width;
    invalidate();
}

void MemoryScale::setStripHeight(int height) {
    m_stripHeight = height;
    invalidate();
}

void MemoryScale::readRun() {
    invalidate();
    const auto& snapshot = m_document.snapshot();
    m_reserved.update(snapshot);
    auto info = snapshot ? snapshot->sharedInfo() : nullptr;
    if (info == m_knownFor)
        return;
    m_knownFor = std::move(info);
    m_predicted.reset();
    m_predictedSecond.reset();
    m_limit.reset();
    m_ranOut = m_knownFor && failedForWantOfMemory(*m_knownFor);
    if (!m_knownFor)
        return;
    m_limit = memoryLimit(*m_knownFor);
    if (const auto config = configOfRun(*snapshot)) {
        const MemoryPrediction prediction = predictMemory(*config);
        m_predicted = prediction.given;
        m_predictedSecond = prediction.secondStep;
    }
}

QRectF MemoryScale::plotRect() const {
    return QRectF(m_widget.rect()).adjusted(m_labelWidth, m_stripHeight, 0, -eventAxisHeight());
}

int MemoryScale::eventAxisHeight() const {
    return m_spacing == Spacing::kEvents && m_widget.height() >= 3 * kEventAxis ? kEventAxis : 0;
}

std::pair<std::uint64_t, std::uint64_t> MemoryScale::visibleEvents() const {
    const MemoryTimeline& memory = m_document.memory();
    const TimeRange visible = m_axis.visibleRange();
    const std::uint64_t first = memory.firstEventAfter(visible.begin - Nanoseconds(1));
    // The run's end is the moment of its last event.
    const std::uint64_t last = visible.end >= m_axis.fullRange().end
                                   ? memory.eventCount()
                                   : memory.firstEventAfter(visible.end - Nanoseconds(1));
    return {first, std::max(first, last)};
}

QString MemoryScale::eventWords(Nanoseconds t) const {
    const std::uint64_t number = eventNumberAt(t);
    return number == 0
               ? tr("before the first allocator event")
               : tr("allocator event %1").arg(toQString(formatGrouped(static_cast<std::int64_t>(number))));
}

std::vector<std::uint64_t> MemoryScale::eventTicks() const {
    std::vector<std::uint64_t> ticks;
    const auto [first, last] = eventAxisHeight() > 0 ? visibleEvents() : kNoEvents;
    if (last == first)
        return ticks;
    const int most = std::max(1, static_cast<int>(plotRect().width()) / kPixelsPerEventTick);
    const std::vector<double> round = linearTicks(static_cast<double>(last - first), most);
    const auto step = static_cast<std::uint64_t>(round.size() > 1 ? std::max(1.0, round[1]) : 1.0);
    for (std::uint64_t number = (first / step + 1) * step; number <= last; number += step)
        ticks.push_back(number);
    return ticks;
}

Nanoseconds MemoryScale::timeAt(double x) const {
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const double share = plot.width() > 0 ? std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0) : 0;
    const auto [first, last] = m_spacing == Spacing::kEvents ? visibleEvents() : kNoEvents;
    if (last > first) {
        const auto event = first + static_cast<std::uint64_t>(share * static_cast<double>(last - first));
        return m_document.memory().eventTime(std::min(event, last - 1));
    }
    return visible.begin + Nanoseconds(std::llround(share * static_cast<double>(visible.duration().value)));
}

double MemoryScale::xOf(Nanoseconds t) const {
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const auto [first, last] = m_spacing == Spacing::kEvents ? visibleEvents() : kNoEvents;
    if (last > first) {
        // A moment lies where the last event at or before it begins to hold.
        const auto after = static_cast<double>(m_document.memory().firstEventAfter(t));
        return plot.left() +
               (after - 1 - static_cast<double>(first)) * plot.width() / static_cast<double>(last - first);
    }
    return plot.left() + static_cast<double>((t - visible.begin).value) * plot.width() /
                             static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
}

double MemoryScale::yOf(std::int64_t bytes) const {
    const QRectF plot = plotRect();
    return plot.bottom() - plot.height() * static_cast<double>(bytes) / static_cast<double>(top());
}

/// The lines across; they raise the highest of the scale.
std::vector<MemoryScale::Level> MemoryScale::levelsOver(std::int64_t& highest) const {
    std::vector<Level> levels;
    if (highest <= 0)
        return levels;
    const auto isWithin = [run = static_cast<double>(highest)](Bytes bytes, double times) {
        return static_cast<double>(bytes.value) <= times * run;
    };
    const auto add = [&](Bytes bytes, const QString& name, const QString& more, bool limit) {
        const bool above = bytes.value > highest;
        const QString text = name + QLatin1Char(' ') + toQString(formatBytes(bytes)) + more;
        levels.push_back(
            {bytes.value, name, above ? tr("%1, above the scale").arg(text) : text, limit, above});
    };
    const bool limitNear = m_limit && isWithin(m_limit->bytes, m_ranOut ? kMostAboveWhenOut : kMostAbove);
    if (limitNear)
        highest = std::max(highest, m_limit->bytes.value);
    if (m_predicted && isWithin(*m_predicted, kMostAbove))
        highest = std::max(highest, m_predicted->value);
    if (m_limit && (limitNear || m_ranOut))
        add(m_limit->bytes, m_limit->given ? tr("limit") : tr("device memory"), {}, true);
    if (m_predicted)
        add(*m_predicted, tr("predicted peak"),
            m_predictedSecond ? tr(" (with a second step %1)").arg(toQString(formatBytes(*m_predictedSecond)))
                              : QString(),
            false);
    return levels;
}

QString MemoryScale::labelOf(const MemoryPoint& peak, bool ofRun) const {
    const QString size = toQString(formatBytes(Bytes(sumOf(peak.bytes))));
    const QString phase = toQString(spanNameAt(*m_document.snapshot(), TrackKind::kPhase, peak.time));
    const QString label = ofRun ? tr("peak %1").arg(size) : tr("highest in view %1").arg(size);
    return phase.isEmpty() ? label : label + QStringLiteral(" · ") + phase;
}

const MemoryScale::Fit& MemoryScale::fit() const {
    const TimeRange visible = m_axis.visibleRange();
    if (m_valid && m_fitRange == visible)
        return m_fit;
    m_fit = {};
    const MemoryTimeline& memory = m_document.memory();
    const auto peak = memory.peak();
    const std::int64_t allocated = peak ? sumOf(peak->bytes) : 0;
    std::int64_t highest = std::max(allocated, peak ? m_reserved.peak().value : 0);
    m_fit.levels = levelsOver(highest);
    const double height = plotRect().height();
    const double headroom = std::clamp(height / std::max(1.0, height - kLabelRoom), 1.0, kMostHeadroom);
    m_fit.top = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(highest) * headroom));
    m_fit.ticks = byteTicks(highest, std::max(2, static_cast<int>(height) / kPixelsPerTick));
    if (memory.eventCount() > 0)
        m_fit.peak = memory.peakIn(visible);
    if (m_fit.peak && m_document.snapshot())
        m_fit.peakLabel = labelOf(*m_fit.peak, sumOf(m_fit.peak->bytes) == allocated);
    m_fitRange = visible;
    m_valid = true;
    return m_fit;
}

}  // namespace warpglass::ui
