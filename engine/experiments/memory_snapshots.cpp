#include "engine/experiments/memory_snapshots.h"

#include "engine/experiments/experiment_words.h"
#include "engine/sweep/grid.h"

namespace warpglass {

void listMemorySnapshots(const Sweep& sweep, ExperimentResult& result) {
    const SweepCell* firstWithout = nullptr;
    std::int64_t without = 0;
    for (const SweepCell& cell : sweep.cells) {
        if (!cell.memorySnapshot.empty()) {
            result.memorySnapshots.push_back({cellTitle(sweep.plan, cell), cell.memorySnapshot});
        } else if (cell.state == CellState::kOk && !cell.message.empty()) {
            // What became of any other cell, noteCells() says.
            firstWithout = firstWithout ? firstWithout : &cell;
            ++without;
        }
    }
    if (!result.memorySnapshots.empty())
        result.notes.push_back("LibTorch's memory snapshot of each run is beside its run file (" +
                               (sweep.plan.runFolder / "N.pickle").generic_string() +
                               "): drag it onto https://pytorch.org/memory_viz to open it.");
    if (firstWithout)
        result.notes.push_back(cellTitle(sweep.plan, *firstWithout) + ": " + firstWithout->message);
    if (without > 1)
        result.notes.push_back(counted(without - 1, "more run has", "more runs have") +
                               " left no memory snapshot; the sweep file says why.");
}

}  // namespace warpglass
