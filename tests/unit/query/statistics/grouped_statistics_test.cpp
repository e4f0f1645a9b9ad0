#include "engine/query/statistics/grouped_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "engine/query/model/roofline.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/statistics/duration_distribution.h"
#include "engine/query/statistics/span_groups.h"
#include "engine/query/statistics/typed_ops.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/unit/query/grouped_spans.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::grouped_statistics_test {

Groups naiveGroups(const Snapshot& snapshot, const SpanFilter& filter, SpanGrouping grouping) {
    Groups groups;
    for (NaiveSpan& span : allSpans(snapshot, TrackKind::kCpuThread, filter))
        groups[groupOf(snapshot, span, grouping)].push_back(std::move(span));
    return groups;
}

/// What a row's kernels do, whatever tells them from others; "" for other rows.
std::string titleOf(const GroupedRow& row) {
    if (row.title.empty())
        return {};
    const std::string title = kernelTitle(row.figures.name, row.signature);
    EXPECT_TRUE(row.title == title || row.title.starts_with(title + ", ") ||
                row.title.starts_with(title + " ("))
        << row.title;
    return title;
}
/// What a kernel does; "" for others.
std::string titleOf(const Snapshot& snapshot, const NaiveSpan& span) {
    const auto detail = snapshot.detail(span.row.detail);
    return span.kind == TrackKind::kGpuStream
               ? kernelTitle(span.name, detail ? snapshot.name(detail->fullName) : std::string_view())
               : std::string();
}

TEST(GroupedStatistics, AgreeWithSortingWithinEachGroup) {
    const RandomRun run({.seed = 5});
    const Snapshot& snapshot = *run.snapshot();
    for (const SpanGrouping grouping : {SpanGrouping::kFlat, SpanGrouping::kModule, SpanGrouping::kPhase}) {
        for (const SpanFilter& filter : variedFilters(snapshot)) {
            const GroupedStatistics actual =
                groupedStatistics(snapshot, filter, TrackKind::kCpuThread, grouping);
            std::map<std::string, std::map<std::string, StatisticsRow>> expected;
            std::size_t rows = 0;
            for (auto& [group, spans] : naiveGroups(snapshot, filter, grouping)) {
                markCallsByThemselves(spans, [](const NaiveSpan&) { return std::string(); });
                expected[group] = naiveStatistics(spans);
                rows += expected[group].size();
            }
            ASSERT_EQ(actual.rows.size(), rows);
            double shares = 0;
            for (const GroupedRow& row : actual.rows) {
                ASSERT_TRUE(expected[row.group].contains(row.figures.name)) << row.group;
                expectSameFigures(row.figures, expected[row.group].at(row.figures.name));
                shares += row.figures.selfShare;
            }
            if (rows > 0) {
                EXPECT_NEAR(shares, 1, 1e-9);
            }
        }
    }
}

