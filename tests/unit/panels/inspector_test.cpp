#include "ui/panels/inspector.h"

#include <gtest/gtest.h>

#include <QTest>
#include <algorithm>
#include <set>

#include "engine/base/format.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/shared_work.h"
#include "engine/query/model/span_roof.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/summary/run_summary.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/own_kernel_run.h"
#include "tests/support/pixels.h"
#include "tests/support/run_conditions.h"
#include "tests/support/trace_text.h"
#include "tests/unit/panels/inspector_fixture.h"
#include "ui/models/link_indexer.h"
#include "ui/panels/cause_chain_list.h"
#include "ui/panels/property_list.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::inspector_test {

TEST_F(InspectorTest, AtItsSmallestEveryValueIsToBeRead) {
    select(TrackKind::kCpuThread, "aten::mm");
    EXPECT_GE(inspector.minimumWidth(), Inspector::kLeastWidth);
    constexpr int kLeastValue = 96;  // "1,234.5 ms", and either end of a name
    for (const int width : {Inspector::kLeastWidth, Inspector::kWidth}) {
        inspector.resize(width, 400);
        inspector.show();
        for (int i = 0; i < 5; ++i)
            QCoreApplication::processEvents();
        const PropertyList& list = inspector.subject();
        const QImage picture = const_cast<PropertyList&>(list).grab().toImage();
        ASSERT_GT(list.properties().size(), 4u);
        ASSERT_GE(list.height(), list.heightForWidth(list.width()));
        int bottom = 0;
        for (int row = 0; row < static_cast<int>(list.properties().size()); ++row) {
            const Property& property = list.properties()[static_cast<std::size_t>(row)];
            if (property.value.isEmpty())
                continue;
            const QRect line = list.lineRect(row), value = list.valueRect(row);
            EXPECT_GE(line.top(), bottom);
            bottom = line.bottom();
            EXPECT_TRUE(line.contains(value)) << property.label.toStdString();
            const int text = QFontMetrics(Theme::tableFont()).horizontalAdvance(property.value);
            EXPECT_GE(value.width(), std::min(kLeastValue, text))
                << property.label.toStdString() << " at " << width;
            const auto isInk = [&](int x, int y) { return picture.pixel(x, y) != picture.pixel(0, y); };
            EXPECT_GT(test::countPixels(value, isInk), 0) << property.label.toStdString() << " at " << width;
        }
        EXPECT_LE(bottom, list.height()) << "it is as high as its lines";
    }
}

TEST_F(InspectorTest, ADamagedFileIsNotSaidToBeWhole) {
    EXPECT_EQ(value(inspector.subject(), "Records"), "(none)") << "there is nothing to say";
    document.setWarnings({"2 of 7 spans are missing from the file."}, true);
    inspector.refreshNow();
    EXPECT_EQ(value(inspector.subject(), "Records"), "some are missing");
}

TEST_F(InspectorTest, AnOpHasItsFiguresAndThoseOfItsKind) {
    const NameId mm = run->findName("aten::mm");
    select(TrackKind::kCpuThread, "aten::mm");
    const SpanDetails d = *describeSpan(*run, *axis.selectedSpan());
    const KindStatistics s = kindStatistics(*run, TrackKind::kCpuThread, mm);
    EXPECT_EQ(inspector.subject().heading(), "Op");
    EXPECT_EQ(inspector.subject().title(), "aten::mm");
    EXPECT_EQ(value(inspector.subject(), "Start"), text(formatMoment(d.start)));
    EXPECT_EQ(value(inspector.subject(), "Thread"), text(d.track));
    EXPECT_EQ(value(inspector.subject(), "Module"), text(d.module));
    EXPECT_EQ(value(inspector.subject(), "Phase"), text(phaseName(d.phase)));
    EXPECT_EQ(value(inspector.subject(), "Step"), QString::number(d.step));
    EXPECT_FALSE(inspector.kind().isHidden());
    EXPECT_TRUE(value(inspector.kind(), "All calls").startsWith(text(formatPercent(s.selfShare))));
    EXPECT_EQ(value(inspector.kind(), "P99"), text(formatDuration(s.durations.percentiles[3])));
}

