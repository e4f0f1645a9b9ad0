#include "engine/tables/chart_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpglass {
namespace {

std::string keyOf(std::string_view name, Unit unit) {
    const std::string key(name);
    switch (unit) {
        case Unit::kNanoseconds:
        case Unit::kMoment:
            return key + "_ns";
        case Unit::kBytes:
            return key + "_bytes";
        case Unit::kFraction:
            return key + "_fraction";
        case Unit::kFlops:
            return key + "_flops";
        case Unit::kFlopsPerSecond:
            return key + "_flops_per_second";
        case Unit::kMegahertz:
            return key + "_mhz";
        default:
            return key;
    }
}

ReportColumn columnOf(const ChartAxis& axis, std::string_view name) {
    const Unit unit = axis.categories.empty() ? axis.unit : Unit::kText;
    return {axis.title.empty() ? std::string(name) : axis.title, keyOf(name, unit), unit};
}

Cell cellOn(const ChartAxis& axis, double value) {
    if (!std::isfinite(value))
        return {};
    if (axis.categories.empty())
        return wholeIfExact(value);
    const double place = std::round(value);
    if (place < 0 || place >= static_cast<double>(axis.categories.size()))
        return {};
    return axis.categories[static_cast<std::size_t>(place)];
}

/// By PointState.
constexpr auto kStateWords =
    std::to_array<std::string_view>({"measured", "out of memory", "failed", "missing"});
static_assert(kStateWords.size() == static_cast<std::size_t>(PointState::kMissing) + 1);

template <class Has>
bool anyPoint(const Chart& chart, Has has) {
    return std::ranges::any_of(
        chart.series, [&](const ChartSeries& series) { return std::ranges::any_of(series.points, has); });
}

}  // namespace

ReportTable chartTable(const Chart& chart) {
    const bool isHeat = chart.kind == ChartKind::kHeatMap, isBridge = chart.kind == ChartKind::kBridge;
    const bool deviates = anyPoint(chart, [](const ChartPoint& point) { return point.deviation > 0; });
    const bool lacks =
        anyPoint(chart, [](const ChartPoint& point) { return point.state != PointState::kMeasured; });
    ReportTable table{chart.title, {{"Series", "series", Unit::kText}}, {}, chart.key};
    table.columns.push_back(columnOf(chart.x, "x"));
    table.columns.push_back(columnOf(chart.y, "y"));
    const ReportColumn measured = isHeat ? columnOf(chart.value, "value") : table.columns.back();
    if (isHeat)
        table.columns.push_back(measured);
    if (isBridge)
        table.columns.push_back({"From", keyOf("from", measured.unit), measured.unit});
    if (deviates)
        table.columns.push_back({"± Std", keyOf("deviation", measured.unit), measured.unit});
    if (lacks)
        table.columns.push_back({"State", "state", Unit::kText});
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            std::vector<Cell>& row = table.rows.emplace_back();
            row = {series.name, cellOn(chart.x, point.x), cellOn(chart.y, point.y)};
            if (isHeat)
                row.push_back(cellOn(chart.value, point.value));
            if (isBridge)
                row.push_back(cellOn(chart.y, point.from));
            if (deviates)
                row.push_back(point.deviation > 0 ? wholeIfExact(point.deviation) : Cell());
            if (lacks)
                row.push_back(cellOf(kStateWords[static_cast<std::size_t>(point.state)]));
        }
    }
    return table;
}

}  // namespace warpglass
