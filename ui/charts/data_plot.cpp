#include "ui/charts/data_plot.h"

#include <qcustomplot.h>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/charts/chart_text.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kMargin = 8, kTickGap = 6, kTitleLine = DataScales::kTitleLine;
/// A point is hit from here, in pixels.
constexpr double kReach = 12;
/// The scale of colors beside a heat map.
constexpr double kColorScale = 14;

double widest(const QFontMetricsF& metrics, const auto& ticks) {
    double width = 0;
    for (const auto& tick : ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.text));
    return width;
}

}  // namespace

DataPlot::DataPlot(QWidget* parent) : Canvas(parent) {
    setObjectName(QStringLiteral("dataPlot"));
    setMinimumHeight(160);
    connect(&Theme::instance(), &Theme::changed, this, &DataPlot::layOut);  // the legend has its colors
    connect(this, &Canvas::markChosen, this, [this](int mark) {
        emit sourceChosen(mark < 0 ? -1 : pointOf(mark).source, std::exchange(m_adds, false));
    });
    connect(this, &Canvas::markActivated, this, [this](int mark) {
        if (const auto source = pointOf(mark).source; source >= 0)
            emit sourceActivated(source);
    });
}

void DataPlot::setChart(Chart chart) {
    const std::int64_t kept = chosen() < 0 ? -1 : pointOf(chosen()).source;
    m_chart = std::move(chart);
    m_look.read();
    m_marks.clear();
    for (const std::size_t series : m_look.own()) {
        const std::vector<ChartPoint>& points = m_chart.series[series].points;
        for (std::size_t p = 0; p < points.size(); ++p) {
            const bool drawn = m_chart.isHeat()
                                   ? points[p].state != PointState::kMissing || points[p].source >= 0
                                   : points[p].isUnmeasured() || std::isfinite(points[p].y);
            if (drawn)
                m_marks.push_back({series, p});
        }
    }
    setAccessibleName(toQString(m_chart.title));
    setEmptyText(m_chart.series.empty() ? tr("There is nothing to draw") : QString());
    layOut();
    invalidate();
    // The same cell stays chosen in whatever way it is drawn.
    setChosen(-1);
    setChosen(kept < 0 ? -1 : markOfSource(kept));
}

void DataPlot::setSelected(std::vector<std::int64_t> sources) {
    std::sort(sources.begin(), sources.end());
    if (sources == m_selected)
        return;
    m_selected = std::move(sources);
    update();
}

const ChartPoint& DataPlot::pointOf(int mark) const {
    const ChartMark& at = this->mark(mark);
    return m_chart.series[at.series].points[at.point];
}

int DataPlot::markOfSource(std::int64_t source) const {
    for (int mark = 0; mark < markCount(); ++mark) {
        if (pointOf(mark).source == source)
            return mark;
    }
    return -1;
}

QRectF DataPlot::markRect(int mark) const {
    return m_scales.rectOf(this->mark(mark));
}

int DataPlot::markAt(QPointF at) const {
    if (m_chart.isHeat() || m_chart.isBars())
        return Canvas::markAt(at);
    int nearest = -1;
    double least = kReach * kReach;
    for (int mark = 0; mark < markCount(); ++mark) {
        const QPointF away = m_scales.placeOf(this->mark(mark)) - at;
        if (const double distance = QPointF::dotProduct(away, away); distance < least) {
            nearest = mark;
            least = distance;
        }
    }
    return nearest;
}

