#include "ui/charts/roofline_chart.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <ranges>

#include "engine/base/format.h"
#include "engine/query/model/plan_of_run.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/label_room.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/controls/family_legend.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kRoofScaleWidth = 96, kRoofNamesHeight = 44, kRoofLegendTop = 6, kRoofRight = 20;
constexpr double kTickText = 14;
/// The width from which a plot has the roofs' names beside their lines.
constexpr double kRoomForNames = 560;
/// What the lane takes of the scale of intensities.
constexpr double kLaneDecades = 0.35;
/// The roofs' names stand right of all dots.
constexpr double kRoofNamesWidth = 180;
constexpr double kSmallestDot = 4, kLargestDot = 15;

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : Canvas(parent) {
    setNames(this, "rooflineChart", tr("Roofline of the GEMMs"));
}

void RooflineChart::setData(RooflineData data) {
    m_data = std::move(data);
    m_roofs.setDevice(m_data);
    m_labels.clear();
    fitScales();
    fitLegend();
    invalidate();
}

void RooflineChart::fitScales() {
    m_longest = 0;
    m_hasLane = std::ranges::any_of(m_data.points, &RooflinePoint::onlyMoves);
    double left = 1e300, right = 0, bottom = 1e300, top = m_roofs.highest();
    for (const RooflinePoint& point : m_data.points) {
        m_longest = std::max(m_longest, point.time);
        if (point.onlyMoves())
            continue;
        left = std::min(left, point.intensity());
        right = std::max(right, point.intensity());
        bottom = std::min(bottom, point.flopsPerSecond());
        top = std::max(top, point.flopsPerSecond());
    }
    if (m_data.points.empty() || left <= 0 || bottom <= 0)
        return;
    right = std::max(right, m_roofs.lastRidge());
    if (left > right) {  // nothing computes
        right = std::max(right, 10.0);
        left = right / 10;
    }
    m_plane.left = std::log10(left) - (m_hasLane ? 0.15 + kLaneDecades : 0.25);
    const double span = std::log10(right) - m_plane.left, width = plot().width();
    m_plane.right =
        std::log10(right) +
        std::max(0.7, namesRoofs() ? span * kRoofNamesWidth / std::max(width - kRoofNamesWidth, 1.0) : 0);
    for (const RooflinePoint& point : m_data.points) {
        if (point.onlyMoves())
            bottom = std::min(bottom, laneMiddle() * point.bytesPerSecond());
    }
    m_plane.bottom = std::log10(bottom) - 0.4;
    m_plane.top = std::log10(std::max(top, 2 * bottom)) + 0.3;
}

double RooflineChart::laneEnd() const {
    return m_hasLane ? std::pow(10, m_plane.left + kLaneDecades) : 0;
}

double RooflineChart::laneMiddle() const {
    return m_hasLane ? std::pow(10, m_plane.left + kLaneDecades / 2) : 0;
}

QPointF RooflineChart::centerOf(const RooflinePoint& point) const {
    return point.onlyMoves() ? at(laneMiddle(), laneMiddle() * point.bytesPerSecond())
                             : at(point.intensity(), point.flopsPerSecond());
}

std::optional<QPointF> RooflineChart::roofOver(const RooflinePoint& point) const {
    if (!point.share())
        return std::nullopt;
    return point.onlyMoves()
               ? at(laneMiddle(), laneMiddle() * std::max(*point.memoryRoof, point.bytesPerSecond()))
               : at(point.intensity(), *point.attainableFlopsPerSecond);
}

QRectF RooflineChart::plot() const {
    return QRectF(rect()).adjusted(kRoofScaleWidth, 2 * kRoofLegendTop + m_legendHeight, -kRoofRight,
                                   -kRoofNamesHeight);
}

RooflinePlane RooflineChart::plane() const {
    RooflinePlane plane = m_plane;
    plane.area = plot();
    return plane;
}

OpFamily RooflineChart::familyOf(int mark) const {
    const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
    if (point.isUpdate)
        return OpFamily::kOptimizer;
    if (point.isLibraryKernel)
        return point.family;
    if (point.isOwnKernel)
        return opFamily(point.kernel, tracePhase(point.phase));
    // A fused kernel stands for its whole module, the parts of others by their names.
    const std::string& name = point.name;
    return name.ends_with(".attn") ? OpFamily::kAttention : OpFamily::kMatmul;
}

double RooflineChart::radiusOf(int mark) const {
    const double share = m_data.points[static_cast<std::size_t>(mark)].time / std::max(m_longest, 1.0);
    return std::max(kSmallestDot, kLargestDot * std::sqrt(share));
}

QRectF RooflineChart::markRect(int mark) const {
    const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
    const QPointF center = centerOf(point);
    const double radius = radiusOf(mark);
    return {center.x() - radius, center.y() - radius, 2 * radius, 2 * radius};
}

