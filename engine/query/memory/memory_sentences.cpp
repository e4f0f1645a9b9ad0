#include "engine/query/memory/memory_sentences.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/base/format.h"

namespace warpglass {

namespace {

constexpr double kWorthNaming = 0.05;
constexpr std::size_t kMostNamed = 4;
/// What is beside less of the holes than this does not say why they are there.
constexpr double kMostOfHoles = 0.5;

std::string nounOf(const std::string& category) {
    return category == categoryName(Category::kOptimizerState) ? categoryNoun(Category::kOptimizerState)
                                                               : category;
}

double shareOf(Bytes part, Bytes whole) {
    return static_cast<double>(part.value) / static_cast<double>(std::max<std::int64_t>(1, whole.value));
}

using Held = std::pair<std::string, Bytes>;

std::string sharesSentence(std::vector<Held> held, std::string_view preposition, std::string_view when) {
    Bytes all;
    for (const auto& [name, bytes] : held)
        all += bytes;
    std::stable_sort(held.begin(), held.end(),
                     [](const Held& a, const Held& b) { return a.second > b.second; });
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

namespace {

/// ", 93% of it beside activations"; empty where no category is beside most of what is in holes.
std::string besideHoles(const FreePlaces& places) {
    const auto most = std::max_element(places.beside.begin(), places.beside.end());
    const double share = shareOf(Bytes(*most), places.holeBytes);
    const auto category = static_cast<Category>(most - places.beside.begin());
    if (share < kMostOfHoles || category == Category::kUnknown)
        return {};
    return ", " + formatPercent(share) + " of it beside " + categoryNoun(category) + " only";
}

}  // namespace

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
        parts.push_back(
            (both ? formatBytes(places.wholeBytes) + " in " : "in ") +
            (places.whole == 1 ? "a whole segment" : formatGrouped(places.whole) + " whole segments"));
    if (places.holes > 0)
        parts.push_back((both ? formatBytes(places.holeBytes) + " in " : "in ") +
                        (places.holes == 1 ? "one hole"
                                           : formatGrouped(places.holes) + " holes of at most " +
                                                 formatBytes(places.largestHole)) +
                        besideHoles(places));
    return formatBytes(totals.free) + of + (both ? ": " : ", ") + listed(parts) + ".";
}

std::string segmentsSentence(const FreeMemory& free, Bytes rounding, std::string_view when) {
    const SegmentTotals& totals = free.totals;
    const FreePlaces& places = free.places;
    const auto shareOfAll = [&](Bytes bytes) { return formatPercent(shareOf(bytes, totals.reserved)); };
    const std::string reserved = " of the " + formatBytes(totals.reserved) + " reserved is ";
    std::string sentence = std::string(when) + ", ";
    if (places.holes > 0)
        sentence +=
            shareOfAll(places.holeBytes) + reserved + "stuck: " + formatBytes(places.holeBytes) +
            (places.holes == 1 ? " lies in a hole beside blocks in use, and nothing larger fits into it"
                               : " lies in " + formatGrouped(places.holes) + " holes between blocks in use" +
                                     besideHoles(places) + ", and nothing larger than " +
                                     formatBytes(places.largestHole) + " fits into one") +
            ".";
    else
        sentence += "nothing" + reserved + "stuck in holes.";
    if (places.whole > 0)
        sentence += (places.whole == 1 ? " Giving back the free segment"
                                       : " Giving back " + formatGrouped(places.whole) + " free segments") +
                    " would return " + formatBytes(places.wholeBytes) + " (" + shareOfAll(places.wholeBytes) +
                    ").";
    sentence +=
        " " + formatBytes(totals.active()) + " is in use, " + formatBytes(rounding) + " of it by rounding.";
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

std::string allocationsSentence(std::span<const AllocationDetail> rows, std::int64_t allocations,
                                Bytes bytes) {
    if (rows.empty() || bytes.value <= 0)
        return {};
    Bytes shown;
    for (const AllocationDetail& row : rows)
        shown += Bytes(row.row.bytes);
    const auto count = static_cast<std::int64_t>(rows.size());
    const std::string largest = "the largest is " + formatBytes(Bytes(rows.front().row.bytes)) +
                                (rows.front().category.empty() ? "" : " of " + nounOf(rows.front().category));
    if (count == 1 && allocations == 1)
        return "The only allocation holds " + formatBytes(bytes) + ".";
    return (count < allocations ? "The largest " + formatGrouped(count) + " of " +
                                      formatGrouped(allocations) + " allocations account for " +
                                      formatPercent(shareOf(shown, bytes)) + " of their " + formatBytes(bytes)
                                : formatGrouped(count) + " allocations hold " + formatBytes(bytes)) +
           "; " + largest + ".";
}

}  // namespace warpglass
