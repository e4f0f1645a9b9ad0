#include "engine/query/model/plan_of_scope.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <vector>

#include "engine/base/parallel.h"
#include "engine/plan/parts.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/model/roofline.h"
#include "engine/query/model/shared_work.h"
#include "engine/query/model/span_work.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/text_match.h"

namespace warpglass {

bool computes(const Snapshot& snapshot, OpFamilyCache& families, const WorkRow& row) {
    return !row.copy && families.familyOf(snapshot, row.op, row.place) != OpFamily::kCopy;
}

/// Where rows are of the plan, each place and name looked up once.
class PlanOfScope::RowPlaces {
public:
    RowPlaces(const Snapshot& snapshot, PlanOfScope& plan) : m_snapshot(snapshot), m_plan(plan) {}

    AtPlace& of(const WorkRow& row) {
        // An attention's ops are told apart by their family.
        const auto family = static_cast<std::size_t>(m_families.familyOf(m_snapshot, row.op, row.place));
        AtPlace*& at = m_found[row.place.value * std::uint64_t{kOpFamilyCount} + family];
        if (at)
            return *at;
        const Place place = m_snapshot.place(row.place);
        const auto part = attentionPartOf(m_snapshot, place, row.op, m_plan.m_variant);
        at = &m_plan.m_places[{place.phase, std::string(m_snapshot.name(place.module)),
                               part ? static_cast<std::size_t>(*part) : kAttentionPartCount}];
        return *at;
    }
    bool computes(const WorkRow& row) { return warpglass::computes(m_snapshot, m_families, row); }

private:
    const Snapshot& m_snapshot;
    PlanOfScope& m_plan;
    OpFamilyCache m_families;
    std::unordered_map<std::uint64_t, AtPlace*> m_found;  // by place and family
};

WorkScope withAllOps(WorkScope scope) {
    scope.filter.name.clear();
    scope.text.clear();
    return scope;
}

WorkScope ofItsSteps(const Snapshot& snapshot, WorkScope scope) {
    scope.filter.ranges.clear();
    scope.filter.byLaunch = false;
    if (scope.filter.step || completeSteps(snapshot).count > 0)
        return scope;
    if (const auto step = Completeness(snapshot).unfinishedStep()) {
        scope.filter.step = step->step;
        scope.filter.measuredOnly = false;
    }
    return scope;
}

TimesOfScope::TimesOfScope(const Snapshot& snapshot, const WorkScope& scope)
    : m_cuts(!scope.filter.ranges.empty()) {
    std::vector<std::function<void()>> passes = {[&] { taken = workTimes(snapshot, scope); }};
    if (m_cuts)
        passes.emplace_back([&] { m_steps = workTimes(snapshot, ofItsSteps(snapshot, scope)); });
    runTogether(passes);
}

std::string planUnsaid(const Snapshot& snapshot) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    if (!config)
        return {};
    const std::string unsaid = "FLOPs and bytes moved are not stated: ";
    const RecordKind work = config->onGpu() ? RecordKind::kKernels : RecordKind::kOps;
    const MissingRecords missing = Completeness(snapshot).missing();
    if (missing.lacks(work) || missing.lacks(RecordKind::kPlaces))
        return unsaid + missingInWords(missing, {work, RecordKind::kPlaces}) + " missing from the file";
    if (lacksKernels(snapshot))
        return unsaid + "the run has no kernels, and the times of the CPU's ops are those of launching";
    return {};
}