TEST_F(InspectorTest, AModulesShareIsOfItsWholeTime) {
    select(TrackKind::kModule, "blocks.1");
    const KindStatistics s = kindStatistics(*run, TrackKind::kModule, run->findName("blocks.1"));
    ASSERT_NE(formatPercent(s.selfShare), formatPercent(s.timeShare)) << "or either would do";
    EXPECT_EQ(value(inspector.kind(), "All calls"),
              text(formatPercent(s.timeShare)) + QStringLiteral(" of this track"));
}

TEST_F(InspectorTest, APhaseIsNotItsOwnPhase) {
    select(TrackKind::kPhase, "forward");
    EXPECT_EQ(inspector.subject().heading(), "Phase");
    EXPECT_EQ(value(inspector.subject(), "Phase"), "(none)");
    EXPECT_EQ(value(inspector.subject(), "Thread"), "(none)");
}

TEST_F(InspectorTest, ARangeSaysHowMemoryChangesOverIt) {
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 2)};
    select(range);
    EXPECT_EQ(inspector.subject().heading(), "Selected range");
    EXPECT_EQ(value(inspector.subject(), "Duration"), text(formatDuration(range.duration())));
    EXPECT_EQ(value(inspector.subject(), "Highest"),
              text(formatBytes(Bytes(sumOf(document.memory().peakIn(range)->bytes)))));
}

TEST_F(InspectorTest, MemoryFollowsTheCursor) {
    const Nanoseconds t(run->range().end.value / 3);
    axis.setCursor(t);
    inspector.refreshNow();
    EXPECT_EQ(inspector.memory().heading(), "Memory at cursor");
    EXPECT_EQ(value(inspector.memory(), "Allocated"),
              text(formatBytes(Bytes(sumOf(document.memory().at(t))))));
    EXPECT_EQ(value(inspector.memory(), "Allocations"),
              text(formatGrouped(static_cast<std::int64_t>(document.memory().aliveAt(t).size()))));
}

TEST_F(InspectorTest, ASpanOfAnotherRunIsNotShown) {
    select(SpanRef{LaneId(999), 5});
    EXPECT_EQ(inspector.subject().heading(), "Run");
    document.clear();
    inspector.refreshNow();
    EXPECT_TRUE(inspector.memory().isHidden());
    EXPECT_EQ(renderWidget(inspector, {264, 700}, 2).size(), QSize(528, 1400));
}

TEST(PropertyList, LongNamesTakeAtMostThreeLines) {
    PropertyList list;
    list.setContent("Op", QString(20, QLatin1Char('x')), {{"a", "b", {}}});
    const int one = list.heightForWidth(264);
    list.setContent("Op", QString(2000, QLatin1Char('x')), {{"a", "b", {}}});
    const int many = list.heightForWidth(264);
    EXPECT_GT(many, one);
    EXPECT_LE(many, one + 2 * 18);
    EXPECT_TRUE(list.asText().endsWith("a\tb"));
}

TEST_F(InspectorTest, ARangeTellsWhatHappenedInIt) {
    const Nanoseconds end = run->range().end;
    const TimeRange range{Nanoseconds(end.value / 3), Nanoseconds(end.value / 2)};
    select(range);
    const RangeActivity activity = rangeActivity(*run, range);
    EXPECT_EQ(inspector.subject().heading(), "Selected range");
    EXPECT_EQ(value(inspector.subject(), "Ops"),
              text(formatGrouped(static_cast<std::int64_t>(activity.ops))));
    EXPECT_TRUE(value(inspector.subject(), "In ops").endsWith(text(formatDuration(activity.hostBusy))));
    EXPECT_EQ(value(inspector.subject(), "GPU busy"), "(none)") << "it ran on the CPU";
}

std::shared_ptr<const Snapshot> runWithAKernel() {
    return test::traceOf(R"(
        module blocks.0 0-500 | op aten::mm 100-300 | launch 150-200 link 7 | kernel gemm 700-850
        copy copy 880-890 link 9 bytes 2MiB direction "host to device"
        wait stream 600-900 link 8
        end 1000
    )");
}

