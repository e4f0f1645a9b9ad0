#include "engine/tables/layer_columns.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Layer = Column<LayerRow, LayersShown>;
using Part = Column<AttentionPartRow, AttentionParts>;
using Point = Column<RooflinePoint, RooflineShown>;
using Words = std::optional<std::string>;

/// With why it stands out from the other blocks.
Words withOutliers(std::string exact, const LayerRow& row, const LayersShown& of) {
    for (const std::string& sentence : outlierSentences(of.layers, row))
        exact += '\n' + sentence;
    return exact;
}

/// A measure by which blocks are compared.
Layer measured(Layer column, LayerMeasure measure) {
    const auto m = static_cast<std::size_t>(measure);
    column.trend = [m, measure](const LayerRow& row, const LayersShown& of) {
        return !row.outlier[m] ? 0 : row.value(measure) > of.layers.median[m] ? 1 : -1;
    };
    column.exact = [m, value = column.value, unit = column.unit](const LayerRow& row,
                                                                 const LayersShown& of) -> Words {
        return row.outlier[m] ? withOutliers(exactCell(value(row, of), unit), row, of) : Words();
    };
    return column;
}

/// A column of what is planned, absent where it is not known. `unplanned(of)` says why there is no plan.
template <class Row, class Of>
void planned(Column<Row, Of>& column, bool (*isKnown)(const Row&, const Of&),
             const std::string& (*unplanned)(const Of&)) {
    column.text = [isKnown](const Row& row, const Of& of) {
        return isKnown(row, of) ? Words() : Words(kUnknownWork);
    };
    column.exact = [isKnown, unplanned](const Row& row, const Of& of) {
        if (!isKnown(row, of))
            return Words(kWhyWorkIsUnknown);
        return unplanned(of).empty() ? Words() : Words(unplanned(of));
    };
}

Layer plannedOfLayer(Layer column) {
    planned<LayerRow, LayersShown>(
        column, [](const LayerRow& row, const LayersShown&) { return row.flopsKnown; },
        [](const LayersShown& of) -> const std::string& { return of.layers.unplanned; });
    return column;
}

bool isWorkKnown(const AttentionPartRow& row, const AttentionParts&) {
    return row.flopsKnown;
}

Part plannedOfPart(Part column,
                   bool (*isKnown)(const AttentionPartRow&, const AttentionParts&) = isWorkKnown) {
    planned<AttentionPartRow, AttentionParts>(
        column, isKnown, [](const AttentionParts& of) -> const std::string& { return of.unplanned; });
    return column;
}

/// "forward +22%, activations −8.1%".
std::string outliersInWords(const LayerRow& row, const LayersShown& of) {
    std::string words;
    for (std::size_t m = 0; m < kLayerMeasureCount; ++m) {
        if (!row.outlier[m])
            continue;
        words += (words.empty() ? "" : ", ") + std::string(kLayerMeasureNames[m]);
        const double value = row.value(static_cast<LayerMeasure>(m)), median = of.layers.median[m];
        if (median > 0)
            words += (value > median ? " +" : " −") + formatPercent(std::fabs(value / median - 1));
    }
    return words;
}

Cell outlierNames(const LayerRow& row) {
    std::string names;
    for (std::size_t m = 0; m < kLayerMeasureCount; ++m) {
        if (row.outlier[m])
            names += (names.empty() ? "" : " ") + std::string(kLayerMeasureNames[m]);
    }
    return textOrAbsent(names);
}

Cell bytesOf(Bytes size, const LayersShown& of) {
    return of.memoryKnown ? Cell(size.value) : Cell();
}

