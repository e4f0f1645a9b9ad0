#include "ui/charts/roofline_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr double kScaleWidth = 96, kNamesHeight = 44, kLegendTop = 6, kRight = 20;
constexpr double kTickText = 14;
constexpr double kSmallestDot = 4, kLargestDot = 15;
/// As many as are read at a glance; the rest has its tool tip.
constexpr std::size_t kMostLabels = 12;

constexpr Precision kPrecisions[] = {Precision::kFp32, Precision::kTf32, Precision::kBf16, Precision::kFp16};

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : MarkChart(parent) {
    setObjectName(QStringLiteral("rooflineChart"));
    setAccessibleName(tr("Roofline of the matrix products"));
}

void RooflineChart::setData(RooflineData data) {
    m_data = std::move(data);
    m_labels.clear();
    fitScales();
    invalidate();
}

std::vector<RooflineChart::Roof> RooflineChart::roofs() const {
    std::vector<Roof> roofs;
    for (const Precision precision : kPrecisions) {
        const QString name = toQString(precisionName(precision));
        const bool ofRun = precision == m_data.precision;
        if (const auto* product = m_data.measured ? m_data.measured->product(precision) : nullptr)
            roofs.push_back({product->flopsPerSecond, tr("%1, measured").arg(name), true, ofRun});
        // The data sheet's of other precisions would be lines without a reader.
        const auto sheet = m_data.sheet && ofRun ? m_data.sheet->flopsPerSecond(precision) : std::nullopt;
        if (sheet)
            roofs.push_back({*sheet, tr("%1, data sheet").arg(name), false, ofRun});
    }
    return roofs;
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
    double ridge = 0;
    for (const Roof& roof : roofs()) {
        top = std::max(top, roof.flopsPerSecond);
        if (m_data.measured && m_data.measured->copyBytesPerSecond > 0 && roof.ofRun)
            ridge = std::max(ridge, roof.flopsPerSecond / m_data.measured->copyBytesPerSecond);
    }
    right = std::max(right, ridge);
    m_left = std::log10(left) - 0.5;
    m_right = std::log10(right) + 0.5;
    m_bottom = std::log10(bottom) - 0.4;
    m_top = std::log10(top) + 0.25;
}

QRectF RooflineChart::plot() const {
    return QRectF(rect()).adjusted(kScaleWidth, 2 * kLegendTop + m_legendHeight, -kRight, -kNamesHeight);
}

QPointF RooflineChart::at(double intensity, double flopsPerSecond) const {
    const QRectF area = plot();
    return {area.left() + area.width() * (std::log10(intensity) - m_left) / (m_right - m_left),
            area.bottom() - area.height() * (std::log10(flopsPerSecond) - m_bottom) / (m_top - m_bottom)};
}

OpFamily RooflineChart::familyOf(int mark) const {
    // A fused kernel stands for its whole module, the parts of others by their names.
    const std::string& name = m_data.points[static_cast<std::size_t>(mark)].name;
    return name.ends_with(".attn") ? OpFamily::kAttention : OpFamily::kMatmul;
}

double RooflineChart::radiusOf(int mark) const {
    const double share = m_data.points[static_cast<std::size_t>(mark)].time / std::max(m_longest, 1.0);
    return std::max(kSmallestDot, kLargestDot * std::sqrt(share));
}

QRectF RooflineChart::markRect(int mark) const {
    const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
    const QPointF centre = at(point.intensity(), point.flopsPerSecond());
    const double radius = radiusOf(mark);
    return {centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius};
}

QString RooflineChart::toolTipOf(int mark) const {
    const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
    ToolTipTable tip(tr("%1, %2").arg(toQString(point.name), toQString(planPhaseName(point.phase))));
    tip.add(tr("time a step"), durationText(point.time), durationExact(point.time));
    tip.add(tr("FLOPs a step"), flopsText(point.flops.value), toQString(formatGrouped(point.flops.value)));
    tip.add(tr("moves at the least"), bytesText(point.bytes.value), toQString(formatBytesExact(point.bytes)));
    tip.add(tr("intensity"), tr("%1 FLOP/byte").arg(point.intensity(), 0, 'f', 1));
    tip.add(tr("achieved"), flopRateText(point.flopsPerSecond()));
    if (point.attainableFlopsPerSecond)
        tip.add(tr("the roof allows"), flopRateText(*point.attainableFlopsPerSecond));
    if (const auto share = point.share())
        tip.add(tr("of the roof"), percentText(*share));
    return tip.html();
}

