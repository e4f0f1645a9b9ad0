// What becomes of a sum of many equal small terms in types of few digits, and why.
#include "engine/plan/accumulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/runner/runner_api.h"

namespace warpglass::experiment {
namespace {

constexpr std::int64_t kFewTerms = 1000;
constexpr std::int64_t kManyTerms = 10000;
// An error is said to begin where it passes this share of one term.
constexpr double kNoticed = 0.01;
// Points of a line: more than a figure's columns would tell apart.
constexpr std::int64_t kPoints = 500;

struct Sum {
    Accumulation way;
    std::vector<double> after;  // each term

    double at(std::int64_t terms) const { return after[static_cast<std::size_t>(terms - 1)]; }
    double error(std::int64_t terms) const { return at(terms) - static_cast<double>(terms) * way.value; }
    /// The term as its type has it: what the first addition to nothing gives.
    double term() const { return after.front(); }
    double termsError(std::int64_t terms) const { return static_cast<double>(terms) * (term() - way.value); }
};

std::string digits(double value) {
    char text[32] = "";
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// After how many terms the error begins; nothing where it never is.
std::optional<std::int64_t> errorBegins(const Sum& sum) {
    for (std::int64_t n = 1; n <= static_cast<std::int64_t>(sum.after.size()); ++n) {
        if (std::abs(sum.error(n)) > kNoticed * sum.way.value)
            return n;
    }
    return std::nullopt;
}

/// After how many terms another changes nothing any more.
std::optional<std::int64_t> stallsAt(const Sum& sum) {
    if (sum.after.size() < 2 || sum.after.back() != sum.after[sum.after.size() - 2] || sum.way.compensated)
        return std::nullopt;
    std::size_t n = sum.after.size();
    while (n > 1 && sum.after[n - 2] == sum.after.back())
        --n;
    return static_cast<std::int64_t>(n);
}

/// Why the sum of a thousand is what it is.
std::string why(const Sum& sum) {
    const std::string format(numberFormatName(sum.way.sum));
    const double at = sum.at(kFewTerms), spacing = spacingAt(sum.way.sum, at);
    if (const auto stall = stallsAt(sum); stall && *stall < kFewTerms)
        return "it stops there after " + formatGrouped(*stall) + " terms, since the numbers of " + format +
               " are " + digits(spacing) + " apart and a term of less than half of that is rounded away";
    if (sum.way.compensated)
        return "what each addition rounds away is carried into the next, and what is left is less than the " +
               digits(spacing) + " between two numbers of " + format;
    if (std::abs(sum.termsError(kFewTerms)) > std::abs(sum.error(kFewTerms)) / 2)
        return "nearly all of it is the term's own, which in " + std::string(numberFormatName(sum.way.term)) +
               " is " + digits(sum.term()) + ", a thousand times";
    return "each addition rounds the sum to a number of " + format + ", and near " + digits(at) +
           " these are " + digits(spacing) + " apart";
}

/// A sentence on ten thousand terms, where the reason is another; empty where nothing is to be said.
std::string furtherOn(const Sum& sum) {
    const auto stall = stallsAt(sum);
    if (!stall || *stall < kFewTerms)
        return {};
    const double at = sum.at(kManyTerms);
    return " After " + formatGrouped(*stall) + " terms it stops at " + digits(at) +
           ", where the spacing is " + digits(spacingAt(sum.way.sum, at)) +
           " and every further term is rounded away.";
}

/// On a logarithmic axis: a sum that is exact, to the last digit of a double, has no point.
double distance(double error) {
    constexpr double kLeast = 1e-9;
    return std::abs(error) < kLeast ? std::numeric_limits<double>::quiet_NaN() : std::abs(error);
}

ReportTable tableOf(const std::vector<Sum>& sums) {
    ReportTable table{"Sums of " + digits(sums.front().way.value),
                      {{"Sum += term", "way"},
                       {"After 1,000", "sum_1000", Unit::kNumber},
                       {"Error", "error_1000", Unit::kNumber},
                       {"Error of 1,000 such terms", "term_error_1000", Unit::kNumber},
                       {"After 10,000", "sum_10000", Unit::kNumber},
                       {"Error", "error_10000", Unit::kNumber},
                       {"Off by 1% of a term after", "error_begins", Unit::kCount},
                       {"Stops growing after", "stalls", Unit::kCount},
                       {"Spacing at 1,000 terms", "spacing_1000", Unit::kNumber}},
                      {},
                      "accumulation"};
    for (const Sum& sum : sums) {
        const auto begins = errorBegins(sum), stalls = stallsAt(sum);
        table.rows.push_back({accumulationWords(sum.way), sum.at(kFewTerms), sum.error(kFewTerms),
                              sum.termsError(kFewTerms), sum.at(kManyTerms), sum.error(kManyTerms),
                              begins ? Cell(*begins) : Cell(), stalls ? Cell(*stalls) : Cell(),
                              spacingAt(sum.way.sum, sum.at(kFewTerms))});
    }
    return table;
}

Chart chartOf(const std::vector<Sum>& sums, std::int64_t terms) {
    Chart chart{.key = "accumulation-" + std::to_string(terms),
                .title = "Error of the sum as " + formatGrouped(terms) + " × " +
                         digits(sums.front().way.value) + " are added"};
    chart.x = {"Terms added", Unit::kCount};
    chart.y = {"Distance from the exact sum", Unit::kNumber, true};
    for (const Sum& sum : sums) {
        if (sum.way.castFirst || (sum.way.compensated && sum.way.sum != NumberFormat::kFp16))
            continue;
        ChartSeries series{accumulationWords(sum.way), {}};
        const std::int64_t stride = std::max<std::int64_t>(1, terms / kPoints);
        for (std::int64_t n = stride; n <= terms; n += stride)
            series.points.push_back({.x = static_cast<double>(n), .y = distance(sum.error(n))});
        chart.series.push_back(std::move(series));
    }
    chart.notes.emplace_back(
        "A term that is cast first gives the same sum; of Kahan's sums fp16's is shown, the others are in "
        "the table.");
    const auto worst = std::ranges::max_element(sums, [&](const Sum& a, const Sum& b) {
        return std::abs(a.error(terms)) < std::abs(b.error(terms));
    });
    chart.sentence = "After " + formatGrouped(terms) + " terms " + accumulationWords(worst->way) +
                     " is furthest off: " + digits(worst->at(terms)) + " instead of " +
                     digits(static_cast<double>(terms) * worst->way.value) + ".";
    return chart;
}

std::vector<NamedSweep> accumulationSweeps(const ExperimentOptions&) {
    return {};
}

void evaluateAccumulation(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Result<Runner*> runner = evidence.runner();
    if (!runner) {
        result.notes.push_back(runner.message());
        return;
    }
    std::vector<Sum> sums;
    for (Accumulation way : accumulationWays()) {
        way.terms = kManyTerms;
        Result<std::vector<double>> after = (*runner)->accumulate(way);
        if (after && after->size() == static_cast<std::size_t>(kManyTerms))
            sums.push_back({way, std::move(*after)});
        else
            result.notes.push_back(after ? "The sum " + accumulationWords(way) + " is not complete."
                                         : after.message());
    }
    if (sums.empty())
        return;
    for (const Sum& sum : sums)
        result.answers.push_back(formatGrouped(kFewTerms) + " × " + digits(sum.way.value) + " as " +
                                 accumulationWords(sum.way) + " gives " + digits(sum.at(kFewTerms)) +
                                 " (error " + digits(sum.error(kFewTerms)) + "): " + why(sum) + "." +
                                 furtherOn(sum));
    result.tables.push_back(tableOf(sums));
    result.notes.push_back(
        "“Off by 1% of a term after” counts the terms that are added until the sum first differs from the "
        "exact one by more than 1% of a term, which is " +
        digits(kNoticed * sums.front().way.value) + ".");
    result.charts.push_back(chartOf(sums, kFewTerms));
    result.charts.push_back(chartOf(sums, kManyTerms));
}

}  // namespace

const Experiment kAccumulation = {
    "accumulation", "Accumulating in low precision",
    "How a sum of a thousand small terms drifts in fp32, fp16 and bf16, where the error begins, and why.",
    accumulationSweeps, evaluateAccumulation};

}  // namespace warpglass::experiment
