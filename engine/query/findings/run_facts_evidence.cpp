// Where in the window a run's facts are to be seen.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/query/findings/run_facts.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {
namespace {

/// The kTogether consecutive idle stretches with the largest share of waiting for this cause: a wait counts
/// for twice the mean at most, so that one long hole is not preferred to many.
std::optional<TimeRange> busyWaiting(const std::vector<IdleStretch>& stretches, IdleCause cause) {
    constexpr std::size_t kTogether = 24;
    const auto lengthOf = [](const TimeRange& range) {
        return static_cast<double>(std::max<std::int64_t>(range.duration().value, 0));
    };
    double sum = 0, count = 0;
    for (const IdleStretch& stretch : stretches) {
        sum += stretch.cause == cause ? lengthOf(stretch.range) : 0;
        count += stretch.cause == cause ? 1 : 0;
    }
    if (count == 0)
        return std::nullopt;
    const auto worth = [&](const IdleStretch& stretch) {
        return stretch.cause == cause ? std::min(lengthOf(stretch.range), 2 * sum / count) : 0;
    };
    const std::size_t together = std::min(kTogether, stretches.size());
    double waited = 0, best = -1;
    std::optional<TimeRange> found;
    for (std::size_t last = 0; last < stretches.size(); ++last) {
        waited += worth(stretches[last]);
        if (last >= together)
            waited -= worth(stretches[last - together]);
        if (last + 1 < together)
            continue;
        const TimeRange range{stretches[last + 1 - together].range.begin, stretches[last].range.end};
        const double share = waited / std::max(1.0, lengthOf(range));
        if (share > best) {
            best = share;
            found = range;
        }
    }
    return found;
}

}  // namespace

Evidence RunFacts::evidenceOverSteps() const {
    Evidence evidence;
    evidence.view = m_hasKernels ? EvidenceView::kKernels : EvidenceView::kOps;
    evidence.visible = sampleStep();
    // Tables count the measured steps, the very first among them, and of warm-up steps all that there is.
    if ((m_meansHaveFirst || !m_steps.measured) && evidence.visible) {
        evidence.range = evidence.visible;
        for (const Step& step : m_allSteps) {
            if (m_steps.contains(step.index))
                evidence.range->end = std::max(evidence.range->end, step.range.end);
        }
    }
    return evidence;
}

Evidence RunFacts::evidenceOf(const Work& work) const {
    Evidence evidence = evidenceOverSteps();
    if (m_hasKernels && work.copies > work.kernels())
        evidence.view = EvidenceView::kCopies;
    return evidence;
}

Evidence RunFacts::evidenceOfOps(const std::function<bool(std::string_view)>& passes) const {
    Evidence evidence = evidenceOf(workOfOps(passes));
    for (std::size_t i = 0; i + 1 < m_byOp.all.size(); ++i) {
        const std::string_view name = m_snapshot.name(NameId(i));
        if (m_byOp.all[i] > 0 && passes(name))
            evidence.names.append(evidence.names.empty() ? "" : "|").append(name);
    }
    return evidence;
}

Evidence RunFacts::evidenceOfPhase(Phase phase) const {
    Evidence evidence = evidenceOf(workWhere([=](const Place& place) { return place.phase == phase; }));
    evidence.phase = phase;
    return evidence;
}

Evidence RunFacts::evidenceOfIdle(IdleCause cause) const {
    Evidence evidence;
    evidence.range = sampleStep();
    evidence.visible = busyWaiting(m_idleOfSample, cause);
    return evidence;
}

std::optional<TimeRange> RunFacts::surroundings(Nanoseconds moment) const {
    // A run that failed may have ended at that very moment.
    for (const Nanoseconds t : {moment, moment - Nanoseconds(1)}) {
        if (const auto step = stepHolding(m_snapshot, t); step && step->range.begin < step->range.end)
            return step->range;
    }
    const TimeRange whole = m_snapshot.range();
    const Nanoseconds half = m_stepTime > 0 ? Nanoseconds(std::llround(m_stepTime / 2)) : whole.duration();
    const TimeRange around{std::max(whole.begin, moment - half), std::min(whole.end, moment + half)};
    return around.begin < around.end ? std::optional(around) : std::nullopt;
}

Evidence RunFacts::evidenceAtPeak(std::vector<AllocationId> allocations) const {
    Evidence evidence;
    evidence.view = EvidenceView::kMemory;
    evidence.allocations = std::move(allocations);
    if (m_peak) {
        evidence.visible = surroundings(m_peak->time);
        evidence.moment = m_peak->time;
    }
    return evidence;
}

}  // namespace warpglass
