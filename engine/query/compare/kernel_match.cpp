#include "engine/query/compare/kernel_match.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <optional>
#include <utility>

#include "engine/base/collect.h"
#include "engine/plan/flops.h"
#include "engine/plan/own_parts.h"
#include "engine/query/compare/scoped_steps.h"
#include "engine/query/model/attention_part.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

// Which of the model's work a kernel does, be it the library's or one of ours in the place of several: what
// two runs can be compared by where their ops have nothing in common. The descriptions of the implementations
// say it of ours and of the library's ops that they stand for (Implementation::standsFor), and the parts of
// attention of what attention runs (engine/query/model/attention_part.h).

/// Attention from the heads' q, k and v on. Where its products are the library's in both runs, what is
/// between them is a work of its own.
inline constexpr std::string_view kAttentionWork = "Attention", kSoftmaxWork = "Scale, mask and softmax";

/// One work in one phase.
struct ModelWork {
    std::string_view name;  // one that lives for ever
    PlanPhase phase = PlanPhase::kForward;

    auto operator<=>(const ModelWork&) const = default;
    /// "SwiGLU", "SwiGLU, backward".
    std::string text() const;
};

class ModelWorks {
public:
    explicit ModelWorks(const Snapshot& run);

    /// Nothing for work that no kernel of ours does in any run: products with weights, say.
    std::optional<ModelWork> of(const WorkRow& row) const;
    /// Whether the run does it by no op at all where the library has some: casts of weights that are kept in
    /// 16 bits.
    bool isSpared(std::string_view work) const;

private:
    const Snapshot& m_run;
    std::optional<RunConfig> m_config;
};

std::optional<PlanPhase> plannedPhase(Phase phase) {
    for (const PlanPhase planned :
         {PlanPhase::kForward, PlanPhase::kLoss, PlanPhase::kBackward, PlanPhase::kOptimizer}) {
        if (tracePhase(planned) == phase)
            return planned;
    }
    return std::nullopt;
}

/// The work that an attention does besides its rotation and its products with weights.
std::optional<std::string_view> attentionWork(AttentionPart part, std::string_view op) {
    switch (part) {
        case AttentionPart::kFused:
        case AttentionPart::kProducts:
            return kAttentionWork;
        case AttentionPart::kScores:
        case AttentionPart::kSoftmax:
        case AttentionPart::kValues:
            return isProductOp(op) ? kAttentionWork : kSoftmaxWork;
        case AttentionPart::kProjections:
        case AttentionPart::kRotation:
        case AttentionPart::kOutput:
            break;
    }
    return std::nullopt;
}

std::string ModelWork::text() const {
    return std::string(name) + (phase == PlanPhase::kBackward ? ", backward" : "");
}

/// Whether an op is one of ours: "warpglass::adamw", and the backward op of a function of ours.
bool isOwnOp(std::string_view op) {
    return op.find("warpglass::") != std::string_view::npos;
}

ModelWorks::ModelWorks(const Snapshot& run) : m_run(run), m_config(configOfRun(run)) {}

std::optional<ModelWork> ModelWorks::of(const WorkRow& row) const {
    const Place place = m_run.place(row.place);
    const std::optional<PlanPhase> phase = plannedPhase(place.phase);
    if (!phase)
        return std::nullopt;
    const std::string_view op = m_run.name(row.op);
    const auto variant = m_config ? std::optional(m_config->attention) : std::nullopt;
    if (const auto part = attentionPartOf(m_run, place, row.op, variant)) {
        if (const auto work = attentionWork(*part, op))
            return ModelWork{*work, *phase};
    }
    const Implementation* own =
        ownImplementationOf(*phase, moduleGroup(m_run.name(place.module)), op, m_run.name(row.kernel));
    return own ? std::optional(ModelWork{own->work, *phase}) : std::nullopt;
}

bool ModelWorks::isSpared(std::string_view work) const {
    const Implementation* own = m_config ? ownImplementationFor(work) : nullptr;
    return own && own->kernels.empty() && runsOwn(*m_config, *own);
}

/// A row of a run's work times, as the scope has it.
struct MatchedRow {
    KernelOrigin::Place place;
    std::string module, title;
    std::optional<ModelWork> work;
    double time = 0, instances = 0;
};
using Rows = std::vector<const MatchedRow*>;

