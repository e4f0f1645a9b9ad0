// The groups of a table of ops by hand: which group a span is in, and whether a text finds it.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/query/grouped_statistics.h"
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
