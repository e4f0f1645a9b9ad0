#include "engine/query/compare/comparison_utilization.h"

#include <algorithm>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/run_config.h"
#include "engine/query/model/plan_of_run.h"

namespace warpglass {
namespace {

/// Whether one roof is true of both.
bool shareARoof(const Snapshot& a, const Snapshot& b) {
    const std::string device = a.info().get("device.name");
    const auto configA = configOfRun(a), configB = configOfRun(b);
    return !device.empty() && device == b.info().get("device.name") && configA && configB &&
           configA->precision == configB->precision;
}

ComparedFigures figuresOf(const std::optional<ModelUtilization>& mfu) {
    ComparedFigures figures;
    if (const auto share = mfu ? mfu->ofMeasured() : std::nullopt)
        figures["measured ceiling"] = *share;
    if (const auto share = mfu ? mfu->ofDataSheet() : std::nullopt)
        figures["data sheet"] = *share;
    return figures;
}

}  // namespace

UtilizationComparison compareUtilization(const Snapshot& runA, std::optional<ModelUtilization> a,
                                         const Snapshot& runB, std::optional<ModelUtilization> b) {
    UtilizationComparison comparison;
    if (a && b && a->ceilings.measured.flopsPerSecond && b->ceilings.measured.flopsPerSecond) {
        double &roofA = *a->ceilings.measured.flopsPerSecond, &roofB = *b->ceilings.measured.flopsPerSecond;
        const double higher = std::max(roofA, roofB);
        const std::string ofA = formatFlopRate(roofA), ofB = formatFlopRate(roofB);
        if (shareARoof(runA, runB)) {
            if (ofA != ofB)
                comparison.note = "Both are held against one ceiling, " + formatFlopRate(higher) +
                                  ", the highest that either run knew or reached; " +
                                  (roofA < roofB ? "A" : "B") + "'s own was " + (roofA < roofB ? ofA : ofB) +
                                  ".";
            roofA = roofB = higher;
        } else if (ofA != ofB) {
            comparison.note = "The ceilings differ: " + ofA + " for A and " + ofB +
                              " for B. Their shares do not say which does more per second.";
        }
    }
    comparison.a = figuresOf(a);
    comparison.b = figuresOf(b);
    return comparison;
}

}  // namespace warpglass
