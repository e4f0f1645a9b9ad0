// The groups of a table of ops by hand: which group a span is in, how long some take together, and whether a
// text finds one.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/query/statistics/grouped_statistics.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test {

inline std::string groupOf(const Snapshot& snapshot, const NaiveSpan& span, SpanGrouping grouping) {
    if (grouping == SpanGrouping::kPhase)
        return std::string(phaseName(span.place.phase));
    if (grouping == SpanGrouping::kFlat || span.module.empty())
        return {};
    return span.place.part.valid() ? span.module + "/" + std::string(snapshot.name(span.place.part))
                                   : span.module;
}

/// The types of an op, as tables show them; "" for none.
inline std::string typesOf(const Snapshot& snapshot, const NaiveSpan& span) {
    const auto detail = snapshot.detail(span.row.detail);
    const std::string types(detail ? snapshot.name(detail->fullName) : "");
    return types.starts_with(' ') ? types.substr(1) : types;
}

/// The time of those spans of each thread that lie in no other of them.
inline std::int64_t outermostTime(std::vector<NaiveSpan> spans) {
    std::ranges::sort(spans, [](const NaiveSpan& a, const NaiveSpan& b) {
        return std::tuple(a.track.value, a.row.start, a.depth) <
               std::tuple(b.track.value, b.row.start, b.depth);
    });
    std::map<std::uint32_t, std::int64_t> coveredTo;
    std::int64_t time = 0;
    for (const NaiveSpan& span : spans) {
        std::int64_t& to = coveredTo.try_emplace(span.track.value, INT64_MIN).first->second;
        if (span.row.start < to)
            continue;
        time += span.row.duration;
        to = span.row.start + span.row.duration;
    }
    return time;
}

using Groups = std::map<std::string, std::vector<NaiveSpan>>;

inline bool holds(std::string_view name, std::string_view text) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(name.begin(), name.end(), text.begin(), text.end(), same) != name.end();
}

/// By its name, that of the op that launched it, or where it lies.
inline bool finds(const Snapshot& snapshot, const NaiveSpan& span, std::string_view text) {
    const auto detail = snapshot.detail(span.row.detail);
    return holds(span.name, text) || (detail && holds(snapshot.name(detail->op), text)) ||
           holds(groupOf(snapshot, span, SpanGrouping::kModule), text) ||
           holds(snapshot.name(span.place.part), text);
}

}  // namespace warpglass::test