TEST_F(InspectorTest, TheChainOfCausesIsClickedAndWalkedByKeys) {
    showKernelOf(runWithAKernel());
    CauseChainList& chain = inspector.chain();
    EXPECT_EQ(chain.heading(), "Who launched it?");
    EXPECT_EQ(value(chain, "Module"), "blocks.0");
    EXPECT_EQ(value(chain, "Op"), "aten::mm");
    EXPECT_EQ(value(chain, "Launch"), "cuLaunchKernel");
    EXPECT_EQ(value(chain, "Kernel"), "(none)") << "it is the subject";
    EXPECT_EQ(value(chain, "Next wait"), "stream");
    EXPECT_EQ(value(inspector.subject(), "Launched by"), "(none)") << "each fact once";
    EXPECT_EQ(value(inspector.subject(), "Module"), "(none)");
    EXPECT_EQ(inspector.waited().heading(), "What waited?");
    EXPECT_TRUE(inspector.waited().properties().front().label.startsWith(
        QStringLiteral("It started %1 after its launch").arg(text(formatDuration(Nanoseconds(550))))));
    clickLine(chain, 1);
    EXPECT_EQ(axis.selectedSpan(), first(TrackKind::kCpuThread));
    EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(100));
    EXPECT_EQ(value(chain, "Op"), "(none)");
    EXPECT_EQ(value(chain, "Kernel"), "gemm");
    chain.setFocus();
    QTest::keyClick(&chain, Qt::Key_Up);
    QTest::keyClick(&chain, Qt::Key_Return);
    EXPECT_EQ(axis.selectedSpan(), first(TrackKind::kModule));
    EXPECT_EQ(chain.heading(), "What it launched first") << "a module launches more than that";
    axis.setSelectedSpan(std::nullopt);
    EXPECT_TRUE(chain.isHidden());
}

struct InspectorOfOwnKernels : InspectorTest {
    InspectorOfOwnKernels() { show(made.run); }
    /// A launch of the first measured step.
    void selectLaunch(std::size_t launch) {
        select(test::spanOf(*made.run, TrackKind::kGpuStream, made.launches.size() + launch));
    }

    const test::OwnKernelRun made;
};

TEST_F(InspectorOfOwnKernels, OneSaysWhatItMovedAndWhatItStandsFor) {
    std::set<QString> sentences;
    for (std::size_t i = 0; i < made.launches.size(); ++i) {
        const test::OwnKernelRun::Launch& launch = made.launches[i];
        selectLaunch(i);
        const PropertyList& subject = inspector.subject();
        ASSERT_EQ(subject.title(), text(kernelTitle(launch.kernel, "")));
        const auto work = ownKernelWork(made.config, launch.kernel, launch.module);
        const auto sentence = std::ranges::find_if(subject.properties(),
                                                   [](const Property& p) { return p.wraps && !p.answers; });
        ASSERT_EQ(work.has_value(), sentence != subject.properties().end()) << launch.kernel;
        if (!work) {
            EXPECT_EQ(value(subject, "Least moved"), "(none)");
            continue;
        }
        sentences.insert(sentence->label);
        EXPECT_EQ(value(subject, "FLOPs"), text(formatFlops(work->flops)));
        EXPECT_EQ(value(subject, "Least moved"), text(formatBytes(work->moved)));
        EXPECT_EQ(value(subject, "Not moved"), text(formatBytes(work->notMoved)));
        const double rate =
            static_cast<double>(work->moved.value) * 1e9 / static_cast<double>(launch.duration);
        EXPECT_EQ(value(subject, "Speed"), text(formatByteRate(rate)));
    }
    EXPECT_EQ(sentences.size(), 7u) << "one of each implementation";
    EXPECT_TRUE(sentences.contains("AdamW updates the parameters of all modules in one kernel."));
}

