#include "ui/charts/data_plot.h"

#include <qcustomplot.h>
#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/charts/chart_text.h"
#include "ui/charts/data_ticks.h"
#include "ui/charts/heat_cells.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kMargin = 8, kTickGap = 6, kTitleLine = 18, kLabelGap = 6;
/// A point is hit from here, in pixels.
constexpr double kReach = 12, kPoint = 5;
/// Lines at the upper edge for what was not measured, one for each series that has such points.
constexpr double kUnmeasuredRow = 15;  // as high as a name beside it
constexpr std::size_t kMostUnmeasuredRows = 6;
/// More different x than that are a scale, not a list.
constexpr std::size_t kMostOwnTicks = 40;
constexpr double kPixelsPerTick = 36;
/// The share of a slot that its bars take.
constexpr double kBarShare = 0.8;
/// The scale of colors beside a heat map.
constexpr double kColorScale = 14;

bool isUnmeasured(const ChartPoint& point) {
    return point.state == PointState::kOutOfMemory || point.state == PointState::kFailed;
}

double widest(const QFontMetricsF& metrics, const auto& ticks) {
    double width = 0;
    for (const auto& tick : ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.text));
    return width;
}

}  // namespace

double DataPlot::Scale::shareOf(double value) const {
    if (logarithmic)
        return value > 0 ? std::log(value / low) / std::log(high / low) : -1;
    return (value - low) / (high - low);
}

DataPlot::DataPlot(QWidget* parent) : MarkChart(parent), m_plot(std::make_unique<QCustomPlot>()) {
    setObjectName(QStringLiteral("dataPlot"));
    m_plot->setBackground(QBrush(Qt::NoBrush));
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->setAutoAddPlottableToLegend(false);  // we have our own
    setMinimumHeight(160);
    connect(&Theme::instance(), &Theme::changed, this, &DataPlot::layOut);  // the legend has its colors
    connect(this, &MarkChart::markChosen, this, [this](int mark) {
        emit sourceChosen(mark < 0 ? -1 : pointOf(mark).source, std::exchange(m_adds, false));
    });
    connect(this, &MarkChart::markActivated, this, [this](int mark) {
        if (const auto source = pointOf(mark).source; source >= 0)
            emit sourceActivated(source);
    });
}

DataPlot::~DataPlot() = default;

