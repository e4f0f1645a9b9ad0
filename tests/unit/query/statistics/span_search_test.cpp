#include "engine/query/statistics/span_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <ranges>
#include <tuple>

#include "tests/support/every_span.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::span_search_test {

constexpr std::array<bool, kSearchKindCount> kAll = {true, true, true, true};

std::function<bool(std::string_view)> contains(std::string text) {
    return [text](std::string_view name) { return name.find(text) != std::string_view::npos; };
}

bool wanted(TrackKind kind, const std::array<bool, kSearchKindCount>& kinds) {
    switch (kind) {
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
            return kinds[0];
        case TrackKind::kCpuThread:
            return kinds[1];
        case TrackKind::kStep:
        case TrackKind::kPhase:
        case TrackKind::kModule:
            return kinds[2];
        case TrackKind::kApiThread:
        case TrackKind::kGpuSync:
        case TrackKind::kProfiler:
            return kinds[3];
        case TrackKind::kGpuPhase:
            return false;
    }
    return false;
}

/// Row by row, name by name.
std::vector<SearchMatch> naiveMatches(const Snapshot& snapshot, const std::string& text,
                                      const std::array<bool, kSearchKindCount>& kinds) {
    std::vector<SearchMatch> matches;
    for (const auto& [ref, row, kind, track, depth] : everySpan(snapshot)) {
        if (!wanted(kind, kinds))
            continue;
        const auto detail = snapshot.detail(row.detail);
        if (contains(text)(snapshot.name(row.name)) ||
            (detail && contains(text)(snapshot.name(detail->fullName))))
            matches.push_back({{ref.lane, ref.row},
                               kind,
                               row.start,
                               row.duration,
                               row.name,
                               row.place,
                               row.step,
                               row.detail});
    }
    std::ranges::sort(matches, [](const SearchMatch& a, const SearchMatch& b) {
        return std::tuple(a.start, a.at.lane.value, a.at.row) <
               std::tuple(b.start, b.at.lane.value, b.at.row);
    });
    return matches;
}

/// Whether one match lies within another: in a shallower lane of its track, or a range in what is around it.
bool isWithinOne(const Snapshot& snapshot, const SearchMatch& inner,
                 const std::vector<SearchMatch>& matches) {
    const auto isRange = [](TrackKind kind) {
        return kind == TrackKind::kStep || kind == TrackKind::kPhase || kind == TrackKind::kModule;
    };
    return std::ranges::any_of(matches, [&](const SearchMatch& outer) {
        const SpanLane a = snapshot.lane(outer.at.lane), b = snapshot.lane(inner.at.lane);
        const bool nests = !isGpuTrack(inner.kind) && inner.kind != TrackKind::kGpuSync &&
                           inner.kind != TrackKind::kProfiler;
        const bool shallower = nests && a.track() == b.track() && a.depth() < b.depth();
        const bool around = isRange(outer.kind) && isRange(inner.kind) && outer.kind < inner.kind;
        return (shallower || around) && outer.start <= inner.start &&
               inner.start < outer.start + outer.duration &&
               inner.start + inner.duration <= outer.start + outer.duration;
    });
}

/// Against every pair of matches; of few only.
void expectTotals(const Snapshot& snapshot, const std::vector<SearchMatch>& matches,
                  const SearchResult& result) {
    if (matches.size() > 6000)
        return;
    const std::int64_t warmup = snapshot.info().getInteger("config.warmup").value_or(0);
    std::int64_t total = 0, nested = 0, measured = 0, measuredTotal = 0, onGpu = 0, measuredOnGpu = 0;
    for (const SearchMatch& match : matches) {
        const bool inner = isWithinOne(snapshot, match, matches);
        const std::int64_t time = inner ? 0 : std::max<std::int64_t>(match.duration, 0);
        nested += inner ? 1 : 0;
        total += time;
        measured += match.step >= warmup ? 1 : 0;
        measuredTotal += match.step >= warmup ? time : 0;
        onGpu += isGpuTrack(match.kind) ? time : 0;
        measuredOnGpu += isGpuTrack(match.kind) && match.step >= warmup ? time : 0;
    }
    EXPECT_EQ(result.total.value, total);
    EXPECT_EQ(result.durations.total.value, total);
    EXPECT_EQ(result.nested, nested);
    EXPECT_EQ(result.measured.count, measured);
    EXPECT_EQ(result.measured.total.value, measuredTotal);
    EXPECT_EQ(result.onGpu.value, onGpu);
    EXPECT_EQ(result.durations.onGpu.value, onGpu);
    EXPECT_EQ(result.measured.onGpu.value, measuredOnGpu);
}

