#include "ui/memory/memory_stack.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "engine/trace/stack_order.h"
#include "ui/controls/failure_note.h"
#include "ui/models/memory_source.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

MemoryStack::MemoryStack(RunDocument& document, const MemoryScale& scale, QWidget& widget)
    : QObject(&widget), m_document(document), m_scale(scale), m_query([this] { return makeJob(); }) {
    showFailures(&widget, m_query);
}

void MemoryStack::ask() {
    if (m_by != By::kCategory)
        m_query.invalidate(m_document.isLive() ? DeferredQuery::Cause::kGrowth
                                               : DeferredQuery::Cause::kOtherRun);
}

void MemoryStack::forgetGroups() {
    m_groups.reset();
    if (m_by != By::kCategory)
        m_query.invalidate(DeferredQuery::Cause::kOtherRun);
}

void MemoryStack::invalidate() {
    if (!m_document.isLive() || !m_document.snapshot())
        m_groups.reset();
    ask();
    emit changed();
}

void MemoryStack::setBy(By by) {
    if (by == m_by)
        return;
    m_by = by;
    forgetGroups();
    emit changed();
}

DeferredQuery::Job MemoryStack::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const By by = m_by;
    return {[this, source, by]() -> DeferredQuery::Apply {
                std::shared_ptr<const MemoryGroups> groups;
                if (source.snapshot && by != By::kCategory)
                    groups = std::make_shared<const MemoryGroups>(
                        *source.timeline(),
                        by == By::kModule ? MemoryGrouping::kModule : MemoryGrouping::kOp);
                return [this, groups = std::move(groups), by] {
                    if (by != m_by)
                        return;
                    m_groups = groups;
                    emit changed();
                };
            },
            source.isHeavy()};
}

std::vector<std::string> MemoryStack::groupNames() const {
    return groups() ? groups()->names() : std::vector<std::string>();
}

std::vector<QColor> MemoryStack::colors() const {
    std::vector<QColor> colors;
    for (std::size_t part = 0; part < m_sums.size(); ++part)
        colors.push_back(groups() ? groupColor(part) : Theme::categoryColor(kStackOrder[part]));
    return colors;
}

void MemoryStack::paint(QPainter& painter, int columns, TimeRange visible) {
    fill(std::max(columns, 1), visible);
    painter.save();
    if (painter.paintEngine()->type() == QPaintEngine::Raster)
        paintPixels(painter);
    else
        paintPolygons(painter);
    const ThemeColors& colors = Theme::instance().colors();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(colors.secondaryText, 1));
    painter.drawPolyline(steps(m_reserved));
    // Above the fills, or it would be seen only where there is nothing to measure.
    const QRectF plot = m_scale.plotRect();
    for (const std::int64_t tick : m_scale.ticks())
        painter.fillRect(QRectF(plot.left(), std::floor(m_scale.yOf(tick)), plot.width(), 1),
                         withAlpha(colors.text, 0.12F));
    painter.restore();
}

void MemoryStack::fill(int columns, TimeRange visible) {
    const auto [first, last] = m_scale.visibleEvents();
    const auto width = static_cast<std::size_t>(columns);
    const bool byTime = m_scale.spacing() == MemoryScale::Spacing::kTime;
    const auto cells = byTime ? m_document.memory().columns(visible, width)
                              : m_document.memory().columnsOfEvents(first, last, width);
    fillSums(cells);
    const ReservedCurve& curve = m_scale.reserved();
    m_reserved = byTime ? curve.columns(visible, width) : std::vector<std::int64_t>();
    for (std::size_t c = 0; !byTime && !curve.empty() && c < cells.size(); ++c)
        m_reserved.push_back(curve.at(cells[c].peakTime).value);
}

void MemoryStack::fillSums(const std::vector<MemoryColumn>& cells) {
    std::optional<MemoryGroups::Cursor> cursor;
    if (groups())
        cursor.emplace(*groups(), m_document.memory());
    m_sums.assign(cursor ? MemoryGroups::kMost + 1 : kStackOrder.size(),
                  std::vector<std::int64_t>(cells.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const auto& bytes = cursor ? cursor->after(cells[c].peakEvents) : cells[c].atPeak;
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < m_sums.size(); ++k) {
            sum += bytes[cursor ? k : static_cast<std::size_t>(kStackOrder[k])];
            m_sums[k][c] = sum;
        }
    }
}