std::vector<MatchedRow> matchedRows(const Snapshot& run, const std::vector<WorkRow>& work,
                                    const ModelWorks& works, double divisor) {
    std::vector<MatchedRow> rows;
    if (!hasKernels(run))
        return rows;
    rows.reserve(work.size());
    for (const WorkRow& row : work) {
        const Place place = run.place(row.place);
        const std::string_view op = run.name(row.op), module = run.name(place.module);
        rows.push_back({{place.phase, moduleGroup(module), std::string(op.empty() ? kOutsideOps : op),
                         std::string(run.name(row.kernel))},
                        std::string(module),
                        kernelTitle(run.name(row.kernel), run.name(row.signature)),
                        works.of(row),
                        static_cast<double>(row.time) / divisor,
                        static_cast<double>(row.instances) / divisor});
    }
    return rows;
}

/// How two runs do a work.
struct WorkOps {
    std::set<std::string> ownA, ownB;
    bool inA = false, inB = false;

    bool differ() const { return inA && inB && ownA != ownB; }
};

std::map<ModelWork, WorkOps> opsOfWorks(const std::vector<MatchedRow>& a, const std::vector<MatchedRow>& b) {
    std::map<ModelWork, WorkOps> works;
    const auto add = [&works](const std::vector<MatchedRow>& rows, bool WorkOps::*in,
                              std::set<std::string> WorkOps::*own) {
        for (const MatchedRow& row : rows) {
            if (!row.work)
                continue;
            WorkOps& ops = works[*row.work];
            ops.*in = true;
            if (isOwnOp(row.place.op))
                (ops.*own).insert(row.place.op);
        }
    };
    add(a, &WorkOps::inA, &WorkOps::ownA);
    add(b, &WorkOps::inB, &WorkOps::ownB);
    return works;
}

/// A kernel of ours that does attention's products does what is between them too.
void joinAttention(std::vector<MatchedRow>& rows, const std::map<ModelWork, WorkOps>& works) {
    for (MatchedRow& row : rows) {
        if (!row.work || row.work->name != kSoftmaxWork)
            continue;
        const ModelWork attention{kAttentionWork, row.work->phase};
        const auto found = works.find(attention);
        if (found != works.end() && found->second.differ())
            row.work = attention;
    }
}

/// The works by which kernels are matched rather than by their ops.
std::set<ModelWork> matchedWorks(std::vector<MatchedRow>& a, const ModelWorks& ofA,
                                 std::vector<MatchedRow>& b, const ModelWorks& ofB) {
    const std::map<ModelWork, WorkOps> parts = opsOfWorks(a, b);
    joinAttention(a, parts);
    joinAttention(b, parts);
    std::set<ModelWork> matched;
    for (const auto& [work, ops] : opsOfWorks(a, b)) {
        if (ops.differ() || ofA.isSpared(work.name) != ofB.isSpared(work.name))
            matched.insert(work);
    }
    return matched;
}

std::vector<std::string> byTime(const std::map<std::string, double>& times) {
    auto names = mapped<std::string>(times, [&](const auto& each) { return each.first; });
    std::ranges::stable_sort(
        names, [&times](const std::string& x, const std::string& y) { return times.at(x) > times.at(y); });
    return names;
}

const MatchedRow& longestOf(const Rows& rows) {
    return **std::ranges::max_element(
        rows, [](const MatchedRow* x, const MatchedRow* y) { return x->time < y->time; });
}

/// `oneOfSeveral`: kernels of these ops are in other matches too, so that the place tells which are meant.
KernelOrigin originOf(const Rows& rows, const KernelMatch& match, const std::vector<std::string>& names,
                      bool oneOfSeveral) {
    KernelOrigin origin;
    std::map<std::string, double> ops;
    for (const MatchedRow* row : rows) {
        ops[row->place.op] += row->time;
        origin.places.insert(row->place);
    }
    origin.ops = byTime(ops);
    origin.landmark.kind = Landmark::Kind::kKernel;
    origin.landmark.op = match.op;
    origin.landmark.kernels = names;
    if (!oneOfSeveral || rows.empty())
        return origin;
    const MatchedRow& longest = longestOf(rows);
    origin.landmark.op = longest.place.op;
    origin.landmark.phase = longest.place.phase;
    origin.landmark.module = longest.module;
    origin.landmark.kernels.clear();
    for (const KernelOrigin::Place& place : origin.places) {
        if (place.op == longest.place.op && place.modules == longest.place.modules)
            origin.landmark.kernels.push_back(place.kernel);
    }
    return origin;
}