void DataPlot::setChart(Chart chart) {
    const std::int64_t kept = chosen() < 0 ? -1 : pointOf(chosen()).source;
    m_chart = std::move(chart);
    m_choices = m_chart.kind == ChartKind::kLines ? seriesChoices(m_chart) : std::nullopt;
    m_marks.clear();
    m_barSeries.clear();
    m_unmeasured.clear();
    for (std::size_t s = 0; s < m_chart.series.size(); ++s) {
        const ChartSeries& series = m_chart.series[s];
        // A line without a point is not named either.
        const bool isEmpty = m_chart.kind == ChartKind::kLines &&
                             std::ranges::none_of(series.points, [](const ChartPoint& point) {
                                 return isUnmeasured(point) || std::isfinite(point.y);
                             });
        if (series.isModel || isEmpty)
            continue;
        m_barSeries.push_back(s);
        // A bar's stand in its place beside the others'.
        if (m_chart.kind == ChartKind::kLines && std::ranges::any_of(series.points, isUnmeasured))
            m_unmeasured.push_back(s);
        for (std::size_t p = 0; p < series.points.size(); ++p) {
            const ChartPoint& point = series.points[p];
            const bool drawn = isHeat() ? point.state != PointState::kMissing || point.source >= 0
                                        : isUnmeasured(point) || std::isfinite(point.y);
            if (drawn)
                m_marks.push_back({s, p});
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
    const Mark& at = m_marks[static_cast<std::size_t>(mark)];
    return m_chart.series[at.series].points[at.point];
}

int DataPlot::markOfSource(std::int64_t source) const {
    for (int mark = 0; mark < markCount(); ++mark) {
        if (pointOf(mark).source == source)
            return mark;
    }
    return -1;
}

std::size_t DataPlot::ownSeries(std::size_t series) const {
    const std::int32_t of = m_chart.series[series].colorOf;
    return of >= 0 && static_cast<std::size_t>(of) < m_chart.series.size() ? static_cast<std::size_t>(of)
                                                                           : series;
}

QColor DataPlot::colorOf(std::size_t series) const {
    if (m_choices && m_chart.series[series].isModel && ownSeries(series) == series)
        return seriesColor(m_choices->first.size());  // of none of them
    if (m_choices)
        return seriesColor(m_choices->of[series].first);
    const auto place = std::find(m_barSeries.begin(), m_barSeries.end(), ownSeries(series));
    return seriesColor(static_cast<std::size_t>(place - m_barSeries.begin()));
}

double DataPlot::xOf(double value) const {
    return m_area.left() + m_area.width() * m_x.shareOf(value);
}

double DataPlot::yOf(double value) const {
    return m_area.bottom() - m_area.height() * m_y.shareOf(value);
}

double DataPlot::barWidth() const {
    if (isBridge())
        return kBarShare;
    return kBarShare / static_cast<double>(std::max<std::size_t>(1, m_barSeries.size()));
}

double DataPlot::barBase(const ChartPoint& point) const {
    return isBridge() && std::isfinite(point.from) ? point.from : 0;
}

double DataPlot::barOffset(std::size_t series) const {
    if (isBridge())
        return 0;
    const auto place =
        std::find(m_barSeries.begin(), m_barSeries.end(), ownSeries(series)) - m_barSeries.begin();
    return (static_cast<double>(place) - (static_cast<double>(m_barSeries.size()) - 1) / 2) * barWidth();
}

std::size_t DataPlot::unmeasuredRow(std::size_t series) const {
    const auto row = std::find(m_unmeasured.begin(), m_unmeasured.end(), series) - m_unmeasured.begin();
    return static_cast<std::size_t>(row) % kMostUnmeasuredRows;
}

double DataPlot::unmeasuredTop(std::size_t series) const {
    return m_area.top() + kPoint + 2 + kUnmeasuredRow * static_cast<double>(unmeasuredRow(series));
}

QPointF DataPlot::placeOf(const Mark& mark) const {
    const ChartPoint& point = m_chart.series[mark.series].points[mark.point];
    const double x = xOf(isBars() ? point.x + barOffset(mark.series) : point.x);
    return {x, isUnmeasured(point) ? unmeasuredTop(mark.series) : yOf(point.y)};
}

QRectF DataPlot::cellRect(const ChartPoint& cell) const {
    return QRectF(QPointF(std::round(xOf(cell.x - 0.5)), std::round(yOf(cell.y + 0.5))),
                  QPointF(std::round(xOf(cell.x + 0.5)), std::round(yOf(cell.y - 0.5))));
}

QRectF DataPlot::markRect(int mark) const {
    const Mark& at = m_marks[static_cast<std::size_t>(mark)];
    const ChartPoint& point = m_chart.series[at.series].points[at.point];
    if (isHeat())
        return cellRect(point);
    const QPointF place = placeOf(at);
    if (!isBars() || isUnmeasured(point))
        return {place.x() - kPoint, place.y() - kPoint, 2 * kPoint, 2 * kPoint};
    const double half = barWidth() / 2, x = point.x + barOffset(at.series);
    const double zero = m_y.logarithmic ? m_area.bottom() : yOf(std::max(barBase(point), m_y.low));
    return QRectF(QPointF(xOf(x - half), std::min(place.y(), zero)),
                  QPointF(xOf(x + half), std::max({place.y(), zero, std::min(place.y(), zero) + 3})));
}

int DataPlot::markAt(QPointF at) const {
    if (isHeat() || isBars())
        return MarkChart::markAt(at);
    int nearest = -1;
    double least = kReach * kReach;
    for (int mark = 0; mark < markCount(); ++mark) {
        const QPointF away = placeOf(m_marks[static_cast<std::size_t>(mark)]) - at;
        if (const double distance = QPointF::dotProduct(away, away); distance < least) {
            nearest = mark;
            least = distance;
        }
    }
    return nearest;
}

QString DataPlot::toolTipOf(int mark) const {
    const Mark& at = m_marks[static_cast<std::size_t>(mark)];
    const ChartSeries& series = m_chart.series[at.series];
    const ChartPoint& point = series.points[at.point];
    const auto words = [](const ChartAxis& axis, double value) {
        const auto index = static_cast<std::size_t>(std::max(0.0, value));
        if (!axis.categories.empty())
            return index < axis.categories.size() ? toQString(axis.categories[index]) : QString();
        return toQString(readableCell(wholeIfExact(value), axis.unit));
    };
    const ChartAxis& measured = isHeat() ? m_chart.value : m_chart.y;
    const double value = isHeat() ? point.value : point.y;
    ToolTipTable tip(isHeat() ? toQString(measured.title) : toQString(series.name));
    tip.add(toQString(m_chart.x.title), words(m_chart.x, point.x));
    if (isHeat())
        tip.add(toQString(m_chart.y.title), words(m_chart.y, point.y));
    if (std::isfinite(value) && !isUnmeasured(point)) {
        const QString read = words(measured, value);
        const QString exact =
            measured.categories.empty() ? toQString(exactCell(wholeIfExact(value), measured.unit)) : read;
        tip.add(toQString(measured.title), read, exact == read ? QString() : exact);
        if (isBridge() && barBase(point) != 0)
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
        return MarkChart::neighbor(mark, key);
    const QPointF from = markRect(mark).center();
    const Mark& at = m_marks[static_cast<std::size_t>(mark)];
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
    // Along its series or row; up and down to the nearest that is higher or lower.
    int best = mark;
    double least = std::numeric_limits<double>::max();
    for (int other = 0; other < markCount(); ++other) {
        const Mark& to = m_marks[static_cast<std::size_t>(other)];
        const QPointF away = markRect(other).center() - from;
        const double ahead = sign * (across ? away.x() : away.y());
        const double aside = std::fabs(across ? away.y() : away.x());
        if (other == mark || ahead <= 0 || (across && (isHeat() ? aside > 1 : to.series != at.series)))
            continue;
        // A point in the same column before one beside it.
        const double cost = across && !isHeat() ? ahead : ahead + 20 * aside;
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

void DataPlot::scaleAxes() {
    double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
    double left = low, right = high;
    bool unmeasured = false;
    for (const ChartSeries& series : m_chart.series) {
        for (const ChartPoint& point : series.points) {
            unmeasured = unmeasured || isUnmeasured(point);
            left = std::min(left, point.x);
            right = std::max(right, point.x);
            const double value = isHeat() ? point.value : point.y;
            if (!std::isfinite(value) || (m_chart.y.logarithmic && value <= 0))
                continue;
            const double spread = isHeat() ? 0 : point.deviation;
            low = std::min({low, !m_chart.y.logarithmic || value > spread ? value - spread : value,
                            isBridge() ? barBase(point) : value});
            high = std::max({high, value + spread, isBridge() ? barBase(point) : value});
        }
    }
    if (!(high >= low))
        low = 0, high = 1;
    if (!(right >= left))
        left = 0, right = 1;
    // A heat map's colors go from the least to the most; a length begins at 0.
    m_value = {low, high > low ? high : low + std::max(1.0, std::fabs(low)), false};
    m_value.logarithmic = m_chart.value.logarithmic && low > 0;
    if (const std::size_t kinds = m_chart.value.categories.size(); isHeat() && kinds > 0)
        m_value = {0, static_cast<double>(std::max<std::size_t>(2, kinds) - 1), false};
    const auto categories = [](const ChartAxis& axis) {
        return Scale{-0.5, static_cast<double>(axis.categories.size()) - 0.5, false};
    };
    if (!m_chart.x.categories.empty()) {
        m_x = categories(m_chart.x);
    } else if (m_chart.x.logarithmic && left > 0) {
        const double aside = std::pow(std::max(right / left, 2.0), 0.03);
        m_x = {left / aside, right * aside, true};
    } else {
        const double aside = 0.03 * std::max(right - left, 1e-9 + std::fabs(right) * 0.1);
        m_x = {left - aside, right + aside, false};
    }
    const double lines = static_cast<double>(std::min(m_unmeasured.size(), kMostUnmeasuredRows));
    const double headroom =
        !unmeasured
            ? 0.05
            : std::clamp((lines * kUnmeasuredRow + 3 * kPoint) / std::max(40.0, rect().height() - 90.0), 0.1,
                         0.4);
    if (isHeat()) {
        m_y = categories(m_chart.y);
    } else if (m_chart.y.logarithmic && low > 0) {
        const double ratio = std::max(high / low, 2.0);
        m_y = {low / std::pow(ratio, 0.06), high * std::pow(ratio, headroom), true};
    } else {
        low = std::min(low, 0.0);
        m_y = {low < 0 ? low - 0.05 * (high - low) : 0, high + headroom * std::max(high - low, 1e-12), false};
    }
}

void DataPlot::placeTicks() {
    const auto rows = [](double pixels) { return static_cast<int>(pixels / kPixelsPerTick); };
    m_xTicks.clear();
    m_yTicks.clear();
    m_valueTicks.clear();
    const auto named = [](const ChartAxis& axis, std::vector<Tick>& ticks) {
        for (std::size_t i = 0; i < axis.categories.size(); ++i)
            ticks.push_back({static_cast<double>(i), toQString(axis.categories[i])});
    };
    const auto valued = [](const Scale& scale, Unit unit, int most, std::vector<Tick>& ticks) {
        for (const double value : valueTicks(scale.low, scale.high, unit, scale.logarithmic, most))
            ticks.push_back({value, tickText(value, unit)});
    };
    const double height = std::max(40.0, rect().height() - 90.0);
    if (isHeat()) {
        named(m_chart.y, m_yTicks);
        if (m_chart.value.categories.empty())
            valued(m_value, m_chart.value.unit, rows(height), m_valueTicks);
        else
            named(m_chart.value, m_valueTicks);
    } else {
        valued(m_y, m_chart.y.unit, rows(height), m_yTicks);
    }
    if (!m_chart.x.categories.empty())
        return named(m_chart.x, m_xTicks);
    // The settings that were run, if these are few.
    std::vector<double> own;
    for (const ChartSeries& series : m_chart.series) {
        for (const ChartPoint& point : series.points) {
            if (!series.isModel && own.size() <= 64 * kMostOwnTicks)
                own.push_back(point.x);
        }
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    if (own.size() > kMostOwnTicks)
        return valued(m_x, m_chart.x.unit, rows(width() / 1.8), m_xTicks);
    for (const double value : own)
        m_xTicks.push_back({value, tickText(value, m_chart.x.unit)});
}

void DataPlot::layOut() {
    if (m_chart.series.empty())
        return;
    const QFontMetricsF metrics(chartFont());
    scaleAxes();
    placeTicks();
    const double left = widest(metrics, m_yTicks) + kTickGap + kMargin + 4;
    double right = kMargin + 16;
    if (isHeat())
        right = kColorScale + widest(metrics, m_valueTicks) + 3 * kMargin;
    int lines = 1;
    const double slot = (width() - left - right) / std::max(1.0, static_cast<double>(m_xTicks.size()));
    for (Tick& tick : m_xTicks) {
        if (!m_chart.x.categories.empty())
            tick.text = nameInRoom(tick.text, metrics, slot - kLabelGap);
        lines = tick.text.contains(QLatin1Char('\n')) ? 2 : lines;
    }
    const double below = lines * metrics.height() + kTickGap + kTitleLine + 4;
    const auto fit = [&](const std::vector<LegendEntry>& entries) {
        m_legend = entries;
        m_legendHeight = legendHeight(entries, chartFont(), std::max(60.0, width() - left - kMargin));
        const double top = kMargin + m_legendHeight + (m_legendHeight > 0 ? 4 : 0) + kTitleLine;
        m_area =
            QRectF(left, top, std::max(20.0, width() - left - right), std::max(20.0, height() - top - below));
    };
    const bool several = m_barSeries.size() > 1 && !isHeat();
    m_endLabels.clear();
    fit(legendEntries(false));
    if (placeEndLabels(metrics)) {
        fit(legendEntries(false));  // without what the names say
        placeEndLabels(metrics);
    } else
        fit(legendEntries(several || (m_chart.series.size() > 1 && !isHeat())));
}

void DataPlot::resizeEvent(QResizeEvent* event) {
    MarkChart::resizeEvent(event);
    layOut();
}

void DataPlot::mousePressEvent(QMouseEvent* event) {
    m_adds = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    MarkChart::mousePressEvent(event);
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
    MarkChart::keyPressEvent(event);
    m_adds = false;
}

}  // namespace warpglass::ui