TEST(GroupedStatistics, ATemplatesKernelsAreApartByWhatTheyDo) {
    const auto run = openSampleRun("xl-bf16-step");
    struct Sum {
        std::int64_t time = 0;
        std::vector<std::int64_t> durations;
        std::set<std::string> signatures;
    };
    std::map<std::pair<std::string, std::string>, Sum> expected;  // by name and title
    std::set<std::string> names;
    std::array<std::int64_t, kOpFamilyCount> families{}, ofRows{};
    for (const NaiveSpan& span : allSpans(*run, TrackKind::kGpuStream)) {
        const auto detail = run->detail(span.row.detail);
        ASSERT_TRUE(detail);
        const std::string signature(run->name(detail->fullName));
        Sum& sum = expected[{span.name, kernelTitle(span.name, signature)}];
        sum.time += span.row.duration;
        sum.durations.push_back(span.row.duration);
        sum.signatures.insert(signature);
        names.insert(span.name);
        families[static_cast<std::size_t>(kernelFamily(span.name, signature, run->name(detail->op),
                                                       span.place.phase))] += span.row.duration;
    }
    const GroupedStatistics actual =
        groupedStatistics(*run, SpanFilter(), TrackKind::kGpuStream, SpanGrouping::kFlat);
    ASSERT_EQ(actual.rows.size(), expected.size());
    EXPECT_GT(actual.rows.size(), names.size()) << "PyTorch starts many works through one template";
    for (const GroupedRow& row : actual.rows) {
        const Sum& sum = expected.at({row.figures.name, titleOf(row)});
        EXPECT_EQ(row.figures.total.value, sum.time) << row.title;
        EXPECT_EQ(row.figures.instances, std::ssize(sum.durations)) << row.title;
        EXPECT_EQ(row.figures.max.value, std::ranges::max(sum.durations)) << row.title;
        EXPECT_TRUE(sum.signatures.contains(row.signature)) << row.signature;
        ofRows[static_cast<std::size_t>(row.figures.family)] += row.figures.total.value;
        // The spans behind a row are its own, and not all of its template.
        SpanSet spans{.kind = TrackKind::kGpuStream, .name = row.figures.name, .work = row.work};
        EXPECT_EQ(durationDistribution(*run, spans).total, row.figures.total) << row.title;
    }
    // A row of several phases has one family: that of the optimizer or not.
    for (const OpFamily family : {OpFamily::kMatmul, OpFamily::kAttention, OpFamily::kNormalization,
                                  OpFamily::kCopy, OpFamily::kOther})
        EXPECT_EQ(ofRows[static_cast<std::size_t>(family)], families[static_cast<std::size_t>(family)]);
    EXPECT_GT(ofRows[static_cast<std::size_t>(OpFamily::kCopy)], 0);
    // Ops and copies have none.
    for (const TrackKind kind : {TrackKind::kCpuThread, TrackKind::kGpuCopies}) {
        for (const GroupedRow& row : groupedStatistics(*run, {}, kind, SpanGrouping::kFlat).rows) {
            EXPECT_EQ(row.work, 0u);
            EXPECT_EQ(row.title, "");
        }
    }
}

TEST(GroupedStatistics, NoTwoRowsOfKernelsAreCalledTheSame) {
    for (const char* sample : {"xl-bf16-step", "small-bf16-naive", "small-fp32-naive", "small-8192-naive"}) {
        const auto run = openSampleRun(sample);
        std::set<std::string> titles;
        for (const auto& row : groupedStatistics(*run, {}, TrackKind::kGpuStream, SpanGrouping::kFlat).rows)
            EXPECT_TRUE(titles.insert(row.title).second) << sample << ": " << row.title;
        EXPECT_EQ(titles.contains("gemm 320×128 NTT, cluster 1×2"), sample == std::string("xl-bf16-step"));
    }
}

TEST(GroupedStatistics, FlatRowsAreThoseOfOpStatistics) {
    const RandomRun run({.seed = 6});
    const auto flat = groupedStatistics(*run.snapshot(), {}, TrackKind::kCpuThread, SpanGrouping::kFlat);
    const auto rows = opStatistics(*run.snapshot(), {});
    ASSERT_EQ(flat.rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        expectSameFigures(flat.rows[i].figures, rows[i]);
        EXPECT_EQ(flat.rows[i].figures.family, rows[i].family);
        EXPECT_DOUBLE_EQ(flat.rows[i].figures.timeShare, rows[i].timeShare);
    }
}

TEST(GroupedStatistics, TheTimeOfAllIsTheSameHoweverTheyAreGroupedAndWhateverTheTextFinds) {
    const RandomRun run({.seed = 8});
    for (const SpanFilter& filter : variedFilters(*run.snapshot())) {
        const auto timeOf = [&](SpanGrouping grouping, std::string_view text) {
            return groupedStatistics(*run.snapshot(), filter, TrackKind::kCpuThread, grouping, text)
                .totalOfFilter;
        };
        const Nanoseconds time = timeOf(SpanGrouping::kFlat, {});
        for (const SpanGrouping grouping :
             {SpanGrouping::kFlat, SpanGrouping::kModule, SpanGrouping::kPhase}) {
            EXPECT_EQ(timeOf(grouping, {}), time);
            EXPECT_EQ(timeOf(grouping, "aten::m"), time);
        }
    }
}

