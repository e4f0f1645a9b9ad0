// The experiments: questions that people put to a model again and again, each with the runs that answer it,
// the answer in words with its numbers, tables and charts. What an experiment runs are sweeps (engine/sweep);
// what it finds is a value that is saved beside them and reopened.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/sweep/sweep.h"
#include "engine/tables/chart.h"
#include "engine/tables/report_table.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class Runner;

/// What a person asked for.
struct ExperimentOptions {
    /// "cpu", or "cuda:" and a number.
    std::string device = "cpu";
    /// Settings that were given, each with one value or several; they replace the experiment's choice.
    std::vector<SweepAxis> given;

    bool onGpu() const { return device != "cpu"; }
    const SweepAxis* find(std::string_view key) const;
};

/// A sweep of an experiment, by a name of its own: "modes".
struct NamedSweep {
    std::string name;
    SweepPlan plan;
};

/// A file of a run: the run itself, which an answer rests on, or its memory snapshot.
struct ExperimentRun {
    std::string title;
    /// Relative to the experiment's folder.
    std::filesystem::path file;
};

/// What an answer says as an entry of a list: "1.86×", "the speed of sdpa-flash: flash in bf16, 6.65 ms".
struct AnswerEntry {
    /// The conditions that it shares with those beside it: "Forward pass, 32,768 tokens".
    std::string group, figure, clause;
};

/// What was found.
struct ExperimentResult {
    /// "benchmark".
    std::string name;
    std::string title;
    /// What to look for: one sentence.
    std::string lookFor;
    /// What all runs of each of its sweeps have in common, a line a sweep: "small · context 512 · batch 4".
    std::vector<std::string> measured;
    /// Sentences with their numbers, the most important first.
    std::vector<std::string> answers;
    /// What the answers after the first say in short; empty where they are sentences only.
    std::vector<AnswerEntry> entries;
    /// What limits them: sizes that were chosen for a CPU, cells that did not run.
    std::vector<std::string> notes;
    std::vector<ReportTable> tables;
    std::vector<Chart> charts;
    std::vector<ExperimentRun> runs;
    /// LibTorch's, of runs on a GPU; a note says how they are opened.
    std::vector<ExperimentRun> memorySnapshots;
    /// What all runs state alike ("device.name", "torch.version").
    std::vector<std::pair<std::string, std::string>> information;
};

/// What an experiment has to go by.
class ExperimentEvidence {
public:
    virtual ~ExperimentEvidence() = default;
    virtual const ExperimentOptions& options() const = 0;
    /// By NamedSweep::name; an empty sweep for a name of none.
    virtual const Sweep& sweep(std::string_view name) const = 0;
    /// The run that a cell kept; null where it kept none or it cannot be read.
    virtual std::shared_ptr<const Snapshot> run(const SweepCell& cell) const = 0;
    /// For what is computed and not recorded. An error says why there is none.
    virtual Result<Runner*> runner() const = 0;
    /// What an earlier evaluation wrote, on a machine that may have had another device; nothing without one.
    virtual std::optional<ExperimentResult> before() const { return std::nullopt; }
};

struct Experiment {
    std::string_view name;
    std::string_view title;
    std::string_view lookFor;
    /// In the order in which they run; empty for an experiment that only computes.
    std::vector<NamedSweep> (*sweeps)(const ExperimentOptions& options);
    /// Fills in everything but name, title, lookFor and information. Works with whatever cells there are: one
    /// that failed is said so in notes.
    void (*evaluate)(const ExperimentEvidence& evidence, ExperimentResult& result);
    /// Its answer tells the values of any setting apart, and not only those of its own axes.
    bool comparesAll = false;
    /// Its answer rests on times, which other programs on the machine disturb.
    bool tellsTimes = true;
};

/// In the order of the documentation.
std::span<const Experiment> experiments();
/// An error that lists them, and what was probably meant.
Result<const Experiment*> findExperiment(std::string_view name);

}  // namespace warpglass
