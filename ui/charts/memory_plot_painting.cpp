// How a MemoryPlot is drawn: the kept picture of the stack, and what lies over it.
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/trace/stack_order.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/mark_chart.h"
#include "ui/charts/memory_plot.h"
#include "ui/charts/phase_bands.h"
#include "ui/models/run_filter.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

/// Over what the filter leaves out, as in the timeline.
constexpr float kVeil = 0.5F;
/// Vector figures are drawn for print: more columns than logical pixels.
constexpr int kVectorColumns = 4;
/// The radius of the dot at the highest moment.
constexpr double kDot = 3.5;

/// Text on the canvas' color, so that it reads on every category's.
void paintChip(QPainter& painter, const QRectF& chip, const QString& text) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(Qt::NoPen);
    painter.setBrush(faded(colors.background, 0.9F));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(chip, Qt::AlignCenter, text);
}

}  // namespace

void MemoryPlot::paintEvent(QPaintEvent*) {
    QCPPainter painter(this);
    if (!painter.isActive() || width() <= m_labelWidth)
        return;
    const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
    // The transform knows the scale also when a widget is drawn into a picture, where the device is the
    // widget.
    const qreal ratio = raster ? std::max<qreal>(1.0, painter.deviceTransform().m11()) : 1.0;
    const double plotWidth = plotRect().width();
    ensureData(static_cast<int>(std::lround(plotWidth * (raster ? ratio : kVectorColumns))));
    if (!raster) {
        painter.fillRect(rect(), Theme::instance().colors().background);
        paintBands(painter);
        painter.save();
        toPainter(&painter, width(), height());
        painter.restore();
        paintAllocated(painter, 1);
    } else {
        if (!m_pictureValid || m_picture.devicePixelRatio() != ratio ||
            m_picture.deviceIndependentSize().toSize() != size()) {
            m_picture = QPixmap(size() * ratio);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(Theme::instance().colors().background);
            QCPPainter into(&m_picture);
            paintBands(into);
            toPainter(&into, width(), height());
            paintAllocated(into, 0);
            m_pictureValid = true;
        }
        painter.drawPixmap(0, 0, m_picture);
    }
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setFont(Theme::tableFont());
    paintVeil(painter);
    // Lines, those across and those of marks, lie under every label, and the peak's has the first choice of
    // its place.
    paintLevelLines(painter);
    paintMarks(painter);
    paintTicks(painter);
    paintEventAxis(painter);
    paintSelection(painter);
    LabelPlace place = labelPlace(painter.device());
    paintStepEnds(painter, place);
    paintBandNames(painter, place);
    paintPeak(painter, place);
    for (const Level& level : m_levels)
        paintLevelLabel(painter, place, level);
    paintReservedLabel(painter, place);
    paintCausedAllocations(painter, *this, m_document, m_axis, m_caused.of(m_document, m_axis));
    paintCursors(painter);
    if (hasFocus() && !FigureMode::holds(*this))
        painter.fillRect(QRectF(m_labelWidth - 2, 0, 2, height()), Theme::instance().colors().accent);
}

/// What of the phases is in view, a pixel wide or more.
std::vector<std::pair<QRectF, Phase>> MemoryPlot::bandRects() const {
    std::vector<std::pair<QRectF, Phase>> rects;
    if (!m_document.snapshot() || m_document.memory().eventCount() == 0)
        return rects;
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const Nanoseconds aPixel(static_cast<std::int64_t>(static_cast<double>(visible.duration().value) /
                                                       std::max(1.0, plot.width())));
    for (const PhaseBand& band :
         phaseBands(*m_document.snapshot(), visible, m_spacing == Spacing::kTime ? aPixel : Nanoseconds(0))) {
        const double left = std::max(plot.left(), xOf(std::max(band.range.begin, visible.begin)));
        const double right = std::min(plot.right(), xOf(std::min(band.range.end, visible.end)));
        if (right > left)
            rects.emplace_back(QRectF(left, plot.top(), right - left, plot.height()), band.phase);
    }
    return rects;
}