std::vector<Layer> layerColumns() {
    const auto ofLayer = [](const LayerRow& row, const LayersShown& of) {
        return withOutliers(row.name, row, of);
    };
    const auto standingOut = [](const LayerRow& row, const LayersShown& of) {
        return withOutliers(outliersInWords(row, of), row, of);
    };
    const std::string ofStep = "In one step";
    return {
        Layer("layer", "Layer", Unit::kText, "In the model's order", &LayerRow::name,
              {.exact = ofLayer, .inOrder = kAlways, .code = kAlways, .width = 136}),
        Layer("time_share", "Share", Unit::kFraction, "Share of the time of all layers",
              [](const LayerRow& row, const LayersShown& of) {
                  return of.time > 0 ? Cell(row.time() / of.time) : Cell();
              },
              {.seen = Seen::kCommandLine}),
        measured(Layer("forward_ns", "Forward", Unit::kNanoseconds, ofStep,
                       [](const LayerRow& row) { return wholeOrAbsent(row.forward); }, {.width = 72}),
                 LayerMeasure::kForward),
        measured(Layer("backward_ns", "Backward", Unit::kNanoseconds, ofStep,
                       [](const LayerRow& row) { return wholeOrAbsent(row.backward); }, {.width = 76}),
                 LayerMeasure::kBackward),
        measured(Layer("optimizer_ns", "Optimizer", Unit::kNanoseconds,
                       "In one step; of a kernel that updates all parameters, the layer's share",
                       [](const LayerRow& row) { return wholeOrAbsent(row.optimizer); }, {.width = 80}),
                 LayerMeasure::kOptimizer),
        Layer("forward_flops", "FLOPs forward", Unit::kFlops,
              "FLOPs of the forward pass of one step, as planned", ifPositive(&LayerRow::forwardFlops),
              {.seen = Seen::kCommandLine}),
        Layer("backward_flops", "FLOPs backward", Unit::kFlops,
              "FLOPs of the backward pass of one step, as planned", ifPositive(&LayerRow::backwardFlops),
              {.seen = Seen::kCommandLine}),
        plannedOfLayer(
            Layer("moved_bytes", "Least moved", Unit::kBytes,
                  "Minimum traffic of the GEMMs of a step: each operand read once, each result written once",
                  ifPositive(&LayerRow::moved), {.name = "Moved", .width = 96})),
        measured(
            Layer("activations_bytes", "Activations", Unit::kBytes,
                  "Kept by the forward pass, live at the peak",
                  [](const LayerRow& row, const LayersShown& of) { return bytesOf(row.activations(), of); },
                  {.bar = Bar::kOfLargest,
                   .parts =
                       [](const LayerRow& row) {
                           CategoryBytes parts{};
                           parts[static_cast<std::size_t>(Category::kActivations)] = row.activations().value;
                           return parts;
                       },
                   .width = 116}),
            LayerMeasure::kActivations),
        Layer("memory_bytes", "Memory", Unit::kBytes, "Live at the peak, by category",
              [](const LayerRow& row, const LayersShown& of) { return bytesOf(row.memory(), of); },
              {.exact = [](const LayerRow& row) { return categoriesInWords(row.alive); },
               .bar = Bar::kOfLargest,
               .parts = &LayerRow::alive,
               .width = 116}),
        Layer("stands_out", "Outlier", Unit::kText,
              "Outliers: more than 3 × 1.4826 × MAD and 5% away from the median of all blocks", outlierNames,
              {.text = outliersInWords, .exact = standingOut, .width = 132}),
        Layer("optimizer_flops", "FLOPs optimizer", Unit::kFlops,
              "FLOPs of the optimizer in one step, as planned", ifPositive(&LayerRow::optimizerFlops),
              {.seen = Seen::kCommandLine}),
        Layer("time_ns", "Time", Unit::kNanoseconds, "Forward, backward and optimizer together, per step",
              [](const LayerRow& row) { return wholeOrAbsent(row.time()); },
              {.bar = Bar::kOfLargest,  // What belongs to no layer may be many times as long as the longest
                                        // of them.
               .isApart = [](const LayerRow& row) { return row.name == "rest"; },
               .width = 112,
               .after = "layer"}),
        plannedOfLayer(Layer("flops", "FLOPs", Unit::kFlops,
                             "FLOPs of one step, as planned, the optimizer's too",
                             ifPositive(&LayerRow::flops), {.width = 92, .after = "optimizer_ns"})),
        plannedOfLayer(Layer("flops_per_second", "Fwd + bwd FLOP/s", Unit::kFlopsPerSecond,
                             "FLOPs of the forward and the backward pass over their time, of layers with "
                             "GEMMs: memory bounds the others, and the optimizer",
                             [](const LayerRow& row, const LayersShown& of) {
                                 const bool rated = of.layers.rates && row.moved.value > 0;
                                 return rated ? wholeOrAbsent(row.passesFlopsPerSecond()) : Cell();
                             },
                             {.width = 132, .after = "flops"})),
        Layer("shared_ns", "Shared kernels", Unit::kNanoseconds,
              "The part of the time that is shares of kernels that work for several modules, each split by "
              "the bytes that it moves for them",
              [](const LayerRow& row) { return wholeOrAbsent(row.shared); },
              {.formerTitle = "Shared", .width = 104, .after = "optimizer_ns"}),
    };
}

