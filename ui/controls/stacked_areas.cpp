#include "ui/controls/stacked_areas.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QVector>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

QColor shown(const QColor& color, bool kept) {
    return kept ? color : Theme::instance().muted(color);
}

}  // namespace

void StackedAreas::paint(QPainter& painter) const {
    if (m_areas.empty() || m_areas.front().tops.empty() || !(m_top > 0))
        return;
    const PainterScope undone(painter);
    if (m_shape == Shape::kSteps && painter.paintEngine()->type() == QPaintEngine::Raster) {
        paintPixels(painter);
    } else {
        painter.setPen(Qt::NoPen);
        m_kept.paintParts(painter, m_plot, [&](bool kept) {
            paintPolygons(painter, kept);
            if (m_edge.isValid())
                paintEdge(painter, kept);
        });
    }
}

void StackedAreas::paintPixels(QPainter& painter) const {
    // Whole device pixels, whatever the scale.
    const double scale = painter.deviceTransform().m11();
    const int left = static_cast<int>(m_plot.left() * scale), width = qRound(m_plot.width() * scale);
    const int top = qRound(m_plot.top() * scale), height = qRound(m_plot.bottom() * scale) - top;
    if (width <= 0 || height <= 0)
        return;
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
    const auto fill = [&](int column, int from, int to, QRgb color) {
        for (int y = from; y < to; ++y)
            pixels[static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(column)] = color;
    };
    // The first row whose middle is below a value.
    const double perUnit = height / m_top;
    const auto rowOf = [&](double value) {
        return std::clamp(static_cast<int>(std::ceil(height - perUnit * value - 0.5)), 0, height);
    };
    std::vector<QRgb> full, muted;
    for (const Area& area : m_areas) {
        full.push_back(area.color.rgb());
        muted.push_back(shown(area.color, false).rgb());
    }
    const QRgb edge = m_edge.rgb(), mutedEdge = shown(m_edge, false).rgb();
    const int edgeHeight = m_edge.isValid() ? std::max(1, qRound(scale)) : 0;
    const std::size_t columns = m_areas.front().tops.size();
    for (int x = 0; x < width; ++x) {
        // The one that its middle lies in.
        const std::size_t column =
            (2 * static_cast<std::size_t>(x) + 1) * columns / (2 * static_cast<std::size_t>(width));
        const bool kept = m_kept.contains((left + x + 0.5) / scale);
        const std::vector<QRgb>& colors = kept ? full : muted;
        int below = m_base.empty() ? height : rowOf(m_base[column]);
        for (std::size_t i = 0; i < m_areas.size(); ++i) {
            const int row = rowOf(m_areas[i].tops[column]);
            fill(x, row, below, colors[i]);
            below = std::min(below, row);
        }
        // Along the tops alone: strokes up and down would hide the colors of a curve that jumps.
        if (m_areas.back().tops[column] > 0)
            fill(x, std::min(below, height - 1), std::min(below + edgeHeight, height),
                 kept ? edge : mutedEdge);
    }
    painter.scale(1 / scale, 1 / scale);
    painter.drawImage(QPoint(left, top), image);
}

QPolygonF StackedAreas::outline(const Values& values, std::size_t first, std::size_t last,
                                Shape shape) const {
    QPolygonF line;
    for (std::size_t c = first; c < last; ++c) {
        if (shape == Shape::kSlopes) {
            line.append({xOf(static_cast<double>(c) + 0.5, values.size()), yOf(values[c])});
            continue;
        }
        if (c > first && values[c] == values[c - 1])
            continue;
        const double x = xOf(static_cast<double>(c), values.size());
        if (c > first)
            line.append({x, line.back().y()});
        line.append({x, yOf(values[c])});
    }
    if (shape == Shape::kSteps && !line.isEmpty())
        line.append({xOf(static_cast<double>(last), values.size()), line.back().y()});
    return line;
}

void StackedAreas::paintPolygons(QPainter& painter, bool kept) const {
    const auto wholeOutline = [this](const Values& values) {
        QPolygonF line = outline(values, 0, values.size(), m_shape);
        if (m_shape == Shape::kSlopes) {
            line.prepend({m_plot.left(), line.front().y()});
            line.append({m_plot.right(), line.back().y()});
        }
        return line;
    };
    QPolygonF base =
        m_base.empty() ? QPolygonF({m_plot.bottomLeft(), m_plot.bottomRight()}) : wholeOutline(m_base);
    std::reverse(base.begin(), base.end());
    const Values& lowest = m_base.empty() ? Values(m_areas.front().tops.size(), 0.0) : m_base;
    for (std::size_t i = m_areas.size(); i-- > 0;) {
        // What is not there need not be painted over.
        if (m_areas[i].tops == (i > 0 ? m_areas[i - 1].tops : lowest))
            continue;
        painter.setBrush(shown(m_areas[i].color, kept));
        painter.drawPolygon(wholeOutline(m_areas[i].tops) + base);
    }
}

/// As of pixels: pieces of a logical pixel and longer, each at the highest of the columns that it goes over.
void StackedAreas::paintEdge(QPainter& painter, bool kept) const {
    const Values& tops = m_areas.back().tops;
    const double step = m_plot.width() / static_cast<double>(tops.size());
    const auto yAt = [&](std::size_t c) { return std::ceil(yOf(tops[c]) - 0.5); };
    QVector<QRectF> pieces;
    for (std::size_t c = 0, next = 0; c < tops.size(); c = next) {
        double y = yAt(c);
        for (next = c + 1; next < tops.size() && (yAt(next) == y || static_cast<double>(next - c) * step < 1);
             ++next)
            y = std::min(y, yAt(next));
        if (*std::max_element(tops.begin() + static_cast<std::ptrdiff_t>(c),
                              tops.begin() + static_cast<std::ptrdiff_t>(next)) > 0)
            pieces.append(QRectF(m_plot.left() + static_cast<double>(c) * step, y,
                                 static_cast<double>(next - c) * step, 1));
    }
    painter.setBrush(shown(m_edge, kept));
    painter.drawRects(pieces);
}

void StackedAreas::paintLine(QPainter& painter, const Values& values, QPen pen, Shape shape) const {
    const QColor color = pen.color();
    m_kept.paintParts(painter, m_plot, [&](bool kept) {
        pen.setColor(shown(color, kept));
        painter.setPen(pen);
        for (std::size_t first = 0, last = 0; first < values.size(); first = last + 1) {
            for (last = first; last < values.size() && values[last] >= 0;)
                ++last;
            if (last > first)
                painter.drawPolyline(outline(values, first, last, shape));
        }
    });
}

}  // namespace warpglass::ui
