#include "engine/query/model/span_work.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/plan/parameters.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/model/matrix_products.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {

namespace {

/// The ops in which LibTorch's CPU half and its wrappers end: those around them would count twice.
bool isInnermostProduct(std::string_view op) {
    constexpr std::string_view kOps[] = {"aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm"};
    return std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps) ||
           op.starts_with("aten::_scaled_dot_product_flash_attention") ||
           op.starts_with("aten::_scaled_dot_product_efficient_attention");
}

}  // namespace

SpanWork::SpanWork(const Snapshot& snapshot, TrackKind kind)
    : m_snapshot(snapshot),
      m_plan(snapshot.derived<Plan>(std::string(kTrackKindNames[static_cast<std::size_t>(kind)]),
                                    [&] { return Plan(snapshot, kind); })) {}

SpanWork::Plan::Plan(const Snapshot& snapshot, TrackKind kind) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    StepSelection steps = stepsToAverage(snapshot);
    const bool unfinished = steps.count == 0;
    if (const auto step = unfinished ? Completeness(snapshot).unfinishedStep() : std::nullopt)
        steps = {step->step, step->step, 1, false};
    if (!config || steps.count == 0 || (kind != TrackKind::kCpuThread && kind != TrackKind::kGpuStream))
        return;
    products.resize(snapshot.nameCount() + 1);
    for (std::size_t i = 0; i < snapshot.nameCount(); ++i) {
        const std::string_view name = snapshot.name(NameId(i));
        products[i] = (kind == TrackKind::kCpuThread ? isInnermostProduct(name) : isProductOp(name)) ? 1 : 0;
    }
    planProducts(snapshot, *config);
    if (kind == TrackKind::kGpuStream)
        planUpdate(snapshot, *config);

    std::vector<std::int64_t> ran(places.size());
    const SpanFilter everything;
    FilteredSpans(snapshot, everything, kind)
        .forEach([&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
            if ((isProduct(NameId(chunk.name[i])) || isUpdate(snapshot, chunk, i)) &&
                chunk.place[i] < ran.size() && steps.contains(chunk.step[i]))
                ++ran[chunk.place[i]];
        });
    for (std::size_t i = 0; i < ran.size(); ++i) {
        places[i].perStep = ran[i] % steps.count == 0 ? ran[i] / steps.count : 0;
        if (unfinished && ran[i] != places[i].planned)
            places[i].perStep = 0;  // some may have been still to come
    }
}

void SpanWork::Plan::planProducts(const Snapshot& snapshot, const RunConfig& config) {
    using Key = std::tuple<Phase, std::string, std::string>;
    std::map<Key, AtPlace> planned;
    for (const MatrixProduct& product : matrixProducts(config)) {
        AtPlace& at =
            planned[{tracePhase(product.phase), product.module, std::string(recordedPart(config, product))}];
        const bool first = at.flops == 0;
        at.flops += static_cast<double>(product.flops.value);
        at.bytes += static_cast<double>(product.bytes.value);
        // Scores and values of a fused kernel: one kernel forward, of no equal parts backward.
        at.planned = product.phase == PlanPhase::kBackward ? (first ? 2 : 0) : 1;
        // Scores and values at one place have no shape in common.
        at.shape = first ? product.shape : std::string();
    }
    places.resize(snapshot.placeCount());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place place = snapshot.place(PlaceId(i));
        const auto found = planned.find(
            {place.phase, std::string(snapshot.name(place.module)), std::string(snapshot.name(place.part))});
        if (found != planned.end())
            places[i] = found->second;
    }
}

/// Plans the op that is for all parameters, in the optimizer's phase under no module.
void SpanWork::Plan::planUpdate(const Snapshot& snapshot, const RunConfig& config) {
    const OptimizerPlan& optimizer = planOf(config.optimizer);
    if (config.isAttention() || !optimizer.is.kernels.empty() || optimizer.ops.empty())
        return;
    update = snapshot.findName(optimizer.ops.front().name);
    Saturating bytes;
    for (const ServedModule& served : optimizer.ops.front().serves(config))
        bytes += served.moved.value;
    const std::int64_t flops = Saturating(optimizer.work.of(parameterCount(config.shape), 1)).value();
    for (std::size_t i = 0; update.valid() && i < places.size(); ++i) {
        const Place place = snapshot.place(PlaceId(i));
        if (place.phase == Phase::kOptimizer && snapshot.name(place.module).empty())
            places[i] = {.flops = static_cast<double>(flops),
                         .bytes = static_cast<double>(bytes.value()),
                         .update = true};
    }
}

bool SpanWork::Plan::isUpdate(const Snapshot& snapshot, const SpanChunk& chunk, std::uint32_t i) const {
    if (!update.valid() || chunk.place[i] >= places.size() || !places[chunk.place[i]].update)
        return false;
    const auto detail = snapshot.detail(DetailId(chunk.detail[i]));
    return detail && detail->op == update;
}

std::optional<SpanWork::Known> SpanWork::of(std::uint32_t place, std::int64_t products, bool all) const {
    if (place >= m_plan->places.size() || products <= 0)
        return std::nullopt;
    const AtPlace& at = m_plan->places[place];
    if (at.flops <= 0 || at.perStep <= 0)
        return std::nullopt;
    const bool each = at.perStep == at.planned;
    if (!each && !(all && products % at.perStep == 0))
        return std::nullopt;
    const double steps = static_cast<double>(products) / static_cast<double>(at.perStep);
    return Known{at.flops * steps, at.bytes * steps, at.update};
}

}  // namespace warpglass
