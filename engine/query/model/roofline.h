// How close a run came to what its device can do: the share of the ceiling that the model's FLOPs reached
// (MFU), and a roofline point for each group of GEMMs.
//
// MFU, as the PaLM paper defines it (Chowdhery et al. 2022, appendix B): the GEMMs that the model needs in a
// step (engine/plan/flops.h; attention's square in full, nothing computed twice) over the step's measured
// time, over the device's peak rate in the run's precision.
//
// Roofline (Williams, Waterman, Patterson 2009): a GEMM of F operations that must move B bytes can reach
// min(peak rate, F / B × bandwidth). F and B are those of engine/query/model/matrix_products.h. The time is
// that of the kernels (on the CPU, of the ops) that GEMM and fused-attention ops launched, by their place.
// All figures are per step, as means over the steps that phaseStatistics() uses, or cover a scope. In a
// scope, phase, module and step choose among the GEMMs, and ranges and names among those whose kernels are
// known individually (engine/query/model/span_work.h): a GEMM of which they cut off a part has no point.
//
// Each kernel of ours that stands between the GEMMs is a point, too, in each phase in which it ran; of its
// launches each is known (engine/query/model/own_kernel_work.h), so that a scope may cut them apart. Those of
// attention have no point of their own: they are in their attention's. So are the library's casts, copies and
// elementwise kernels, by what they do, as far as their bytes are known (engine/query/model/library_work.h);
// and the library's update of all parameters on a GPU, whose bytes follow from their number
// (engine/plan/parts.h, updateMoves()); it is one of whole steps only. What has bytes and no FLOPs, a cast,
// is held against the memory roof by its bytes a second.
//
// Both are stated against the ceilings that were measured, where the run states them ("ceiling.…"), and
// against the data sheet, where the device is known. If a GEMM of the run beat the measured ceiling, the
// device can reach that rate, so it becomes the roof (best_product.h) and no share is above 1. Pure
// functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/flops.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

/// Peak rates for one run, in its precision; nothing where they are not known. `bytesPerSecond` counts bytes
/// read and bytes written.
struct RunCeiling {
    std::optional<double> flopsPerSecond;
    std::optional<double> bytesPerSecond;
};

struct RunCeilings {
    /// What was measured; where products of this run or of an earlier one were faster, or moved more, what
    /// they did.
    RunCeiling measured;
    RunCeiling dataSheet;
    /// "NVIDIA H200 data sheet"; empty for a device that is not known.
    std::string source;
    /// The ceiling that was measured where the run's best product beat it, and where that one ran.
    std::optional<double> beaten;
    std::string beatenIn;
    /// The earlier run that had reached what this one found as the ceiling, and the rate that was measured
    /// before, where that is known.
    std::string reachedBy;
    std::optional<double> measuredBefore;

    /// Whether `measured` states what a run reached rather than a measurement: sentence() has something to
    /// say.
    bool isReached() const { return !sentence().empty(); }
    /// "The best product of this run, 768 TFLOP/s in blocks.7.ffn.w1 (backward), beat the measured ceiling of
    /// 689 TFLOP/s and stands as the roof."; of an earlier run's likewise; empty where the ceiling held, or
    /// was beaten by less than can be read.
    std::string sentence() const;
    /// Whose peak shares are of: "measured" on this device, "reached" by a run (isReached()), or
    /// "data-sheet".
    std::string_view origin(bool ofMemory) const;
};
/// Linear in the run's kernels.
RunCeilings ceilingsOf(const Snapshot& snapshot);

struct ModelUtilization {
    /// The GEMMs of one step, and that over the mean step.
    Flops modelFlops;
    double flopsPerSecond = 0;
    RunCeilings ceilings;

    /// 0.4 for 40%; nothing without that ceiling.
    std::optional<double> ofMeasured() const;
    std::optional<double> ofDataSheet() const;
};
/// Nothing without a valid configuration or a complete step. `stepMean` in ns.
std::optional<ModelUtilization> modelUtilization(const Snapshot& snapshot, std::optional<double> stepMean);

struct RooflinePoint {
    PlanPhase phase = PlanPhase::kForward;
    /// "blocks.*.ffn.w1", "blocks.*.attn/scores", "blocks.*.attn"; kernelTitle() of one of ours or of the
    /// library's; "AdamW".
    std::string name;
    /// Per step, or in total for a range; the time is in ns.
    Flops flops;
    Bytes bytes;
    double time = 0;
    /// What the ceilings allow, measured or else from the data sheet; nothing without either, and for what
    /// computes nothing.
    std::optional<double> attainableFlopsPerSecond;
    /// Likewise of memory alone, bytes a second.
    std::optional<double> memoryRoof = {};
    /// A kernel of ours between the GEMMs.
    bool isOwnKernel = false;
    /// What the ops that kernels of ours stand for, attention's too, would have moved beyond what these did.
    Bytes notMoved = {};
    /// The library's update of all parameters, which no module does.
    bool isUpdate = false;
    /// One of ours or the library's, or that of an update with the most time; empty for GEMMs, which a module
    /// tells apart.
    std::string kernel = {};
    /// A kernel of the library's between the GEMMs, of this family, and its longest launch.
    bool isLibraryKernel = false;
    OpFamily family = OpFamily::kOther;
    SpanRef longest = {};
    /// By time among the points, the longest first, from 1.
    int rank = 0;

    /// Arithmetic intensity in operations per byte.
    double intensity() const;
    double flopsPerSecond() const;
    double bytesPerSecond() const;
    /// Nothing is computed: memory is the only roof.
    bool onlyMoves() const { return flops.value == 0; }
    /// It is faster than memory, so that its tensors must have stayed in the caches.
    bool isInCache() const { return memoryRoof && bytesPerSecond() > *memoryRoof; }
    /// As a share of what the ceilings allow, at most 1.
    std::optional<double> share() const;
    /// How much less time it would take at its roof, ns; 0 for what is faster than that.
    std::optional<double> saving() const;
};
/// Whether the run was on a GPU of which there is no kernel: none was recorded, or they are lost with the end
/// of the file. The times of the CPU's ops are then those of launching, and say nothing against the GPU's
/// ceilings.
bool lacksKernels(const Snapshot& snapshot);

/// Phase by phase, the GEMMs in the model's order and then kernels of ours and the library's by name; groups
/// of which no time was recorded are left out. Empty without a valid configuration or a complete step, and
/// where lacksKernels().
std::vector<RooflinePoint> roofline(const Snapshot& snapshot, const WorkScope& scope = {});

}  // namespace warpglass