void RooflineChart::paintChart(QPainter& painter) {
    if (m_data.points.empty())
        return;
    painter.setFont(chartFont());
    paintGrid(painter);
    std::vector<QRectF> taken;
    painter.setRenderHint(QPainter::Antialiasing);
    paintRoofs(painter, taken);
    paintPoints(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    placeLabels(painter, std::move(taken));
    painter.setPen(Theme::instance().colors().text);
    for (const Label& label : m_labels)
        painter.drawText(label.rect, Qt::AlignCenter, label.text);
    paintLegend(painter, QRectF(plot().left(), kLegendTop, plot().width(), m_legendHeight), legend());
}

std::vector<LegendEntry> RooflineChart::legend() const {
    const Theme& theme = Theme::instance();
    return {{theme.familyColor(OpFamily::kMatmul), tr("matrix products")},
            {theme.familyColor(OpFamily::kAttention), tr("fused attention")},
            {QColor(Qt::transparent), tr("● forward   ○ backward   area: time a step")}};
}

void RooflineChart::resizeEvent(QResizeEvent* event) {
    m_legendHeight = legendHeight(legend(), chartFont(), width() - kScaleWidth - kRight);
    MarkChart::resizeEvent(event);
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
        const double low = std::pow(10, vertical ? m_left : m_bottom);
        const double high = std::pow(10, vertical ? m_right : m_top);
        for (const double decade : decades(low / 10, high)) {
            for (int k = 1; k < 10; ++k) {
                if (k * decade >= low && k * decade <= high)
                    line(vertical, k * decade, k == 1);
            }
        }
        // Where a scale is short, its 2 and 5 are named too.
        const bool shortScale = (vertical ? m_right - m_left : m_top - m_bottom) < 2.5;
        painter.setPen(colors.secondaryText);
        for (const double decade : decades(low / 10, high)) {
            for (const int k : {1, 2, 5}) {
                const double value = k * decade;
                if (value < low || value > high || (k > 1 && !shortScale))
                    continue;
                const QPointF point = at(vertical ? value : 1, vertical ? 1 : value);
                // A whole power keeps its name where there is no room for all.
                if (!vertical && k > 1 && area.height() / (m_top - m_bottom) * std::log10(2) < kTickText)
                    continue;
                if (vertical)
                    painter.drawText(QRectF(point.x() - 40, area.bottom() + 4, 80, 16), Qt::AlignCenter,
                                     QString::number(value, 'g', 6));
                else
                    painter.drawText(QRectF(0, point.y() - 8, kScaleWidth - Metrics::kSpace2, 16),
                                     Qt::AlignRight | Qt::AlignVCenter, flopRateText(value));
            }
        }
    }
    painter.drawText(QRectF(area.left(), area.bottom() + 22, area.width(), 16), Qt::AlignCenter,
                     tr("operations a byte that must be moved"));
}

void RooflineChart::paintSlope(QPainter& painter, double bytesPerSecond, double highest, bool measured,
                               std::vector<QRectF>& taken) const {
    const ThemeColors& colors = Theme::instance().colors();
    const double from = std::pow(10, m_left - 1), to = highest / bytesPerSecond;
    painter.setPen(measured ? QPen(colors.text, 2) : QPen(colors.secondaryText, 1, Qt::DashLine));
    const QPointF low = at(from, from * bytesPerSecond), high = at(to, highest);
    painter.drawLine(low, high);
    const QString text = (measured ? tr("memory %1, measured") : tr("memory %1, data sheet"))
                             .arg(byteRateText(bytesPerSecond));
    // Along the slope, above it for what was measured and below it for the sheet's, which is higher.
    const QRectF area = plot();
    const QLineF slope(low, high);
    const double width = QFontMetricsF(painter.font(), painter.device()).horizontalAdvance(text);
    // What stands below the line keeps clear of the plot's edge.
    const double lowest = area.bottom() - (measured ? 26 : 8);
    const double startX = std::max(area.left() + 8, at(1e-9, std::pow(10, m_bottom)).x());
    double x = startX;
    const double steep = (high.y() - low.y()) / (high.x() - low.x());
    if (low.y() + (x - low.x()) * steep > lowest)
        x = low.x() + (lowest - low.y()) / steep;
    // Along the line to where no dot is under the words.
    const auto onDot = [&](double from) {
        constexpr int kProbes = 12;
        for (int i = 0; i <= kProbes; ++i) {
            const double px = from + (width + 8) * std::cos(std::atan(steep)) * i / kProbes;
            const QPointF probe(px, low.y() + (px - low.x()) * steep + (measured ? 12 : -10));
            for (int mark = 0; mark < markCount(); ++mark) {
                if (markRect(mark).adjusted(-6, -6, 6, 6).contains(probe))
                    return true;
            }
        }
        return false;
    };
    while (onDot(x) && x < high.x())
        x += 16;
    const QPointF anchor(x, low.y() + (x - low.x()) * steep);
    if (anchor.x() + width * std::cos(std::atan(steep)) > high.x())
        return;
    painter.save();
    painter.translate(anchor);
    painter.rotate(-slope.angle());
    painter.setPen(measured ? colors.text : colors.secondaryText);
    painter.drawText(QPointF(4, measured ? 16 : -6), text);
    painter.restore();
    const double run = width * std::cos(std::atan(steep));
    taken.push_back(QRectF(anchor, QPointF(anchor.x() + run, anchor.y() + steep * run))
                        .normalized()
                        .adjusted(0, measured ? 0 : -18, 0, measured ? 18 : 0));
}

