// What the find panel says of a search: a summary beside the field, all on hover, why there is nothing, and
// what is called how in its tables.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <memory>

#include "engine/query/statistics/span_search.h"
#include "engine/tables/match_columns.h"

namespace warpglass::ui {

/// The outcome of one search, made by a worker.
struct FindOutcome {
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const SpanSearch> search;
    SearchResult result;
    QString problem;
    /// What it was looked for in; empty for everywhere.
    QString within;
    /// How many whole steps that is; 0 for others or for parts of them.
    std::int64_t steps = 0;
    std::shared_ptr<const KernelWorks> works = {};

    MatchesShown shown() const { return {snapshot, steps, works}; }
};

/// The tables of what is found. Kernels, which are found by their recorded names, have what they do before
/// it: "gemm 128×256 TNN", kAfterFirstName, "nvjet_sm90_tst_128x256_…"; "copy bf16 +2" of a template's, two
/// more of whose works have the name.
TableDescription<SearchGroup, MatchesShown> titledGroups();
TableDescription<SearchMatch, MatchesShown> titledMatches();
/// "1,055 matches · 54.3 ms · 528 of them, 27.1 ms, in measured steps", or what is wrong; empty where nothing
/// is looked for. `tablesCountMeasured`: whether tables count only those.
QString findSummary(const FindOutcome& outcome, bool tablesCountMeasured);
/// What the time is of; empty without a match, and of the first page.
QString findExactly(const FindOutcome& outcome, bool tablesCountMeasured);
QRegularExpression wantedPattern(const QString& text, bool expression);
/// Why a pattern is none; empty for one that is valid.
QString patternProblem(const QRegularExpression& pattern);
/// Why there is no match of the text.
QString findNothing(const FindOutcome& outcome, const QString& text, bool isExpression);

}  // namespace warpglass::ui
