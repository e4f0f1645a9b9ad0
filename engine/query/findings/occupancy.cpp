// Kernels leave much of the GPU unused, for a twentieth of the step or more, in one of two ways:
//
// Too few blocks: a grid of b blocks on m multiprocessors leaves 1 − b / m of them without work; the cost is
// that part of the kernel's time (CUDA C++ Best Practices Guide, "Thread and Block Heuristics").
//
// Low occupancy: fewer than a quarter of the threads that a multiprocessor holds fit at once; the cost is the
// kernel's time. GEMMs and fused attention are left out: they hide latency by instructions in flight and run
// well at an eighth (Volkov 2010). They are recognized by their op, or by the kernel's own name if no op is
// known.
//
// The larger of the two is reported. A kernel may run with other grids too: the table shows all calls of the
// kernels, and if that is more than what is reported, the sentence has both times. Limits: blocks of other
// streams that run at the same time are not seen; without the count of multiprocessors no grid is too small.
#include <algorithm>
#include <map>
#include <string_view>

#include "engine/base/format.h"
#include "engine/query/findings/rules.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

constexpr double kLeastOccupancyShare = 0.05;
constexpr float kLowOccupancy = 0.25F;

/// Kernels that share a fault.
struct LaunchGroup {
    double cost = 0;
    double time = 0;
    std::map<std::uint32_t, double> costOf;  // by name: a kernel runs in several shapes

    void add(NameId kernel, double kernelTime, double kernelCost) {
        costOf[kernel.value] += kernelCost;
        cost += kernelCost;
        time += kernelTime;
    }
    /// The kernel that costs most in all its shapes.
    NameId costliest() const {
        const auto most = std::ranges::max_element(
            costOf, [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == costOf.end() ? NameId() : NameId(most->first);
    }
};

double blocksOf(const SpanDetail& detail) {
    return static_cast<double>(detail.grid[0]) * detail.grid[1] * detail.grid[2];
}

bool hidesLatency(const Snapshot& run, const RunFacts::DetailTime& kernel) {
    const std::string_view op = run.name(kernel.detail.op);
    return isProductOp(op.empty() ? run.name(kernel.name) : op);
}

/// " (5.20 ms in all calls of these kernels)": what the table has of them; "" where it is the same.
std::string allCalls(const RunFacts& facts, const LaunchGroup& group) {
    double time = 0;
    for (const RunFacts::DetailTime& kernel : facts.kernelTimes()) {
        if (kernel.detail.kind == DetailKind::kKernel && group.costOf.contains(kernel.name.value))
            time += kernel.time;
    }
    return inWords(time) == inWords(group.time) ? std::string()
                                                : " (" + inWords(time) + " in all calls of these kernels)";
}

}  // namespace

std::optional<Finding> findOccupancy(const RunFacts& facts) {
    const Snapshot& run = facts.snapshot();
    const auto multiprocessors =
        static_cast<double>(run.info().getInteger("device.multiprocessors").value_or(0));
    LaunchGroup few, low;
    for (const RunFacts::DetailTime& kernel : facts.kernelTimes()) {
        if (kernel.detail.kind != DetailKind::kKernel)
            continue;
        const double blocks = blocksOf(kernel.detail);
        if (multiprocessors > 0 && blocks > 0 && blocks < multiprocessors)
            few.add(kernel.name, kernel.time, kernel.time * (1 - blocks / multiprocessors));
        else if (kernel.detail.occupancy > 0 && kernel.detail.occupancy < kLowOccupancy &&
                 !hidesLatency(run, kernel))
            low.add(kernel.name, kernel.time, kernel.time);
    }
    const bool fewBlocks = few.cost >= low.cost;
    const LaunchGroup& worse = fewBlocks ? few : low;
    if (facts.shareOfStep(worse.cost) < kLeastOccupancyShare)
        return std::nullopt;
    Finding finding = facts.findingOf("occupancy", worse.cost);
    const std::string name(run.name(worse.costliest()));
    finding.sentence =
        fewBlocks
            ? "Kernels with fewer blocks than the GPU's " +
                  formatGrouped(static_cast<std::int64_t>(multiprocessors)) + " multiprocessors run for " +
                  inWords(worse.time) + " per step" + allCalls(facts, worse) +
                  " and leave the equivalent of " + inWords(worse.cost) + ", " +
                  facts.shareInWords(worse.cost) + ", of it unused"
            : "Kernels that fill less than a quarter of a multiprocessor run for " + inWords(worse.time) +
                  " per step" + allCalls(facts, worse) + ", " + facts.shareInWords(worse.cost);
    finding.sentence += name.empty() ? "." : ", " + name + " most.";
    finding.remedy = fewBlocks ? "A larger batch or context makes larger grids."
                               : "What limits them is the registers or shared memory that a block takes.";
    finding.evidence = facts.evidenceOverSteps();
    for (const auto& [kernel, cost] : worse.costOf)
        finding.evidence.names.append(finding.evidence.names.empty() ? "" : "|")
            .append(run.name(NameId(kernel)));
    return finding;
}

}  // namespace warpglass