/// On both sides of the number from which durations are counted and not kept.
TEST(SpanGroups, AGroupsMedianIsExactWhateverItsSize) {
    const std::vector<std::size_t> sizes = {1, 2, 3, 1023, 1024, 1025, 1026, 5001};
    std::mt19937_64 random(4);
    std::vector<std::vector<std::int64_t>> durations;
    SpanGroups groups(0);
    for (std::size_t key = 0; key < sizes.size(); ++key) {
        std::vector<std::int64_t>& all = durations.emplace_back();
        for (std::size_t i = 0; i < sizes[key]; ++i) {
            all.push_back(static_cast<std::int64_t>(random() % 100'000));
            groups.add(key, all.back(), 1);
        }
    }
    groups.startSecondPass();
    for (std::size_t key = 0; key < sizes.size(); ++key) {
        for (const std::int64_t duration : durations[key])
            groups.addAgain(key, duration);
    }
    for (const SpanGroups::Row& row : groups.takeRows()) {
        std::vector<std::int64_t>& all = durations[row.key];
        std::ranges::sort(all);
        const double low = static_cast<double>(all[(all.size() - 1) / 2]);
        const double high = static_cast<double>(all[all.size() / 2]);
        EXPECT_DOUBLE_EQ(row.statistics.median, (low + high) / 2) << all.size();
        EXPECT_EQ(row.statistics.instances, std::ssize(all));
        EXPECT_EQ(row.statistics.max.value, all.back());
    }
}

TEST(SpanGroups, GroupsTogetherHaveTheMedianOfAllTheirSpans) {
    const std::vector<std::size_t> sizes = {1, 3, 600, 700, 1025, 5001};
    std::mt19937_64 random(5);
    std::vector<std::vector<std::int64_t>> durations(sizes.size()), together(3);
    SpanGroups groups(0), sums(0);
    // All in the first, and by turns in the other two.
    const auto keysOf = [](std::size_t key) { return std::array<std::size_t, 2>{0, 1 + key % 2}; };
    for (std::size_t key = 0; key < sizes.size(); ++key) {
        for (std::size_t i = 0; i < sizes[key]; ++i) {
            durations[key].push_back(static_cast<std::int64_t>(random() % 100'000));
            groups.add(key, durations[key].back(), 1);
            for (const std::size_t of : keysOf(key))
                together[of].push_back(durations[key].back());
        }
    }
    sums.addAllOf(groups, keysOf);
    groups.startSecondPass();
    sums.startSecondPass();
    SpanGroups::Share share(sums);
    for (std::size_t key = 0; key < sizes.size(); ++key) {
        for (const std::int64_t duration : durations[key]) {
            groups.addAgain(key, duration);
            for (const std::size_t of : keysOf(key))
                share.add(of, duration);
        }
    }
    sums.take(share);
    const auto expectMedians = [](std::vector<SpanGroups::Row> rows,
                                  std::vector<std::vector<std::int64_t>> all) {
        ASSERT_EQ(rows.size(), all.size());
        for (const SpanGroups::Row& row : rows) {
            std::vector<std::int64_t>& own = all[row.key];
            std::ranges::sort(own);
            EXPECT_DOUBLE_EQ(row.statistics.median, (static_cast<double>(own[(own.size() - 1) / 2]) +
                                                     static_cast<double>(own[own.size() / 2])) /
                                                        2);
            EXPECT_EQ(row.statistics.instances, std::ssize(own));
        }
    };
    expectMedians(sums.takeRows(), together);
    expectMedians(groups.takeRows(), durations);
}

TEST(GroupedStatistics, OfATextAreThoseOfEverySpanThatItFindsHoweverTheyAreGrouped) {
    const RandomRun random({.seed = 8});
    const auto recorded = must(openSampleRun("small-bf16-naive"));
    std::int64_t found = 0, byModuleOnly = 0;
    for (const Snapshot* run : {random.snapshot().get(), recorded.get()}) {
        SpanFilter backward{.phase = Phase::kBackward};
        const auto all = allSpans(*run);
        for (const char* const text : {"MM", "Blocks.1.at", "attn/sc", "SCORES", "backward", "no such"}) {
            for (const TrackKind kind : {TrackKind::kCpuThread, TrackKind::kGpuStream}) {
                for (const SpanFilter& filter : {SpanFilter(), backward}) {
                    std::int64_t ofFilter = 0, total = 0;
                    std::vector<NaiveSpan> spans, taken;
                    for (const NaiveSpan& span : all) {
                        if (span.kind != kind || !passes(*run, filter, span))
                            continue;
                        ++ofFilter;
                        total += span.row.duration;
                        taken.push_back(span);
                        if (finds(*run, span, text))
                            spans.push_back(span);
                        byModuleOnly += finds(*run, span, text) && !holds(span.name, text);
                    }
                    if (kind == TrackKind::kCpuThread)
                        total = outermostTime(std::move(taken));
                    found += std::ssize(spans);
                    for (const SpanGrouping grouping :
                         {SpanGrouping::kFlat, SpanGrouping::kModule, SpanGrouping::kPhase}) {
                        const auto actual = groupedStatistics(*run, filter, kind, grouping, text);
                        EXPECT_EQ(actual.spansOfFilter, ofFilter);
                        Groups groups;
                        for (const NaiveSpan& span : spans)
                            groups[groupOf(*run, span, grouping) + titleOf(*run, span)].push_back(span);
                        std::size_t rows = 0;
                        std::map<std::string, std::map<std::string, StatisticsRow>> expected;
                        std::int64_t calls = 0;
                        for (auto& [group, within] : groups) {
                            markCallsByThemselves(within, [](const NaiveSpan&) { return std::string(); });
                            calls += std::ranges::count_if(
                                within, [](const NaiveSpan& span) { return !span.calledByItself; });
                            expected[group] = naiveStatistics(within);
                            rows += expected[group].size();
                        }
                        ASSERT_EQ(actual.rows.size(), rows) << text;
                        for (const GroupedRow& row : actual.rows) {
                            const auto& ofGroup = expected[row.group + titleOf(row)];
                            ASSERT_TRUE(ofGroup.contains(row.figures.name)) << row.group;
                            expectSameFigures(row.figures, ofGroup.at(row.figures.name));
                            EXPECT_NEAR(
                                row.figures.timeShare,
                                static_cast<double>(row.figures.total.value) / static_cast<double>(total),
                                1e-12)
                                << "of all, found or not";
                        }
                        std::int64_t instances = 0;
                        for (const StatisticsNode& node : statisticsTree(actual, grouping))
                            instances += node.row.figures.instances;
                        EXPECT_EQ(instances, calls) << text;
                    }
                }
            }
        }
    }
    EXPECT_GT(found, 1000);
    EXPECT_GT(byModuleOnly, 100);
}

/// The plan's products, however they are grouped, are those of the roofline, whole steps of them.
TEST(GroupedStatistics, TheWorkOfARealRunsKernelsIsThePlans) {
    for (const char* name : {"small-bf16-naive", "small-fp32-naive", "small-bf16-flash"}) {
        const auto run = must(openSampleRun(name));
        SpanFilter measured{.measuredOnly = true};
        std::int64_t steps = 0;
        for (const StatisticsRow& row : phaseStatistics(*run)) {
            if (row.name == "step")
                steps = row.instances;
        }
        double planned = 0;
        for (const RooflinePoint& point : roofline(*run))
            planned += static_cast<double>(point.flops.value);
        const auto byPhase = groupedStatistics(*run, measured, TrackKind::kGpuStream, SpanGrouping::kPhase);
        double sum = 0;
        for (const StatisticsNode& node : statisticsTree(byPhase, SpanGrouping::kPhase)) {
            if (!node.row.flops)
                continue;
            sum += static_cast<double>(node.row.flops->value);
            ASSERT_EQ(node.row.shareOfPeak.has_value(),
                      node.row.group == "forward" || node.row.group == "backward")
                << name << node.row.group;
            if (!node.row.shareOfPeak)
                continue;
            EXPECT_GT(*node.row.shareOfPeak, 0);
            EXPECT_LT(*node.row.shareOfPeak, 1);
        }
        EXPECT_NEAR(sum, planned * static_cast<double>(steps), 1e-6 * sum) << name;

        // Single kernels: what is known is at most that, and known of most GEMMs.
        const auto flat = groupedStatistics(*run, measured, TrackKind::kGpuStream, SpanGrouping::kFlat);
        double known = 0;
        for (const GroupedRow& row : flat.rows) {
            if (row.flops)
                known += static_cast<double>(row.flops->value);
            EXPECT_TRUE(!row.shareOfPeak || *row.shareOfPeak < 1.05) << name << row.figures.name;
            EXPECT_TRUE(row.bytes || !row.shareOfPeak);
        }
        EXPECT_GT(known, 0.5 * sum) << name;
        EXPECT_LE(known, sum * (1 + 1e-9)) << name;
    }
}

/// What a text leaves of a place's products says no more of them than is known of these.
TEST(GroupedStatistics, TheWorkOfWhatATextFindsIsThatOfTheSameKernels) {
    const auto run = must(openSampleRun("small-bf16-naive"));
    const auto of = [&](const SpanFilter& filter, SpanGrouping grouping, std::string_view text) {
        return groupedStatistics(*run, filter, TrackKind::kGpuStream, grouping, text);
    };
    // All of a module: as if the filter were of it.
    SpanFilter inModule{.modulePath = "blocks.3.attn"};
    for (const SpanGrouping grouping : {SpanGrouping::kFlat, SpanGrouping::kModule, SpanGrouping::kPhase}) {
        const auto module = of(inModule, grouping, {}), text = of({}, grouping, "BLOCKS.3.attn");
        ASSERT_EQ(text.rows.size(), module.rows.size());
        for (std::size_t i = 0; i < text.rows.size(); ++i) {
            EXPECT_EQ(text.rows[i].figures.name, module.rows[i].figures.name);
            EXPECT_EQ(text.rows[i].flops, module.rows[i].flops);
            EXPECT_EQ(text.rows[i].bytes, module.rows[i].bytes);
        }
        ASSERT_EQ(text.groups.size(), module.groups.size());
        for (std::size_t i = 0; i < text.groups.size(); ++i) {
            EXPECT_EQ(text.groups[i].group, module.groups[i].group);
            EXPECT_EQ(text.groups[i].flops, module.groups[i].flops);
        }
    }
    // Some kernels of a place: each row as among all.
    std::map<std::pair<std::string, std::string>, std::optional<Flops>> known;
    for (const GroupedRow& row : of({}, SpanGrouping::kModule, {}).rows)
        known[{row.group, row.figures.name}] = row.flops;
    const auto some = of({}, SpanGrouping::kModule, "nvjet");
    ASSERT_FALSE(some.rows.empty());
    int withWork = 0;
    for (const GroupedRow& row : some.rows) {
        EXPECT_TRUE(holds(row.figures.name, "nvjet")) << row.figures.name;
        EXPECT_EQ(row.flops, (known.at({row.group, row.figures.name}))) << row.group;
        withWork += row.flops.has_value();
    }
    EXPECT_GT(withWork, 0);
}

TEST(GroupedStatistics, CopiesHaveTheBytesThatTheGpuStates) {
    const auto run = must(openSampleRun("small-bf16-naive"));
    std::map<std::string, std::int64_t> expected;
    for (const NaiveSpan& span : allSpans(*run, TrackKind::kGpuCopies))
        expected[span.name] += run->detail(span.row.detail)->bytes;
    ASSERT_FALSE(expected.empty());
    const auto copies = groupedStatistics(*run, {}, TrackKind::kGpuCopies, SpanGrouping::kFlat);
    ASSERT_EQ(copies.rows.size(), expected.size());
    for (const GroupedRow& row : copies.rows)
        EXPECT_EQ(row.bytes.value_or(Bytes(-1)).value, expected.at(row.figures.name)) << row.figures.name;
}

TEST(GroupedStatistics, KernelsNameTheOpThatLaunchedMostOfThem) {
    const auto run = must(openSampleRun("small-fp32-naive"));
    std::map<std::string, std::map<std::string, std::int64_t>> times;
    std::map<std::string, std::int64_t> byName;
    for (const NaiveSpan& span : allSpans(*run, TrackKind::kGpuStream))
        times[span.name + titleOf(*run, span)][std::string(run->name(run->detail(span.row.detail)->op))] +=
            span.row.duration;
    const auto rows = groupedStatistics(*run, {}, TrackKind::kGpuStream, SpanGrouping::kFlat).rows;
    ASSERT_EQ(rows.size(), times.size());
    for (const GroupedRow& row : rows) {
        const auto& ops = times.at(row.figures.name + titleOf(row));
        EXPECT_EQ(row.launchers, static_cast<int>(ops.size()));
        for (const auto& [op, time] : ops)
            EXPECT_GE(ops.at(row.launchedBy), time) << op;
    }
}

TEST(GroupedStatistics, OpsNameTheTypesThatTookMostOfTheirTime) {
    const RandomRun run({.seed = 13, .types = true});
    const Snapshot& snapshot = *run.snapshot();
    std::int64_t several = 0;
    for (const SpanGrouping grouping : {SpanGrouping::kFlat, SpanGrouping::kModule, SpanGrouping::kPhase}) {
        for (const SpanFilter& filter : variedFilters(snapshot)) {
            std::map<std::pair<std::string, std::string>, std::map<std::string, std::int64_t>> times;
            for (auto& [group, spans] : naiveGroups(snapshot, filter, grouping)) {
                markCallsByThemselves(spans, [](const NaiveSpan&) { return std::string(); });
                for (const NaiveSpan& span : spans) {
                    auto& ofRow = times[{group, span.name}];
                    if (const std::string types = typesOf(snapshot, span); !types.empty())
                        ofRow[types] += span.calledByItself ? 0 : span.row.duration;
                }
            }
            const GroupedStatistics actual =
                groupedStatistics(snapshot, filter, TrackKind::kCpuThread, grouping);
            EXPECT_TRUE(actual.hasTypes);
            ASSERT_EQ(actual.rows.size(), times.size());
            for (const GroupedRow& row : actual.rows) {
                const auto& types = times.at({row.group, row.figures.name});
                EXPECT_EQ(row.distinctTypes, static_cast<int>(types.size()));
                EXPECT_EQ(row.types.empty(), types.empty());
                for (const auto& [other, time] : types)
                    EXPECT_GE(types.at(row.types), time) << other;
                several += row.distinctTypes > 1;
            }
        }
    }
    EXPECT_GT(several, 100);
}

TEST(GroupedStatistics, OpsHaveAsManyTypesAsTheyHaveRowsByTypes) {
    const RandomRun run({.seed = 14, .types = true});
    std::map<std::string, int> rows;
    for (const TypedOp& op : typedOps(*run.snapshot(), {}))
        rows[op.figures.name] += op.types.empty() ? 0 : 1;
    const auto ops = groupedStatistics(*run.snapshot(), {}, TrackKind::kCpuThread, SpanGrouping::kFlat);
    ASSERT_EQ(ops.rows.size(), rows.size());
    for (const GroupedRow& row : ops.rows)
        EXPECT_EQ(row.distinctTypes, rows.at(row.figures.name)) << row.figures.name;
}

TEST(GroupedStatistics, WithoutShapesAndOfKernelsThereAreNoTypes) {
    const RandomRun bare({.seed = 13});
    const auto kernels = must(openSampleRun("small-fp32-naive"));
    for (const GroupedStatistics& statistics :
         {groupedStatistics(*bare.snapshot(), {}, TrackKind::kCpuThread, SpanGrouping::kFlat),
          groupedStatistics(*kernels, {}, TrackKind::kGpuStream, SpanGrouping::kFlat)}) {
        EXPECT_FALSE(statistics.hasTypes);
        ASSERT_FALSE(statistics.rows.empty());
        for (const GroupedRow& row : statistics.rows) {
            EXPECT_EQ(row.types, "");
            EXPECT_EQ(row.distinctTypes, 0);
        }
    }
}

TEST(SpanFilter, ANameTakesWhatAnOpOfThatNameLaunchedToo) {
    const auto run = must(openSampleRun("small-bf16-naive"));
    SpanFilter filter{.name = "aten::mm"};
    std::int64_t expected = 0;
    for (const NaiveSpan& span : allSpans(*run)) {
        if (span.kind == TrackKind::kGpuStream && run->name(run->detail(span.row.detail)->op) == "aten::mm")
            ++expected;
    }
    ASSERT_GT(expected, 0);
    std::int64_t kernels = 0;
    for (const StatisticsRow& row : kernelStatistics(*run, filter))
        kernels += row.instances;
    EXPECT_EQ(kernels, expected);
    const auto ops = opStatistics(*run, filter);
    ASSERT_EQ(ops.size(), 1u);
    EXPECT_EQ(ops[0].name, "aten::mm");
    filter.name = "no such op";
    EXPECT_TRUE(kernelStatistics(*run, filter).empty());
}

}  // namespace warpglass::test::grouped_statistics_test
