#include "engine/sweep/run_folder.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "engine/base/format.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRunEnding = ".wgrun", kSnapshotEnding = ".pickle";

/// A file of a cell in the folder; in order of their names for people.
struct CellFile {
    std::int64_t cell = -1;
    bool isSnapshot = false;

    std::string name() const {
        return std::to_string(cell) + std::string(isSnapshot ? kSnapshotEnding : kRunEnding);
    }
    auto operator<=>(const CellFile&) const = default;
};

/// What the sweep would keep under this name; nothing for any other name.
std::optional<CellFile> cellFileOf(const SweepPlan& plan, const std::string& name) {
    CellFile file;
    std::from_chars(name.data(), name.data() + name.size(), file.cell);
    file.isSnapshot = plan.memorySnapshots && name.ends_with(kSnapshotEnding);
    return file.cell >= 0 && name == file.name() ? std::optional(file) : std::nullopt;
}

bool isItsOwn(const SweepPlan& plan, const SweepCell& cell, const CellFile& file) {
    return cell.state == CellState::kRunning ||
           (file.isSnapshot ? isKeptSnapshotOf(plan, cell.index, cell.memorySnapshot)
                            : isKeptRunOf(plan, cell.index, cell.runFile));
}

bool isPlace(const fs::path& place, const fs::path& path) {
    return !place.empty() && path.lexically_normal() == place.lexically_normal();
}

fs::path folderOf(const fs::path& path, const SweepPlan& plan) {
    return (path.parent_path() / plan.runFolder).lexically_normal();
}

}  // namespace

fs::path keptRunOf(const SweepPlan& plan, std::int64_t cell) {
    return plan.runFolder.empty() ? fs::path() : plan.runFolder / CellFile{cell, false}.name();
}

fs::path keptSnapshotOf(const SweepPlan& plan, std::int64_t cell) {
    return plan.runFolder.empty() || !plan.memorySnapshots ? fs::path()
                                                           : plan.runFolder / CellFile{cell, true}.name();
}

bool isKeptRunOf(const SweepPlan& plan, std::int64_t cell, const fs::path& runFile) {
    return isPlace(keptRunOf(plan, cell), runFile);
}

bool isKeptSnapshotOf(const SweepPlan& plan, std::int64_t cell, const fs::path& snapshot) {
    return isPlace(keptSnapshotOf(plan, cell), snapshot);
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
    std::optional<CellFile> first;
    std::int64_t count = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const auto file = cellFileOf(sweep.plan, entry->path().filename().string());
        if (!file || file->cell >= static_cast<std::int64_t>(sweep.cells.size()) ||
            isItsOwn(sweep.plan, sweep.cells[static_cast<std::size_t>(file->cell)], *file))
            continue;
        first = std::min(first.value_or(*file), *file);
        ++count;
    }
    if (!first)
        return std::nullopt;
    const std::string others =
        count == 1 ? " is" : " and " + formatGrouped(count - 1) + (count == 2 ? " other are" : " others are");
    return Error{"cannot keep run files in " + folder.string() + ": " + first->name() + others +
                 " there already and not this sweep's; choose another folder, or move " +
                 (count == 1 ? "it" : "them") + " away"};
}

}  // namespace warpglass