QString DataPlot::toolTipOf(int mark) const {
    const ChartMark& at = this->mark(mark);
    const ChartSeries& series = m_chart.series[at.series];
    const ChartPoint& point = series.points[at.point];
    const auto words = [](const ChartAxis& axis, double value) {
        const auto index = static_cast<std::size_t>(std::max(0.0, value));
        if (!axis.categories.empty())
            return index < axis.categories.size() ? toQString(axis.categories[index]) : QString();
        return toQString(readableCell(wholeIfExact(value), axis.unit));
    };
    const ChartAxis& measured = m_chart.isHeat() ? m_chart.value : m_chart.y;
    const double value = m_chart.isHeat() ? point.value : point.y;
    ToolTipTable tip(m_chart.isHeat() ? toQString(measured.title) : toQString(series.name));
    tip.add(toQString(m_chart.x.title), words(m_chart.x, point.x));
    if (m_chart.isHeat())
        tip.add(toQString(m_chart.y.title), words(m_chart.y, point.y));
    if (std::isfinite(value) && !point.isUnmeasured()) {
        const QString read = words(measured, value);
        const QString exact =
            measured.categories.empty() ? toQString(exactCell(wholeIfExact(value), measured.unit)) : read;
        tip.add(toQString(measured.title), read, exact == read ? QString() : exact);
        if (m_chart.isBridge() && m_scales.barBase(point) != 0)
            tip.add(tr("instead of"), toQString(readableCell(wholeIfExact(point.from), measured.unit)));
        if (point.deviation > 0)
            tip.add(tr("standard deviation"),
                    QStringLiteral("± ") + toQString(readableCell(point.deviation, measured.unit)));
    }
    switch (point.state) {
        case PointState::kMeasured:
            break;
        case PointState::kOutOfMemory:
            tip.say(tr("Memory ran out."));
            break;
        case PointState::kFailed:
            tip.say(tr("It failed."));
            break;
        case PointState::kMissing:
            tip.say(tr("There is no figure of it."));
            break;
    }
    return tip.html();
}

int DataPlot::neighbor(int mark, Qt::Key key) const {
    if (mark < 0)
        return Canvas::neighbor(mark, key);
    const QPointF from = markRect(mark).center();
    const ChartMark& at = this->mark(mark);
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
    // Along its series or row; up and down to the nearest that is higher or lower.
    int best = mark;
    double least = std::numeric_limits<double>::max();
    for (int other = 0; other < markCount(); ++other) {
        const ChartMark& to = this->mark(other);
        const QPointF away = markRect(other).center() - from;
        const double ahead = sign * (across ? away.x() : away.y());
        const double aside = std::fabs(across ? away.y() : away.x());
        if (other == mark || ahead <= 0 ||
            (across && (m_chart.isHeat() ? aside > 1 : to.series != at.series)))
            continue;
        // A point in the same column before one beside it.
        const double cost = across && !m_chart.isHeat() ? ahead : ahead + 20 * aside;
        if (cost < least) {
            least = cost;
            best = other;
        }
    }
    return best;
}

int DataPlot::figureHeight(int width, int most) {
    constexpr double kOfWidth = 0.5, kLeast = 200, kMost = 460;
    return std::min(qRound(std::clamp(width * kOfWidth, kLeast, kMost)), most);
}

void DataPlot::layOut() {
    if (m_chart.series.empty())
        return;
    const QFontMetricsF metrics(chartFont());
    m_scales.fit(rect().size());
    const double left = widest(metrics, m_scales.yTicks()) + kTickGap + kMargin + 4;
    const double right =
        m_chart.isHeat() ? kColorScale + widest(metrics, m_scales.valueTicks()) + 3 * kMargin : kMargin + 16;
    const int lines = m_scales.nameSlots(metrics, width() - left - right);
    const double below = lines * metrics.height() + kTickGap + kTitleLine + 4;
    const auto fit = [&](bool namesSeries) {
        m_legend = m_look.legend(namesSeries);
        m_legendHeight = legendHeight(m_legend, chartFont(), std::max(60.0, width() - left - kMargin));
        const double band = m_scales.bandHeight() > 0 ? m_scales.bandHeight() + kTitleLine : 0;
        const double top = kMargin + m_legendHeight + (m_legendHeight > 0 ? 4 : 0) + band + kTitleLine;
        m_scales.setArea(QRectF(left, top, std::max(20.0, width() - left - right),
                                std::max(20.0, height() - top - below)));
    };
    fit(false);
    const bool manyPoints = std::ssize(m_marks) > PointWords::kMostValues;
    if (!m_names.place(m_scales, metrics, width(), manyPoints) &&
        !m_names.place(m_scales, metrics, width(), false))
        fit(m_chart.series.size() > 1 && !m_chart.isHeat());
    m_words.clear();
    if (m_chart.kind == ChartKind::kLines && (m_names.any() || m_look.own().size() == 1))
        m_words.place(metrics, m_marks);
}

