// Which part of a step's plan is done by the ops in a scope, selected by name, text or start time.
//
// The plan (engine/plan/flops.h) states FLOPs by phase, module and, within attention, part
// (attention_part.h), but not how much of them each op does. The ops in the scope are therefore taken to do,
// of the work planned at one such place,
//   all of it, if the scope includes all the ops there that compute (copies, casts and allocations do not);
//     twice that if its ranges hold as many as run there in two steps, and so on; with several ranges, which
//     may hold the same piece of some steps, only if they hold equally many of each op and kernel;
//   none of it, if the scope includes none of them;
//   for GEMMs, as many as it includes of those that ran, if each of them is known (span_work.h): what else
//     runs beside them (a scale, a mask) does not count there;
//   an unknown part otherwise: some of the ops of the loss, one kernel of a fused backward pass, a softmax
//     that a range cuts in two.
//
// Linear in the spans if there is a name, a text or a range, otherwise in the places. Immutable; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "engine/plan/flops.h"
#include "engine/plan/saturating.h"
#include "engine/query/model/attention_part.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/work_times.h"

namespace warpglass {

class SpanWork;

/// The same scope without its conditions on ops.
WorkScope withAllOps(WorkScope scope);

/// The same over the steps that a mean is taken of, in place of its ranges; of a run without a complete step
/// over the one that it ended in.
WorkScope ofItsSteps(const Snapshot& snapshot, WorkScope scope);

/// workTimes() of a scope, and of the same over its steps.
struct TimesOfScope {
    TimesOfScope(const Snapshot& snapshot, const WorkScope& scope);
    const WorkTimes& steps() const { return m_cuts ? m_steps : taken; }

    WorkTimes taken;

private:
    bool m_cuts;  // into steps: there are ranges
    WorkTimes m_steps;
};

/// Why the plan cannot be compared with the times of a run: some of the work that they cover is missing. It
/// is a sentence without its full stop; "" if the plan can be compared, and for a run that states no
/// configuration. In a damaged file every chunk is read for it.
std::string planUnsaid(const Snapshot& snapshot);

/// Whether a row does any of the plan's arithmetic: copies, casts and allocations do not.
bool computes(const Snapshot& snapshot, OpFamilyCache& families, const WorkRow& row);

/// What is planned of a range may be that of very many steps: its sums stop at the largest number.
template <class Tag>
constexpr Quantity<Tag> saturatingSum(Quantity<Tag> a, Quantity<Tag> b) {
    return Quantity<Tag>((Saturating(a.value) + Saturating(b.value)).value());
}

class PlanOfScope {
public:
    PlanOfScope(const Snapshot& snapshot, const RunConfig& config, const WorkScope& scope,
                const TimesOfScope& times);

    /// The share of the step's planned work at this place (FlopsEntry, MatrixProduct) that the ops in the
    /// scope do, 0…1 per step; with ranges it is the total, which may be more. Nothing if unknown. The
    /// scope's phase and module are not considered: isPlannedIn() covers these.
    std::optional<double> share(PlanPhase phase, const std::string& module, std::string_view part) const;
    /// That share of a number of operations or bytes; exact if the share is 1.
    static std::int64_t shareOf(std::int64_t planned, double share);
    /// Whether an optimizer that goes over the parameters of all modules at once, under none, updates those
    /// of this module, and its time is not split over them (shared_work.h). The CPU updates one after the
    /// other.
    bool isUpdatedWithAll(const std::string& module) const;

private:
    /// A place where the plan tells nothing apart: kAttentionPartCount outside of attentions.
    using Key = std::tuple<Phase, std::string, std::size_t>;
    struct Ops {
        std::int64_t ran = 0, computing = 0, products = 0;  // instances
    };
    struct AtPlace {
        /// Ops of the steps: all of them, and those that the scope names. `taken` leaves out those outside
        /// its ranges.
        Ops all, named, taken;
        /// GEMMs do all that is planned there: a fused kernel its softmax, too.
        bool ofProducts = false;
        /// The share of some single GEMM is unknown: only several together are known.
        bool onlyTogether = false;
        /// Several ranges take more of some of its ops and kernels than of others.
        bool uneven = false;
    };
    class RowPlaces;
    void add(const WorkTimes& times, const SpanWork& work, Ops AtPlace::*ops, RowPlaces& places);
    void findUneven(const WorkTimes& steps, const WorkTimes& taken, RowPlaces& places);
    void findUpdates(const Snapshot& snapshot, const RunConfig& config, const WorkTimes& all);
    Key keyOf(PlanPhase phase, const std::string& module, std::string_view part) const;
    /// For places where nothing that computes was recorded: a text includes it by its path alone, and a range
    /// includes it as far as it includes what else ran there or, if nothing did, within the module.
    std::optional<double> shareOfUnseen(PlanPhase phase, const std::string& module,
                                        std::string_view part) const;
    /// For `taken` of the `all` instances of the steps: whether they are a whole multiple of one step's, and
    /// which share of a step's they are.
    bool isWholeTimes(std::int64_t taken, std::int64_t all) const;
    double shareOfAll(std::int64_t taken, std::int64_t all) const;
    const AtPlace* find(PlanPhase phase, const std::string& module, std::string_view part) const;

    std::optional<AttentionVariant> m_variant;
    bool m_names;  // some of the ops
    bool m_ofAll;  // of all ops of the steps
    bool m_cuts;   // has ranges
    bool m_many;   // has several
    /// What `taken` is of, over what `all` is of: both are sums over steps.
    std::int64_t m_takenSteps = 1, m_steps = 1;
    /// A text that, if found in the path of a module, includes everything in the module; "" for none.
    std::string m_text;
    std::map<Key, AtPlace> m_places;
    std::set<std::string> m_updatedAlone;  // modules
    bool m_updatesAtOnce = false;
};

}  // namespace warpglass
