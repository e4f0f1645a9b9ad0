#include "engine/query/compare/kernel_match.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "engine/query/compare/scoped_steps.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/work_times.h"

namespace warpglass {
namespace {

struct Kernel {
    double time = 0, instances = 0;
    /// Of the signature that took most of it so far, and how many titles there are.
    std::string title;
    double longest = 0;
    std::set<std::string> titles;
};
/// By op, by name.
using Kernels = std::map<std::string, std::map<std::string, Kernel>>;

Kernels kernelsOf(const Snapshot& run, const ScopedSteps& scoped) {
    Kernels kernels;
    if (scoped.steps.count == 0)
        return kernels;
    SpanFilter filter;
    if (scoped.steps.first == scoped.steps.last)
        filter.step = scoped.steps.first;  // which work times otherwise take of the measured steps only
    const WorkTimes times = workTimes(run, filter);
    if (!times.gpu)
        return kernels;
    for (const WorkRow& row : times.rows) {
        const std::string_view op = run.name(row.op);
        Kernel& kernel =
            kernels[std::string(op.empty() ? kOutsideOps : op)][std::string(run.name(row.kernel))];
        const double time = static_cast<double>(row.time) / scoped.divisor;
        std::string title = kernelTitle(run.name(row.kernel), run.name(row.signature));
        if (kernel.title.empty() || time > kernel.longest) {
            kernel.longest = time;
            kernel.title = title;
        }
        kernel.titles.insert(std::move(title));
        kernel.time += time;
        kernel.instances += static_cast<double>(row.instances) / scoped.divisor;
    }
    return kernels;
}

void add(const std::map<std::string, Kernel>& kernels, std::vector<std::string>& names, std::string& title,
         std::size_t& titles, double& time, double& instances) {
    for (const auto& [name, kernel] : kernels) {
        names.push_back(name);
        time += kernel.time;
        instances += kernel.instances;
        titles += kernel.titles.size();
    }
    std::stable_sort(names.begin(), names.end(), [&](const std::string& x, const std::string& y) {
        return kernels.at(x).time > kernels.at(y).time;
    });
    if (!names.empty())
        title = kernels.at(names.front()).title;
}

void matchOp(const std::string& op, std::map<std::string, Kernel> a, std::map<std::string, Kernel> b,
             std::vector<KernelMatch>& matches) {
    for (auto kernel = a.begin(); kernel != a.end();) {
        const auto other = b.find(kernel->first);
        if (other == b.end()) {
            ++kernel;
            continue;
        }
        matches.push_back({op,
                           {kernel->first},
                           {kernel->first},
                           kernel->second.title,
                           other->second.title,
                           kernel->second.titles.size(),
                           other->second.titles.size(),
                           kernel->second.time,
                           other->second.time,
                           kernel->second.instances,
                           other->second.instances,
                           false,
                           false});
        b.erase(other);
        kernel = a.erase(kernel);
    }
    if (a.empty() && b.empty())
        return;
    KernelMatch rest;
    rest.op = op;
    add(a, rest.namesA, rest.titleA, rest.titlesA, rest.a, rest.instancesA);
    add(b, rest.namesB, rest.titleB, rest.titlesB, rest.b, rest.instancesB);
    matches.push_back(std::move(rest));
}

std::string firstAndCount(const std::vector<std::string>& names) {
    if (names.empty())
        return "nothing";
    return names.size() == 1 ? names[0] : names[0] + " and " + std::to_string(names.size() - 1) + " more";
}

}  // namespace

std::string KernelMatch::name() const {
    const std::string text = sameName() || withoutStepsB ? firstAndCount(namesA)
                             : withoutStepsA             ? firstAndCount(namesB)
                                             : firstAndCount(namesA) + " → " + firstAndCount(namesB);
    return op + "  " + text;
}

std::vector<KernelMatch> matchKernels(const Snapshot& a, const Snapshot& b, const ComparisonScope& scope) {
    const bool tokens = countsTokens(a, b, scope);
    const auto stepsOf = [&](const Snapshot& run, ComparisonSide side) {
        return scopedSteps(run, scope, side, tokens ? tokensPerStep(run) : std::nullopt);
    };
    const ScopedSteps stepsA = stepsOf(a, ComparisonSide::kA), stepsB = stepsOf(b, ComparisonSide::kB);
    Kernels ofA = kernelsOf(a, stepsA), ofB = kernelsOf(b, stepsB);
    std::vector<KernelMatch> matches;
    for (auto& [op, kernels] : ofA) {
        matchOp(op, std::move(kernels), std::move(ofB[op]), matches);
        ofB.erase(op);
    }
    for (auto& [op, kernels] : ofB)
        matchOp(op, {}, std::move(kernels), matches);
    for (KernelMatch& match : matches) {
        match.withoutStepsA = stepsA.steps.count == 0;
        match.withoutStepsB = stepsB.steps.count == 0;
    }
    std::stable_sort(matches.begin(), matches.end(), [](const KernelMatch& x, const KernelMatch& y) {
        return std::fabs(x.b - x.a) > std::fabs(y.b - y.a);
    });
    return matches;
}

std::vector<ComparisonRow> kernelRows(const std::vector<KernelMatch>& matches,
                                      const RunComparison& comparison) {
    std::vector<ComparisonRow> rows;
    rows.reserve(matches.size());
    // Where records of kernels are missing, these rows say so.
    const std::vector<ComparisonRow>& sums = comparison.kernels;
    const bool lostA = !sums.empty() && sums.front().recordsLostA;
    const bool lostB = !sums.empty() && sums.front().recordsLostB;
    for (const KernelMatch& match : matches)
        rows.push_back({match.name(), match.a, match.b, !match.namesA.empty(), !match.namesB.empty(),
                        comparison.atLeastTimesA || lostA, comparison.atLeastTimesB || lostB,
                        comparison.stepsLostA, comparison.stepsLostB, lostA, lostB});
    return rows;
}

}  // namespace warpglass
