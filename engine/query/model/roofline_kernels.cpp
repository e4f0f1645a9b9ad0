#include "engine/query/model/roofline_kernels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/plan/parameters.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"
#include "engine/query/model/library_work.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/filtered_spans.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/text_match.h"

namespace warpglass {
namespace {

/// None for a phase in which a step computes nothing.
std::optional<PlanPhase> planPhase(Phase phase) {
    for (std::size_t i = 0; i < kPlanPhaseNames.size(); ++i) {
        if (tracePhase(static_cast<PlanPhase>(i)) == phase)
            return static_cast<PlanPhase>(i);
    }
    return std::nullopt;
}

struct Launches {
    std::int64_t time = 0, count = 0;
    NameId signature;
};
/// By place and name.
using LaunchesOfKernels = std::map<std::pair<std::uint32_t, std::uint32_t>, Launches>;

/// Calls take(lane, chunk, i, row, detail) for every kernel that a scope takes.
template <class Take>
void forEachKernel(const Snapshot& snapshot, const WorkScope& scope, const StepSelection& steps,
                   const Take& take) {
    const TextMatch text(snapshot, scope.text);
    FilteredSpans(snapshot, scope.filter, TrackKind::kGpuStream)
        .forEach([&](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, std::uint64_t row) {
            if (!steps.contains(chunk.step[i]))
                return;
            const auto detail = snapshot.detail(DetailId(chunk.detail[i]));
            if (text.passes(chunk.name[i], (detail ? detail->op : NameId()).value, chunk.place[i]))
                take(lane, chunk, i, row, detail);
        });
}

LaunchesOfKernels launchesOfOwn(const Snapshot& snapshot, const OwnKernelWork& own, const WorkScope& scope,
                                const StepSelection& steps) {
    LaunchesOfKernels all;
    forEachKernel(snapshot, scope, steps,
                  [&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t,
                      const std::optional<SpanDetail>& detail) {
                      if (!own.isOwn(NameId(chunk.name[i])))
                          return;
                      Launches& launches = all[{chunk.place[i], chunk.name[i]}];
                      addWrapping(launches.time, chunk.duration[i]);
                      ++launches.count;
                      if (detail)
                          launches.signature = detail->fullName;
                  });
    return all;
}

struct OwnSum {
    double time = 0;
    NameId signature;
    OwnKernelWork::Known known;
};
/// What our kernels did, of the spans that a scope takes.
struct OwnSums {
    /// The kernels between the GEMMs.
    std::map<std::pair<PlanPhase, std::string_view>, OwnSum> byKernel;
    /// Attention's kernels, whose time is that of its place's GEMMs, by group.
    std::map<std::pair<PlanPhase, std::string>, OwnSum> ofAttention;
};

OwnSums ownSums(const Snapshot& snapshot, const WorkScope& scope, const StepSelection& steps) {
    OwnSums sums;
    const OwnKernelWork own(snapshot);
    if (own.empty())
        return sums;
    for (const auto& [at, launches] : launchesOfOwn(snapshot, own, scope, steps)) {
        const Place place = snapshot.place(PlaceId(at.first));
        const std::optional<PlanPhase> phase = planPhase(place.phase);
        const NameId kernel(at.second);
        const auto known = own.of(kernel, PlaceId(at.first), launches.count);
        if (!phase || !known || known->flops <= 0 || launches.time <= 0)
            continue;  // what computes nothing has no arithmetic intensity
        OwnSum& sum = own.isOfAttention(kernel)
                          ? sums.ofAttention[{*phase, productGroupName(snapshot.name(place.module),
                                                                       snapshot.name(place.part))}]
                          : sums.byKernel[{*phase, snapshot.name(kernel)}];
        sum.time += static_cast<double>(launches.time);
        sum.signature = launches.signature;
        sum.known += *known;
    }
    return sums;
}

/// A point for each of our kernels between the GEMMs in each phase; what attention's did not move goes to the
/// points of their attention, which are there already.
void addOwnKernels(std::vector<RooflinePoint>& points, const Snapshot& snapshot, const OwnSums& sums,
                   const StepSelection& steps) {
    const auto count = static_cast<double>(steps.count);
    for (RooflinePoint& point : points) {
        const auto own = sums.ofAttention.find({point.phase, point.name});
        if (own != sums.ofAttention.end())
            point.notMoved = Bytes(std::llround(own->second.known.notMoved / count));
    }
    for (const auto& [key, sum] : sums.byKernel) {
        RooflinePoint& point = points.emplace_back();
        point.phase = key.first;
        point.kernel = key.second;
        point.name = kernelTitle(point.kernel, snapshot.name(sum.signature));
        point.flops = Flops(std::llround(sum.known.flops / count));
        point.bytes = Bytes(std::llround(sum.known.bytes / count));
        point.time = sum.time / count;
        point.isOwnKernel = true;
        point.notMoved = Bytes(std::llround(sum.known.notMoved / count));
    }
}

/// A point for each work of the library's kernels in each phase, of those of which it is known.
void addLibraryKernels(std::vector<RooflinePoint>& points, const Snapshot& snapshot, const WorkScope& scope,
                       const StepSelection& steps) {
    struct Ran {
        std::int64_t time = 0, launches = 0, longest = -1;
        SpanRef span;
        PlaceId place;
        NameId name, op, signature;
    };
    std::unordered_map<std::uint64_t, Ran> all;
    const LibraryWork library(snapshot);
    if (library.empty())
        return;
    forEachKernel(snapshot, scope, steps,
                  [&](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, std::uint64_t row,
                      const std::optional<SpanDetail>& detail) {
                      const std::uint64_t key = library.keyOf(chunk, i);
                      if (key == 0 || !detail)
                          return;
                      Ran& ran = all[key];
                      addWrapping(ran.time, chunk.duration[i]);
                      ++ran.launches;
                      if (chunk.duration[i] <= ran.longest)
                          return;
                      ran.longest = chunk.duration[i];
                      ran.span = {lane.id(), row};
                      ran.place = PlaceId(chunk.place[i]);
                      ran.name = NameId(chunk.name[i]);
                      ran.op = detail->op;
                      ran.signature = detail->fullName;
                  });
    struct Sum {
        double time = 0, flops = 0, bytes = 0;
        Ran longest;
    };
    std::map<std::pair<PlanPhase, std::string>, Sum> sums;
    for (const auto& [key, ran] : all) {
        const auto known = library.of(key, ran.launches);
        const auto phase = planPhase(snapshot.place(ran.place).phase);
        if (!known || !phase || ran.time <= 0)
            continue;
        Sum& sum = sums[{*phase, kernelTitle(snapshot.name(ran.name), snapshot.name(ran.signature))}];
        sum.time += static_cast<double>(ran.time);
        sum.flops += known->flops;
        sum.bytes += known->bytes;
        // The first of those that are equally long.
        if (ran.longest != sum.longest.longest ? ran.longest > sum.longest.longest
                                               : ran.span.row < sum.longest.span.row)
            sum.longest = ran;
    }
    const auto count = static_cast<double>(steps.count);
    for (const auto& [key, sum] : sums) {
        RooflinePoint& point = points.emplace_back();
        point.phase = key.first;
        point.name = key.second;
        point.flops = Flops(std::llround(sum.flops / count));
        point.bytes = Bytes(std::llround(sum.bytes / count));
        point.time = sum.time / count;
        const Ran& longest = sum.longest;
        point.kernel = snapshot.name(longest.name);
        point.isLibraryKernel = true;
        point.family = kernelFamily(point.kernel, snapshot.name(longest.signature), snapshot.name(longest.op),
                                    tracePhase(point.phase));
        point.longest = longest.span;
    }
}

/// The library's AdamW, which is no kernel of ours: all kernels of the phase, which are its own.
std::optional<RooflinePoint> updatePoint(const Snapshot& snapshot, const RunConfig& config,
                                         const WorkScope& scope) {
    const OptimizerPlan& optimizer = planOf(config.optimizer);
    if (config.mode != Mode::kStep || !optimizer.is.kernels.empty() || !isOfWholeSteps(snapshot, scope) ||
        !isPlannedIn(scope.filter, PlanPhase::kOptimizer, ""))
        return std::nullopt;
    const WorkTimes times = workTimes(snapshot, scope);
    if (!times.gpu || times.steps == 0)
        return std::nullopt;
    std::map<std::string_view, std::int64_t> byKernel;
    std::int64_t whole = 0;
    for (const WorkRow& row : times.rows) {
        if (row.copy || snapshot.place(row.place).phase != Phase::kOptimizer)
            continue;
        addWrapping(whole, row.time);
        addWrapping(byKernel[snapshot.name(row.kernel)], row.time);
    }
    if (whole <= 0)
        return std::nullopt;
    RooflinePoint point;
    point.phase = PlanPhase::kOptimizer;
    point.name = "AdamW";
    point.flops = Flops(Saturating(optimizer.work.of(parameterCount(config.shape), 1)).value());
    point.bytes = updateMoves(config);
    point.time = static_cast<double>(whole) / static_cast<double>(times.steps);
    point.isUpdate = true;
    point.kernel =
        std::ranges::max_element(byKernel, {}, [](const auto& each) { return each.second; })->first;
    return point;
}

}  // namespace

std::string productGroupName(std::string_view module, std::string_view part) {
    return part.empty() ? moduleGroup(module) : moduleGroup(module) + "/" + std::string(part);
}

void addKernelPoints(std::vector<RooflinePoint>& points, const Snapshot& snapshot, const RunConfig& config,
                     const WorkScope& scope, const StepSelection& steps) {
    addOwnKernels(points, snapshot, ownSums(snapshot, scope, steps), steps);
    addLibraryKernels(points, snapshot, scope, steps);
    if (auto update = updatePoint(snapshot, config, scope))
        points.push_back(std::move(*update));
}

}  // namespace warpglass
