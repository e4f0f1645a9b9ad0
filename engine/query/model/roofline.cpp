#include "engine/query/model/roofline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/plan/data_sheet.h"
#include "engine/plan/device_ceilings.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"
#include "engine/query/model/best_product.h"
#include "engine/query/model/matrix_products.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/model/roofline_kernels.h"
#include "engine/query/model/span_work.h"
#include "engine/query/spans/filtered_spans.h"
#include "engine/query/spans/text_match.h"

namespace warpglass {
namespace {

std::optional<double> known(double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<double> ratio(double value, const std::optional<double>& ceiling) {
    return ceiling ? std::optional(value / *ceiling) : std::nullopt;
}

/// Phase; module group and part.
using GroupKey = std::pair<Phase, std::string>;

/// What GEMMs and fused attention did, by place, of the spans that a scope takes.
class ProductTimes {
public:
    /// `whole`: the arithmetic is the plan's and is not asked of each product.
    ProductTimes(const Snapshot& snapshot, const WorkScope& scope, const StepSelection& steps, bool whole)
        : m_snapshot(snapshot), m_text(snapshot, scope.text), m_allOps(scope.ofAllOps()), m_steps(steps) {
        m_isProduct.assign(snapshot.nameCount() + 1, kNotAsked);
        m_byPlace.resize(snapshot.placeCount() + 1);
        const bool gpu = hasKernels(snapshot);
        const TrackKind kind = gpu ? TrackKind::kGpuStream : TrackKind::kCpuThread;
        if (!whole)
            m_work.emplace(snapshot, kind);
        FilteredSpans(snapshot, scope.filter, kind)
            .forEach([&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
                add(chunk, i, gpu);
            });
    }

    struct Sum {
        double time = 0;              // ns
        double flops = 0, bytes = 0;  // where they are asked of each product
    };
    using GroupSums = std::map<GroupKey, Sum>;
    GroupSums byGroup() const {
        GroupSums sums;
        for (std::size_t i = 0; i + 1 < m_byPlace.size(); ++i) {
            const AtPlace& at = m_byPlace[i];
            if (at.time <= 0)
                continue;
            std::optional<SpanWork::Known> known;
            if (m_work) {
                known = m_work->of(static_cast<std::uint32_t>(i), at.products, m_allOps);
                if (!known)
                    continue;  // of a product in part nothing is known
            }
            const Place place = m_snapshot.place(PlaceId(i));
            Sum& sum = sums[{place.phase,
                             productGroupName(m_snapshot.name(place.module), m_snapshot.name(place.part))}];
            sum.time += static_cast<double>(at.time);
            sum.flops += known ? known->flops : 0;
            sum.bytes += known ? known->bytes : 0;
        }
        return sums;
    }

private:
    static constexpr std::uint8_t kNotAsked = 2;
    struct AtPlace {
        std::int64_t time = 0, products = 0;
    };

    void add(const SpanChunk& chunk, std::uint32_t row, bool gpu) {
        if (!m_steps.contains(chunk.step[row]))
            return;
        NameId op(chunk.name[row]);
        if (gpu) {
            const auto detail = m_snapshot.detail(DetailId(chunk.detail[row]));
            op = detail ? detail->op : NameId();
        }
        std::uint8_t& product = m_isProduct[std::min(op.index(), m_isProduct.size() - 1)];
        if (product == kNotAsked)
            product = isProductOp(m_snapshot.name(op)) ? 1 : 0;
        if (product == 0 || !m_text.passes(chunk.name[row], op.value, chunk.place[row]))
            return;
        AtPlace& at = m_byPlace[std::min<std::size_t>(chunk.place[row], m_byPlace.size() - 1)];
        addWrapping(at.time, gpu ? chunk.duration[row] : chunk.self[row]);
        at.products += m_work && m_work->isProduct(chunk, row) ? 1 : 0;
    }
    const Snapshot& m_snapshot;
    TextMatch m_text;
    bool m_allOps;
    StepSelection m_steps;
    std::optional<SpanWork> m_work;
    std::vector<std::uint8_t> m_isProduct;  // by name
    std::vector<AtPlace> m_byPlace;         // the last for places beyond the snapshot
};

void rank(std::vector<RooflinePoint>& points) {
    auto byTime = mapped<RooflinePoint*>(points, [&](RooflinePoint& point) { return &point; });
    std::ranges::stable_sort(byTime, std::ranges::greater(), &RooflinePoint::time);
    for (std::size_t i = 0; i < byTime.size(); ++i)
        byTime[i]->rank = static_cast<int>(i) + 1;
}

/// The steps that a scope's points are of: any with ranges or a step of its own.
StepSelection stepsOf(const Snapshot& snapshot, const WorkScope& scope) {
    if (scope.filter.ranges.empty() && !scope.filter.step)
        return scope.allSteps ? completeSteps(snapshot) : stepsToAverage(snapshot);
    StepSelection any;
    any.first = scope.filter.step.value_or(0);
    any.last = scope.filter.step.value_or(std::numeric_limits<std::int32_t>::max());
    any.count = 1;
    return any;
}

void raise(RunCeilings& ceilings, const BestProduct& best) {
    RunCeiling& roof = ceilings.measured;
    if (roof.flopsPerSecond && best.flopsPerSecond > *roof.flopsPerSecond) {
        ceilings.beaten = std::exchange(roof.flopsPerSecond, best.flopsPerSecond);
        ceilings.beatenIn = best.place;
    }
    if (roof.bytesPerSecond && best.bytesPerSecond > *roof.bytesPerSecond)
        roof.bytesPerSecond = best.bytesPerSecond;
}

RunCeilings findCeilings(const Snapshot& snapshot) {
    RunCeilings ceilings;
    const Result<RunConfig> config = configFromPairs(snapshot.info().pairs());
    if (!config)
        return ceilings;
    if (const auto measured = ceilingsFromPairs(snapshot.info().pairs())) {
        if (const auto* product = measured->product(config->precision)) {
            ceilings.measured.flopsPerSecond = known(product->flopsPerSecond);
            ceilings.reachedBy = product->source;
            ceilings.measuredBefore = known(product->measured());
        }
        ceilings.measured.bytesPerSecond = known(measured->copyBytesPerSecond);
        raise(ceilings, bestProduct(snapshot));
    }
    if (const DataSheet* sheet = dataSheetOf(snapshot.info().get("device.name"))) {
        ceilings.dataSheet = {sheet->flopsPerSecond(config->precision), known(sheet->bytesPerSecond)};
        ceilings.source = sheet->source;
    }
    return ceilings;
}

std::optional<double> attainable(const RunCeiling& ceiling, double intensity) {
    if (!ceiling.flopsPerSecond || !ceiling.bytesPerSecond)
        return std::nullopt;
    return std::min(*ceiling.flopsPerSecond, intensity * *ceiling.bytesPerSecond);
}

}  // namespace

RunCeilings ceilingsOf(const Snapshot& snapshot) {
    return *snapshot.derived<RunCeilings>({}, [&] { return findCeilings(snapshot); });
}

std::string RunCeilings::sentence() const {
    if (!measured.flopsPerSecond)
        return {};
    const std::string roof = formatFlopRate(*measured.flopsPerSecond);
    if (beaten && formatFlopRate(*beaten) != roof)
        return "The best product of this run, " + roof + " in " + beatenIn + ", beat the " +
               (reachedBy.empty() ? "measured ceiling of " : "best that was known, ") +
               formatFlopRate(*beaten) + (reachedBy.empty() ? " and stands" : ", and stands") +
               " as the roof.";
    if (reachedBy.empty() || (measuredBefore && formatFlopRate(*measuredBefore) == roof))
        return {};
    return "The best product of an earlier run (" + reachedBy + "), " + roof + ", stands as the roof" +
           (measuredBefore ? "; " + formatFlopRate(*measuredBefore) + " had been measured." : ".");
}

std::string_view RunCeilings::origin(bool ofMemory) const {
    if (!(ofMemory ? measured.bytesPerSecond : measured.flopsPerSecond))
        return "data-sheet";
    return !ofMemory && isReached() ? "reached" : "measured";
}

std::optional<double> ModelUtilization::ofMeasured() const {
    return ratio(flopsPerSecond, ceilings.measured.flopsPerSecond);
}

std::optional<double> ModelUtilization::ofDataSheet() const {
    return ratio(flopsPerSecond, ceilings.dataSheet.flopsPerSecond);
}

std::optional<ModelUtilization> modelUtilization(const Snapshot& snapshot, std::optional<double> stepMean) {
    std::optional<RunConfig> config = configOfRun(snapshot);
    if (!config || !stepMean || *stepMean <= 0)
        return std::nullopt;
    config->attention = AttentionVariant::kNaive;  // the variant that computes nothing twice
    ModelUtilization utilization;
    utilization.modelFlops = countFlops(*config).matmul();
    utilization.flopsPerSecond = static_cast<double>(utilization.modelFlops.value) / (*stepMean / 1e9);
    utilization.ceilings = ceilingsOf(snapshot);
    return utilization;
}

double RooflinePoint::intensity() const {
    return bytes.value > 0 ? static_cast<double>(flops.value) / static_cast<double>(bytes.value) : 0;
}

double RooflinePoint::flopsPerSecond() const {
    return time > 0 ? static_cast<double>(flops.value) / (time / 1e9) : 0;
}

double RooflinePoint::bytesPerSecond() const {
    return time > 0 ? static_cast<double>(bytes.value) / (time / 1e9) : 0;
}

std::optional<double> RooflinePoint::share() const {
    if (!onlyMoves())
        return ratio(flopsPerSecond(), attainableFlopsPerSecond);
    return memoryRoof ? std::optional(std::min(1.0, bytesPerSecond() / *memoryRoof)) : std::nullopt;
}

std::optional<double> RooflinePoint::saving() const {
    const auto reached = share();
    return reached ? std::optional(std::max(0.0, time * (1 - *reached))) : std::nullopt;
}

bool lacksKernels(const Snapshot& snapshot) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    return config && config->onGpu() && !hasKernels(snapshot);
}

std::vector<RooflinePoint> roofline(const Snapshot& snapshot, const WorkScope& scope) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    const StepSelection steps = stepsOf(snapshot, scope);
    if (!config || steps.count == 0 || lacksKernels(snapshot))
        return {};
    const bool whole = isOfWholeSteps(snapshot, scope);
    const ProductTimes::GroupSums sums = ProductTimes(snapshot, scope, steps, whole).byGroup();
    const auto count = static_cast<double>(steps.count);
    const RunCeilings ceilings = ceilingsOf(snapshot);

