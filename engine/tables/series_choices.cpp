#include "engine/tables/series_choices.h"

#include <algorithm>
#include <utility>

namespace warpglass {

ChartSeries seriesOf(std::string first, std::string second) {
    return {.name = first + ", " + second, .choices = {std::move(first), std::move(second)}};
}

std::optional<SeriesChoices> seriesChoices(const Chart& chart) {
    constexpr std::size_t kSeconds = 2;
    SeriesChoices choices;
    choices.of.resize(chart.series.size());
    const auto placeOf = [](std::vector<std::string>& among, const std::string& name) {
        const auto found = std::ranges::find(among, name);
        const auto place = static_cast<std::size_t>(found - among.begin());
        if (found == among.end())
            among.push_back(name);
        return place;
    };
    std::size_t own = 0;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const ChartSeries& series = chart.series[s];
        if (series.isModel)
            continue;
        if (series.choices[1].empty())
            return std::nullopt;
        choices.of[s] = {placeOf(choices.first, series.choices[0]),
                         placeOf(choices.second, series.choices[1])};
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
