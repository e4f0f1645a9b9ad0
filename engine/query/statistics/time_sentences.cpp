#include "engine/query/statistics/time_sentences.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/statistics/span_sentences.h"

namespace warpglass {

namespace {

constexpr double kPhaseWorthNaming = 0.05;
constexpr std::size_t kMostPhasesNamed = 3;

constexpr std::array<std::string_view, kOpFamilyCount> kFamilyNouns = {
    "GEMMs",         "attention",        "normalization", "elementwise work",
    "the optimizer", "casts and copies", "other work"};

using Share = std::pair<std::string, double>;  // of 1

/// Those worth naming, largest first.
std::vector<Share> largest(std::vector<Share> shares, std::size_t most = kMostPhasesNamed,
                           double least = kPhaseWorthNaming) {
    std::ranges::stable_sort(shares, std::ranges::greater(), &Share::second);
    std::erase_if(shares, [least](const Share& share) { return share.second < least; });
    if (shares.size() > most)
        shares.resize(most);
    return shares;
}

/// "backward takes 57% of a step, forward 32% and optimizer 10%".
std::string takenBy(const std::vector<Share>& shares, const std::string& of) {
    std::vector<std::string> parts;
    parts.reserve(shares.size());
    for (const auto& [name, share] : shares) {
        parts.push_back(parts.empty() ? name + " takes " + formatPercent(share) + " of " + of
                                      : name + " " + formatPercent(share));
    }
    return listed(parts);
}

std::string sentenceOf(std::string text) {
    return text.empty() ? text : capitalized(std::move(text)) + ".";
}

/// What modules of one name within the blocks have together, of all.
std::vector<Share> blockModules(const FlameTree& tree) {
    std::map<std::string, double> sums;
    for (const FlameNode& node : tree.nodes) {
        const FlameNode& parent = tree.nodes[node.parent];
        if (node.kind == FlameKind::kModule && parent.kind == FlameKind::kModule &&
            parent.name.starts_with("blocks."))
            sums[node.name] += static_cast<double>(node.value);
    }
    const auto all = static_cast<double>(std::max<std::int64_t>(1, tree.nodes.front().value));
    std::vector<Share> shares;
    shares.reserve(sums.size());
    for (const auto& [name, sum] : sums)
        shares.emplace_back("the blocks' " + name, sum / all);
    return largest(std::move(shares));
}

}  // namespace

std::vector<std::string> spansWordings(std::span<const GroupedRow> rows, TrackKind kind) {
    std::array<double, kOpFamilyCount> byFamily{};
    std::map<std::pair<std::string, std::string>, double> byName;  // as it is called, and recorded
    double all = 0;
    for (const GroupedRow& row : rows) {
        const auto self = static_cast<double>(row.figures.self.value);
        byFamily[static_cast<std::size_t>(row.figures.family)] += self;
        byName[{row.title.empty() ? row.figures.name : row.title, row.figures.name}] += self;
        all += self;
    }
    if (all <= 0)
        return {};
    const auto most =
        std::ranges::max_element(byName, [](const auto& a, const auto& b) { return a.second < b.second; });
    const std::string named = most->first.first + " (" + formatPercent(most->second / all) + ")";
    if (kind == TrackKind::kGpuCopies) {
        const std::string take = "Copies and fills take " + formatMeanDuration(all) + " of GPU time";
        return {take + ", most of it " + named + ".", take + "."};
    }
    std::vector<Share> shares;
    for (std::size_t family = 0; family < byFamily.size(); ++family)
        shares.emplace_back(kFamilyNouns[family], byFamily[family] / all);
    shares = largest(std::move(shares), 4);
    std::vector<std::string> families;
    families.reserve(shares.size());
    for (const auto& [name, share] : shares)
        families.push_back(name + " (" + formatPercent(share) + ")");
    const bool ops = kind == TrackKind::kCpuThread;
    const std::string time = ops ? "CPU time" : "GPU time", goes = time + " goes to " + listed(families);
    std::vector<std::string> wordings = {goes + "; the top " + (ops ? "op" : "kernel") + " is " + named + ".",
                                         goes + "."};
    if (families.size() > 2)
        wordings.push_back(time + " goes to " + listed({families[0], families[1]}) + ".");
    const auto& [first, share] = shares.front();
    const bool several = first == "GEMMs" || first == "casts and copies";
    const std::string takes = capitalized(first) + (several ? " take " : " takes ") + formatPercent(share);
    wordings.insert(wordings.end(), {takes + " of " + time + ".", takes + "."});
    return wordings;
}

std::string phasesSentence(std::span<const StatisticsRow> rows,
                           const std::unordered_map<std::string, double>& waits) {
    const auto step = std::ranges::find_if(rows, [](const StatisticsRow& row) { return row.name == "step"; });
    if (step == rows.end() || step->average <= 0)
        return {};
    std::vector<Share> shares;
    for (const StatisticsRow& row : rows) {
        if (&row != &*step)
            shares.emplace_back(row.name, row.timeShare);
    }
    shares = largest(std::move(shares));
    std::vector<std::string> waiting;
    for (const auto& [name, share] : shares) {
        const auto wait = waits.find(name);
        const double part = wait == waits.end() ? 0 : wait->second / (share * step->average);
        if (part >= kPhaseWorthNaming)
            waiting.push_back(formatPercent(part) + " of " + name);
    }
    return sentenceOf(takenBy(shares, "a step of " + formatMeanDuration(step->average)) +
                      (waiting.empty() ? "" : "; the GPU waits for the host for " + listed(waiting)));
}

namespace {

/// By how much of the others' median the first step that counts stands out from them, which are alike: what
/// its warm-up should have taken away. 0 where it does not stand out.
double excessOfFirst(const PhaseSamples& steps) {
    constexpr double kLeastExcess = 0.1, kLeastRanges = 2;
    // Else they are chosen ones, of which the first need not come after the warm-up.
    if (!steps.samples.front().warmup || steps.samples.front().counted)
        return 0;
    std::vector<double> counted;
    for (const PhaseSample& sample : steps.samples) {
        if (sample.counted)
            counted.push_back(static_cast<double>(sample.duration.value));
    }
    if (counted.size() < 3)
        return 0;
    const double first = counted.front();
    std::vector<double> others(counted.begin() + 1, counted.end());
    std::ranges::sort(others);
    const double median = others[others.size() / 2], range = others.back() - others.front();
    const bool standsOut =
        median > 0 && first >= (1 + kLeastExcess) * median && first - others.back() >= kLeastRanges * range;
    return standsOut ? first / median - 1 : 0;
}

}  // namespace

std::string phasesSentence(std::span<const PhaseSamples> phases) {
    const PhaseSamples* const steps = stepsOf(phases);
    if (!steps || steps->mean <= 0)
        return {};
    const PhaseSamples& step = *steps;
    const bool several = step.counted > 1, deviates = step.showsDeviation();
    std::vector<Share> shares;
    for (const PhaseSamples& phase : phases.first(phases.size() - 1)) {
        // What differs by less than a twentieth of a step moves no step.
        const auto range = static_cast<double>(phase.range().value);
        if (!several)
            shares.emplace_back(phase.name, phase.mean / step.mean);
        else if (range >= kPhaseWorthNaming * step.mean && movesSteps(phase, step) && phase.median > 0)
            shares.emplace_back(phase.name, (deviates ? phase.standardDeviation : range) / phase.median);
    }
    // A deviation is small beside the range that has made it worth naming.
    shares = largest(std::move(shares), kMostPhasesNamed, deviates ? 0 : kPhaseWorthNaming);
    if (!several)
        return sentenceOf(takenBy(shares, "a step of " + formatMeanDuration(step.mean)));
    // As a chart of the steps has it beside the phase's row.
    const auto spread = [&](const Share& share) {
        if (deviates)
            return "±" + formatPercent(share.second);
        const PhaseSamples& phase = *std::ranges::find(phases, share.first, &PhaseSamples::name);
        const auto off = [&phase](Nanoseconds time) {
            return deviationInWords(static_cast<double>(time.value) / phase.median - 1);
        };
        return off(phase.min) + " to " + off(phase.max);
    };
    std::string text = "The " + formatGrouped(step.counted) + " steps take " + formatDuration(step.min) +
                       " to " + formatDuration(step.max);
    if (!shares.empty())
        text +=
            "; of long phases " + shares[0].first + " varies most (" + spread(shares[0]) + " of its median)";
    if (shares.size() > 1)
        text += ", then " + shares[1].first + " (" + spread(shares[1]) + ")";
    if (const double excess = excessOfFirst(step); excess > 0)
        text += "; the first measured step took " + formatPercent(excess) +
                " more than the others, so the warm-up was too short";
    const PhaseSample& first = step.samples.front();
    if (first.warmup && first.duration > step.max && step.median > 0)
        text += "; the first warm-up took " +
                ratioInWords(static_cast<double>(first.duration.value) / step.median) + "× the median";
    return sentenceOf(std::move(text));
}

std::string quietPhasesSentence(std::span<const PhaseSamples> phases) {
    const PhaseSamples* const steps = stepsOf(phases);
    if (!steps)
        return {};
    const bool several = steps->counted > 1;
    std::vector<std::string> quiet;
    for (const PhaseSamples& phase : phases.first(phases.size() - 1)) {
        if (movesSteps(phase, *steps))
            continue;
        const bool first = quiet.empty();
        quiet.push_back(phase.name + " (" +
                        (several ? (first ? "median " : "") + formatMeanDuration(phase.median) +
                                       (first ? ", range " : ", ") + formatDuration(phase.range())
                                 : formatMeanDuration(phase.mean)) +
                        ")");
    }
    if (quiet.empty())
        return {};
    return "Not drawn: " + listed(quiet) +
           (several ? ", which vary by less than a tenth of the steps' range."
                    : ", which take less than a twentieth of the step.");
}

std::string flameSentence(const FlameTree& tree) {
    if (tree.empty() || tree.nodes.front().value <= 0)
        return {};
    const std::vector<Share> modules = blockModules(tree);
    if (tree.subject == FlameTree::Subject::kMemory) {
        std::vector<std::string> parts;
        parts.reserve(modules.size());
        for (const auto& [name, share] : modules)
            parts.push_back(formatPercent(share) + (parts.empty() ? " is in " : " in ") + name);
        return parts.empty()
                   ? std::string()
                   : "Of " + formatBytes(Bytes(tree.nodes.front().value)) + ", " + listed(parts) + ".";
    }
    std::vector<Share> phases;
    for (std::uint32_t node = 1; node < tree.nodes.size() && tree.nodes[node].depth == 1; ++node)
        phases.emplace_back(tree.nodes[node].name, tree.shareOfAll(node));
    std::string text = takenBy(largest(std::move(phases)), tree.gpu ? "the GPU time" : "the CPU time");
    if (!text.empty() && !modules.empty())
        text += "; " + formatPercent(modules.front().second) + " of all is in " + modules.front().first;
    std::vector<Share> families;
    const std::vector<std::int64_t> totals = flameTotals(tree);
    for (std::size_t family = 0; family < std::min(totals.size(), kOpFamilyCount); ++family)
        families.emplace_back(kFamilyNouns[family], static_cast<double>(totals[family]) /
                                                        static_cast<double>(tree.nodes.front().value));
    std::vector<std::string> work;
    for (const auto& [name, share] : largest(std::move(families), 2))
        work.push_back(name + " (" + formatPercent(share) + ")");
    if (!text.empty() && !work.empty())
        text += (work.size() > 1 ? "; the largest kinds of work are " : "; the largest kind of work is ") +
                listed(work);
    return sentenceOf(std::move(text));
}

namespace {

/// What is found, as sentences count it: in the order that they name it.
enum class Found : std::uint8_t { kKernels, kCopies, kOps, kRanges, kCalls };
constexpr const char* kFoundWords[][2] = {{"kernel", "kernels"},
                                          {"copy", "copies"},
                                          {"op", "ops"},
                                          {"step, phase or module", "steps, phases and modules"},
                                          {"call", "calls"}};

Found foundOf(TrackKind kind) {
    switch (kind) {
        case TrackKind::kGpuStream:
            return Found::kKernels;
        case TrackKind::kGpuCopies:
            return Found::kCopies;
        case TrackKind::kCpuThread:
            return Found::kOps;
        case TrackKind::kStep:
        case TrackKind::kPhase:
        case TrackKind::kGpuPhase:
        case TrackKind::kModule:
            return Found::kRanges;
        default:
            return Found::kCalls;
    }
}

struct FoundSum {
    std::int64_t count = 0;
    double share = 0;
};

/// "1,344 kernels (112 per measured step)"; of a single step both would be the same.
std::string foundWords(Found found, std::int64_t count, std::int64_t steps) {
    std::string words = formatGrouped(count) + " " + kFoundWords[static_cast<int>(found)][count != 1];
    if (steps > 1 && count >= steps)
        words += " (" +
                 (count % steps == 0 ? formatGrouped(count / steps)
                                     : "about " + formatGrouped((count + steps / 2) / steps)) +
                 " per measured step)";
    return words;
}

}  // namespace

std::string searchSentence(std::string_view text, const SearchResult& found, std::int64_t steps) {
    if (found.count == 0)
        return {};
    std::map<Found, FoundSum> sums;
    for (const SearchGroup& group : found.groups) {
        FoundSum& sum = sums[foundOf(group.of.kind)];
        sum.count += group.count;
        sum.share += group.share.value_or(0);
    }
    std::string sentence = "“" + std::string(text) + "” is found in ";
    bool first = true;
    for (const auto& [of, sum] : sums) {
        sentence += (first ? "" : ", and in ") + foundWords(of, sum.count, steps);
        const std::string takes = sum.count == 1 ? ", which takes " : ", which take ";
        if (of == Found::kKernels && sum.share > 0)
            sentence += takes + (sums.size() == 1 ? formatDuration(found.total) + ", " : "") +
                        formatPercent(sum.share) + " of GPU time";
        else if (sums.size() == 1)
            sentence += takes + formatDuration(found.total);
        first = false;
    }
    return sentence + ".";
}

}  // namespace warpglass
