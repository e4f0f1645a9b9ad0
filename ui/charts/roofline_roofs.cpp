#include "ui/charts/roofline_roofs.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_text.h"
#include "ui/charts/label_room.h"
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

QPointF RooflinePlane::at(double intensity, double flopsPerSecond) const {
    return {area.left() + area.width() * (std::log10(intensity) - left) / (right - left),
            area.bottom() - area.height() * (std::log10(flopsPerSecond) - bottom) / (top - bottom)};
}

void RooflineRoofs::setDevice(const RooflineData& data) {
    m_roofs.clear();
    m_precision = toQString(precisionName(data.precision));
    if (const auto* product = data.measured ? data.measured->product(data.precision) : nullptr)
        m_roofs.push_back({product->flopsPerSecond,
                           (data.raised.isEmpty() ? tr("%1, measured")
                            : data.raisedHere     ? tr("%1, best of this run")
                                                  : tr("%1, best of a run"))
                               .arg(m_precision),
                           true});
    if (const auto sheet = data.sheet ? data.sheet->flopsPerSecond(data.precision) : std::nullopt)
        m_roofs.push_back({*sheet, tr("%1, data sheet").arg(m_precision), false});
    m_measured = data.measured ? data.measured->copyBytesPerSecond : 0;
    m_sheet = data.sheet ? data.sheet->bytesPerSecond : 0;
    m_ridge = data.ridge();
}

double RooflineRoofs::highest() const {
    double highest = 0;
    for (const Roof& roof : m_roofs)
        highest = std::max(highest, roof.flopsPerSecond);
    return highest;
}

double RooflineRoofs::lastRidge() const {
    return m_measured > 0 ? highest() / m_measured : 0;
}

std::vector<LegendEntry> RooflineRoofs::legend() const {
    std::vector<LegendEntry> entries;
    for (const bool measured : {true, false}) {
        QStringList rates;
        if (bandwidth(measured) > 0)
            rates << tr("memory %1").arg(byteRateText(bandwidth(measured)));
        for (const Roof& roof : m_roofs) {
            if (roof.measured == measured)
                rates << m_precision + QLatin1Char(' ') + flopRateText(roof.flopsPerSecond);
        }
        if (!rates.isEmpty())
            entries.push_back(
                {QColor(Qt::transparent), (measured ? tr("— measured: %1") : tr("- - data sheet: %1"))
                                              .arg(rates.join(QStringLiteral(", ")))});
    }
    return entries;
}

QLineF RooflineRoofs::slope(bool measured, const RooflinePlane& plane) const {
    const double bytesPerSecond = bandwidth(measured);
    if (!(bytesPerSecond > 0))
        return {};
    double highest = std::pow(10, plane.top);
    for (const Roof& roof : m_roofs) {
        if (roof.measured == measured)
            highest = roof.flopsPerSecond;
    }
    const double from = std::pow(10, plane.left - 1), to = highest / bytesPerSecond;
    return {plane.at(from, from * bytesPerSecond), plane.at(to, highest)};
}

QLineF RooflineRoofs::lineOf(const Roof& roof, const RooflinePlane& plane) const {
    const QRectF area = plane.area;
    const double own = bandwidth(roof.measured);
    const double y = plane.at(1, roof.flopsPerSecond).y();
    if (y < area.top() || y > area.bottom())
        return {};
    const double left = own > 0 ? plane.at(roof.flopsPerSecond / own, 1).x() : area.left();
    return {QPointF(std::clamp(left, area.left(), area.right()), y), QPointF(area.right(), y)};
}

std::vector<QLineF> RooflineRoofs::lines(const RooflinePlane& plane) const {
    std::vector<QLineF> all = {slope(true, plane), slope(false, plane)};
    for (const Roof& roof : m_roofs)
        all.push_back(lineOf(roof, plane));
    std::erase_if(all, [](const QLineF& line) { return line.isNull(); });
    return all;
}

void RooflineRoofs::paintRidge(QPainter& painter, const RooflinePlane& plane, LabelRoom& room) const {
    const QRectF area = plane.area;
    if (m_ridge <= 0 || m_roofs.empty())
        return;
    const double x = std::round(plane.at(m_ridge, 1).x());
    const double top = std::max(area.top(), plane.at(1, m_roofs.front().flopsPerSecond).y());
    if (x <= area.left() || x >= area.right() || top >= area.bottom())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(QPen(colors.secondaryText, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, top), QPointF(x, area.bottom()));
    painter.setPen(colors.secondaryText);
    const QFontMetricsF metrics(painter.font(), painter.device());
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
    word(tr("ridge: %1 FLOP per byte").arg(m_ridge, 0, 'f', m_ridge < 10 ? 1 : 0), false, metrics.height());
    room.takeLine({x, top, x, area.bottom()});
}

void RooflineRoofs::paintLines(QPainter& painter, const RooflinePlane& plane) const {
    const ThemeColors& colors = Theme::instance().colors();
    const auto draw = [&](const QLineF& whole, const QPen& pen) {
        const QLineF line = within(whole, plane.area);
        if (line.isNull())
            return;  // a PDF's path without a point is an error to some readers
        painter.setPen(pen);
        painter.drawLine(line);
    };
    for (const bool measured : {true, false})
        draw(slope(measured, plane),
             measured ? QPen(colors.text, 2) : QPen(colors.secondaryText, 1, Qt::DashLine));
    for (const Roof& roof : m_roofs) {
        draw(lineOf(roof, plane),
             roof.measured ? QPen(colors.text, 2) : QPen(colors.secondaryText, 1, Qt::DashLine));
    }
}

/// Over its line or under it, from the right end to where neither a dot nor another line is in the way.
std::vector<RooflineRoofs::Name> RooflineRoofs::placeNames(const RooflinePlane& plane,
                                                           const QFontMetricsF& metrics,
                                                           LabelRoom& room) const {
    std::vector<Name> names;
    LabelRoom withLines = room;
    for (const QLineF& line : lines(plane))
        withLines.takeLine(line);
    for (const Roof& roof : m_roofs) {
        const QLineF line = lineOf(roof, plane);
        if (line.isNull())
            continue;
        const QString text = roof.name + QStringLiteral(" ") + flopRateText(roof.flopsPerSecond);
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
        names.push_back({text, box});
        room.takeBox(box);
        withLines.takeBox(box);
    }
    return names;
}

/// Along the slope, under it for what was measured and over it for the sheet's, which is higher; where
/// nothing is in the way.
void RooflineRoofs::paintSlopeName(QPainter& painter, const RooflinePlane& plane, bool measured,
                                   LabelRoom& room) const {
    const QLineF line = slope(measured, plane);
    if (line.isNull())
        return;
    const QString text = (measured ? tr("memory %1, measured") : tr("memory %1, data sheet"))
                             .arg(byteRateText(bandwidth(measured)));
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
