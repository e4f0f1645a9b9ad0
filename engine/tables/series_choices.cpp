#include "engine/tables/series_choices.h"

#include <algorithm>

namespace warpglass {

std::optional<SeriesChoices> seriesChoices(const Chart& chart) {
    constexpr std::size_t kSeconds = 2;
    SeriesChoices choices;
    choices.of.resize(chart.series.size());
    const auto placeOf = [](std::vector<std::string>& among, std::string name) {
        const auto found = std::ranges::find(among, name);
        const auto place = static_cast<std::size_t>(found - among.begin());
        if (found == among.end())
            among.push_back(std::move(name));
        return place;
    };
    std::size_t own = 0;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const ChartSeries& series = chart.series[s];
        if (series.isModel)
            continue;
        const std::size_t comma = series.name.rfind(", ");
        if (comma == std::string::npos)
            return std::nullopt;
        choices.of[s] = {placeOf(choices.first, series.name.substr(0, comma)),
                         placeOf(choices.second, series.name.substr(comma + 2))};
        ++own;
    }
    if (choices.second.size() != kSeconds || choices.first.size() >= own)
        return std::nullopt;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const std::int32_t of = chart.series[s].colorOf;
        if (chart.series[s].isModel && of >= 0 && static_cast<std::size_t>(of) < chart.series.size())
            choices.of[s] = choices.of[static_cast<std::size_t>(of)];
    }
    return choices;
}

}  // namespace warpglass