void DataPlot::paintPicture(QPainter& painter) {
    m_canvas.paint(painter, size(), m_marks);
    paintTitles(painter);
}

void DataPlot::paintTitles(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(colors.secondaryText);
    const ChartAxis& value = m_chart.isHeat() ? m_chart.value : m_chart.y;
    const auto titled = [](const ChartAxis& axis, bool logarithmic) {
        return toQString(axis.title) + (logarithmic ? tr(", logarithmic") : QString());
    };
    const QString name =
        titled(value, m_chart.isHeat() ? m_scales.value().logarithmic : m_scales.y().logarithmic);
    QRectF above(Metrics::kSpace2, m_scales.area().top() - kTitleLine, m_scales.area().right(),
                 kTitleLine - 4);
    painter.drawText(above, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     m_chart.isHeat() ? toQString(m_chart.y.title) : name);
    if (m_chart.isHeat())
        painter.drawText(QRectF(0, above.top(), width() - Metrics::kSpace2, above.height()),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, name);
    painter.drawText(
        QRectF(m_scales.area().left(), height() - kTitleLine - 2, m_scales.area().width(), kTitleLine),
        Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextSingleLine,
        titled(m_chart.x, m_scales.x().logarithmic));
    if (m_scales.bandHeight() > 0) {
        above.moveTop(m_scales.band().top() - kTitleLine);
        painter.drawText(above, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         m_look.unmeasuredWords().join(QStringLiteral(", ")));
    }
    m_names.paint(painter);
    m_words.paint(painter);
    paintLegend(painter,
                QRectF(m_scales.area().left(), Metrics::kSpace2, width() - m_scales.area().left() - 8,
                       m_legendHeight),
                m_legend);
}

void DataPlot::paintHighlight(QPainter& painter, int mark, bool chosen) {
    if (FigureMode::holds(*this))
        return;  // what is chosen is of the page, not of the figure
    if (m_chart.isHeat() || m_chart.isBars())
        return Canvas::paintHighlight(painter, mark, chosen);
    const ThemeColors& colors = Theme::instance().colors();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(chosen ? colors.accent : colors.secondaryText, chosen ? 2 : 1));
    constexpr double kRing = 8;
    painter.drawEllipse(markRect(mark).center(), kRing, kRing);
}

bool DataPlot::isSelected(int mark) const {
    return std::binary_search(m_selected.begin(), m_selected.end(), pointOf(mark).source);
}

/// Parts of QCustomPlot paint with no other.
std::shared_ptr<QPainter> DataPlot::painterOn(QPaintDevice& device) {
    return std::make_shared<QCPPainter>(&device);
}

void DataPlot::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    layOut();
}

void DataPlot::mousePressEvent(QMouseEvent* event) {
    m_adds = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    Canvas::mousePressEvent(event);
    m_adds = false;
}

void DataPlot::keyPressEvent(QKeyEvent* event) {
    // Space adds what the keyboard is on to what is selected, or takes it away.
    if (event->key() == Qt::Key_Space && chosen() >= 0) {
        emit sourceChosen(pointOf(chosen()).source, true);
        return;
    }
    // With Ctrl the keyboard moves on and selects nothing; with Shift it adds where it arrives.
    const bool moves = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right ||
                       event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (moves && event->modifiers() == Qt::ControlModifier && markCount() > 0)
        return setChosen(neighbor(chosen(), static_cast<Qt::Key>(event->key())));
    m_adds = moves && event->modifiers() == Qt::ShiftModifier;
    Canvas::keyPressEvent(event);
    m_adds = false;
}

}  // namespace warpglass::ui
