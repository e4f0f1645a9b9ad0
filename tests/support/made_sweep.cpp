#include "tests/support/made_sweep.h"

#include <cmath>
#include <random>

#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_file.h"

namespace warpglass::test {

namespace {

/// Index in the axis and value; −1 and empty where the plan has no such axis.
std::pair<int, std::string> valueOf(const SweepPlan& plan, const SweepCell& cell, std::string_view key) {
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
        if (plan.axes[i].key == key)
            return {static_cast<int>(cell.values[i]), plan.axes[i].values[cell.values[i]]};
    }
    return {-1, {}};
}

double numberOf(const SweepPlan& plan, const SweepCell& cell, std::string_view key, double otherwise) {
    const std::string value = valueOf(plan, cell, key).second;
    return value.empty() ? otherwise : std::stod(value);
}

void runCell(const SweepPlan& plan, const MadeSweep& how, std::mt19937& random, SweepCell& cell) {
    const double n = numberOf(plan, cell, "context", 512), batch = numberOf(plan, cell, "batch", 1);
    const bool first = valueOf(plan, cell, "attention").first <= 0;
    const bool fp32 = valueOf(plan, cell, "precision").second != "bf16";
    // The variant that stores scores is quadratic in time and memory, the other nearly linear.
    const double ns = batch * (first ? 8e3 * std::pow(n / 128, 1.98) : 3e4 * std::pow(n / 128, 1.1)) *
                      (fp32 ? 2.1 : 1) * 10;
    const double bytes = 5e8 * (fp32 ? 2 : 1) + batch * (first ? 160 * n * n : 9e4 * n) * (fp32 ? 1 : 0.5);
    cell.figures["predicted_peak_bytes"] = bytes * 1.03;
    cell.started = "2026-01-31T15:45:00Z";
    cell.took = Nanoseconds(3'000'000'000);
    if (first && fp32 && static_cast<std::int64_t>(n) >= how.outOfMemoryFrom) {
        cell.state = CellState::kOutOfMemory;
        cell.message = "Memory ran out.";
        return;
    }
    std::normal_distribution<double> noise(1, how.noise);
    cell.state = CellState::kOk;
    cell.figures["forward_mean_ns"] = ns * noise(random);
    cell.figures["forward_stddev_ns"] = ns * how.noise;
    cell.figures["step_mean_ns"] = 3.2 * ns * noise(random);
    cell.figures["step_stddev_ns"] = 3.2 * ns * how.noise;
    cell.figures["tokens_per_second"] = batch * n / (3.2 * ns) * 1e9;
    cell.figures["peak_bytes"] = std::round(bytes * noise(random));
}

}  // namespace

Sweep madeSweep(const MadeSweep& how) {
    Sweep sweep{.plan = {.axes = how.axes, .repeats = how.repeats}};
    sweep.cells = cellsOf(sweep.plan);
    sweep.information = {{"device.name", "NVIDIA H200"}, {"torch.version", "2.11.0"}};
    std::mt19937 random(how.seed);
    const auto run = static_cast<std::int64_t>(sweep.cells.size()) - how.waiting;
    for (SweepCell& cell : sweep.cells) {
        if (cell.index < run)
            runCell(sweep.plan, how, random, cell);
    }
    return sweep;
}

Status writeSweep(const Sweep& sweep, const std::filesystem::path& path) {
    auto file = SweepFile::create(path, sweep.plan);
    if (!file)
        return file.error();
    for (const auto& [key, value] : sweep.information) {
        if (const Status written = (*file)->setInformation(key, value); !written)
            return written;
    }
    for (const SweepCell& cell : sweep.cells) {
        if (!cell.isDone())
            continue;
        if (const Status begun = (*file)->beginCell(cell.index, cell.started); !begun)
            return begun;
        if (const Status written = (*file)->finishCell(cell); !written)
            return written;
    }
    return {};
}

Sweep largeSweep(std::int64_t contexts, std::int64_t batches) {
    MadeSweep how{.axes = {{"context", {}}, {"batch", {}}}};
    for (std::int64_t i = 1; i <= contexts; ++i)
        how.axes[0].values.push_back(std::to_string(64 * i));
    for (std::int64_t i = 1; i <= batches; ++i)
        how.axes[1].values.push_back(std::to_string(i));
    return madeSweep(how);
}

}  // namespace warpglass::test
