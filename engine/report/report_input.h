// What a report is of: runs, sweeps and experiments, opened.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiments/experiment_request.h"
#include "engine/sweep/sweep.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct ReportRun {
    std::shared_ptr<const Snapshot> snapshot;
    /// What is damaged or missing of its file, a sentence each.
    std::vector<std::string> warnings = {};
    bool isIncomplete = false;
};

struct ReportSweep {
    Sweep sweep;
};

struct ReportExperiment {
    ExperimentResult result;
    /// What was asked; nothing where the folder does not say.
    std::optional<ExperimentRequest> request = {};
};

struct ReportInput {
    /// As it was given.
    std::filesystem::path path;
    /// What the report calls it: the file's name, and of several of one name as much of the path as tells
    /// them apart (nameApart()).
    std::string name = {};
    std::variant<ReportRun, ReportSweep, ReportExperiment> content;

    const ReportRun* run() const { return std::get_if<ReportRun>(&content); }
};

/// Opens a run file, a sweep file or an experiment's folder; an error is one sentence that names it. Any
/// thread.
Result<ReportInput> openReportInput(const std::filesystem::path& path);

/// Names all of them, each by a name of its own.
void nameApart(std::vector<ReportInput>& inputs);

/// More inputs than this are refused: a reader finds nothing in such a report, and a sweep says it better.
inline constexpr std::size_t kMostReportInputs = 100;
Status checkInputCount(std::size_t inputs);

struct ReportInputs {
    std::vector<ReportInput> inputs;
    /// One sentence for each that could not be opened, or was given twice.
    std::vector<std::string> problems;
};
/// Opens all that can be opened, each once. An error where there are too many, or none that can be read.
Result<ReportInputs> openReportInputs(const std::vector<std::filesystem::path>& paths);

}  // namespace warpglass
