#include "ui/charts/memory_bands.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "ui/charts/mark_chart.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {
/// From one line of a hatched band to the next.
constexpr double kHatch = 6;
/// A narrower band would show no pattern, and very many of them take long to paint.
constexpr double kLeastHatched = 2 * kHatch;
}  // namespace

MemoryBands::Bands MemoryBands::bands() const {
    if (!m_document.snapshot() || m_document.memory().eventCount() == 0)
        return {};
    const Snapshot& snapshot = *m_document.snapshot();
    const TimeRange visible = m_axis.visibleRange();
    // Between events no pixel is a time, and nothing is the GPU's alone.
    if (m_scale.spacing() == MemoryScale::Spacing::kEvents)
        return {rects(phaseBands(snapshot, visible, Nanoseconds(0))), {}};
    const double pixel =
        static_cast<double>(visible.duration().value) / std::max(1.0, m_scale.plotRect().width());
    std::vector<PhaseBand> host =
        phaseBands(snapshot, visible, Nanoseconds(static_cast<std::int64_t>(pixel)));
    std::vector<Band> hostRects = rects(host);
    return {
        std::move(hostRects),
        rects(gpuPhasesAlone(snapshot, visible, Nanoseconds(static_cast<std::int64_t>(pixel * kLeastHatched)),
                             std::move(host)))};
}

/// What of the phases is in view.
std::vector<MemoryBands::Band> MemoryBands::rects(const std::vector<PhaseBand>& phases) const {
    std::vector<Band> rects;
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = m_scale.plotRect();
    for (const PhaseBand& band : phases) {
        const double left = std::max(plot.left(), m_scale.xOf(std::max(band.range.begin, visible.begin)));
        const double right = std::min(plot.right(), m_scale.xOf(std::min(band.range.end, visible.end)));
        if (right > left)
            rects.push_back({QRectF(left, plot.top(), right - left, plot.height()), band.phase});
    }
    return rects;
}

void MemoryBands::paint(QPainter& painter) const {
    const Bands shown = bands();
    for (const auto& [rect, phase] : shown.host)
        painter.fillRect(rect, phaseBandColor(phase));
    for (const auto& [rect, phase] : shown.gpu)
        fillHatch(painter, rect, phaseBandColor(phase), kHatch, kHatch / 3);
}

/// The first says whose time it is: the host allocates ahead of the GPU, whose phases end later.
void MemoryBands::paintNames(QPainter& painter, LabelPlace& place) const {
    if (m_names == Names::kNone)
        return;
    const Bands shown = bands();
    painter.setFont(chartFont());
    painter.setPen(Theme::instance().colors().text);
    const QFontMetricsF metrics(painter.font(), painter.device());
    bool first = m_scale.spacing() == MemoryScale::Spacing::kTime;
    for (const auto& [rect, phase] : shown.host) {
        const QString name = toQString(phaseName(phase)), said = tr("%1 (host time)").arg(name);
        const QString& text = first && metrics.horizontalAdvance(said) + 12 <= rect.width() ? said : name;
        const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
        if (phase == Phase::kNone || size.width() + 12 > rect.width())
            continue;
        const QRectF box(rect.topLeft() + QPointF(6, 3), size);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, text);
        place.keepFree(box);
        first = first && text != said;
    }
    for (const auto& [rect, phase] : shown.gpu) {
        const QString text = tr("GPU: %1").arg(toQString(phaseName(phase)));
        const QRectF chip(rect.left() + 4, rect.top() + 3, metrics.horizontalAdvance(text) + 8,
                          metrics.height());
        if (chip.right() > rect.right() + 2)
            continue;
        paintChip(painter, chip, text);
        place.keepFree(chip);
    }
    if (m_names == Names::kAll)
        paintNarrowNames(painter, place, shown.host);
}

/// In lines under the names of the others: of each phase that has its name nowhere, the first band.
std::vector<MemoryBands::Name> MemoryBands::narrowNames(const std::vector<Band>& bands,
                                                        const QFontMetricsF& metrics) const {
    const auto widthOf = [&](Phase phase) {
        return metrics.horizontalAdvance(toQString(phaseName(phase))) + 8;
    };
    std::set<Phase> named{Phase::kNone};
    for (const auto& [rect, phase] : bands) {
        if (widthOf(phase) + 4 <= rect.width())
            named.insert(phase);
    }
    std::vector<Name> names;
    for (const auto& [rect, phase] : bands) {
        if (named.insert(phase).second)
            names.push_back({QRectF(0, rect.top(), widthOf(phase), metrics.height()),
                             std::floor(rect.center().x()), toQString(phaseName(phase))});
    }
    std::array<double, 3> taken{};  // to where each line is
    for (Name& name : names) {
        const double left = name.middle - 1, last = m_scale.plotRect().right() - 4 - name.chip.width();
        auto line = std::find_if(taken.begin(), taken.end(),
                                 [&](double right) { return right <= std::min(left, last); });
        if (line == taken.end())
            line = std::min_element(taken.begin(), taken.end());
        name.chip.moveLeft(std::min(std::max(left, *line), last));
        name.chip.translate(0, 6 + (1.2 * static_cast<double>(line - taken.begin()) + 1) * metrics.height());
        *line = name.chip.right() + 4;
    }
    return names;
}

/// Each with a stroke up to its band.
void MemoryBands::paintNarrowNames(QPainter& painter, LabelPlace& place,
                                   const std::vector<Band>& bands) const {
    const auto names = narrowNames(bands, QFontMetricsF(painter.font(), painter.device()));
    for (const Name& name : names)
        painter.fillRect(QRectF(name.middle, 0, 1, name.chip.top()), Theme::instance().colors().text);
    for (const Name& name : names) {
        paintChip(painter, name.chip, name.text);
        place.keepFree(name.chip);
    }
}

}  // namespace warpglass::ui