std::vector<Part> attentionColumns() {
    const auto sharesKnown = [](const AttentionPartRow& row, const AttentionParts& of) {
        return of.flopsKnown(row.phase);
    };
    return {
        Part("phase", "Phase", Unit::kText, "The pass: forward or backward",
             [](const AttentionPartRow& row) { return planPhaseName(row.phase); },
             {.inOrder = kAlways,
              .swatch = [](const AttentionPartRow& row) { return swatchOf(tracePhase(row.phase)); },
              .width = 96}),
        Part("part", "Part", Unit::kText, "All blocks combined",
             [](const AttentionPartRow& row) {
                 return kAttentionPartNames[static_cast<std::size_t>(row.part)];
             },
             {.text = [](const AttentionPartRow& row) { return Words(attentionPartWords(row.part)); },
              .inOrder = kAlways,
              .width = 144}),
        Part("time_ns", "Time", Unit::kNanoseconds, "In one step",
             [](const AttentionPartRow& row) { return wholeCell(row.time); }, {.width = 76}),
        Part("time_share", "Time %", Unit::kFraction, "Share of attention's time in this phase",
             &AttentionPartRow::timeShare, {.bar = Bar::kOfLargest, .width = 112}),
        plannedOfPart(Part("flops", "FLOPs", Unit::kFlops, "GEMMs and elementwise work of one step",
                           ifPositive(&AttentionPartRow::flops), {.width = 92})),
        plannedOfPart(
            Part("flops_share", "FLOPs %", Unit::kFraction, "Share of attention's FLOPs in this phase",
                 [](const AttentionPartRow& row, const AttentionParts& of) {
                     const bool known = of.flops(row.phase).value > 0 && of.flopsKnown(row.phase);
                     return known ? Cell(row.flopsShare) : Cell();
                 },
                 {.bar = Bar::kOfLargest, .width = 112}),
            sharesKnown),
        plannedOfPart(Part("flops_per_second", "FLOPs / time", Unit::kFlopsPerSecond,
                           "FLOPs over all of the part's time, not over that in GEMMs alone",
                           [](const AttentionPartRow& row, const AttentionParts& of) {
                               return row.flops.value > 0 && of.rates ? wholeOrAbsent(row.flopsPerSecond())
                                                                      : Cell();
                           },
                           {.name = "FLOP/s", .width = 104})),
        plannedOfPart(Part("moved_bytes", "Least moved", Unit::kBytes,
                           "As planned, not measured: each operand and result of the GEMMs once",
                           ifPositive(&AttentionPartRow::moved), {.formerTitle = "Moved", .width = 96})),
        Part("product_ns", "GEMM time", Unit::kNanoseconds,
             "The part of the time that GEMMs and fused kernels took",
             [](const AttentionPartRow& row) { return wholeOrAbsent(row.productTime); }, {.width = 88}),
        Part("instances", "Instances", Unit::kCount, "Kernels, or ops on the CPU, of one step",
             [](const AttentionPartRow& row) { return wholeIfExact(row.instances); }, {.width = 80}),
    };
}

/// "memory · 2.12 TFLOP/s"; nothing without a roof.
Words roofInWords(const RooflinePoint& point, const RooflineShown& of) {
    if (of.ridge <= 0 || !point.share())
        return {};
    const bool memory = point.intensity() < of.ridge;
    return (memory && point.isInCache() ? "cache · "
            : memory                    ? "memory · "
                                        : "compute · ") +
           (point.onlyMoves() ? formatByteRate(std::max(*point.memoryRoof, point.bytesPerSecond()))
                              : readableCell(*point.attainableFlopsPerSecond, Unit::kFlopsPerSecond));
}

