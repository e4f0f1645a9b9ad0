#include "tests/unit/experiments/made_evidence.h"

#include "engine/sweep/grid.h"
#include "engine/sweep/run_folder.h"

namespace warpglass::test {

MadeEvidence::MadeEvidence(const Experiment& experiment, ExperimentOptions options,
                           const std::function<Figures(const Values&)>& figures)
    : m_options(std::move(options)) {
    for (const NamedSweep& named : experiment.sweeps(m_options)) {
        Sweep sweep{named.plan, cellsOf(named.plan), {}, {}};
        for (SweepCell& cell : sweep.cells) {
            Values values;
            for (std::size_t i = 0; i < named.plan.axes.size(); ++i)
                values[named.plan.axes[i].key] = named.plan.axes[i].values[cell.values[i]];
            cell.state = CellState::kOk;
            if (figures)
                cell.figures = figures(values);
            if (!named.plan.runFolder.empty())
                cell.runFile = named.plan.runFolder / (std::to_string(cell.index) + ".wgrun");
            cell.memorySnapshot = keptSnapshotOf(named.plan, cell.index);
        }
        m_sweeps.emplace(named.name, std::move(sweep));
    }
}

const Sweep& MadeEvidence::sweep(std::string_view name) const {
    static const Sweep none;
    const auto found = m_sweeps.find(name);
    return found == m_sweeps.end() ? none : found->second;
}

std::shared_ptr<const Snapshot> MadeEvidence::run(const SweepCell& cell) const {
    return cell.runFile.empty() || cell.state != CellState::kOk ? nullptr : everyRun;
}

Result<Runner*> MadeEvidence::runner() const {
    if (!runnerUsed)
        return Error{"There is no runner here."};
    return runnerUsed;
}

}  // namespace warpglass::test