QString RooflineChart::toolTipOf(int mark) const {
    const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
    ToolTipTable tip(tr("%1, %2").arg(toQString(point.name), toQString(planPhaseName(point.phase))));
    tip.add(tr("time per step"), durationText(point.time), durationExact(point.time));
    tip.add(tr("FLOPs per step"), flopsText(point.flops.value), toQString(formatGrouped(point.flops.value)));
    tip.add(tr("minimum traffic"), bytesText(point.bytes.value), toQString(formatBytesExact(point.bytes)));
    if (point.isOwnKernel || point.notMoved.value > 0)
        tip.add(tr("not moved thanks to the fusion"), bytesText(point.notMoved.value),
                toQString(formatBytesExact(point.notMoved)));
    if (point.onlyMoves()) {
        tip.add(tr("achieved"), byteRateText(point.bytesPerSecond()));
    } else {
        tip.add(tr("intensity"),
                tr("%1 FLOP/byte").arg(point.intensity(), 0, 'f', point.intensity() < 10 ? 2 : 1));
        tip.add(tr("achieved"), flopRateText(point.flopsPerSecond()));
    }
    if (point.attainableFlopsPerSecond)
        tip.add(tr("the roof allows"), flopRateText(*point.attainableFlopsPerSecond));
    if (const auto share = point.share())
        tip.add(tr("of the roof"), point.isInCache() ? tr("%1, part of it in cache").arg(percentText(*share))
                                                     : percentText(*share));
    return tip.html();
}

void RooflineChart::paintPicture(QPainter& painter) {
    if (m_data.points.empty())
        return;
    painter.setFont(chartFont());
    paintGrid(painter);
    const QFontMetricsF metrics(painter.font(), painter.device());
    LabelRoom room(plot());
    m_roofs.paintRidge(painter, plane(), room);
    painter.setRenderHint(QPainter::Antialiasing);
    m_roofs.paintLines(painter, plane());
    paintPoints(painter);
    for (int mark = 0; mark < markCount(); ++mark)
        room.takeBox(markRect(mark));
    m_roofNames.clear();
    if (namesRoofs()) {
        m_roofNames = m_roofs.placeNames(plane(), metrics, room);
        for (const bool measured : {true, false})
            m_roofs.paintSlopeName(painter, plane(), measured, room);
    }
    for (const QLineF& line : lines())
        room.takeLine(line);
    placeLabels(metrics, room);
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(QPen(colors.secondaryText, 1));
    for (const Label& label : m_labels) {
        if (!label.leader.isNull())
            painter.drawLine(label.leader);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(colors.secondaryText);
    for (const RooflineRoofs::Name& name : m_roofNames)
        painter.drawText(name.rect, Qt::AlignCenter, name.text);
    painter.setPen(colors.text);
    for (const Label& label : m_labels)
        painter.drawText(label.rect, Qt::AlignCenter, label.text);
    paintLegend(painter, QRectF(plot().left(), kRoofLegendTop, plot().width(), m_legendHeight), legend());
}

bool RooflineChart::namesRoofs() const {
    return width() - kRoofScaleWidth - kRoofRight >= kRoomForNames;
}

std::vector<LegendEntry> RooflineChart::legend() const {
    std::array<double, kOpFamilyCount> marks{};
    for (int mark = 0; mark < markCount(); ++mark)
        marks[static_cast<std::size_t>(familyOf(mark))] += 1;
    std::vector<LegendEntry> entries = familyLegend(marks).entries;
    const auto isBeyondGemms = [](const RooflinePoint& point) { return !point.kernel.empty(); };
    const QString phases = std::ranges::any_of(m_data.points, isBeyondGemms)
                               ? tr("● forward, loss   ○ backward, optimizer")
                               : tr("● forward   ○ backward");
    entries.push_back(
        {QColor(Qt::transparent),
         tr("%1   area: time per step, at most %2").arg(phases, durationText(m_longest)) +
             (std::ranges::any_of(m_data.points,
                                  [](const RooflinePoint& point) { return point.share().has_value(); })
                  ? tr("   %: of the roof")
                  : QString())});
    if (!namesRoofs() && !m_data.points.empty())
        std::ranges::move(m_roofs.legend(), std::back_inserter(entries));
    return entries;
}

int RooflineChart::figureHeight(int width, int) {
    constexpr double kLeastPlot = 180, kMostPlot = 380;
    return qRound(std::clamp(width * 0.44, kLeastPlot, kMostPlot) + 2 * kRoofLegendTop + m_legendHeight +
                  kRoofNamesHeight);
}

void RooflineChart::fitLegend() {
    m_legendHeight = legendHeight(legend(), chartFont(), width() - kRoofScaleWidth - kRoofRight);
}

void RooflineChart::resizeEvent(QResizeEvent* event) {
    fitScales();
    fitLegend();
    Canvas::resizeEvent(event);
}

void RooflineChart::paintGrid(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = plot();
    painter.fillRect(area, colors.panel);
    const auto line = [&](bool vertical, double value, bool whole) {
        const QPointF point = at(vertical ? value : 1, vertical ? 1 : value);
        const QColor color = whole ? colors.hairline : colors.grid;
        if (vertical)
            painter.fillRect(QRectF(std::round(point.x()), area.top(), 1, area.height()), color);
        else
            painter.fillRect(QRectF(area.left(), std::round(point.y()), area.width(), 1), color);
    };
    for (const bool vertical : {true, false}) {
        const double low = std::pow(10, vertical ? m_plane.left : m_plane.bottom);
        const double high = std::pow(10, vertical ? m_plane.right : m_plane.top);
        for (const double decade : decades(low / 10, high)) {
            for (int k = 1; k < 10; ++k) {
                if (k * decade >= (vertical ? std::max(low, laneEnd()) : low) && k * decade <= high)
                    line(vertical, k * decade, k == 1);
            }
        }
        // Where a scale is short, its 2 and 5 are named too.
        const bool shortScale =
            (vertical ? m_plane.right - m_plane.left : m_plane.top - m_plane.bottom) < 2.5;
        painter.setPen(colors.secondaryText);
        for (const double decade : decades(low / 10, high)) {
            for (const int k : {1, 2, 5}) {
                const double value = k * decade;
                if (value < (vertical ? std::max(low, laneEnd()) : low) || value > high ||
                    (k > 1 && !shortScale))
                    continue;
                const QPointF point = at(vertical ? value : 1, vertical ? 1 : value);
                // A whole power keeps its name where there is no room for all.
                if (!vertical && k > 1 &&
                    area.height() / (m_plane.top - m_plane.bottom) * std::log10(2) < kTickText)
                    continue;
                if (vertical)
                    painter.drawText(QRectF(point.x() - 40, area.bottom() + 4, 80, 16), Qt::AlignCenter,
                                     value < 1000
                                         ? QString::number(value, 'g', 6)
                                         : toQString(formatGrouped(static_cast<std::int64_t>(value))));
                else
                    painter.drawText(QRectF(0, point.y() - 8, kRoofScaleWidth - Metrics::kSpace2, 16),
                                     Qt::AlignRight | Qt::AlignVCenter, flopRateText(value));
            }
        }
    }
    if (m_hasLane)
        paintLane(painter);
    painter.drawText(QRectF(area.left(), area.bottom() + 22, area.width(), 16), Qt::AlignCenter,
                     tr("arithmetic intensity (FLOP per byte)"));
    const PainterScope undone(painter);
    painter.translate(0, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-area.height() / 2, 2, area.height(), 16), Qt::AlignCenter,
                     tr("FLOP/s achieved"));
}

