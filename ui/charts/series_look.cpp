#include "ui/charts/series_look.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/theme/group_colors.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr std::size_t kMostInLegend = 12;

QString words(const char* text) {
    return QCoreApplication::translate("DataPlot", text);
}

}  // namespace

void SeriesLook::read() {
    const bool lines = m_chart.kind == ChartKind::kLines;
    m_choices = lines ? seriesChoices(m_chart) : std::nullopt;
    m_own.clear();
    m_unmeasured.clear();
    for (std::size_t s = 0; s < m_chart.series.size(); ++s) {
        const ChartSeries& series = m_chart.series[s];
        // A line without a point is not named either.
        const bool isEmpty = lines && std::ranges::none_of(series.points, [](const ChartPoint& point) {
                                 return point.isUnmeasured() || std::isfinite(point.y);
                             });
        if (series.isModel || isEmpty)
            continue;
        m_own.push_back(s);
        // A bar's stand in its place beside the others'.
        if (lines && std::ranges::any_of(series.points, &ChartPoint::isUnmeasured))
            m_unmeasured.push_back(s);
    }
}

std::size_t SeriesLook::placeOf(std::size_t series) const {
    const std::int32_t of = m_chart.series[series].colorOf;
    const std::size_t own = of >= 0 && static_cast<std::size_t>(of) < m_chart.series.size()
                                ? static_cast<std::size_t>(of)
                                : series;
    return static_cast<std::size_t>(std::ranges::find(m_own, own) - m_own.begin());
}

QColor SeriesLook::colorOf(std::size_t series) const {
    const ChartSeries& of = m_chart.series[series];
    if (m_choices && of.isModel &&
        (of.colorOf < 0 || static_cast<std::size_t>(of.colorOf) >= m_chart.series.size()))
        return seriesColor(m_choices->first.size());  // of none of them
    return seriesColor(m_choices ? m_choices->of[series].first : placeOf(series));
}

QString SeriesLook::sharedModelName(const ChartSeries& model) const {
    const auto of = static_cast<std::size_t>(model.colorOf);
    if (model.colorOf < 0 || of >= m_chart.series.size())
        return {};
    const std::string head = m_chart.series[of].name + ", ";
    return model.name.starts_with(head) ? toQString(model.name.substr(head.size())) : QString();
}

bool SeriesLook::isPredicted(std::size_t series) const {
    return m_chart.series[series].isModel && !sharedModelName(m_chart.series[series]).isEmpty();
}

bool SeriesLook::isFitted(std::size_t series) const {
    return std::any_of(m_chart.series.begin(), m_chart.series.end(), [&](const ChartSeries& model) {
        return model.isModel && model.colorOf == static_cast<std::int32_t>(series) &&
               sharedModelName(model).isEmpty();
    });
}

QString SeriesLook::labelOf(std::size_t series) const {
    QString label = toQString(m_chart.series[series].name);
    for (const ChartSeries& model : m_chart.series) {
        if (model.isModel && model.colorOf == static_cast<std::int32_t>(series) &&
            sharedModelName(model).isEmpty())
            label += QLatin1Char(' ') + toQString(model.name);
    }
    return label;
}

std::vector<LegendEntry> SeriesLook::legend(bool namesSeries) const {
    std::vector<LegendEntry> entries;
    QStringList models, predictions;
    for (std::size_t s = 0; s < m_chart.series.size(); ++s) {
        const ChartSeries& series = m_chart.series[s];
        if (series.isModel) {
            // One that belongs to no other series stands for itself.
            const QString shared = sharedModelName(series);
            const QString name = series.colorOf < 0 ? toQString(series.name)
                                 : shared.isEmpty() ? words("fitted")
                                                    : shared;
            QStringList& list = shared.isEmpty() ? models : predictions;
            if (!list.contains(name))
                list << name;
        } else if (namesSeries && std::ranges::find(m_own, s) != m_own.end() &&
                   entries.size() < kMostInLegend) {
            entries.push_back({colorOf(s), labelOf(s), !m_chart.isBars()});
        }
    }
    if (namesSeries && m_own.size() > kMostInLegend)
        entries.push_back(
            {QColor(Qt::transparent),
             words("and %1 more, named where they are pointed at").arg(m_own.size() - kMostInLegend)});
    if (m_choices) {
        entries.push_back({QColor(Qt::transparent), words("—●— %1").arg(toQString(m_choices->second[0]))});
        entries.push_back(
            {QColor(Qt::transparent), words("- -■- - %1").arg(toQString(m_choices->second[1]))});
    }
    if (!models.isEmpty())
        entries.push_back({QColor(Qt::transparent), words("- - %1").arg(models.join(QStringLiteral(", ")))});
    if (!predictions.isEmpty())
        entries.push_back(
            {QColor(Qt::transparent), words("··· %1").arg(predictions.join(QStringLiteral(", ")))});
    // Those of lines stand in a band with a title.
    for (const QString& words : m_unmeasured.empty() ? unmeasuredWords() : QStringList())
        entries.push_back({QColor(Qt::transparent), words});
    return entries;
}

QStringList SeriesLook::unmeasuredWords() const {
    QStringList all;
    for (const auto& [state, text] : {std::pair(PointState::kOutOfMemory, "× out of memory"),
                                      std::pair(PointState::kFailed, "□ failed")}) {
        if (std::ranges::any_of(m_chart.series, [state = state](const ChartSeries& series) {
                return std::ranges::find(series.points, state, &ChartPoint::state) != series.points.end();
            }))
            all << words(text);
    }
    return all;
}

bool SeriesLook::endsOutOfMemory(std::size_t series) const {
    const auto& points = m_chart.series[series].points;
    const auto last = std::ranges::max_element(points, {}, &ChartPoint::x);
    return last != points.end() && last->state == PointState::kOutOfMemory;
}

}  // namespace warpglass::ui