TEST_F(InspectorOfOwnKernels, AGemmHasItsShapeAndItsBestCase) {
    int gemms = 0;
    for (std::size_t i = 0; i < made.launches.size(); ++i) {
        selectLaunch(i);
        const auto roof = spanRoof(*made.run, *axis.selectedSpan());
        const bool isGemm = made.launches[i].kernel == "a_gemm";
        EXPECT_EQ(value(inspector.subject(), "M×N×K") != QStringLiteral("(none)"), isGemm);
        if (isGemm) {
            EXPECT_EQ(value(inspector.subject(), "M×N×K"), text(roof->shape));
            EXPECT_EQ(value(inspector.kind(), "Best case"),
                      text(formatDuration(roof->bestCase(Nanoseconds(made.launches[i].duration)))));
            ++gemms;
        }
    }
    EXPECT_EQ(gemms, 2);
}

TEST_F(InspectorOfOwnKernels, OneOfSeveralModulesNamesTheLargestSharesAndMoreOnHover) {
    int several = 0;
    for (std::size_t i = 0; i < made.launches.size(); ++i) {
        const test::OwnKernelRun::Launch& launch = made.launches[i];
        selectLaunch(i);
        const auto& rows = inspector.subject().properties();
        const auto sentence =
            std::ranges::find_if(rows, [](const Property& p) { return p.label.startsWith("Works for "); });
        const auto own = ownKernel(made.config, launch.kernel);
        const auto served =
            own && own->kernel->serves ? own->kernel->serves(made.config, launch.module) : ServedModules();
        ASSERT_EQ(sentence != rows.end(), !served.empty()) << launch.kernel << " in " << launch.module;
        if (served.empty())
            continue;
        ++several;
        EXPECT_EQ(sentence->label, text("Works for " + modulesInWords(served, 3) + "."));
        EXPECT_TRUE(sentence->toolTip.contains("is split "));
        if (launch.kernel == "adamwKernel") {
            EXPECT_TRUE(sentence->label.startsWith("Works for 21 modules: "));
            EXPECT_TRUE(sentence->label.endsWith(" and 18 more."));
            EXPECT_TRUE(sentence->toolTip.contains("blocks.1.ffn.w2"));
        }
    }
    EXPECT_EQ(several, 4 + 4 + 1) << "norms that add, forward and backward, and AdamW";
}

TEST_F(InspectorTest, ASentenceTakesAsManyLinesAsItNeeds) {
    PropertyList list;
    list.setContent({}, {}, {{"a few words that are a sentence", {}, {}, -1, true}});
    EXPECT_GT(list.heightForWidth(120), list.heightForWidth(400));
    const int oneLine = list.heightForWidth(400);
    list.setContent({}, {}, {{"a", "b", {}}});
    EXPECT_NEAR(oneLine, list.heightForWidth(400), 4);
    list.resize(120, 200);
    list.grab();
}

std::shared_ptr<const Snapshot> runOfAGraph() {
    return test::traceOf(R"(
        capture 0-500 | op aten::mm 100-300 | launch 150-200 link 7
        repeat 2 every 400
          step 0 600-900 | call cuGraphLaunch 610-650 link 8 | kernel gemm 700-850 op aten::mm node 5
        end 1500
    )");
}

TEST_F(InspectorTest, AnOpOfAGraphsCaptureLeadsToItsFirstReplayAndAReplayedKernelToTheCapture) {
    const auto gpu = runOfAGraph();
    show(gpu);
    const auto at = [&](TrackKind kind, std::uint64_t row) { return test::spanOf(*gpu, kind, row); };
    open();
    CauseChainList& chain = inspector.chain();
    const auto toolTip = [&](const char* label) {
        for (const Property& p : chain.properties()) {
            if (p.label == QString::fromUtf8(label))
                return p.toolTip;
        }
        return QString();
    };
    select(at(TrackKind::kCpuThread, 0));
    EXPECT_EQ(value(chain, "Launch"), "cuGraphLaunch");
    EXPECT_EQ(value(chain, "Kernel"), "gemm");
    EXPECT_TRUE(toolTip("Kernel").endsWith("in the first replay of the graph"));
    EXPECT_EQ(value(inspector.waited(), "Queued"), text(formatDuration(Nanoseconds(90))));
    // The call of the capture launched nothing: no time in a queue.
    select(at(TrackKind::kApiThread, 0));
    EXPECT_EQ(value(chain, "Kernel"), "gemm");
    EXPECT_EQ(value(inspector.waited(), "Queued"), "(none)");
    EXPECT_EQ(document.links().walk(at(TrackKind::kApiThread, 0), 1), at(TrackKind::kGpuStream, 0));
    // A kernel of a later replay.
    select(at(TrackKind::kGpuStream, 1));
    EXPECT_EQ(value(chain, "Captured in"), "aten::mm");
    EXPECT_TRUE(toolTip("Captured in").endsWith("as the graph was captured"));
    EXPECT_FALSE(toolTip("Launch").contains("replay"));
}