/// What their shares are of: every kernel (or copy), or the steps.
std::int64_t wholeOf(const Snapshot& snapshot, TrackKind kind) {
    std::int64_t whole = 0;
    for (const FoundSpan& span : spansOfKind(snapshot, isGpuTrack(kind) ? kind : TrackKind::kStep))
        whole += std::max<std::int64_t>(span.row.duration, 0);
    return whole;
}

/// Name by name, and each name searched for alone.
void expectGroups(const Snapshot& snapshot, const std::vector<SearchMatch>& matches, const SpanSearch& search,
                  const SearchResult& result) {
    std::map<SearchName, std::pair<std::int64_t, std::int64_t>> sums;
    for (const SearchMatch& match : matches) {
        auto& [count, total] = sums[{match.kind, match.name}];
        ++count;
        total += std::max<std::int64_t>(match.duration, 0);
    }
    ASSERT_EQ(result.groups.size(), sums.size());
    for (std::size_t i = 0; i < result.groups.size(); ++i) {
        const SearchGroup& group = result.groups[i];
        EXPECT_EQ(group.count, sums.at(group.of).first);
        EXPECT_EQ(group.total.value, sums.at(group.of).second);
        std::vector<std::int64_t> durations;
        std::map<std::pair<PlaceId, DetailId>, std::int64_t> where;
        for (const SearchMatch& match : matches) {
            if (SearchName{match.kind, match.name} != group.of)
                continue;
            durations.push_back(std::max<std::int64_t>(match.duration, 0));
            where[{match.place, match.detail}] += durations.back();
        }
        EXPECT_EQ(where.at({group.place, group.detail}), std::ranges::max(where | std::views::values));
        EXPECT_EQ(group.min.value, std::ranges::min(durations));
        EXPECT_EQ(group.max.value, std::ranges::max(durations));
        const std::int64_t whole = wholeOf(snapshot, group.of.kind);
        ASSERT_EQ(group.share.has_value(), whole > 0);
        if (whole > 0) {
            EXPECT_DOUBLE_EQ(*group.share,
                             static_cast<double>(group.total.value) / static_cast<double>(whole));
        }
        if (i > 0 && isGpuTrack(group.of.kind) == isGpuTrack(result.groups[i - 1].of.kind)) {
            EXPECT_LE(group.total, result.groups[i - 1].total);
        }
        if (i > 2)
            continue;
        SpanSearch narrow = search;
        narrow.only = group.of;
        const SearchResult alone = searchSpans(snapshot, narrow);
        EXPECT_EQ(alone.count, group.count);
        EXPECT_TRUE(alone.groups.empty()) << "the one is known";
        std::int64_t total = 0;
        for (const SearchMatch& match : alone.matches)
            total += std::max<std::int64_t>(match.duration, 0);
        if (alone.count == std::ssize(alone.matches)) {
            EXPECT_EQ(total, group.total.value);
        }
    }
}

void expectFinds(const Snapshot& snapshot, const std::string& text,
                 const std::array<bool, kSearchKindCount>& kinds) {
    const auto expected = naiveMatches(snapshot, text, kinds);
    const SpanSearch search = searchOf(snapshot, kinds, contains(text));
    const SearchResult result = searchSpans(snapshot, search);
    ASSERT_EQ(result.count, std::ssize(expected)) << text;
    EXPECT_TRUE(result.complete);
    ASSERT_EQ(result.matches.size(), std::min(expected.size(), SearchResult::kMost));
    expectTotals(snapshot, expected, result);
    expectGroups(snapshot, expected, search, result);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected.size() <= SearchResult::kMost) {
            EXPECT_EQ(result.matches[i].at, expected[i].at);
        }
    }

    // Next and previous go through all of them, and round.
    std::optional<SearchMatch> at;
    for (std::size_t i = 0; i < std::min<std::size_t>(expected.size(), 300); ++i) {
        at = nextMatch(snapshot, search, at, true);
        ASSERT_TRUE(at);
        ASSERT_EQ(at->at, expected[i].at) << i;
        EXPECT_EQ(matchAt(snapshot, search, at->at)->start, at->start);
    }
    at.reset();
    for (std::size_t i = 0; i < std::min<std::size_t>(expected.size(), 300); ++i) {
        at = nextMatch(snapshot, search, at, false);
        ASSERT_TRUE(at);
        ASSERT_EQ(at->at, expected[expected.size() - 1 - i].at) << i;
    }
    if (!expected.empty()) {
        EXPECT_EQ(nextMatch(snapshot, search, expected.back(), true)->at, expected.front().at);
        EXPECT_EQ(nextMatch(snapshot, search, expected.front(), false)->at, expected.back().at);
    } else {
        EXPECT_FALSE(nextMatch(snapshot, search, std::nullopt, true));
    }
}

