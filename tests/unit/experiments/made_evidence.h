// What an experiment goes by, made by a test: cells with figures that it states, runs written as text.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiments/experiment.h"

namespace warpglass::test {

class MadeEvidence final : public ExperimentEvidence {
public:
    /// Every cell of the experiment's sweeps is ok and has the figures that `figures` gives it, by a function
    /// of what the cell's settings are in words; without one it has none.
    using Values = std::map<std::string, std::string>;
    using Figures = std::map<std::string, double, std::less<>>;
    MadeEvidence(const Experiment& experiment, ExperimentOptions options,
                 const std::function<Figures(const Values&)>& figures = nullptr);

    const ExperimentOptions& options() const override { return m_options; }
    const Sweep& sweep(std::string_view name) const override;
    std::shared_ptr<const Snapshot> run(const SweepCell& cell) const override;
    Result<Runner*> runner() const override;
    std::optional<ExperimentResult> before() const override { return earlier; }

    Sweep& change(std::string_view name) { return m_sweeps.find(name)->second; }
    /// The run of every cell that keeps one.
    std::shared_ptr<const Snapshot> everyRun;
    Runner* runnerUsed = nullptr;
    /// What an earlier evaluation wrote.
    std::optional<ExperimentResult> earlier;

private:
    ExperimentOptions m_options;
    std::map<std::string, Sweep, std::less<>> m_sweeps;
};

}  // namespace warpglass::test