TEST_F(InspectorTest, ARangeOfAGpuTellsBusyTimeAndCopies) {
    show(runWithAKernel());
    select(TimeRange{Nanoseconds(600), Nanoseconds(1000)});
    EXPECT_EQ(
        value(inspector.subject(), "GPU busy"),
        text(formatPercent(160.0 / 400)) + QStringLiteral(" · ") + text(formatDuration(Nanoseconds(160))));
    EXPECT_EQ(value(inspector.subject(), "Kernels"), "1");
    EXPECT_EQ(value(inspector.subject(), "Copied"),
              text(formatBytes(Bytes(2 << 20))) + QStringLiteral(" in 1 copy"));
}

TEST_F(InspectorTest, WhatWasSelectedLastIsShownAndARangeLeadsBackToThePinnedSpan) {
    open();
    select(TrackKind::kCpuThread, "aten::mm");
    const Nanoseconds end = run->range().end;
    select(TimeRange{Nanoseconds(end.value / 4), Nanoseconds(end.value / 2)});
    EXPECT_EQ(inspector.subject().heading(), "Selected range");
    EXPECT_NE(value(inspector.subject(), "Ops"), "(none)");
    EXPECT_EQ(value(inspector.subject(), "Pinned"), "aten::mm");
    EXPECT_TRUE(inspector.chain().isHidden()) << "it is the span's";
    QCoreApplication::processEvents();
    auto* subject = inspector.findChild<PropertyList*>("inspectorSubject");
    clickLine(*subject, static_cast<int>(subject->properties().size()) - 1);
    inspector.refreshNow();
    EXPECT_EQ(inspector.subject().heading(), "Op");
    select(TimeRange{Nanoseconds(end.value / 4), Nanoseconds(end.value / 3)});
    EXPECT_EQ(inspector.subject().heading(), "Selected range");
    select(TrackKind::kPhase, "forward");
    EXPECT_EQ(inspector.subject().heading(), "Phase");
    axis.setSelectedSpan(std::nullopt);
    inspector.refreshNow();
    EXPECT_EQ(inspector.subject().heading(), "Selected range");
    EXPECT_EQ(value(inspector.subject(), "Pinned"), "(none)");
}

TEST_F(InspectorTest, AStepSaysWhatItRanUnder) {
    const auto selectStep = [&](std::uint64_t step) {
        select(test::spanOf(*document.snapshot(), TrackKind::kStep, step));
    };
    selectStep(0);
    EXPECT_EQ(inspector.subject().heading(), "Step");
    EXPECT_EQ(value(inspector.kind(), "Others"), "(none)") << "it was not recorded";
    test::MadeConditions made{.othersCores = 3.2, .waitedShare = 0.12};
    made.smClock = [](std::int64_t step) { return step == 0 ? 345.0 : 1410.0; };
    made.reasons = 4;
    document.setSnapshot(test::makeRun(made));
    selectStep(2);
    EXPECT_EQ(value(inspector.kind(), "Others"), "3.2 cores");
    EXPECT_EQ(value(inspector.kind(), "Waited"), "12%");
    EXPECT_EQ(value(inspector.kind(), "SM clock"), "1,410 MHz");
    selectStep(0);
    EXPECT_EQ(value(inspector.kind(), "SM clock"), "345 MHz");
}

}  // namespace warpglass::ui::inspector_test