PlanOfScope::PlanOfScope(const Snapshot& snapshot, const RunConfig& config, const WorkScope& scope,
                         const TimesOfScope& times)
    : m_variant(config.attention),
      m_names(!scope.ofAllOps()),
      m_ofAll(!m_names && scope.filter.ranges.empty()),
      m_cuts(!scope.filter.ranges.empty()),
      m_many(scope.filter.ranges.size() > 1),
      m_takenSteps(std::max<std::int64_t>(1, times.taken.steps)),
      m_steps(std::max<std::int64_t>(1, times.steps().steps)) {
    if (m_ofAll) {
        findUpdates(snapshot, config, times.taken);
        return;
    }
    m_text = scope.filter.name.empty() ? scope.text : std::string();
    // Each reads every span.
    std::optional<SpanWork> work;
    WorkTimes ofAllOps;
    std::vector<std::function<void()>> passes = {
        [&] { work.emplace(snapshot, times.taken.gpu ? TrackKind::kGpuStream : TrackKind::kCpuThread); }};
    if (m_names)
        passes.emplace_back([&] { ofAllOps = workTimes(snapshot, withAllOps(ofItsSteps(snapshot, scope))); });
    runTogether(passes);
    const WorkTimes& all = m_names ? ofAllOps : times.steps();
    RowPlaces places(snapshot, *this);
    add(all, *work, &AtPlace::all, places);
    if (m_names)
        add(times.steps(), *work, &AtPlace::named, places);
    for (auto& [key, at] : m_places)
        at.named = m_names ? at.named : at.all;
    add(times.taken, *work, &AtPlace::taken, places);
    if (m_many)
        findUneven(times.steps(), times.taken, places);
    findUpdates(snapshot, config, all);
    for (const FlopsEntry& entry : countFlops(config).entries) {
        const auto found = m_places.find(keyOf(entry.phase, entry.module, entry.part));
        if (found != m_places.end() && entry.matmul.value > 0)
            found->second.ofProducts = true;
    }
}

void PlanOfScope::add(const WorkTimes& times, const SpanWork& work, Ops AtPlace::*ops, RowPlaces& places) {
    for (const WorkRow& row : times.rows) {
        AtPlace& at = places.of(row);
        (at.*ops).ran += row.instances;
        if (!places.computes(row))
            continue;
        (at.*ops).computing += row.instances;
        if (!work.isProduct(times.gpu ? row.kernel : row.op))
            continue;
        (at.*ops).products += row.instances;
        at.onlyTogether = at.onlyTogether || !work.of(row.place.value, 1, false);
    }
}

void PlanOfScope::findUneven(const WorkTimes& steps, const WorkTimes& taken, RowPlaces& places) {
    struct Instances {
        AtPlace* at = nullptr;
        bool computing = false;
        std::int64_t ofSteps = 0, taken = 0;
    };
    std::map<std::tuple<PlaceId, NameId, NameId>, Instances> ran;  // by place, op and kernel
    const auto count = [&](const WorkTimes& times, std::int64_t Instances::*instances) {
        for (const WorkRow& row : times.rows) {
            Instances& of = ran[{row.place, row.op, row.kernel}];
            of.at = &places.of(row);
            of.computing = places.computes(row);
            of.*instances += row.instances;
        }
    };
    count(steps, &Instances::ofSteps);
    count(taken, &Instances::taken);
    for (const auto& [row, of] : ran) {
        AtPlace& at = *of.at;
        const bool byComputing = at.named.computing > 0;
        if (byComputing && !of.computing)
            continue;
        const std::int64_t ofSteps = byComputing ? at.named.computing : at.named.ran;
        const std::int64_t ofTaken = byComputing ? at.taken.computing : at.taken.ran;
        at.uneven = at.uneven || of.taken * ofSteps != of.ofSteps * ofTaken;
    }
}

void PlanOfScope::findUpdates(const Snapshot& snapshot, const RunConfig& config, const WorkTimes& all) {
    OpFamilyCache families;
    SharedWork shared(snapshot);
    bool underNone = false, split = false;
    for (const WorkRow& row : all.rows) {
        const Place place = snapshot.place(row.place);
        if (place.phase != Phase::kOptimizer || !computes(snapshot, families, row))
            continue;
        if (const std::string_view module = snapshot.name(place.module); !module.empty())
            m_updatedAlone.emplace(module);
        else if (shared.of(row.place, row.op, row.kernel))
            split = true;
        else
            underNone = underNone || isNamed(snapshot.name(row.op), planOf(config.optimizer).is.names);
    }
    // A filter may leave the ops out: that there are any, their place says.
    bool ofNone = false, ofModules = false;
    for (std::size_t i = 0; i < snapshot.placeCount(); ++i) {
        const Place place = snapshot.place(PlaceId(i));
        if (place.phase == Phase::kOptimizer)
            (snapshot.name(place.module).empty() ? ofNone : ofModules) = true;
    }
    // The CPU goes from module to module and counts its steps under none; a GPU's state is made in modules.
    m_updatesAtOnce = underNone || (!split && ofNone && (config.onGpu() || !ofModules));
}

