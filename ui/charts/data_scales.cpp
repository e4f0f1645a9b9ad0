#include "ui/charts/data_scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/charts/data_ticks.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// A point's mark, in pixels.
constexpr double kPoint = 5;
/// Between names under bars.
constexpr double kLabelGap = 6;
/// Rows of the band of what was not measured, one for each series that has such points.
constexpr double kUnmeasuredRow = 15;  // as high as a name beside it
constexpr std::size_t kMostUnmeasuredRows = 6;
/// More different x than that are a scale, not a list.
constexpr std::size_t kMostOwnTicks = 40;
/// Powers of ten are few; equal steps as close as these would be a fence.
constexpr double kPixelsPerTick = 36, kPixelsPerStep = 72;
/// The share of a slot that its bars take.
constexpr double kBarShare = 0.8;
/// What of the height is not the values'.
constexpr double kAroundPlot = 90, kLeastHeight = 40;

}  // namespace

double DataScales::Scale::shareOf(double value) const {
    if (logarithmic)
        return value > 0 ? std::log(value / low) / std::log(high / low) : -1;
    return (value - low) / (high - low);
}

double DataScales::xOf(double value) const {
    return m_area.left() + m_area.width() * m_x.shareOf(value);
}

double DataScales::yOf(double value) const {
    return m_area.bottom() - m_area.height() * m_y.shareOf(value);
}

double DataScales::barWidth() const {
    if (m_chart.isBridge())
        return kBarShare;
    return kBarShare / static_cast<double>(std::max<std::size_t>(1, m_look.own().size()));
}

double DataScales::barBase(const ChartPoint& point) const {
    return m_chart.isBridge() && std::isfinite(point.from) ? point.from : 0;
}

double DataScales::barOffset(std::size_t series) const {
    if (m_chart.isBridge())
        return 0;
    return (static_cast<double>(m_look.placeOf(series)) -
            (static_cast<double>(m_look.own().size()) - 1) / 2) *
           barWidth();
}

double DataScales::bandHeight() const {
    const std::size_t rows = std::min(m_look.unmeasured().size(), kMostUnmeasuredRows);
    return rows == 0 ? 0 : static_cast<double>(rows) * kUnmeasuredRow + 4;
}

QRectF DataScales::band() const {
    return {m_area.left(), m_area.top() - kTitleLine - bandHeight(), m_area.width(), bandHeight()};
}

double DataScales::unmeasuredTop(std::size_t series) const {
    if (m_look.unmeasured().empty())
        return m_area.top() + kPoint + 2;
    const auto row = static_cast<std::size_t>(std::ranges::find(m_look.unmeasured(), series) -
                                              m_look.unmeasured().begin());
    return band().top() + 2 + kUnmeasuredRow * (static_cast<double>(row % kMostUnmeasuredRows) + 0.5);
}

QPointF DataScales::placeOf(const ChartMark& mark) const {
    const ChartPoint& point = m_chart.series[mark.series].points[mark.point];
    const double x = xOf(m_chart.isBars() ? point.x + barOffset(mark.series) : point.x);
    return {x, point.isUnmeasured() ? unmeasuredTop(mark.series) : yOf(point.y)};
}

QRectF DataScales::cellRect(const ChartPoint& cell) const {
    return QRectF(QPointF(std::round(xOf(cell.x - 0.5)), std::round(yOf(cell.y + 0.5))),
                  QPointF(std::round(xOf(cell.x + 0.5)), std::round(yOf(cell.y - 0.5))));
}

QRectF DataScales::rectOf(const ChartMark& at) const {
    const ChartPoint& point = m_chart.series[at.series].points[at.point];
    if (m_chart.isHeat())
        return cellRect(point);
    const QPointF place = placeOf(at);
    if (!m_chart.isBars() || point.isUnmeasured())
        return {place.x() - kPoint, place.y() - kPoint, 2 * kPoint, 2 * kPoint};
    const double half = barWidth() / 2, x = point.x + barOffset(at.series);
    const double zero = m_y.logarithmic ? m_area.bottom() : yOf(std::max(barBase(point), m_y.low));
    return QRectF(QPointF(xOf(x - half), std::min(place.y(), zero)),
                  QPointF(xOf(x + half), std::max({place.y(), zero, std::min(place.y(), zero) + 3})));
}