void MemoryStack::paintPixels(QPainter& painter) const {
    // Whole device pixels, whatever the scale.
    const double scale = painter.deviceTransform().m11();
    const QRectF plot = m_scale.plotRect();
    const int top = qRound(plot.top() * scale), height = qRound(plot.bottom() * scale) - top;
    const auto width = static_cast<int>(m_sums.front().size());
    if (width == 0 || height <= 0)
        return;
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(Theme::instance().colors().background);
    auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
    const auto fill = [&](int column, int from, int to, QRgb color) {
        for (int y = from; y < to; ++y)
            pixels[static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(column)] = color;
    };
    // The first row whose middle is below a sum.
    const double perByte = height / static_cast<double>(m_scale.top());
    const auto rowOf = [&](std::int64_t sum) {
        return std::clamp(static_cast<int>(std::ceil(height - perByte * static_cast<double>(sum) - 0.5)), 0,
                          height);
    };
    const std::vector<QColor> colors = this->colors();
    const QRgb line = Theme::instance().colors().text.rgb();
    const int lineHeight = std::max(1, qRound(scale));
    for (int column = 0; column < width; ++column) {
        int below = height;
        for (std::size_t part = 0; part < m_sums.size(); ++part) {
            const int row = rowOf(m_sums[part][static_cast<std::size_t>(column)]);
            fill(column, row, below, colors[part].rgb());
            below = std::min(below, row);
        }
        // Along the tops alone: strokes up and down would hide the colors of a curve that jumps.
        if (m_sums.back()[static_cast<std::size_t>(column)] > 0)
            fill(column, std::min(below, height - 1), std::min(below + lineHeight, height), line);
    }
    painter.scale(1 / scale, 1 / scale);
    painter.drawImage(QPoint(static_cast<int>(plot.left() * scale), top), image);
    painter.scale(scale, scale);
}

QPolygonF MemoryStack::steps(const std::vector<std::int64_t>& values) const {
    QPolygonF line;
    const QRectF plot = m_scale.plotRect();
    const double step = plot.width() / static_cast<double>(std::max<std::size_t>(1, values.size()));
    for (std::size_t c = 0; c < values.size(); ++c) {
        if (c > 0 && values[c] == values[c - 1])
            continue;
        const double x = plot.left() + static_cast<double>(c) * step;
        if (c > 0)
            line.append({x, line.back().y()});
        line.append({x, m_scale.yOf(values[c])});
    }
    if (!line.isEmpty())
        line.append({plot.right(), line.back().y()});
    return line;
}

void MemoryStack::paintPolygons(QPainter& painter) const {
    const QRectF plot = m_scale.plotRect();
    const std::vector<QColor> colors = this->colors();
    painter.setPen(Qt::NoPen);
    for (std::size_t part = m_sums.size(); part-- > 0;) {
        const auto& below = m_sums[std::max<std::size_t>(part, 1) - 1];
        // What is not there need not be painted over.
        if (part > 0 ? m_sums[part] == below : std::ranges::all_of(below, [](auto sum) { return sum == 0; }))
            continue;
        painter.setBrush(colors[part]);
        painter.drawPolygon(steps(m_sums[part]) << plot.bottomRight() << plot.bottomLeft());
    }
    paintAllocated(painter);
}

/// As of pixels: pieces of a logical pixel and longer, each at the highest of the columns that it goes over.
void MemoryStack::paintAllocated(QPainter& painter) const {
    const std::vector<std::int64_t>& top = m_sums.back();
    const QRectF plot = m_scale.plotRect();
    const double step = plot.width() / static_cast<double>(std::max<std::size_t>(1, top.size()));
    const auto yAt = [&](std::size_t c) { return std::ceil(m_scale.yOf(top[c]) - 0.5); };
    QVector<QRectF> pieces;
    for (std::size_t c = 0, next = 0; c < top.size(); c = next) {
        double y = yAt(c);
        for (next = c + 1; next < top.size() && (yAt(next) == y || static_cast<double>(next - c) * step < 1);
             ++next)
            y = std::min(y, yAt(next));
        if (*std::max_element(top.begin() + static_cast<std::ptrdiff_t>(c),
                              top.begin() + static_cast<std::ptrdiff_t>(next)) > 0)
            pieces.append(QRectF(plot.left() + static_cast<double>(c) * step, y,
                                 static_cast<double>(next - c) * step, 1));
    }
    painter.setBrush(Theme::instance().colors().text);
    painter.drawRects(pieces);
}

bool MemoryStack::runsThrough(const std::vector<std::int64_t>& curve, const QRectF& box) const {
    if (curve.empty())
        return false;
    const QRectF plot = m_scale.plotRect();
    const auto columnAt = [&](double x) {
        const double share = std::clamp((x - plot.left()) / std::max(1.0, plot.width()), 0.0, 1.0);
        return curve.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(curve.size() - 1));
    };
    return std::any_of(columnAt(box.left()), columnAt(box.right()) + 1, [&](std::int64_t bytes) {
        const double y = m_scale.yOf(bytes);
        return y > box.top() && y < box.bottom();
    });
}

}  // namespace warpglass::ui
