#include "engine/query/comparison_headline.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/base/format.h"
#include "engine/query/statistics.h"

namespace warpglass {
namespace {

constexpr std::string_view kDot = " · ";

std::optional<double> matmulShare(const Snapshot& run) {
    SpanFilter filter;
    filter.measuredOnly = hasMeasuredSteps(run);
    std::vector<StatisticsRow> rows = kernelStatistics(run, filter);
    if (rows.empty())
        rows = opStatistics(run, filter);
    double all = 0, products = 0;
    for (const StatisticsRow& row : rows) {
        const auto time = static_cast<double>(row.self.value);
        all += time;
        products += row.family == OpFamily::kMatmul ? time : 0;
    }
    return all > 0 ? std::optional(products / all) : std::nullopt;
}

const ComparisonRow* rowNamed(const std::vector<ComparisonRow>& rows, std::string_view name) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [name](const ComparisonRow& candidate) { return candidate.name == name; });
    return row == rows.end() ? nullptr : &*row;
}

/// "1.93".
std::string factor(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    return text;
}

std::string duration(double ns) {
    return formatDuration(Nanoseconds(std::llround(ns)));
}

std::string bytes(double value) {
    return formatBytes(Bytes(std::llround(value)));
}

}  // namespace

ComparisonHeadline headlineOf(const RunComparison& comparison, const Snapshot& a, const Snapshot& b) {
    ComparisonHeadline headline;
    if (const ComparisonRow* step = rowNamed(comparison.phases, "step")) {
        headline.stepA = step->inA ? std::optional(step->a) : std::nullopt;
        headline.stepB = step->inB ? std::optional(step->b) : std::nullopt;
    }
    if (const ComparisonRow* peak = rowNamed(comparison.categories, "peak")) {
        headline.peakA = peak->inA ? std::optional(peak->a) : std::nullopt;
        headline.peakB = peak->inB ? std::optional(peak->b) : std::nullopt;
    }
    headline.matmulShareA = matmulShare(a);
    headline.matmulShareB = matmulShare(b);
    return headline;
}

std::string ComparisonHeadline::text() const {
    std::string line;
    const auto add = [&line](const std::string& part) { line.append(line.empty() ? "" : kDot).append(part); };
    if (stepA && stepB && *stepA > 0 && *stepB > 0) {
        const bool faster = *stepB <= *stepA;
        const std::string by = factor(faster ? *stepA / *stepB : *stepB / *stepA);
        add((by == "1.00" ? "as fast: " : by + " × " + (faster ? "faster: " : "slower: ")) +
            duration(*stepB) + " a step against " + duration(*stepA));
    }
    if (peakA && peakB && *peakA > 0)
        add("peak memory " + factor(*peakB / *peakA) + " ×: " + bytes(*peakB) + " against " + bytes(*peakA));
    if (matmulShareA && matmulShareB)
        add("matrix products " + formatPercent(*matmulShareA) + " → " + formatPercent(*matmulShareB) +
            " of the time");
    return line;
}

}  // namespace warpglass