void DataScales::scaleAxes(double height) {
    double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
    double left = low, right = high;
    bool unmeasured = false;
    for (const ChartSeries& series : m_chart.series) {
        for (const ChartPoint& point : series.points) {
            unmeasured = unmeasured || point.isUnmeasured();
            left = std::min(left, point.x);
            right = std::max(right, point.x);
            const double value = m_chart.isHeat() ? point.value : point.y;
            if (!std::isfinite(value) || (m_chart.y.logarithmic && value <= 0))
                continue;
            const double spread = m_chart.isHeat() ? 0 : point.deviation;
            low = std::min({low, !m_chart.y.logarithmic || value > spread ? value - spread : value,
                            m_chart.isBridge() ? barBase(point) : value});
            high = std::max({high, value + spread, m_chart.isBridge() ? barBase(point) : value});
        }
    }
    if (!(high >= low))
        low = 0, high = 1;
    if (!(right >= left))
        left = 0, right = 1;
    // A heat map's colors go from the least to the most; a length begins at 0.
    m_value = {low, high > low ? high : low + std::max(1.0, std::fabs(low)), false};
    m_value.logarithmic = m_chart.value.logarithmic && low > 0;
    if (const std::size_t kinds = m_chart.value.categories.size(); m_chart.isHeat() && kinds > 0)
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
    // Bars that were not measured have their crosses within the area.
    const double headroom =
        !unmeasured || !m_chart.isBars() ? 0.05 : std::clamp(3 * kPoint / height, 0.1, 0.4);
    if (m_chart.isHeat()) {
        m_y = categories(m_chart.y);
    } else if (m_chart.y.logarithmic && low > 0) {
        const double ratio = std::max(high / low, 2.0);
        m_y = {low / std::pow(ratio, 0.06), high * std::pow(ratio, headroom), true};
    } else {
        low = std::min(low, 0.0);
        m_y = {low < 0 ? low - 0.05 * (high - low) : 0, high + headroom * std::max(high - low, 1e-12), false};
    }
}

void DataScales::placeTicks(double width, double height) {
    const auto rows = [](double pixels, bool logarithmic) {
        return static_cast<int>(pixels / (logarithmic ? kPixelsPerTick : kPixelsPerStep));
    };
    m_xTicks.clear();
    m_yTicks.clear();
    m_valueTicks.clear();
    const auto named = [](const ChartAxis& axis, std::vector<Tick>& ticks) {
        for (std::size_t i = 0; i < axis.categories.size(); ++i)
            ticks.push_back({static_cast<double>(i), toQString(axis.categories[i])});
    };
    const auto valued = [](const Scale& scale, Unit unit, int most, std::vector<Tick>& ticks) {
        for (const double value : ui::valueTicks(scale.low, scale.high, unit, scale.logarithmic, most))
            ticks.push_back({value, tickText(value, unit)});
    };
    if (m_chart.isHeat()) {
        named(m_chart.y, m_yTicks);
        if (m_chart.value.categories.empty())
            valued(m_value, m_chart.value.unit, rows(height, true), m_valueTicks);
        else
            named(m_chart.value, m_valueTicks);
    } else {
        valued(m_y, m_chart.y.unit, rows(height, m_y.logarithmic), m_yTicks);
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
        return valued(m_x, m_chart.x.unit, rows(width / 1.8, true), m_xTicks);
    for (const double value : own)
        m_xTicks.push_back({value, tickText(value, m_chart.x.unit)});
}

void DataScales::fit(QSizeF size) {
    const double height = std::max(kLeastHeight, size.height() - kAroundPlot);
    scaleAxes(height);
    placeTicks(size.width(), height);
}

int DataScales::nameSlots(const QFontMetricsF& metrics, double room) {
    int lines = 1;
    for (Tick& tick : m_xTicks) {
        if (!m_chart.x.categories.empty())
            tick.text = nameInRoom(tick.text, metrics,
                                   room / std::max(1.0, static_cast<double>(m_xTicks.size())) - kLabelGap);
        lines = tick.text.contains(QLatin1Char('\n')) ? 2 : lines;
    }
    return lines;
}

}  // namespace warpglass::ui
