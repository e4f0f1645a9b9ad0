// The options that describe a sweep's grid: those of a run, each of which takes several values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/cli/cli_fwd.h"
#include "engine/plan/settings.h"
#include "engine/sweep/sweep.h"

namespace warpglass::cli {

class GridOptions {
public:
    /// A list with commas, or the option several times, makes an axis. What is recorded has commas itself:
    /// only the option several times makes one of it. Must outlive the parse.
    void addTo(CLI::App& command);

    /// What was given, in the table's order.
    std::vector<SweepAxis> given() const;

    /// The grid into a plan: axes in the order in which they were given, everything else in the base. Sizes
    /// that are given once together with several models are an axis of one value, so that they hold for each
    /// of the models. False, after saying why, where sizes are missing, or what was given applies to none of
    /// the workloads.
    bool fill(SweepPlan& plan) const;

private:
    void take(const Setting& setting, const std::vector<std::string>& texts);

    CLI::App* m_command = nullptr;
    std::map<const Setting*, CLI::Option*> m_options;
    /// In the table's order.
    std::map<const Setting*, SweepAxis> m_given;
};

}  // namespace warpglass::cli