TEST(SpanSearch, FindsWhatLookingAtEverySpanFinds) {
    for (const std::uint64_t seed : {1u, 2u}) {
        const RandomRun run({.seed = seed});
        for (const char* text : {"aten::", "mm", "blocks.1", "step", "no such name", ""}) {
            expectFinds(*run.snapshot(), text, kAll);
            expectFinds(*run.snapshot(), text, {false, false, true, false});
            expectFinds(*run.snapshot(), text, {true, true, false, true});
        }
    }
}

TEST(SpanSearch, KernelsMatchByTheirWholeSignatureToo) {
    const auto run = openSampleRun("small-bf16-naive");
    // In the signature of an elementwise kernel, never in its short name.
    expectFinds(*run, "direct_copy_kernel", {true, false, false, false});
    EXPECT_FALSE(naiveMatches(*run, "direct_copy_kernel", {true, false, false, false}).empty());
    expectFinds(*run, "cudaLaunch", kAll);
    expectFinds(*run, "Memcpy", kAll);
}

TEST(SpanSearch, TimesOfNestedMatchesCountOnce) {
    const auto snapshot = traceOf(R"(
        step 0 0-100 | forward 0-60 | module blocks.0 0-40 | module blocks.0.attn 5-25
        module other.attn 70-80
        end 200
    )");
    const auto timeOf = [&](const char* text) {
        const SearchResult found = searchSpans(*snapshot, searchOf(*snapshot, kAll, contains(text)));
        return std::pair(found.total.value, found.nested);
    };
    EXPECT_EQ(timeOf("blocks.0"), (std::pair<std::int64_t, std::int64_t>(40, 1)));
    EXPECT_EQ(timeOf("attn"), (std::pair<std::int64_t, std::int64_t>(30, 0)));
    EXPECT_EQ(timeOf(""), (std::pair<std::int64_t, std::int64_t>(100, 4)));
    EXPECT_EQ(timeOf("r"), (std::pair<std::int64_t, std::int64_t>(70, 0))) << "forward, other.attn";
}

TEST(SpanSearch, NamesSayWhereMostOfTheirTimeIsWithAllBlocksTogether) {
    const auto run = traceOf(R"(
        step 0 0-1000
          forward 0-900
            module blocks.0.ffn.w1 0-200
              op aten::mm 0-100
            module blocks.1.ffn.w1 200-400
              op aten::mm 200-300
            module lm_head 400-900
              op aten::mm 400-550
          op aten::add 900-910
    )");
    const SearchResult result = searchSpans(*run, searchOf(*run, kAll, contains("aten")));
    ASSERT_EQ(result.groups.size(), 2u);
    EXPECT_EQ(result.groups[0].module, "blocks.*.ffn.w1");
    EXPECT_EQ(result.groups[0].otherModules, 1);
    EXPECT_EQ(result.groups[1].module, "");
    EXPECT_EQ(result.groups[1].otherModules, 0);
}