    std::vector<RooflinePoint> points;
    std::map<std::pair<PlanPhase, std::string>, std::size_t> indices;
    for (const MatrixProduct& product : matrixProducts(*config)) {
        if (!isPlannedIn(scope.filter, product.phase, product.module))
            continue;
        const std::string name = productGroupName(product.module, recordedPart(*config, product));
        const auto sum = sums.find({tracePhase(product.phase), name});
        if (sum == sums.end())
            continue;
        const auto [index, fresh] = indices.try_emplace({product.phase, name}, points.size());
        if (fresh) {
            points.push_back({product.phase, name, {}, {}, sum->second.time / count, {}});
            points.back().flops = Flops(whole ? 0 : std::llround(sum->second.flops / count));
            points.back().bytes = Bytes(whole ? 0 : std::llround(sum->second.bytes / count));
        }
        if (!whole)
            continue;
        RooflinePoint& point = points[index->second];
        point.flops = Flops((Saturating(point.flops.value) + product.flops.value).value());
        point.bytes = Bytes((Saturating(point.bytes.value) + product.bytes.value).value());
    }
    addKernelPoints(points, snapshot, *config, scope, steps);
    std::ranges::stable_sort(points, {}, &RooflinePoint::phase);
    for (RooflinePoint& point : points) {
        point.memoryRoof = memoryRoof(ceilings);
        point.attainableFlopsPerSecond = attainable(ceilings.measured, point.intensity());
        if (!point.attainableFlopsPerSecond)
            point.attainableFlopsPerSecond = attainable(ceilings.dataSheet, point.intensity());
        // A part of a step may be faster than any product over whole steps, and a kernel whose tensors stay
        // in the caches faster than memory.
        if (point.onlyMoves())
            point.attainableFlopsPerSecond.reset();
        if (point.attainableFlopsPerSecond)
            point.attainableFlopsPerSecond =
                std::max(*point.attainableFlopsPerSecond, point.flopsPerSecond());
    }
    rank(points);
    return points;
}

}  // namespace warpglass
