#include "engine/tables/match_columns.h"

#include <algorithm>
#include <array>

#include "engine/query/spans/op_family.h"
#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Match = Column<SearchMatch, MatchesShown>;
using Group = Column<SearchGroup, MatchesShown>;

/// What one of a track's spans is called, by TrackKind.
constexpr auto kSpanNames = std::to_array<std::string_view>(
    {"step", "phase", "module", "op", "call", "kernel", "copy", "phase", "wait", "profiler"});
static_assert(kSpanNames.size() == kTrackKindNames.size());

std::string_view kindName(TrackKind kind) {
    return kSpanNames[static_cast<std::size_t>(kind)];
}

/// "forward · blocks.3.attn · scores", without what the match itself is.
Cell where(const SearchMatch& match, const MatchesShown& of) {
    const Place place = of.snapshot->place(match.place);
    std::string words(place.phase == Phase::kNone ? std::string_view() : phaseName(place.phase));
    for (const NameId part : {place.module, place.part}) {
        if (part.valid() && part != match.name)
            words += (words.empty() ? "" : " · ") + std::string(of.snapshot->name(part));
    }
    return textOrAbsent(words);
}

Swatch swatch(TrackKind kind, NameId name, PlaceId place, DetailId detail, const MatchesShown& of) {
    const Phase phase = of.snapshot->place(place).phase;
    const SpanDetail gpu = of.snapshot->detail(detail).value_or(SpanDetail());
    if (kind == TrackKind::kCpuThread)
        return swatchOf(opFamily(of.snapshot->name(name), phase));
    if (kind == TrackKind::kGpuStream)
        return swatchOf(kernelFamily(of.snapshot->name(name), of.snapshot->name(gpu.fullName),
                                     of.snapshot->name(gpu.op), phase));
    return swatchOf(phase);
}

std::vector<Group> groupColumns() {
    return {
        Group(
            "name", "Name", Unit::kText,
            "The names of ops, kernels, calls, modules, phases or steps; before those of kernels, what they "
            "do",
            [](const SearchGroup& group, const MatchesShown& of) { return of.snapshot->name(group.of.name); },
            {.swatch =
                 [](const SearchGroup& group, const MatchesShown& of) {
                     return swatch(group.of.kind, group.of.name, group.place, group.detail, of);
                 },
             .code = kAlways,
             .width = 260}),
        Group("kind", "Type", Unit::kText, "The kind of timeline row that they are in",
              [](const SearchGroup& group) { return kindName(group.of.kind); },
              {.name = "Kind", .width = 64}),
        Group("module", "Module", Unit::kText,
              "Where most of their time is, all blocks taken together, and how many other modules there are",
              unlessEmpty(&SearchGroup::module),
              {.text = [](const SearchGroup& group) -> std::optional<std::string> {
                   if (group.otherModules == 0)
                       return {};
                   return group.module + " +" + std::to_string(group.otherModules);
               },
               .code = kAlways,
               .width = 200}),
        Group("count", "Count", Unit::kCount, "How many there are where the search looks",
              &SearchGroup::count, {.width = 64}),
        Group("count_per_step", "Per step", Unit::kCount,
              "How many there are per step, the mean; – if parts of steps were searched",
              [](const SearchGroup& group, const MatchesShown& of) {
                  return of.steps > 0
                             ? wholeIfExact(static_cast<double>(group.count) / static_cast<double>(of.steps))
                             : Cell();
              },
              {.width = 68}),
        Group("total_ns", "Total", Unit::kNanoseconds,
              "Time of all of them; a span within another of the same name counts twice", &SearchGroup::total,
              {.plainTitle = "Total time", .width = 76}),
        Group("mean_ns", "Mean", Unit::kNanoseconds, "Total time divided by their number",
              [](const SearchGroup& group) {
                  return static_cast<double>(group.total.value) /
                         static_cast<double>(std::max<std::int64_t>(group.count, 1));
              },
              {.width = 72}),
        Group("min_ns", "Min", Unit::kNanoseconds, "The shortest of them", &SearchGroup::min, {.width = 72}),
        Group("max_ns", "Max", Unit::kNanoseconds, "The longest of them", &SearchGroup::max, {.width = 72}),
        Group("share", "Share", Unit::kFraction,
              "Share of all kernels' or all copies' GPU time; for others, share of the steps' time; – if no "
              "whole step was searched",
              &SearchGroup::share, {.bar = Bar::kOfLargest, .width = 132})};
}

std::vector<Match> columns() {
    return {
        Match("name", "Name", Unit::kText,
              "The name of the op, kernel, call, module, phase or step; before a kernel's, what it does",
              [](const SearchMatch& match, const MatchesShown& of) { return of.snapshot->name(match.name); },
              {.swatch =
                   [](const SearchMatch& match, const MatchesShown& of) {
                       return swatch(match.kind, match.name, match.place, match.detail, of);
                   },
               .code = kAlways,
               .width = 260}),
        Match("kind", "Type", Unit::kText, "The kind of timeline row that it is in",
              [](const SearchMatch& match) { return kindName(match.kind); }, {.name = "Kind", .width = 72}),
        Match("start_ns", "Start", Unit::kMoment, "Time since recording began", &SearchMatch::start,
              {.width = 84}),
        Match("duration_ns", "Duration", Unit::kNanoseconds, "From its beginning to its end",
              &SearchMatch::duration, {.bar = Bar::kOfLargest, .width = 110}),
        Match("step", "Step", Unit::kOrdinal, "Steps count from 0; – if outside any step",
              stepOf(&SearchMatch::step), {.sort = &SearchMatch::step, .width = 52}),
        Match("where", "Context", Unit::kText, "Phase and module", where, {.name = "Where", .width = 180})};
}

}  // namespace

const TableDescription<SearchGroup, MatchesShown>& searchGroupsTable() {
    static const TableDescription<SearchGroup, MatchesShown> table{"match-names", groupColumns()};
    return table;
}

const TableDescription<SearchMatch, MatchesShown>& matchesTable() {
    static const TableDescription<SearchMatch, MatchesShown> table{"matches", columns()};
    return table;
}

}  // namespace warpglass