TEST(SpanSearch, OfManyTheLongestAreListed) {
    TraceWriter writer;
    const TrackId track = writer.addTrack(TrackKind::kCpuThread, "main");
    const NameId name = writer.internName("aten::mm");
    std::mt19937_64 random(3);
    std::vector<std::int64_t> durations;
    std::int64_t t = 0;
    for (std::size_t i = 0; i < SearchResult::kMost + 5000; ++i) {
        durations.push_back(static_cast<std::int64_t>(random() % 100'000));
        writer.appendSpan(track, 0, {.start = t, .duration = durations.back(), .self = 1, .name = name});
        t += durations.back() + 1;
    }
    writer.commit(Nanoseconds(t));
    const auto snapshot = writer.feed()->latest();
    const SpanSearch search = searchOf(*snapshot, kAll, contains("mm"));
    const SearchResult result = searchSpans(*snapshot, search);
    EXPECT_EQ(result.count, std::ssize(durations));
    ASSERT_EQ(result.matches.size(), SearchResult::kMost);
    EXPECT_TRUE(std::ranges::is_sorted(result.matches, comesBefore));
    std::vector<std::int64_t> listed;
    for (const SearchMatch& match : result.matches)
        listed.push_back(match.duration);
    std::sort(listed.rbegin(), listed.rend());
    std::sort(durations.rbegin(), durations.rend());
    durations.resize(listed.size());
    EXPECT_EQ(listed, durations);

    const SearchResult first = firstMatches(*snapshot, search, 50, 1000);
    EXPECT_EQ(first.matches.size(), 50u);
    EXPECT_FALSE(first.complete);
    EXPECT_EQ(first.matches.front().start, 0);
    EXPECT_EQ(firstMatches(*snapshot, search, 5000, 1000).matches.size(), 1000u);
}

TEST(SpanSearch, ACanceledSearchSaysThatItIsNotComplete) {
    const RandomRun run({.seed = 4});
    const std::atomic<bool> canceled = true;
    const SpanSearch search = searchOf(*run.snapshot(), kAll, contains("aten"));
    EXPECT_FALSE(searchSpans(*run.snapshot(), search, &canceled).complete);
    int asked = 0;
    const SpanSearch stopped = searchOf(
        *run.snapshot(), kAll, [](std::string_view) { return true; }, [&asked] { return ++asked <= 3; });
    EXPECT_EQ(std::ranges::count(stopped.names, 1), 3);
}

TEST(SpanSearch, ColumnsAreThoseThatAMatchBeginsInOrCovers) {
    const RandomRun run({.seed = 8});
    const Snapshot& snapshot = *run.snapshot();
    const SpanSearch search = searchOf(snapshot, kAll, contains("mm"));
    const auto matches = naiveMatches(snapshot, "mm", kAll);
    ASSERT_FALSE(matches.empty());
    const std::int64_t end = snapshot.range().end.value;
    for (const TimeRange range : {snapshot.range(), TimeRange{Nanoseconds(end / 3), Nanoseconds(end / 2)}}) {
        constexpr std::size_t kColumns = 800;
        const auto columns = matchColumns(snapshot, search, range, kColumns);
        ASSERT_EQ(columns.size(), kColumns);
        const double width = static_cast<double>(range.duration().value) / kColumns;
        for (std::size_t c = 0; c < kColumns; ++c) {
            const double from = static_cast<double>(range.begin.value) + static_cast<double>(c) * width;
            // A column's edges are between nanoseconds: one is given or taken.
            bool surely = false, maybe = false;
            for (const SearchMatch& m : matches) {
                const auto begin = static_cast<double>(m.start);
                const auto last = static_cast<double>(m.start + std::max<std::int64_t>(m.duration, 1) - 1);
                surely = surely || (begin < from + width - 1 && last > from + 1);
                maybe = maybe || (begin <= from + width + 1 && last >= from - 1);
            }
            EXPECT_TRUE(!surely || columns[c]) << c;
            EXPECT_TRUE(maybe || !columns[c]) << c;
        }
    }
}

TEST(SpanSearch, PassesOverDamagedChunks) {
    const RandomRun run({.seed = 9, .opsPerModule = 40});
    std::size_t longest = 0;
    for (std::size_t l = 0; l < run.snapshot()->laneCount(); ++l) {
        if (run.snapshot()->lane(LaneId(l)).rows() > run.snapshot()->lane(LaneId(longest)).rows())
            longest = l;
    }
    const MountedRun damaged = mountWithDamage(run.snapshot(), {{{longest, 0}}, {}, {}});
    EXPECT_LT(naiveMatches(*damaged.snapshot, "aten::", kAll).size(),
              naiveMatches(*run.snapshot(), "aten::", kAll).size());
    expectFinds(*damaged.snapshot, "aten::", kAll);
    ASSERT_TRUE(matchAt(*run.snapshot(), searchOf(*run.snapshot(), kAll, contains("")), {LaneId(0), 0}));
    EXPECT_FALSE(matchAt(*run.snapshot(), searchOf(*run.snapshot(), kAll, contains("")),
                         {LaneId(0), run.snapshot()->lane(LaneId(0)).rows()}));
    EXPECT_FALSE(matchAt(*run.snapshot(), searchOf(*run.snapshot(), kAll, contains("")), {LaneId(9999), 0}));
}

}  // namespace warpglass::test::span_search_test