std::vector<Point> rooflineColumns() {
    return {
        Point("phase", "Phase", Unit::kText, "In the order of a step",
              [](const RooflinePoint& point) { return planPhaseName(point.phase); },
              {.inOrder = kAlways,
               .swatch = [](const RooflinePoint& point) { return swatchOf(tracePhase(point.phase)); },
               .width = 96}),
        Point("name", "GEMM or kernel", Unit::kText,
              "GEMMs by their module, other kernels by what they do, and the optimizer's update; all blocks "
              "combined",
              &RooflinePoint::name,
              {.code = [](const RooflinePoint& point) { return point.kernel.empty(); },
               .formerTitle = "GEMMs",
               .width = 188}),
        Point("flops", "FLOPs", Unit::kFlops, "In one step; what is computed twice is counted twice",
              ifPositive(&RooflinePoint::flops), {.width = 92}),
        Point("bytes", "Least moved", Unit::kBytes, "As planned, not measured: each operand and result once",
              &RooflinePoint::bytes, {.formerTitle = "Moved", .width = 96}),
        Point("time_ns", "Time", Unit::kNanoseconds,
              "What their kernels (on the CPU their ops) take in one step", &RooflinePoint::time,
              {.bar = Bar::kOfLargest, .width = 108}),
        Point("intensity", "Intensity", Unit::kRatio,
              "Arithmetic intensity: FLOPs per byte of minimum traffic", &RooflinePoint::intensity,
              {.plainTitle = "Intensity (FLOP/byte)", .width = 76}),
        Point("flops_per_second", "FLOP/s", Unit::kFlopsPerSecond,
              "FLOPs over time; of what computes nothing, people read bytes over time",
              [](const RooflinePoint& point) {
                  return point.onlyMoves() ? Cell() : Cell(point.flopsPerSecond());
              },
              {.text = [](const RooflinePoint& point) -> Words {
                   return point.onlyMoves() ? Words(formatByteRate(point.bytesPerSecond())) : Words();
               },
               .width = 92}),
        Point("attainable_flops_per_second", "Roof", Unit::kFlopsPerSecond,
              "What the ceilings allow at this intensity: the memory roof or the compute roof; \"cache\" "
              "where it was faster than memory, since part of its tensors stayed in the L2 cache",
              &RooflinePoint::attainableFlopsPerSecond,
              {.text = roofInWords, .plainTitle = "Roof (FLOP/s)", .width = 152}),
        Point("attainable_share", "Share of roof", Unit::kFraction,
              "FLOP/s, or bytes a second, over what the ceilings allow", &RooflinePoint::share,
              {.bar = Bar::kOfWhole, .width = 112}),
        Point("not_moved_bytes", "Not moved", Unit::kBytes,
              "What the library's ops would have moved beyond the bytes of our own kernel, which does the "
              "work of several at once",
              [](const RooflinePoint& point) {
                  return point.isOwnKernel || point.notMoved.value > 0 ? Cell(point.notMoved.value) : Cell();
              },
              {.seen = Seen::kCommandLine}),
        Point("rank", "No.", Unit::kCount, "By time, the longest first; the chart's points have this number",
              [](const RooflinePoint& point) { return Cell(std::int64_t{point.rank}); }, {.width = 36}),
        Point("saving_ns", "To gain", Unit::kNanoseconds, "How much less time it would take at its roof",
              &RooflinePoint::saving, {.bar = Bar::kOfLargest, .width = 96}),
    };
}

}  // namespace

LayersShown::LayersShown(Layers of)
    : layers(std::move(of)),
      memoryKnown(
          std::ranges::any_of(layers.rows, [](const LayerRow& row) { return row.memory().value > 0; })),
      time(layers.time()) {}

const TableDescription<LayerRow, LayersShown>& layersTable() {
    static const TableDescription<LayerRow, LayersShown> table{
        "layers",
        layerColumns(),
        {"layer", "time_ns", "forward_ns", "backward_ns", "optimizer_ns", "flops", "flops_per_second",
         "moved_bytes", "activations_bytes", "memory_bytes", "stands_out"}};
    return table;
}

const TableDescription<AttentionPartRow, AttentionParts>& attentionTable() {
    static const TableDescription<AttentionPartRow, AttentionParts> table{
        "attention",
        attentionColumns(),
        {"phase", "part", "time_share", "time_ns", "product_ns", "flops_share", "flops"}};
    return table;
}

const TableDescription<RooflinePoint, RooflineShown>& rooflineTable() {
    static const TableDescription<RooflinePoint, RooflineShown> table{
        "roofline",
        rooflineColumns(),
        {"rank", "phase", "name", "time_ns", "flops_per_second", "attainable_flops_per_second",
         "attainable_share", "saving_ns", "intensity"}};
    return table;
}

}  // namespace warpglass
