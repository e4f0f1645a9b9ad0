#include "engine/sweep/run_folder.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/base/format.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".wgrun";

std::string runName(std::int64_t cell) {
    return std::to_string(cell) + std::string(kEnding);
}

/// The cell whose run has this name; nothing for any other name.
std::optional<std::int64_t> cellOf(const std::string& name) {
    std::int64_t cell = -1;
    std::from_chars(name.data(), name.data() + name.size(), cell);
    return cell >= 0 && name == runName(cell) ? std::optional(cell) : std::nullopt;
}

bool isItsOwn(const SweepPlan& plan, const SweepCell& cell) {
    return cell.state == CellState::kRunning || isKeptRunOf(plan, cell.index, cell.runFile);
}

fs::path folderOf(const fs::path& path, const SweepPlan& plan) {
    return (path.parent_path() / plan.runFolder).lexically_normal();
}

}  // namespace

fs::path keptRunOf(const SweepPlan& plan, std::int64_t cell) {
    return plan.runFolder.empty() ? fs::path() : plan.runFolder / runName(cell);
}

bool isKeptRunOf(const SweepPlan& plan, std::int64_t cell, const fs::path& runFile) {
    return !plan.runFolder.empty() && runFile.lexically_normal() == keptRunOf(plan, cell).lexically_normal();
}

std::string runFolderElsewhere(const fs::path& path, const SweepPlan& plan) {
    const fs::path folder = plan.runFolder.lexically_normal();
    if (folder.empty() || (folder.is_relative() && *folder.begin() != ".."))
        return {};
    return "Run files are kept outside of the sweep's folder, in " +
           fs::absolute(folderOf(path, plan)).lexically_normal().string() + ".";
}

std::optional<Error> runFolderProblem(const fs::path& path, const Sweep& sweep) {
    if (sweep.plan.runFolder.empty())
        return std::nullopt;
    const fs::path folder = folderOf(path, sweep.plan);
    std::error_code error;  // a folder that is not there yet, or cannot be read, holds nothing
    std::optional<std::int64_t> first;
    std::int64_t count = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const auto cell = cellOf(entry->path().filename().string());
        if (!cell || *cell >= static_cast<std::int64_t>(sweep.cells.size()) ||
            isItsOwn(sweep.plan, sweep.cells[static_cast<std::size_t>(*cell)]))
            continue;
        first = std::min(first.value_or(*cell), *cell);
        ++count;
    }
    if (!first)
        return std::nullopt;
    const std::string others =
        count == 1 ? " is" : " and " + formatGrouped(count - 1) + (count == 2 ? " other are" : " others are");
    return Error{"cannot keep run files in " + folder.string() + ": " + runName(*first) + others +
                 " there already and not this sweep's; choose another folder, or move " +
                 (count == 1 ? "it" : "them") + " away"};
}

}  // namespace warpglass
