// The roofs of RooflineChart: what the device can do, as lines, and their names beside them.
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/chart_text.h"
#include "ui/charts/label_room.h"
#include "ui/charts/roofline_chart.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// As much of the line as is in the area; null for none of it. An SVG knows no clips.
QLineF within(const QLineF& line, const QRectF& area) {
    if (line.isNull())
        return {};
    double from = 0, to = 1;  // of the line, by how far along it
    const auto cut = [&](double start, double step, double least, double most) {
        if (step == 0) {
            if (start < least || start > most)
                to = -1;
            return;
        }
        const double a = (least - start) / step, b = (most - start) / step;
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    };
    cut(line.x1(), line.dx(), area.left(), area.right());
    cut(line.y1(), line.dy(), area.top(), area.bottom());
    return from < to ? QLineF(line.pointAt(from), line.pointAt(to)) : QLineF();
}

}  // namespace

double RooflineData::ridge() const {
    const auto* product = measured ? measured->product(precision) : nullptr;
    if (product && measured->copyBytesPerSecond > 0)
        return product->flopsPerSecond / measured->copyBytesPerSecond;
    const auto rate = sheet ? sheet->flopsPerSecond(precision) : std::nullopt;
    return rate && sheet->bytesPerSecond > 0 ? *rate / sheet->bytesPerSecond : 0;
}

std::vector<RooflineChart::Roof> RooflineChart::roofs() const {
    // Other precisions' would be lines without a reader.
    std::vector<Roof> roofs;
    const QString name = toQString(precisionName(m_data.precision));
    if (const auto* product = m_data.measured ? m_data.measured->product(m_data.precision) : nullptr)
        roofs.push_back({product->flopsPerSecond,
                         (m_data.raised.isEmpty() ? tr("%1, measured")
                          : m_data.raisedHere     ? tr("%1, best of this run")
                                                  : tr("%1, best of a run"))
                             .arg(name),
                         true});
    if (const auto sheet = m_data.sheet ? m_data.sheet->flopsPerSecond(m_data.precision) : std::nullopt)
        roofs.push_back({*sheet, tr("%1, data sheet").arg(name), false});
    return roofs;
}

QString RooflineChart::nameOf(const Roof& roof) const {
    return roof.name + QStringLiteral(" ") + flopRateText(roof.flopsPerSecond);
}

QString RooflineChart::slopeName(bool measured) const {
    return (measured ? tr("memory %1, measured") : tr("memory %1, data sheet"))
        .arg(byteRateText(bandwidth(measured)));
}

double RooflineChart::bandwidth(bool measured) const {
    return measured ? (m_data.measured ? m_data.measured->copyBytesPerSecond : 0)
                    : (m_data.sheet ? m_data.sheet->bytesPerSecond : 0);
}

QLineF RooflineChart::slope(bool measured) const {
    const double bytesPerSecond = bandwidth(measured);
    if (!(bytesPerSecond > 0))
        return {};
    double highest = std::pow(10, m_top);
    for (const Roof& roof : roofs()) {
        if (roof.measured == measured)
            highest = roof.flopsPerSecond;
    }
    const double from = std::pow(10, m_left - 1), to = highest / bytesPerSecond;
    return {at(from, from * bytesPerSecond), at(to, highest)};
}

QLineF RooflineChart::lineOf(const Roof& roof) const {
    const QRectF area = plot();
    const double own = bandwidth(roof.measured);
    const double y = at(1, roof.flopsPerSecond).y();
    if (y < area.top() || y > area.bottom())
        return {};
    const double left = own > 0 ? at(roof.flopsPerSecond / own, 1).x() : area.left();
    return {QPointF(std::clamp(left, area.left(), area.right()), y), QPointF(area.right(), y)};
}

std::vector<QLineF> RooflineChart::lines() const {
    std::vector<QLineF> all = {slope(true), slope(false)};
    for (const Roof& roof : roofs())
        all.push_back(lineOf(roof));
    std::erase_if(all, [](const QLineF& line) { return line.isNull(); });
    return all;
}

