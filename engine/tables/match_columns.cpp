#include "engine/tables/match_columns.h"

#include "engine/query/spans/op_family.h"
#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Match = Column<SearchMatch, MatchesShown>;

std::string_view kindName(TrackKind kind) {
    switch (kind) {
        case TrackKind::kStep:
            return "step";
        case TrackKind::kPhase:
        case TrackKind::kGpuPhase:
            return "phase";
        case TrackKind::kModule:
            return "module";
        case TrackKind::kCpuThread:
            return "op";
        case TrackKind::kApiThread:
            return "call";
        case TrackKind::kGpuStream:
            return "kernel";
        case TrackKind::kGpuCopies:
            return "copy";
        case TrackKind::kGpuSync:
            return "wait";
        case TrackKind::kProfiler:
            return "profiler";
    }
    return {};
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

Swatch swatch(const SearchMatch& match, const MatchesShown& of) {
    const Phase phase = of.snapshot->place(match.place).phase;
    if (match.kind == TrackKind::kCpuThread || match.kind == TrackKind::kGpuStream)
        return swatchOf(opFamily(of.snapshot->name(match.name), phase));
    return swatchOf(phase);
}

std::vector<Match> columns() {
    return {
        Match("name", "Name", Unit::kText, "The name of the op, kernel, call, module, phase or step",
              [](const SearchMatch& match, const MatchesShown& of) { return of.snapshot->name(match.name); },
              {.swatch = swatch, .code = kAlways, .width = 260}),
        Match("kind", "Kind", Unit::kText, "The kind of timeline row that it is in",
              [](const SearchMatch& match) { return kindName(match.kind); }, {.width = 72}),
        Match("start_ns", "Start", Unit::kMoment, "Time since recording began", &SearchMatch::start,
              {.width = 84}),
        Match("duration_ns", "Duration", Unit::kNanoseconds, "From its beginning to its end",
              &SearchMatch::duration, {.width = 84}),
        Match("step", "Step", Unit::kOrdinal, "Steps count from 0; – if outside any step",
              [](const SearchMatch& match) { return match.step == kNoStep ? Cell() : cellOf(match.step); },
              {.sort = &SearchMatch::step, .width = 52}),
        Match("where", "Where", Unit::kText, "Phase and module", where, {.width = 180})};
}

}  // namespace

const TableDescription<SearchMatch, MatchesShown>& matchesTable() {
    static const TableDescription<SearchMatch, MatchesShown> table{"matches", columns()};
    return table;
}

}  // namespace warpglass
