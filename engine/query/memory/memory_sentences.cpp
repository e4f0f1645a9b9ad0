#include "engine/query/memory/memory_sentences.h"

#include <algorithm>
#include <utility>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/base/units.h"

namespace warpglass {

namespace {

constexpr double kWorthNaming = 0.05;
constexpr std::size_t kMostNamed = 4;
/// A share of what is reserved that is not much.
constexpr double kLittle = 0.05;

std::string nounOf(const std::string& category) {
    return category == categoryName(Category::kOptimizerState) ? categoryNoun(Category::kOptimizerState)
                                                               : category;
}

std::string wholeSegments(const FreePlaces& places) {
    return formatGrouped(places.whole) + " whole segments";
}

using Held = std::pair<std::string, Bytes>;

bool areGroups(std::span<const AllocationGroup> rows) {
    return allocationsIn(rows) > std::ssize(rows);
}

std::string sharesSentence(std::vector<Held> held, std::string_view preposition, std::string_view when) {
    Bytes all;
    for (const auto& [name, bytes] : held)
        all += bytes;
    std::ranges::stable_sort(held, std::ranges::greater(), &Held::second);
    std::vector<std::string> parts;
    for (const auto& [name, bytes] : held) {
        const double share = shareOf(bytes, all);
        if (parts.size() == kMostNamed || share < kWorthNaming)
            break;
        parts.push_back(formatPercent(share) + (parts.empty() ? " is " : " ") + std::string(preposition) +
                        name);
    }
    if (all.value <= 0 || parts.empty())
        return {};
    return "Of the " + formatBytes(all) + " live " + std::string(when) + ", " + listed(parts) + ".";
}

}  // namespace

std::string categoryNoun(Category category) {
    return category == Category::kOptimizerState ? "optimizer state"
           : category == Category::kUnknown      ? "of no category"
                                                 : std::string(categoryName(category));
}

std::string categoriesSentence(const CategoryBytes& bytes, std::string_view when) {
    std::vector<Held> held;
    for (std::size_t category = 0; category < bytes.size(); ++category)
        held.emplace_back(categoryNoun(static_cast<Category>(category)), Bytes(bytes[category]));
    return sharesSentence(std::move(held), "", when);
}

std::string breakdownSentence(std::span<const BreakdownRow> rows, BreakdownKey key, std::string_view when) {
    std::vector<Held> held;
    for (const BreakdownRow& row : rows)
        held.emplace_back(key == BreakdownKey::kCategory ? nounOf(row.name) : row.name, row.bytes);
    const std::string_view preposition = key == BreakdownKey::kCategory ? ""
                                         : key == BreakdownKey::kOp     ? "from "
                                         : key == BreakdownKey::kPhase  ? "made in "
                                                                        : "in ";
    return sharesSentence(std::move(held), preposition, when);
}

std::string reservedSentence(const SegmentTotals& totals, const FreePlaces& places, std::string_view when) {
    if (totals.reserved.value <= 0)
        return {};
    const std::string of =
        " of the " + formatBytes(totals.reserved) + " reserved was free " + std::string(when);
    if (totals.free.value <= 0)
        return "None" + of + ".";
    std::vector<std::string> parts;
    const bool both = places.whole > 0 && places.holes > 0;
    if (places.whole > 0)
        parts.push_back((both ? formatBytes(places.wholeBytes) + " in " : "in ") +
                        (places.whole == 1 ? "a whole segment" : wholeSegments(places)) +
                        " that could be given back");
    if (places.holes > 0)
        parts.push_back((both ? formatBytes(places.holeBytes) + " in " : "in ") +
                        (places.holes == 1 ? "one hole"
                                           : formatGrouped(places.holes) + " holes of at most " +
                                                 formatBytes(places.largestHole)));
    return formatBytes(totals.free) + of + (both ? ": " : ", ") + listed(parts) + ".";
}

std::string segmentsSentence(const FreeMemory& free, std::string_view when) {
    const FreePlaces& places = free.places;
    const double share = shareOf(places.holeBytes, free.totals.reserved);
    const std::string reserved =
        " of the " + formatBytes(free.totals.reserved) + " reserved is lost to holes";
    std::string sentence = std::string(when) + ", ";
    if (places.holes > 0)
        sentence += (share < kLittle ? "only " : "") + formatPercent(share) + reserved + " (" +
                    formatBytes(places.holeBytes) + " in " + formatGrouped(places.holes) + ")";
    else
        sentence += "nothing" + reserved;
    if (places.whole > 0)
        sentence += "; " + formatBytes(places.wholeBytes) + " in " +
                    (places.whole == 1 ? "a whole segment" : wholeSegments(places)) + " could be given back";
    return sentence + ".";
}

std::string inUseSentence(const SegmentTotals& totals, Bytes rounding) {
    std::string sentence =
        formatBytes(totals.active()) + " is in use, " + formatBytes(rounding) + " of it by rounding.";
    if (totals.pending.value > 0)
        sentence += " " + formatBytes(totals.pending) + " is freed but still used by another stream.";
    if (totals.earlier.value > 0)
        sentence += " " + formatBytes(totals.earlier) + " is in use since before the recording.";
    return sentence;
}

std::string comingSentence(const FreeMemory& free, Bytes coming) {
    const FreePiece* piece = pieceFor(free, coming);
    const std::string where = !piece         ? "fit into nothing that is free: it would need a new segment"
                              : piece->whole ? "fit into a free segment, but into no hole"
                                             : "fit into a hole";
    return "The largest allocation still to come, " + formatBytes(coming) + ", would now " + where + ".";
}

std::string listedAllocations(std::span<const AllocationGroup> rows, std::int64_t allocations) {
    const std::string all = allocations == 1 ? "1 allocation" : formatGrouped(allocations) + " allocations";
    const std::int64_t count = allocationsIn(rows);
    if (count >= allocations)
        return all;
    // The largest groups need not hold the largest allocations.
    return (areGroups(rows) ? formatGrouped(std::ssize(rows)) + " largest groups, of " : "largest ") +
           formatGrouped(count) + " of " + all;
}

std::vector<std::string> allocationsWordings(std::span<const AllocationGroup> rows, std::int64_t allocations,
                                             Bytes bytes, const LargestHolding& holding) {
    if (rows.empty() || bytes.value <= 0)
        return {};
    if (allocations == 1)
        return {"The only allocation holds " + formatBytes(bytes) + "."};
    Bytes shown = sumOver<Bytes>(rows, [&](const AllocationGroup& row) { return Bytes(row.row.bytes); });
    const bool all = allocationsIn(rows) >= allocations;
    const std::string listed = listedAllocations(rows, allocations);
    std::string sentence = all ? listed + " hold " + formatBytes(bytes)
                               : "The " + listed + (areGroups(rows) ? "," : "") + " account for " +
                                     formatPercent(shareOf(shown, bytes)) + " of the " + formatBytes(bytes);
    const std::string noun = categoryNoun(holding.category),
                      held = formatBytes(holding.bytes) + " is " + noun;
    const std::vector<std::string> shorter = {sentence + ".", held + "."};
    const bool one = holding.bytes == bytes;
    sentence += !one  ? (all ? ": " : "; of all, ") + held
                : all ? ", all of it " + noun
                      : "; all of it is " + noun;
    sentence += holding.partBytes == holding.bytes ? (one ? " " : ", all of it ")
                                                   : ", of which " + formatBytes(holding.partBytes) + " is ";
    sentence += holding.part == kOutsideModel ? "outside the model" : "in " + holding.part;
    sentence += " (" + formatGrouped(holding.partAllocations) +
                (holding.partAllocations == 1 ? " allocation)."
                 : holding.each               ? " × " + formatBytes(*holding.each) + ")."
                                              : " allocations).");
    return {sentence, shorter[0], shorter[1]};
}

}  // namespace warpglass
