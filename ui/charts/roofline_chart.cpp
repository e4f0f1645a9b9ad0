#include "ui/charts/roofline_chart.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
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

constexpr double kScaleWidth = 96, kNamesHeight = 44, kLegendTop = 6, kRight = 20;
constexpr double kTickText = 14;
/// The width from which a plot has the roofs' names beside their lines.
constexpr double kRoomForNames = 560;
constexpr double kSmallestDot = 4, kLargestDot = 15;
/// As many as are read at a glance; the others have their numbers.
constexpr std::size_t kMostNames = 12;
/// The least distance of a label from its dot; beyond it a line leads there.
constexpr double kNear = 2;
/// A label without a line is so far from every other dot.
constexpr double kApart = 8;

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : Canvas(parent) {
    setObjectName(QStringLiteral("rooflineChart"));
    setAccessibleName(tr("Roofline of the GEMMs"));
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
    double left = 1e300, right = 0, bottom = 1e300, top = 0;
    for (const RooflinePoint& point : m_data.points) {
        m_longest = std::max(m_longest, point.time);
        left = std::min(left, point.intensity());
        right = std::max(right, point.intensity());
        bottom = std::min(bottom, point.flopsPerSecond());
        top = std::max(top, point.flopsPerSecond());
    }
    if (m_data.points.empty() || left <= 0 || bottom <= 0)
        return;
    top = std::max(top, m_roofs.highest());
    right = std::max(right, m_roofs.lastRidge());
    m_plane.left = std::log10(left) - 0.25;
    m_plane.right = std::log10(right) + 0.7;  // the roofs' names stand there
    m_plane.bottom = std::log10(bottom) - 0.4;
    m_plane.top = std::log10(top) + 0.25;
}

QRectF RooflineChart::plot() const {
    return QRectF(rect()).adjusted(kScaleWidth, 2 * kLegendTop + m_legendHeight, -kRight, -kNamesHeight);
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
    const QPointF center = at(point.intensity(), point.flopsPerSecond());
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
    tip.add(tr("intensity"),
            tr("%1 FLOP/byte").arg(point.intensity(), 0, 'f', point.intensity() < 10 ? 2 : 1));
    tip.add(tr("achieved"), flopRateText(point.flopsPerSecond()));
    if (point.attainableFlopsPerSecond)
        tip.add(tr("the roof allows"), flopRateText(*point.attainableFlopsPerSecond));
    if (const auto share = point.share())
        tip.add(tr("of the roof"), percentText(*share));
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
    paintLegend(painter, QRectF(plot().left(), kLegendTop, plot().width(), m_legendHeight), legend());
}

bool RooflineChart::namesRoofs() const {
    return width() - kScaleWidth - kRight >= kRoomForNames;
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
    return qRound(std::clamp(width * 0.44, kLeastPlot, kMostPlot) + 2 * kLegendTop + m_legendHeight +
                  kNamesHeight);
}

void RooflineChart::fitLegend() {
    m_legendHeight = legendHeight(legend(), chartFont(), width() - kScaleWidth - kRight);
}

void RooflineChart::resizeEvent(QResizeEvent* event) {
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
                if (k * decade >= low && k * decade <= high)
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
                if (value < low || value > high || (k > 1 && !shortScale))
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
                    painter.drawText(QRectF(0, point.y() - 8, kScaleWidth - Metrics::kSpace2, 16),
                                     Qt::AlignRight | Qt::AlignVCenter, flopRateText(value));
            }
        }
    }
    painter.drawText(QRectF(area.left(), area.bottom() + 22, area.width(), 16), Qt::AlignCenter,
                     tr("arithmetic intensity (FLOP per byte)"));
    painter.save();
    painter.translate(0, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-area.height() / 2, 2, area.height(), 16), Qt::AlignCenter,
                     tr("FLOP/s achieved"));
    painter.restore();
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

/// A number is by time, as in the table; the name stands with it where there is room beside the dot.
QString RooflineChart::nameOf(int mark) const {
    const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
    QString text = toQString(point.name);
    text.remove(QLatin1String("blocks.*."));
    if (point.phase == PlanPhase::kBackward && !text.contains(QLatin1String("backward")))
        text = tr("%1, backward").arg(text);
    return QStringLiteral("%1  %2%3").arg(QString::number(point.rank), text, sharesOf({mark}));
}

/// " · 85–90%" of the roof; "" where there is none.
QString RooflineChart::sharesOf(const std::vector<int>& heap) const {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const int mark : heap) {
        const auto share = m_data.points[static_cast<std::size_t>(mark)].share();
        if (!share)
            return {};
        least = std::min(least, *share);
        most = std::max(most, *share);
    }
    const QString low = percentText(least), high = percentText(most);
    return QStringLiteral(" · ") +
           (low == high ? high : QString(low).remove(QLatin1Char('%')) + QStringLiteral("–") + high);
}