/// The rows of the scale mean nothing in it, but the distance from the roof does.
void RooflineChart::paintLane(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = plot();
    const double end = std::round(at(laneEnd(), 1).x());
    painter.fillRect(QRectF(area.left(), area.top(), end - area.left(), area.height()), colors.raised);
    painter.fillRect(QRectF(end, area.top(), 1, area.height()), colors.hairline);
    painter.drawText(QRectF(area.left() - 20, area.bottom() + 4, end - area.left() + 40, 16), Qt::AlignCenter,
                     tr("no FLOPs"));
}

void RooflineChart::paintPoints(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    // The largest first, so that none hides another.
    std::vector<int> order(m_data.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return radiusOf(a) > radiusOf(b); });
    for (const int mark : order) {
        const PlanPhase phase = m_data.points[static_cast<std::size_t>(mark)].phase;
        const bool forward = phase == PlanPhase::kForward || phase == PlanPhase::kLoss;
        const QColor color = theme.familyColor(familyOf(mark));
        painter.setPen(QPen(color, forward ? 1 : 2.5));
        painter.setBrush(withAlpha(color, forward ? 0.75F : 0.12F));
        painter.drawEllipse(markRect(mark).adjusted(1, 1, -1, -1));
    }
}

void RooflineChart::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(chosen ? colors.accent : colors.text, 2));
    painter.drawEllipse(markRect(mark).adjusted(-2, -2, 2, 2));
    if (!chosen)
        return;
    // How far it is from its roof.
    const std::optional<QPointF> roof = roofOver(m_data.points[static_cast<std::size_t>(mark)]);
    if (!roof)
        return;
    painter.setPen(QPen(colors.accent, 1, Qt::DotLine));
    painter.drawLine(markRect(mark).center(), *roof);
}

std::vector<int> RooflineChart::fromLeft() const {
    std::vector<int> order(m_data.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return m_data.points[static_cast<std::size_t>(a)].intensity() <
               m_data.points[static_cast<std::size_t>(b)].intensity();
    });
    return order;
}

int RooflineChart::neighbor(int mark, Qt::Key key) const {
    const std::vector<int> order = fromLeft();
    const auto found = std::find(order.begin(), order.end(), mark);
    const bool next = key == Qt::Key_Right || key == Qt::Key_Down;
    if (found == order.end())
        return next ? order.front() : order.back();
    if (next)
        return found + 1 == order.end() ? mark : *(found + 1);
    return found == order.begin() ? mark : *(found - 1);
}

}  // namespace warpglass::ui