/// One run's members of a match.
struct Side {
    std::vector<std::string>& names;
    std::string& title;
    std::size_t& titles;
    double& time;
    double& instances;
    KernelOrigin& origin;
};

void fill(const Rows& rows, const KernelMatch& match, bool oneOfSeveral, Side side) {
    std::map<std::string, double> times;
    std::set<std::pair<std::string, std::string>> titles;
    for (const MatchedRow* row : rows) {
        times[row->place.kernel] += row->time;
        titles.insert({row->place.kernel, row->title});
        side.time += row->time;
        side.instances += row->instances;
    }
    side.names = byTime(times);
    side.titles = titles.size();
    if (!rows.empty()) {
        Rows first = rows;
        std::erase_if(first, [&](const MatchedRow* row) { return row->place.kernel != side.names.front(); });
        side.title = longestOf(first).title;
    }
    side.origin = originOf(rows, match, side.names, oneOfSeveral);
}

KernelMatch matchOf(std::string op, std::string work, bool oneOfSeveral, const Rows& a, const Rows& b) {
    KernelMatch match;
    match.op = std::move(op);
    match.work = std::move(work);
    fill(a, match, oneOfSeveral,
         {match.namesA, match.titleA, match.titlesA, match.a, match.instancesA, match.originA});
    fill(b, match, oneOfSeveral,
         {match.namesB, match.titleB, match.titlesB, match.b, match.instancesB, match.originB});
    return match;
}

/// `elsewhere`: kernels of the op are in works that are matched.
void matchOp(const std::string& op, bool elsewhere, const Rows& a, const Rows& b,
             std::vector<KernelMatch>& matches) {
    std::map<std::string, std::pair<Rows, Rows>> byName;
    for (const MatchedRow* row : a)
        byName[row->place.kernel].first.push_back(row);
    for (const MatchedRow* row : b)
        byName[row->place.kernel].second.push_back(row);
    Rows restA, restB;
    for (const auto& [name, rows] : byName) {
        if (!rows.first.empty() && !rows.second.empty()) {
            matches.push_back(matchOf(op, {}, elsewhere, rows.first, rows.second));
            continue;
        }
        restA.insert(restA.end(), rows.first.begin(), rows.first.end());
        restB.insert(restB.end(), rows.second.begin(), rows.second.end());
    }
    if (!restA.empty() || !restB.empty())
        matches.push_back(matchOf(op, {}, elsewhere, restA, restB));
}

std::vector<KernelMatch> matchAll(const std::vector<MatchedRow>& a, const std::vector<MatchedRow>& b,
                                  const std::set<ModelWork>& works) {
    std::map<ModelWork, std::pair<Rows, Rows>> byWork;
    std::map<std::string, std::pair<Rows, Rows>> byOp;
    std::set<std::string> elsewhere;
    const auto add = [&](const std::vector<MatchedRow>& rows, Rows std::pair<Rows, Rows>::*side) {
        for (const MatchedRow& row : rows) {
            const bool ofWork = row.work && works.contains(*row.work);
            if (ofWork)
                elsewhere.insert(row.place.op);
            ((ofWork ? byWork[*row.work] : byOp[row.place.op]).*side).push_back(&row);
        }
    };
    add(a, &std::pair<Rows, Rows>::first);
    add(b, &std::pair<Rows, Rows>::second);
    std::vector<KernelMatch> matches;
    matches.reserve(byWork.size() + byOp.size());
    for (const auto& [work, rows] : byWork)
        matches.push_back(matchOf({}, work.text(), true, rows.first, rows.second));
    for (const auto& [op, rows] : byOp)
        matchOp(op, elsewhere.contains(op), rows.first, rows.second, matches);
    return matches;
}

std::string firstAndCount(const std::vector<std::string>& names) {
    if (names.empty())
        return "nothing";
    return names.size() == 1 ? names[0] : names[0] + " and " + std::to_string(names.size() - 1) + " more";
}

std::vector<std::string> titlesOf(std::vector<std::string> ops) {
    for (std::string& op : ops)
        op = opTitle(op);
    return ops;
}