/// Dots that lie over one another, those with the most time first: a number beside such a heap could be
/// any's.
std::vector<std::vector<int>> RooflineChart::heaps() const {
    std::vector<int> order(m_data.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {},
                      [&](int mark) { return m_data.points[static_cast<std::size_t>(mark)].rank; });
    std::vector<std::vector<int>> found;
    for (const int mark : order) {
        const auto holds = [&](const std::vector<int>& heap) {
            const QLineF apart(markRect(heap.front()).center(), markRect(mark).center());
            return familyOf(heap.front()) == familyOf(mark) && apart.length() < radiusOf(heap.front());
        };
        if (const auto heap = std::ranges::find_if(found, holds); heap != found.end())
            heap->push_back(mark);
        else
            found.push_back({mark});
    }
    return found;
}

/// "2–4, 6": the numbers of a heap.
QString RooflineChart::numbersOf(const std::vector<int>& heap) const {
    const auto rank = [&](std::size_t i) { return m_data.points[static_cast<std::size_t>(heap[i])].rank; };
    QStringList parts;
    for (std::size_t first = 0, last = 0; first < heap.size(); first = ++last) {
        while (last + 1 < heap.size() && rank(last + 1) == rank(last) + 1)
            ++last;
        const QString end = (last == first + 1 ? QStringLiteral(", ") : QStringLiteral("–"));
        parts << QString::number(rank(first)) +
                     (last > first ? end + QString::number(rank(last)) : QString());
    }
    return parts.join(QStringLiteral(", "));
}

/// Those with the most time first: name and number beside the dot, if need be further off with a line to it,
/// or where there is no room the number alone. A heap has the numbers of all and their family's name.
void RooflineChart::placeLabels(const QFontMetricsF& metrics, LabelRoom& room) {
    m_labels.clear();
    std::size_t names = 0;
    for (const std::vector<int>& heap : heaps()) {
        const int mark = heap.front();
        const QString numbers = numbersOf(heap);
        const QString name =
            heap.size() == 1
                ? nameOf(mark)
                : QStringLiteral("%1  %2%3").arg(numbers, familyName(familyOf(mark)), sharesOf(heap));
        std::optional<Label> label;
        if (names < kMostNames)
            label = labelBeside(heap, name, metrics, room);
        names += label ? 1 : 0;
        if (!label)
            label = labelBeside(heap, numbers, metrics, room);
        if (!label)
            continue;
        room.takeBox(label->rect);
        room.takeLine(label->leader);
        m_labels.push_back(*label);
    }
}

std::optional<RooflineChart::Label> RooflineChart::labelBeside(const std::vector<int>& heap,
                                                               const QString& text,
                                                               const QFontMetricsF& metrics,
                                                               const LabelRoom& room) const {
    // Right, left, over, under, and between them.
    constexpr std::pair<int, int> kSides[] = {{1, 0},  {-1, 0}, {0, -1},  {0, 1},
                                              {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
    constexpr double kDistances[] = {kNear, 8, 16, 30, 46};
    const int mark = heap.front();
    const QRectF dot = markRect(mark);
    const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
    // Without a line to it, a label is that of the only dot that it is near.
    const auto isNearAnother = [&](const QRectF& box) {
        const auto others = std::views::iota(0, markCount());
        return std::ranges::any_of(others, [&](int other) {
            return std::ranges::find(heap, other) == heap.end() &&
                   markRect(other).intersects(box.adjusted(-kApart, -kApart, kApart, kApart));
        });
    };
    for (const double distance : kDistances) {
        for (const auto& [across, down] : kSides) {
            const QPointF direction(across, down);
            const double length = std::hypot(direction.x(), direction.y());
            // From a corner of its box, or the middle of a side.
            const QPointF edge = dot.center() + direction * (dot.width() / 2);
            const QPointF tip = edge + direction / length * distance;
            const QRectF box(tip.x() + (across - 1) * size.width() / 2,
                             tip.y() + (down - 1) * size.height() / 2, size.width(), size.height());
            const QLineF leader =
                distance > kNear
                    ? QLineF(edge + direction / length, tip - direction / length * 2)  // no letter is touched
                    : QLineF();
            if (room.isFree(box) && (leader.isNull() ? !isNearAnother(box) : room.isFree(leader)))
                return Label{mark, text, box, leader};
        }
    }
    return std::nullopt;
}

void RooflineChart::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(chosen ? colors.accent : colors.text, 2));
    painter.drawEllipse(markRect(mark).adjusted(-2, -2, 2, 2));
    if (!chosen)
        return;
    // How far it is from its roof.
    const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
    if (!point.attainableFlopsPerSecond || point.flopsPerSecond() <= 0)
        return;
    const QPointF roof = at(point.intensity(), *point.attainableFlopsPerSecond);
    const QPointF dot = markRect(mark).center();
    painter.setPen(QPen(colors.accent, 1, Qt::DotLine));
    painter.drawLine(dot, roof);
    painter.setFont(chartFont());
    drawBoxedLabel(painter, {roof.x(), (roof.y() + dot.y()) / 2}, Qt::AlignHCenter,
                   tr("%1 of the roof").arg(percentText(*point.share())), plot(), colors.accent);
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