void MemoryPlot::paintBands(QPainter& painter) const {
    for (const auto& [rect, phase] : bandRects())
        painter.fillRect(rect, phaseBandColor(phase));
}

/// The phases' names at the upper end of their bands, where no lanes above the plot have them. The first says
/// whose time it is: the host allocates ahead of the GPU, whose phases end later.
void MemoryPlot::paintBandNames(QPainter& painter, LabelPlace& place) const {
    if (!m_ticksBeside && !m_phaseNames)
        return;
    painter.setFont(chartFont());
    painter.setPen(Theme::instance().colors().text);
    const QFontMetricsF metrics(painter.font(), painter.device());
    bool first = m_spacing == Spacing::kTime;
    for (const auto& [rect, phase] : bandRects()) {
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
    if (m_ticksBeside)
        paintNarrowBandNames(painter, place);
}

/// In lines under the names of the others: of each phase that has its name nowhere, the first band.
std::vector<MemoryPlot::BandName> MemoryPlot::narrowBandNames(const QFontMetricsF& metrics) const {
    const auto bands = bandRects();
    const auto widthOf = [&](Phase phase) {
        return metrics.horizontalAdvance(toQString(phaseName(phase))) + 8;
    };
    std::set<Phase> named{Phase::kNone};
    for (const auto& [rect, phase] : bands) {
        if (widthOf(phase) + 4 <= rect.width())
            named.insert(phase);
    }
    std::vector<BandName> names;
    for (const auto& [rect, phase] : bands) {
        if (named.insert(phase).second)
            names.push_back({QRectF(0, rect.top(), widthOf(phase), metrics.height()),
                             std::floor(rect.center().x()), toQString(phaseName(phase))});
    }
    std::array<double, 3> taken{};  // to where each line is
    for (BandName& name : names) {
        const double left = name.middle - 1, last = plotRect().right() - 4 - name.chip.width();
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
void MemoryPlot::paintNarrowBandNames(QPainter& painter, LabelPlace& place) const {
    const auto names = narrowBandNames(QFontMetricsF(painter.font(), painter.device()));
    for (const BandName& name : names)
        painter.fillRect(QRectF(name.middle, 0, 1, name.chip.top()), Theme::instance().colors().text);
    for (const BandName& name : names) {
        paintChip(painter, name.chip, name.text);
        place.keepFree(name.chip);
    }
}

/// A line down where no other step follows at once, which the axis below tells.
void MemoryPlot::paintStepEnds(QPainter& painter, LabelPlace& place) const {
    const QRectF plot = plotRect();
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    for (std::size_t i = 0; i < m_stepEnds.size(); ++i) {
        const double x = std::floor(xOf(m_stepEnds[i].range.end));
        const QString text = tr("step %1 ends").arg(m_stepEnds[i].step);
        const QSizeF size(metrics.horizontalAdvance(text) + 8, metrics.height());
        const bool last = i + 1 == m_stepEnds.size();
        if (m_stepEnds[i].step == kNoStep || x >= plot.right() ||
            (!last && xOf(m_stepEnds[i + 1].range.begin) - x < size.width()))
            continue;
        painter.fillRect(QRectF(x, plot.top(), 1, plot.height()), Theme::instance().colors().text);
        const double y = plot.bottom() - size.height() - 4;
        paintChip(
            painter,
            place.place({QRectF(QPointF(x + 4, y), size), QRectF(QPointF(x - 4 - size.width(), y), size)}),
            text);
    }
}

/// At the line's end, where there is room for more labels than the legend's.
void MemoryPlot::paintReservedLabel(QPainter& painter, LabelPlace& place) const {
    if (!m_reservedGraph->visible() || !m_ticksBeside)
        return;
    const QRectF plot = plotRect();
    const auto bytes = static_cast<std::int64_t>((m_reservedGraph->data()->constEnd() - 1)->value);
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QString text = tr("reserved %1").arg(toQString(formatBytes(Bytes(bytes))));
    const QSizeF size(metrics.horizontalAdvance(text) + 8, metrics.height());
    const double left = plot.right() - 4 - size.width(), y = yOf(bytes);
    paintChip(
        painter,
        place.place({QRectF(QPointF(left, y - size.height() - 2), size), QRectF(QPointF(left, y + 3), size)}),
        text);
}

void MemoryPlot::paintVeil(QPainter& painter) const {
    const auto range = FigureMode::holds(*this) ? std::nullopt : countedTime();
    if (!range)
        return;
    const QRectF plot = plotRect();
    const TimeRange visible = m_axis.visibleRange();
    const auto edge = [&](Nanoseconds t) {  // no moment out of view, which may be that of no event
        return t <= visible.begin ? plot.left() : t >= visible.end ? plot.right() : std::floor(xOf(t));
    };
    const double from = edge(range->begin), to = edge(range->end);
    const QColor veil = faded(Theme::instance().colors().background, kVeil);
    if (from > plot.left())
        fillVeil(painter, QRectF(plot.left(), plot.top(), from - plot.left(), plot.height()), veil);
    if (to < plot.right())
        fillVeil(painter, QRectF(to, plot.top(), plot.right() - to, plot.height()), veil);
}

LabelPlace MemoryPlot::labelPlace(const QPaintDevice* device) const {
    const QRectF plot = plotRect();
    LabelPlace place(plot.adjusted(2, 1, -4, -1));
    for (const std::int64_t tick : m_ticks) {
        place.addLine(yOf(tick));
        if (const QRectF chip = tickChip(tick, device); !chip.isEmpty())
            place.keepFree(chip);
    }
    for (const Level& level : m_levels) {
        if (!level.above)
            place.addLine(yOf(level.bytes));
    }
    place.addShape([this](const QRectF& box) { return reservedRunsThrough(box); });
    return place;
}

bool MemoryPlot::reservedRunsThrough(const QRectF& box) const {
    if (!m_reservedGraph->visible())
        return false;
    const auto data = m_reservedGraph->data();
    const auto end = data->findEnd(xAxis->pixelToCoord(box.right()));
    return std::any_of(data->findBegin(xAxis->pixelToCoord(box.left())), end, [&](const QCPGraphData& point) {
        const double y = yOf(static_cast<std::int64_t>(point.value));
        return y > box.top() && y < box.bottom();
    });
}

/// Along the tops of columns alone: strokes up and down would hide the colors of a curve that jumps. Pieces
/// are `shortest` or longer, at the highest of the columns that they go over.
void MemoryPlot::paintAllocated(QPainter& painter, double shortest) const {
    const QCPGraph& top = showsGroups() ? *m_groupGraphs.back() : graphOf(kStackOrder.back());
    const auto data = top.data();
    const auto xAt = [&](int i) { return xAxis->coordToPixel(data->at(i)->key); };
    // The stack's own first row of pixels.
    const auto yAt = [&](int i) { return std::ceil(yAxis->coordToPixel(data->at(i)->value) - 0.5); };
    QVector<QRectF> pieces;
    for (int i = 0, next = 0; i + 1 < data->size(); i = next) {
        const double left = xAt(i);
        double y = yAt(i), value = data->at(i)->value;
        for (next = i + 1; next + 1 < data->size() && (yAt(next) == y || xAt(next) - left < shortest);
             ++next) {
            y = std::min(y, yAt(next));
            value = std::max(value, data->at(next)->value);
        }
        if (value > 0)
            pieces.append(QRectF(left, y, xAt(next) - left, 1));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().colors().text);
    painter.drawRects(pieces);
}

void MemoryPlot::paintLevelLines(QPainter& painter) const {
    const QRectF plot = plotRect();
    for (const Level& level : m_levels) {
        if (level.above)
            continue;
        const double y = std::floor(yOf(level.bytes)) + 0.5;
        QPen pen(level.limit ? Theme::instance().colors().warning : Theme::instance().colors().text, 1);
        if (!level.limit)
            pen.setDashPattern({2, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
}

/// At the left, in the middle or at the right, above the line or below it; at the upper edge for one that is
/// above the scale.
void MemoryPlot::paintLevelLabel(QPainter& painter, LabelPlace& place, const Level& level) const {
    const QRectF plot = plotRect();
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QSizeF size(metrics.horizontalAdvance(level.text) + 8, metrics.height());
    const double y = level.above ? plot.top() : std::floor(yOf(level.bytes));
    const double above = y - 1 - size.height(), below = y + 2;
    const double left = plot.left() + 4, right = plot.right() - 4 - size.width();
    const double middle = plot.center().x() - size.width() / 2, quarter = (left + middle) / 2;
    const auto at = [&](double x, double top) { return QRectF(QPointF(x, top), size); };
    paintChip(painter,
              place.place({at(left, above), at(quarter, above), at(middle, above), at(right, above),
                           at(left, below), at(quarter, below), at(middle, below), at(right, below)}),
              level.text);
}

/// The numbers of the events, and what they count at the right end.
void MemoryPlot::paintEventAxis(QPainter& painter) const {
    const std::vector<std::uint64_t> ticks = eventTicks();
    if (ticks.empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const QRectF axis(plot.left(), plot.bottom(), plot.width(), height() - plot.bottom());
    painter.setFont(chartFont());
    painter.setPen(colors.secondaryText);
    const QFontMetricsF metrics(painter.font(), painter.device());
    painter.fillRect(QRectF(axis.left(), axis.top(), axis.width(), 1), colors.hairline);
    const QString what = tr("allocator event");
    const QRectF end = axis.adjusted(axis.width() - metrics.horizontalAdvance(what) - 6, 0, -4, 0);
    painter.drawText(end, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, what);
    const auto [first, last] = visibleEvents();
    for (const std::uint64_t number : ticks) {
        const double x = std::floor(axis.left() + static_cast<double>(number - 1 - first) * axis.width() /
                                                      static_cast<double>(last - first));
        painter.fillRect(QRectF(x, axis.top(), 1, 6), colors.hairline);
        const QString text = toQString(formatGrouped(static_cast<std::int64_t>(number)));
        const QRectF box(x + 4, axis.top(), metrics.horizontalAdvance(text) + 1, axis.height());
        if (box.right() + 8 <= end.left())
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    }
}

QRectF MemoryPlot::tickChip(std::int64_t tick, const QPaintDevice* device) const {
    if (m_ticksBeside)
        return {};
    const QFontMetricsF metrics(chartFont(), device);
    QRectF chip(
        m_labelWidth + 4, yOf(tick) - metrics.height() - 1,
        metrics.horizontalAdvance(toQString(byteTickLabel(tick, m_ticks.front(), m_ticks.back()))) + 8,
        metrics.height());
    // Under its line where it would stand on another one, and be read as that one's.
    const auto isOnLevel = [&](const Level& level) {
        return !level.above && yOf(level.bytes) > chip.top() - 2 && yOf(level.bytes) < chip.bottom();
    };
    if (chip.top() < 0 || std::any_of(m_levels.begin(), m_levels.end(), isOnLevel))
        chip.moveTop(yOf(tick) + 2);
    if (chip.bottom() > plotRect().bottom())
        return {};
    const QRectF dot = peakDot();
    return dot.intersects(chip) ? chip.translated(dot.right() + 1 - chip.left(), 0) : chip;
}

/// With the room around it that a label leaves free; empty without a peak.
QRectF MemoryPlot::peakDot() const {
    if (!m_peak || sumOf(m_peak->bytes) <= 0)
        return {};
    const QRectF plot = plotRect();
    const QPointF at(std::clamp(xOf(m_peak->time), plot.left() + 5, plot.right() - 5),
                     yOf(sumOf(m_peak->bytes)));
    return {at.x() - kDot - 1, at.y() - kDot - 1, 2 * kDot + 2, 2 * kDot + 2};
}

void MemoryPlot::paintTicks(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    if (m_ticks.empty()) {
        painter.setPen(colors.secondaryText);
        const QString text = m_document.snapshot()
                                 ? toQString(Completeness(*m_document.snapshot()).why(DataKind::kMemory))
                                 : QString();
        painter.drawText(plotRect(), Qt::AlignCenter, text);
        return;
    }
    painter.setFont(chartFont());
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::int64_t tick : m_ticks) {
        const QString text = toQString(byteTickLabel(tick, m_ticks.front(), m_ticks.back()));
        if (m_ticksBeside) {
            painter.setPen(colors.secondaryText);
            painter.drawText(QRectF(0, std::max(0.0, yOf(tick) - 8), m_labelWidth - 6, 16),
                             Qt::AlignRight | Qt::AlignVCenter, text);
            continue;
        }
        // On a chip of the canvas, so that it reads on every category's color.
        if (const QRectF chip = tickChip(tick, painter.device()); !chip.isEmpty())
            paintChip(painter, chip, text);
    }
}

void MemoryPlot::paintSelection(QPainter& painter) const {
    const auto range = m_axis.selectedRange();
    if (!range)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const double left = std::max(plot.left(), xOf(range->begin));
    const double right = std::min(plot.right(), xOf(range->end));
    if (right < left)
        return;
    const QRectF area(left, plot.top(), right - left, plot.height());
    fillVeil(painter, area, faded(colors.accent, 0.14F));
    painter.fillRect(QRectF(area.left(), area.top(), 1, area.height()), colors.accent);
    painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), colors.accent);
}

void MemoryPlot::paintPeak(QPainter& painter, LabelPlace& place) {
    const QRectF dot = peakDot();
    if (dot.isEmpty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QPointF at = dot.center();
    constexpr double kBeside = 8;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.text, 1.5));
    painter.setBrush(colors.background);
    painter.drawEllipse(at, kDot, kDot);
    place.keepFree(dot);

    QFont font = chartFont();
    font.setWeight(QFont::Medium);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const QSizeF size(metrics.horizontalAdvance(m_peakLabel) + 8, metrics.height());
    const double right = at.x() + kBeside, left = at.x() - kBeside - size.width();
    double clear = right;  // of the ticks' sizes
    for (const std::int64_t tick : m_ticks)
        clear = std::max(clear, tickChip(tick, painter.device()).right() + 2);
    const double above = at.y() - size.height() - 2, higher = above - size.height() / 2, below = at.y() + 2;
    const auto box = [&](double x, double y) { return QRectF(QPointF(x, y), size); };
    paintChip(painter,
              place.place({box(right, above), box(left, above), box(right, higher), box(left, higher),
                           box(right, below), box(left, below), box(clear, above), box(clear, below)}),
              m_peakLabel);
}

void MemoryPlot::paintMarks(QPainter& painter) const {
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    m_marks->paint(painter, static_cast<int>(plot.top()), static_cast<int>(plot.bottom()));
    painter.restore();
}

void MemoryPlot::paintCursors(QPainter& painter) const {
    if (m_document.memory().eventCount() == 0)
        return;  // a sentence stands there
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const auto line = [&](Nanoseconds t, const QColor& color) {
        const double x = std::floor(xOf(t));
        if (x >= plot.left() && x <= plot.right())
            fillVeil(painter, QRectF(x, plot.top(), 1, plot.height()), color);
    };
    if (m_axis.pinnedCursor())
        line(*m_axis.pinnedCursor(), colors.accent);
    if (m_axis.cursor())
        line(*m_axis.cursor(), faded(colors.text, 0.7F));
}

}  // namespace warpglass::ui