std::string bothSides(const KernelMatch& match, const std::vector<std::string>& a,
                      const std::vector<std::string>& b) {
    return match.withoutStepsB   ? firstAndCount(a)
           : match.withoutStepsA ? firstAndCount(b)
           : a == b              ? firstAndCount(a)
                                 : firstAndCount(a) + " → " + firstAndCount(b);
}

}  // namespace

bool KernelOrigin::holds(const Landmark& at, const std::string& kernel) const {
    const std::string modules = moduleGroup(at.module);
    return at.kind == Landmark::Kind::kKernel && std::ranges::any_of(places, [&](const Place& place) {
               return place.op == at.op && place.kernel == kernel && place.phase == at.phase &&
                      place.modules == modules;
           });
}

std::string KernelMatch::heading() const {
    return work.empty() ? opTitle(op) : work;
}

std::string KernelMatch::name() const {
    return work.empty() ? op + "  " + bothSides(*this, namesA, namesB)
                        : work + ": " + bothSides(*this, originA.ops, originB.ops);
}

std::string KernelMatch::shownName() const {
    return work.empty() ? heading() + "  " + bothSides(*this, namesA, namesB)
                        : work + ": " + bothSides(*this, titlesOf(originA.ops), titlesOf(originB.ops));
}

namespace {

std::vector<KernelMatch> matchWork(const RunComparison* comparison, const Snapshot& a, const Snapshot& b,
                                   const ComparisonScope& scope) {
    const bool tokens = countsTokens(a, b, scope);
    const auto stepsOf = [&](const Snapshot& run, ComparisonSide side) {
        return scopedSteps(run, scope, side, tokens ? tokensPerStep(run) : std::nullopt);
    };
    const ScopedSteps stepsA = stepsOf(a, ComparisonSide::kA), stepsB = stepsOf(b, ComparisonSide::kB);
    const ModelWorks worksA(a), worksB(b);
    std::vector<MatchedRow> ofA =
        matchedRows(a, comparison ? comparison->workA : scopedWork(a, stepsA), worksA, stepsA.divisor);
    std::vector<MatchedRow> ofB =
        matchedRows(b, comparison ? comparison->workB : scopedWork(b, stepsB), worksB, stepsB.divisor);
    const std::set<ModelWork> works = matchedWorks(ofA, worksA, ofB, worksB);
    std::vector<KernelMatch> matches = matchAll(ofA, ofB, works);
    for (KernelMatch& match : matches) {
        match.withoutStepsA = stepsA.steps.count == 0;
        match.withoutStepsB = stepsB.steps.count == 0;
    }
    std::ranges::stable_sort(matches, [](const KernelMatch& x, const KernelMatch& y) {
        return std::fabs(x.b - x.a) > std::fabs(y.b - y.a);
    });
    return matches;
}

}  // namespace

std::vector<KernelMatch> matchKernels(const RunComparison& comparison, const Snapshot& a, const Snapshot& b,
                                      const ComparisonScope& scope) {
    return matchWork(&comparison, a, b, scope);
}

std::vector<KernelMatch> matchKernels(const Snapshot& a, const Snapshot& b, const ComparisonScope& scope) {
    return matchWork(nullptr, a, b, scope);
}

std::vector<ComparisonRow> kernelRows(const std::vector<KernelMatch>& matches,
                                      const RunComparison& comparison) {
    std::vector<ComparisonRow> rows;
    rows.reserve(matches.size());
    // Where records of kernels are missing, these rows say so.
    const std::vector<ComparisonRow>& sums = comparison.kernels;
    const bool lostA = !sums.empty() && sums.front().recordsLostA;
    const bool lostB = !sums.empty() && sums.front().recordsLostB;
    for (const KernelMatch& match : matches) {
        rows.push_back({match.name(), match.a, match.b, !match.namesA.empty(), !match.namesB.empty(),
                        comparison.atLeastTimesA || lostA, comparison.atLeastTimesB || lostB,
                        comparison.stepsLostA, comparison.stepsLostB, lostA, lostB});
        if (std::string shown = match.shownName(); shown != rows.back().name) {
            rows.back().fullName = rows.back().name;
            rows.back().shownName = std::move(shown);
        }
    }
    return rows;
}

}  // namespace warpglass
