// How a DataPlot names its series: at the ends of their lines, or in a legend.
#include <algorithm>
#include <cmath>

#include "ui/charts/data_plot.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kMargin = 8, kLabelGap = 6;
/// Names at the ends of lines take no more of the width, and need so much height each.
constexpr double kMostForNames = 0.34, kNameLine = 15;
constexpr std::size_t kMostNames = 8, kMostInLegend = 12;

}  // namespace

QString DataPlot::sharedModelName(const ChartSeries& model) const {
    const auto of = static_cast<std::size_t>(model.colorOf);
    if (model.colorOf < 0 || of >= m_chart.series.size())
        return {};
    const std::string head = m_chart.series[of].name + ", ";
    return model.name.starts_with(head) ? toQString(model.name.substr(head.size())) : QString();
}

bool DataPlot::isPredicted(std::size_t series) const {
    return m_chart.series[series].isModel && !sharedModelName(m_chart.series[series]).isEmpty();
}

bool DataPlot::isFitted(std::size_t series) const {
    return std::any_of(m_chart.series.begin(), m_chart.series.end(), [&](const ChartSeries& model) {
        return model.isModel && model.colorOf == static_cast<std::int32_t>(series) &&
               sharedModelName(model).isEmpty();
    });
}

QString DataPlot::labelOf(std::size_t series) const {
    QString label = toQString(m_chart.series[series].name);
    for (const ChartSeries& model : m_chart.series) {
        if (model.isModel && model.colorOf == static_cast<std::int32_t>(series) &&
            sharedModelName(model).isEmpty())
            label += QLatin1Char(' ') + toQString(model.name);
    }
    return label;
}

std::vector<LegendEntry> DataPlot::legendEntries(bool namesSeries) const {
    std::vector<LegendEntry> entries;
    QStringList models, predictions;
    bool outOfMemory = false, failed = false;
    for (std::size_t s = 0; s < m_chart.series.size(); ++s) {
        const ChartSeries& series = m_chart.series[s];
        if (series.isModel) {
            // One that belongs to no other series stands for itself.
            const QString shared = sharedModelName(series);
            const QString name = series.colorOf < 0 ? toQString(series.name)
                                 : shared.isEmpty() ? tr("fitted")
                                                    : shared;
            QStringList& list = shared.isEmpty() ? models : predictions;
            if (!list.contains(name))
                list << name;
        } else if (namesSeries && std::ranges::find(m_barSeries, s) != m_barSeries.end() &&
                   entries.size() < kMostInLegend) {
            entries.push_back({colorOf(s), labelOf(s), !isBars()});
        }
        // Where its end says it there is no need for a key.
        const bool isSaid = std::ranges::any_of(
            m_endLabels, [&](const EndLabel& label) { return label.series == s && label.isOut; });
        for (const ChartPoint& point : series.points) {
            outOfMemory = outOfMemory || (point.state == PointState::kOutOfMemory && !isSaid);
            failed = failed || point.state == PointState::kFailed;
        }
    }
    if (namesSeries && m_barSeries.size() > kMostInLegend)
        entries.push_back(
            {QColor(Qt::transparent),
             tr("and %1 more, named where they are pointed at").arg(m_barSeries.size() - kMostInLegend)});
    if (m_choices) {
        entries.push_back({QColor(Qt::transparent), tr("—●— %1").arg(toQString(m_choices->second[0]))});
        entries.push_back({QColor(Qt::transparent), tr("- -■- - %1").arg(toQString(m_choices->second[1]))});
    }
    if (!models.isEmpty())
        entries.push_back({QColor(Qt::transparent), tr("- - %1").arg(models.join(QStringLiteral(", ")))});
    if (!predictions.isEmpty())
        entries.push_back(
            {QColor(Qt::transparent), tr("··· %1").arg(predictions.join(QStringLiteral(", ")))});
    // Each series of lines has a row of its own, so that those of one length do not hide one another.
    const QString of = m_unmeasured.size() > 1 ? tr(", in its series' color") : QString();
    const QString outOfMemoryWords = tr("× out of memory") + of, failedWords = tr("□ failed") + of;
    if (outOfMemory)
        entries.push_back({QColor(Qt::transparent), outOfMemoryWords});
    if (failed)
        entries.push_back({QColor(Qt::transparent), failedWords});
    return entries;
}

QStringList DataPlot::endNames() const {
    QStringList names;
    for (const EndLabel& label : m_endLabels)
        names << label.text;
    return names;
}

/// Whether its line ends because the next length ran out of memory: its name then stands beside that cross.
bool DataPlot::endsOutOfMemory(std::size_t series) const {
    const auto& points = m_chart.series[series].points;
    const auto last = std::ranges::max_element(points, {}, &ChartPoint::x);
    return last != points.end() && last->state == PointState::kOutOfMemory;
}

/// Its width; less than 0 where a line has no end. `saysOut`: beside the crosses that lines end in, and of
/// what.
double DataPlot::nameEnds(const QFontMetricsF& metrics, bool saysOut) {
    m_endLabels.clear();
    double widest = 0;
    for (const std::size_t s : m_barSeries) {
        const auto& points = m_chart.series[s].points;
        const auto last = std::find_if(points.rbegin(), points.rend(),
                                       [](const ChartPoint& point) { return std::isfinite(point.y); });
        if (last == points.rend())
            return -1;
        const bool out = saysOut && endsOutOfMemory(s);
        const QString text = out ? tr("%1: out of memory").arg(labelOf(s)) : labelOf(s);
        widest = std::max(widest, metrics.horizontalAdvance(text));
        m_endLabels.push_back({s, text, {}, {last->x, last->y}, out});
    }
    return widest;
}

/// False where there is no room for each beside the others. Precondition: the scales and m_area's height.
bool DataPlot::placeEndLabels(const QFontMetricsF& metrics) {
    m_endLabels.clear();
    if (m_chart.kind != ChartKind::kLines || m_barSeries.size() < 2 || m_barSeries.size() > kMostNames)
        return false;
    double widestName = nameEnds(metrics, true);
    if (widestName > kMostForNames * width())
        widestName = nameEnds(metrics, false);
    if (widestName < 0 || widestName > kMostForNames * width() ||
        static_cast<double>(m_endLabels.size()) * kNameLine > m_area.height()) {
        m_endLabels.clear();
        return false;
    }
    m_area.setRight(rect().right() - kMargin - widestName - 2 * kLabelGap);
    for (EndLabel& label : m_endLabels)
        label.end = {xOf(label.end.x()), label.isOut ? unmeasuredTop(label.series) : yOf(label.end.y())};
    // From the highest on, each below the one before it; then up again from the lower edge.
    std::sort(m_endLabels.begin(), m_endLabels.end(),
              [](const EndLabel& a, const EndLabel& b) { return a.end.y() < b.end.y(); });
    const double left = m_area.right() + kLabelGap;
    double next = m_area.top();
    for (EndLabel& label : m_endLabels) {
        const double top = std::max(next, label.end.y() - kNameLine / 2);
        label.box = {left, top, metrics.horizontalAdvance(label.text) + 1, kNameLine};
        next = top + kNameLine;
    }
    double lowest = m_area.bottom() + kNameLine / 2;
    for (auto label = m_endLabels.rbegin(); label != m_endLabels.rend(); ++label) {
        label->box.moveBottom(std::min(label->box.bottom(), lowest));
        lowest = label->box.top();
    }
    return true;
}

}  // namespace warpglass::ui
