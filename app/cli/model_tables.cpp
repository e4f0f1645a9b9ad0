#include "app/cli/model_tables.h"

#include <cmath>

#include "app/cli/report.h"

namespace warpglass::cli {
namespace {

ReportCell wholeOrAbsent(double value) {
    return value > 0 ? ReportCell(std::llround(value)) : ReportCell();
}

ReportCell countOrAbsent(std::int64_t value) {
    return value > 0 ? ReportCell(value) : ReportCell();
}

/// "Layers, by the GPU's time a step, mean of the measured steps". `table`: of layers or of attention's
/// parts.
template <class Table>
std::string titleOf(std::string what, const Table& table, const std::string& where) {
    what += table.gpu ? ", by the GPU's time" : ", by the CPU's time";
    if (table.ofRange)
        return what + where;
    if (table.steps == 0)
        return what + ": no step was completed";
    return what +
           (table.measured ? " a step, mean of the measured steps" : " a step, mean of the warm-up steps");
}

}  // namespace

ReportTable layersTable(const Layers& layers, bool memoryKnown, const std::string& where) {
    ReportTable table{titleOf("Layers", layers, where),
                      {{"Layer", "layer"},
                       {"Share", "time_share", Unit::kFraction},
                       {"Forward", "forward_ns", Unit::kNanoseconds},
                       {"Backward", "backward_ns", Unit::kNanoseconds},
                       {"Optimizer", "optimizer_ns", Unit::kNanoseconds},
                       {"FLOPs forward", "forward_flops", Unit::kFlops},
                       {"FLOPs backward", "backward_flops", Unit::kFlops},
                       {"Moved", "moved_bytes", Unit::kBytes},
                       {"Activations", "activations_bytes", Unit::kBytes},
                       {"Memory", "memory_bytes", Unit::kBytes},
                       {"Stands out", "stands_out"},
                       {"FLOPs optimizer", "optimizer_flops", Unit::kFlops}},
                      {},
                      "layers"};
    const double all = layers.time();
    const auto bytes = [memoryKnown](Bytes size) {
        return memoryKnown ? ReportCell(size.value) : ReportCell();
    };
    for (const LayerRow& row : layers.rows) {
        std::string outliers;
        for (std::size_t m = 0; m < kLayerMeasureCount; ++m) {
            if (row.outlier[m])
                outliers += (outliers.empty() ? "" : " ") + std::string(kLayerMeasureNames[m]);
        }
        table.rows.push_back(
            {row.name, all > 0 ? ReportCell(row.time() / all) : ReportCell(), wholeOrAbsent(row.forward),
             wholeOrAbsent(row.backward), wholeOrAbsent(row.optimizer), countOrAbsent(row.forwardFlops.value),
             countOrAbsent(row.backwardFlops.value), countOrAbsent(row.moved.value), bytes(row.activations()),
             bytes(row.memory()), outliers.empty() ? ReportCell() : ReportCell(outliers),
             countOrAbsent(row.optimizerFlops.value)});
    }
    return table;
}

ReportTable attentionTable(const AttentionParts& parts, const std::string& where) {
    ReportTable table{titleOf("Attention's parts", parts, where),
                      {{"Phase", "phase"},
                       {"Part", "part"},
                       {"Time", "time_ns", Unit::kNanoseconds},
                       {"Time %", "time_share", Unit::kFraction},
                       {"FLOPs", "flops", Unit::kFlops},
                       {"FLOPs %", "flops_share", Unit::kFraction},
                       {"Per second", "flops_per_second", Unit::kFlopsPerSecond},
                       {"Moved", "moved_bytes", Unit::kBytes},
                       {"In products", "product_ns", Unit::kNanoseconds},
                       {"Instances", "instances", Unit::kCount}},
                      {},
                      "attention"};
    for (const AttentionPartRow& row : parts.rows) {
        const bool rate = row.flops.value > 0 && parts.rates;
        const bool shares = parts.flops(row.phase).value > 0 && parts.flopsKnown(row.phase);
        table.rows.push_back({std::string(planPhaseName(row.phase)),
                              std::string(kAttentionPartNames[static_cast<std::size_t>(row.part)]),
                              std::llround(row.time), row.timeShare, countOrAbsent(row.flops.value),
                              shares ? ReportCell(row.flopsShare) : ReportCell(),
                              rate ? wholeOrAbsent(row.flopsPerSecond()) : ReportCell(),
                              countOrAbsent(row.moved.value), wholeOrAbsent(row.productTime),
                              wholeIfExact(row.instances)});
    }
    return table;
}

ReportTable stepsTable(std::string key, std::string title, const std::vector<PhaseSamples>& phases) {
    ReportTable table{std::move(title),
                      {{"Step", "step", Unit::kCount},
                       {"Phase", "phase"},
                       {"Start", "start_ns", Unit::kNanoseconds},
                       {"Duration", "duration_ns", Unit::kNanoseconds},
                       {"Of the mean", "mean_ratio", Unit::kRatio},
                       {"Counts as", "counts_as"}},
                      {},
                      std::move(key)};
    for (const PhaseSamples& phase : phases) {
        for (const PhaseSample& sample : phase.samples) {
            const auto duration = static_cast<double>(sample.duration.value);
            const char* kind = sample.warmup ? "warm-up" : sample.counted ? "measured" : "cut off";
            table.rows.push_back(
                {std::int64_t{sample.step}, phase.name, sample.start.value, sample.duration.value,
                 phase.mean > 0 ? ReportCell(duration / phase.mean) : ReportCell(), std::string(kind)});
        }
    }
    return table;
}

}  // namespace warpglass::cli