void RooflineChart::paintRoofs(QPainter& painter, std::vector<QRectF>& taken) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = plot();
    painter.save();
    painter.setClipRect(area);
    const std::vector<Roof> all = roofs();
    const double bandwidth = m_data.measured ? m_data.measured->copyBytesPerSecond : 0;
    const double sheetBandwidth = m_data.sheet ? m_data.sheet->bytesPerSecond : 0;
    const auto highest = [&](bool measured) {
        double rate = std::pow(10, m_top);
        for (const Roof& roof : all) {
            if (roof.ofRun && roof.measured == measured)
                rate = roof.flopsPerSecond;
        }
        return rate;
    };
    if (bandwidth > 0)
        paintSlope(painter, bandwidth, highest(true), true, taken);
    if (sheetBandwidth > 0)
        paintSlope(painter, sheetBandwidth, highest(false), false, taken);
    for (const Roof& roof : all) {
        const double own = roof.measured ? bandwidth : sheetBandwidth;
        const double y = at(1, roof.flopsPerSecond).y();
        if (y < area.top() || y > area.bottom())
            continue;
        const double left = own > 0 ? at(roof.flopsPerSecond / own, 1).x() : area.left();
        painter.setPen(roof.measured
                           ? QPen(roof.ofRun ? colors.text : faded(colors.text, 0.4F), roof.ofRun ? 2 : 1)
                           : QPen(colors.secondaryText, 1, Qt::DashLine));
        painter.drawLine(QPointF(std::min(left, area.right()), y), QPointF(area.right(), y));
        // No dot's label is written on a line.
        taken.push_back(QRectF(left, y - 2, std::max(0.0, area.right() - left), 4));
        const QString text = roof.name + QStringLiteral(" ") + flopRateText(roof.flopsPerSecond);
        const QFontMetricsF metrics(painter.font(), painter.device());
        QRectF box(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height());
        box.moveBottomRight({area.right() - 4, y - 3});
        const auto clashes = [&] {
            return !area.contains(box) || std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) {
                return other.intersects(box);
            });
        };
        if (clashes()) {
            box.moveTop(y + 3);
            if (clashes())
                continue;
        }
        painter.setPen(roof.ofRun && roof.measured ? colors.text : colors.secondaryText);
        painter.drawText(box, Qt::AlignCenter, text);
        taken.push_back(box);
    }
    painter.restore();
}

void RooflineChart::paintPoints(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    // The largest first, so that none hides another.
    std::vector<int> order(m_data.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return radiusOf(a) > radiusOf(b); });
    for (const int mark : order) {
        const bool forward = m_data.points[static_cast<std::size_t>(mark)].phase == PlanPhase::kForward;
        const QColor color = theme.familyColor(familyOf(mark));
        painter.setPen(QPen(color, forward ? 1 : 2.5));
        painter.setBrush(faded(color, forward ? 0.75F : 0.12F));
        painter.drawEllipse(markRect(mark).adjusted(1, 1, -1, -1));
    }
}

void RooflineChart::placeLabels(const QPainter& painter, std::vector<QRectF> taken) {
    m_labels.clear();
    const QFontMetricsF metrics(painter.font(), painter.device());
    std::vector<int> order(m_data.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return m_data.points[static_cast<std::size_t>(a)].time >
               m_data.points[static_cast<std::size_t>(b)].time;
    });
    // Dots are not written over, one's own least of all.
    for (int mark = 0; mark < markCount(); ++mark)
        taken.push_back(markRect(mark));
    for (const int mark : order) {
        if (m_labels.size() == kMostLabels)
            return;
        QString text = toQString(m_data.points[static_cast<std::size_t>(mark)].name);
        text.remove(QLatin1String("blocks.*."));
        if (m_data.points[static_cast<std::size_t>(mark)].phase == PlanPhase::kBackward)
            text += tr(", backward");
        const QRectF dot = markRect(mark);
        const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
        const QPointF corners[] = {{dot.right() + 2, dot.center().y() - size.height() / 2},
                                   {dot.left() - 2 - size.width(), dot.center().y() - size.height() / 2},
                                   {dot.center().x() - size.width() / 2, dot.top() - size.height()},
                                   {dot.center().x() - size.width() / 2, dot.bottom()}};
        for (const QPointF& corner : corners) {
            const QRectF box(corner, size);
            const bool free =
                plot().contains(box) &&
                std::none_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(box); });
            if (!free)
                continue;
            taken.push_back(box);
            m_labels.push_back({mark, text, box});
            break;
        }
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

int RooflineChart::neighbour(int mark, Qt::Key key) const {
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