void RooflineChart::paintRidge(QPainter& painter, const QFontMetricsF& metrics, LabelRoom& room) const {
    const double ridge = m_data.ridge();
    const QRectF area = plot();
    if (ridge <= 0 || roofs().empty())
        return;
    const double x = std::round(at(ridge, 1).x());
    const double top = std::max(area.top(), at(1, roofs().front().flopsPerSecond).y());
    if (x <= area.left() || x >= area.right() || top >= area.bottom())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(QPen(colors.secondaryText, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, top), QPointF(x, area.bottom()));
    painter.setPen(colors.secondaryText);
    const auto word = [&](const QString& text, bool left, double above) {
        const double width = metrics.horizontalAdvance(text) + 8;
        const QRectF box(left ? x - width : x, area.bottom() - above - metrics.height() - 2, width,
                         metrics.height());
        if (!area.contains(box) || !room.isFree(box))
            return;
        painter.drawText(box, Qt::AlignCenter, text);
        room.takeBox(box);
    };
    word(tr("← memory-bound"), true, 0);
    word(tr("compute-bound →"), false, 0);
    word(tr("ridge: %1 FLOP per byte").arg(ridge, 0, 'f', ridge < 10 ? 1 : 0), false, metrics.height());
    room.takeLine({x, top, x, area.bottom()});
}

void RooflineChart::paintRoofs(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const auto draw = [&](const QLineF& whole, const QPen& pen) {
        const QLineF line = within(whole, plot());
        if (line.isNull())
            return;  // a PDF's path without a point is an error to some readers
        painter.setPen(pen);
        painter.drawLine(line);
    };
    for (const bool measured : {true, false})
        draw(slope(measured), measured ? QPen(colors.text, 2) : QPen(colors.secondaryText, 1, Qt::DashLine));
    for (const Roof& roof : roofs()) {
        draw(lineOf(roof),
             roof.measured ? QPen(colors.text, 2) : QPen(colors.secondaryText, 1, Qt::DashLine));
    }
}

/// Over its line or under it, from the right end to where neither a dot nor another line is in the way.
void RooflineChart::placeRoofNames(const QFontMetricsF& metrics, LabelRoom& room) {
    LabelRoom withLines = room;
    for (const QLineF& line : lines())
        withLines.takeLine(line);
    for (const Roof& roof : roofs()) {
        const QLineF line = lineOf(roof);
        if (line.isNull())
            continue;
        const QString text = nameOf(roof);
        QRectF box(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height());
        const auto found = [&] {
            for (double right = line.x2() - 4; right - box.width() >= line.x1() - 2; right -= 12) {
                for (const bool above : {true, false}) {
                    box.moveRight(right);
                    above ? box.moveBottom(line.y1() - 2) : box.moveTop(line.y1() + 2);
                    if (withLines.isFree(box))
                        return true;
                }
            }
            return false;
        };
        if (!found())
            continue;
        m_roofNames.push_back({text, box});
        room.takeBox(box);
        withLines.takeBox(box);
    }
}

/// Along the slope, under it for what was measured and over it for the sheet's, which is higher; where
/// nothing is in the way.
void RooflineChart::paintSlopeName(QPainter& painter, bool measured, LabelRoom& room) const {
    const QLineF line = slope(measured);
    if (line.isNull())
        return;
    const QString text = slopeName(measured);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QLineF unit = line.unitVector();
    const QPointF along(unit.dx(), unit.dy()), across(-along.y(), along.x());
    const double width = metrics.horizontalAdvance(text), height = metrics.height();
    // As boxes along it, for what stands level is checked against them.
    constexpr int kPieces = 12;
    const auto piece = [&](double from, int i) {
        const QPointF middle = line.p1() + along * (from + width * (i + 0.5) / kPieces) +
                               across * (measured ? height * 0.75 : -height * 0.75);
        const double half = std::max(height / 2, width / kPieces / 2);
        return QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half);
    };
    for (double from = 0; from + width <= line.length() - 4; from += 8) {
        bool free = true;
        for (int i = 0; i < kPieces && free; ++i)
            free = room.isFree(piece(from, i));
        if (!free)
            continue;
        for (int i = 0; i < kPieces; ++i)
            room.takeBox(piece(from, i));
        painter.save();
        painter.translate(line.p1() + along * from);
        painter.rotate(-line.angle());
        const ThemeColors& colors = Theme::instance().colors();
        painter.setPen(measured ? colors.text : colors.secondaryText);
        painter.drawText(QPointF(0, measured ? 3 + metrics.ascent() : -3 - metrics.descent()), text);
        painter.restore();
        return;
    }
}

}  // namespace warpglass::ui
