#include "engine/report/report_input.h"

#include <map>
#include <system_error>
#include <utility>

#include "engine/experiments/experiment_folder.h"
#include "engine/io/run_file.h"
#include "engine/sweep/sweep_file.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;

Result<ReportInput> openExperimentInput(const fs::path& path) {
    Result<ExperimentResult> result = readExperiment(path);
    if (!result)
        return result.error();
    ReportExperiment experiment{std::move(*result)};
    std::error_code error;
    const fs::path folder = fs::is_directory(path, error) ? path
                            : path.has_parent_path()      ? path.parent_path()
                                                          : fs::absolute(path).parent_path();
    if (auto request = readRequest(folder))
        experiment.request = std::move(*request);
    return ReportInput{folder, {}, std::move(experiment)};
}

/// The last `parts` parts of the path, without the ending of a file of ours.
std::string endOf(const fs::path& path, std::size_t parts) {
    fs::path whole = path.lexically_normal();
    if (!whole.has_filename())
        whole = whole.parent_path();
    const std::string ending = whole.extension().string();
    if (ending == ".wgrun" || ending == ".wgsweep")
        whole.replace_extension();
    std::vector<fs::path> all(whole.begin(), whole.end());
    const std::size_t first = all.size() > parts ? all.size() - parts : 0;
    fs::path end;
    for (std::size_t i = first; i < all.size(); ++i)
        end /= all[i];
    return end.generic_string();
}

/// What two paths of one file have in common.
std::string sameFile(const fs::path& path) {
    std::error_code error;
    // An experiment's result is its folder.
    const fs::path real =
        fs::canonical(path.filename() == kExperimentFile ? fs::absolute(path).parent_path() : path, error);
    return error ? path.lexically_normal().string() : real.string();
}

/// What is said of an input that was given before as `first`.
std::string givenTwice(const fs::path& path, const fs::path& first) {
    if (path == first)
        return path.string() + " was given twice: the report has it once.";
    std::error_code error;
    return first.string() + " and " + path.string() + " are the same " +
           (fs::is_directory(sameFile(path), error) ? "experiment" : "file") + ": the report has it once.";
}

}  // namespace

Result<ReportInput> openReportInput(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error) && !fs::exists(path / kExperimentFile, error))
        return Error{path.string() + " is a folder, but not an experiment's: there is no " +
                     std::string(kExperimentFile) + " in it. To report on the runs in it, name their files."};
    if (fs::is_directory(path, error) || path.filename() == kExperimentFile)
        return openExperimentInput(path);
    if (path.extension() == ".wgsweep") {
        Result<Sweep> sweep = openSweep(path);
        if (!sweep)
            return sweep.error();
        return ReportInput{path, {}, ReportSweep{std::move(*sweep)}};
    }
    Result<OpenedRun> run = openRun(path);
    if (!run)
        return run.error();
    return ReportInput{path, {}, ReportRun{run->snapshot, run->warnings, run->isIncomplete}};
}

void nameApart(std::vector<ReportInput>& inputs) {
    std::vector<std::size_t> parts(inputs.size(), 1);
    // A path has a few dozen parts at most; two whole paths are told apart by a number.
    constexpr std::size_t kMostParts = 32;
    for (std::size_t round = 0; round < kMostParts; ++round) {
        std::map<std::string, std::vector<std::size_t>> byName;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            inputs[i].name = endOf(inputs[i].path, parts[i]);
            byName[inputs[i].name].push_back(i);
        }
        bool apart = true;
        for (const auto& [name, indices] : byName) {
            for (const std::size_t i : indices) {
                parts[i] += indices.size() > 1 ? 1 : 0;
                apart = apart && indices.size() == 1;
            }
        }
        if (apart)
            return;
    }
    std::map<std::string, int> seen;
    for (ReportInput& input : inputs) {
        if (const int count = ++seen[input.name]; count > 1)
            input.name += " (" + std::to_string(count) + ")";
    }
}

Status checkInputCount(std::size_t inputs) {
    if (inputs <= kMostReportInputs)
        return {};
    return Error{"A report takes up to " + std::to_string(kMostReportInputs) + " inputs, and " +
                 std::to_string(inputs) + " were given: name fewer, or compare them as a sweep."};
}

Result<ReportInputs> openReportInputs(const std::vector<fs::path>& paths) {
    if (Status count = checkInputCount(paths.size()); !count)
        return count.error();
    ReportInputs opened;
    std::map<std::string, fs::path> taken;
    for (const fs::path& path : paths) {
        if (const auto [first, isNew] = taken.emplace(sameFile(path), path); !isNew) {
            opened.problems.push_back(givenTwice(path, first->second));
            continue;
        }
        Result<ReportInput> input = openReportInput(path);
        if (input)
            opened.inputs.push_back(std::move(*input));
        else
            opened.problems.push_back(input.message());
    }
    if (opened.inputs.empty())
        return Error{opened.problems.empty() ? "A report needs an input: a run, a sweep or an experiment."
                                             : opened.problems.front()};
    nameApart(opened.inputs);
    return opened;
}

}  // namespace warpglass
