#include "app/cli/measure_option.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "engine/base/nearest_word.h"
#include "engine/sweep/measures.h"

namespace warpglass::cli {
namespace {

std::vector<std::string_view> measureKeys() {
    std::vector<std::string_view> keys = {"all"};
    for (const Measure& measure : measures())
        keys.push_back(measure.key);
    return keys;
}

}  // namespace

void addMeasureOption(CLI::App& command, std::vector<std::string>& chosen) {
    const auto take = [&chosen](const std::vector<std::string>& keys) {
        for (const std::string& key : keys) {
            if (key != "all" && !findMeasure(key))
                throw CLI::ValidationError(
                    "--measure", "There is no measure \"" + key + "\"." + didYouMean(key, measureKeys()));
        }
        chosen = keys;
    };
    command
        .add_option_function<std::vector<std::string>>(
            "--measure", take,
            "Measures to print, as docs/tables.md names them: step_mean_ns, peak_bytes …; or all")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("KEY,…")
        ->group("Output");
}

}  // namespace warpglass::cli