bool PlanOfScope::isUpdatedWithAll(const std::string& module) const {
    return m_updatesAtOnce && !m_updatedAlone.contains(module);
}

PlanOfScope::Key PlanOfScope::keyOf(PlanPhase phase, const std::string& module, std::string_view part) const {
    const auto of = plannedAttentionPart(module, part, m_variant);
    return {tracePhase(phase), module, of ? static_cast<std::size_t>(*of) : kAttentionPartCount};
}

const PlanOfScope::AtPlace* PlanOfScope::find(PlanPhase phase, const std::string& module,
                                              std::string_view part) const {
    auto found = m_places.find(keyOf(phase, module, part));
    if (phase == PlanPhase::kOptimizer && (found == m_places.end() || found->second.all.computing == 0))
        found = m_places.find({Phase::kOptimizer, std::string(), kAttentionPartCount});  // of all at once
    return found == m_places.end() ? nullptr : &found->second;
}

bool PlanOfScope::isWholeTimes(std::int64_t taken, std::int64_t all) const {
    return taken * m_steps % (all * m_takenSteps) == 0;
}

double PlanOfScope::shareOfAll(std::int64_t taken, std::int64_t all) const {
    return static_cast<double>(taken * m_steps) / static_cast<double>(all * m_takenSteps);
}

std::optional<double> PlanOfScope::shareOfUnseen(PlanPhase phase, const std::string& module,
                                                 std::string_view part) const {
    if (m_names && (m_text.empty() || !containsText(module, m_text)))
        return 0;
    if (!m_cuts)
        return 1;
    const Key key = keyOf(phase, module, part);
    std::int64_t all = 0, taken = 0;
    std::vector<const AtPlace*> ran;
    const auto add = [&](const AtPlace& at) {
        all += at.all.ran;
        taken += at.taken.ran;
        ran.push_back(&at);
    };
    if (const auto own = m_places.find(key); own != m_places.end())
        add(own->second);
    // The sum of two gradients runs under none of the modules that it is between.
    const bool elsewhere = all == 0 && !module.empty();
    const std::string within = module + ".";
    for (auto at = m_places.lower_bound({tracePhase(phase), module, 0}); elsewhere && at != m_places.end();
         ++at) {
        const auto& [itsPhase, name, itsPart] = at->first;
        if (itsPhase != tracePhase(phase) || !name.starts_with(module))
            break;
        if (name == module || name.starts_with(within))
            add(at->second);
    }
    if (all == 0 || taken == 0)
        return 0;
    const auto isUneven = [&](const AtPlace* at) {
        return at->uneven || at->taken.ran * all != at->all.ran * taken;
    };
    if (m_many && std::ranges::any_of(ran, isUneven))
        return std::nullopt;
    return isWholeTimes(taken, all) ? std::optional(shareOfAll(taken, all)) : std::nullopt;
}

std::optional<double> PlanOfScope::share(PlanPhase phase, const std::string& module,
                                         std::string_view part) const {
    if (m_ofAll)
        return 1;
    const AtPlace* at = find(phase, module, part);
    if (!at || at->all.computing == 0)
        return shareOfUnseen(phase, module, part);
    if (at->taken.computing == 0)
        return 0;
    // In an order that is each step's, a stretch of time that holds as many as run in a step holds each once.
    if (at->named.computing == at->all.computing && !at->uneven &&
        isWholeTimes(at->taken.computing, at->all.computing))
        return shareOfAll(at->taken.computing, at->all.computing);
    if (!at->ofProducts || at->all.products == 0)
        return std::nullopt;
    const bool some = at->named.products < at->all.products || at->uneven ||
                      !isWholeTimes(at->taken.products, at->all.products);
    if (at->taken.products > 0 && some && at->onlyTogether)
        return std::nullopt;
    return shareOfAll(at->taken.products, at->all.products);
}

std::int64_t PlanOfScope::shareOf(std::int64_t planned, double share) {
    constexpr double kMost = 9.2e18;  // a range may hold many steps
    return share == 1 ? planned : std::llround(std::min(static_cast<double>(planned) * share, kMost));
}

}  // namespace warpglass
