// Two runs side by side: what took longer and what took more memory, by phase, op, module, kernel and memory
// category.
#pragma once

#include <string>
#include <vector>

#include "engine/query/memory_timeline.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct ComparisonRow {
    std::string name;
    /// ns per measured step for times (mean), bytes for memory, a share for MFU; absent on one side is 0.
    double a = 0;
    double b = 0;
    bool inA = false;
    bool inB = false;

    double difference() const { return b - a; }
    /// b / a; 0 when a is 0.
    double ratio() const { return a != 0 ? b / a : 0; }
};

struct RunComparison {
    /// Configuration keys whose values differ: name, a's value, b's value.
    struct Setting {
        std::string key, a, b;
    };
    std::vector<Setting> settings;
    std::vector<ComparisonRow> phases;  // mean per measured step, and "step"
    std::vector<ComparisonRow> ops;     // self time per measured step, largest |difference| first
    /// Self time of the ops of each module and of the modules within it per measured step, largest
    /// |difference| first; "(outside the model)" for the rest.
    std::vector<ComparisonRow> modules;
    /// The GPU's time per measured step; empty when neither run had a GPU. Kernels by name, and, since
    /// another precision has other kernels, by the op that launched them; by the phase and the module of
    /// their launch. Largest |difference| first, phases in their order.
    std::vector<ComparisonRow> gpuPhases, gpuOps, gpuModules, kernels;
    /// MFU (engine/query/roofline.h) of the "measured ceiling" and of the "data sheet", where either run's
    /// device has it.
    std::vector<ComparisonRow> utilization;
    std::vector<ComparisonRow> categories;  // bytes at each run's peak, in Category order, and "peak"
};

/// Measured steps as phaseStatistics has them; a run without a complete step has no times.
RunComparison compareRuns(std::shared_ptr<const Snapshot> a, std::shared_ptr<const Snapshot> b);

}  // namespace warpglass
