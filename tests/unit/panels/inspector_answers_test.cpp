// What the inspector says first: of a run, of a kernel, of a step, of an allocation.
#include <tuple>
#include <vector>

#include "engine/base/format.h"
#include "engine/query/findings/run_overview.h"
#include "tests/support/first_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/panels/inspector_fixture.h"
#include "ui/panels/cause_chain_list.h"

namespace warpglass::ui::inspector_answers_test {

int lineOf(const PropertyList& list, const char* label,
           std::source_location at = std::source_location::current()) {
    return static_cast<int>(test::placeOf(
        list.properties(), [&](const Property& p) { return p.label == QString::fromUtf8(label); }, at));
}

TEST_F(InspectorTest, WithNothingSelectedItIsTheVerdictThreeNumbersAndLinks) {
    const RunOverview overview = overviewOf(document.memory());
    const auto& rows = inspector.subject().properties();
    EXPECT_EQ(inspector.subject().heading(), "Run");
    ASSERT_EQ(rows.size(), 4u) << "the verdict and three numbers";
    EXPECT_EQ(rows[0].label, text(verdictOn(overview)));
    EXPECT_TRUE(
        value(inspector.subject(), "Step").startsWith(text(formatMeanDuration(*overview.summary.stepMean))));
    EXPECT_TRUE(value(inspector.subject(), "Step").endsWith("mean of 3")) << "three steps have no spread";
    EXPECT_TRUE(value(inspector.subject(), "Pace").endsWith(" tokens/s")) << "it ran on the CPU";
    EXPECT_TRUE(value(inspector.subject(), "Peak")
                    .startsWith(text(formatBytes(Bytes(sumOf(document.memory().peak()->bytes))))));
    EXPECT_EQ(inspector.links().heading(), "Look at");
    EXPECT_EQ(value(inspector.links(), "Finding") == QStringLiteral("(none)"), overview.findings.empty());
    EXPECT_TRUE(
        value(inspector.links(), "Largest op").endsWith(text(overview.largestWork->shown.evidence.names)));
    EXPECT_TRUE(value(inspector.links(), "Peak").endsWith(axis.clock().text(document.memory().peak()->time)));
    EXPECT_TRUE(inspector.kind().isHidden());
    EXPECT_TRUE(inspector.waited().isHidden());
    EXPECT_TRUE(inspector.memory().isHidden()) << "the peak is one of the numbers";
}

TEST_F(InspectorTest, ALinkOfTheRunShowsWhatItNames) {
    open();
    std::vector<Finding> shown;
    QObject::connect(&inspector, &Inspector::showRequested, [&](const Finding& f) { shown.push_back(f); });
    PropertyList& links = inspector.links();
    for (int row = 0; row < static_cast<int>(links.properties().size()); ++row)
        clickLine(links, row);
    const RunOverview overview = overviewOf(document.memory());
    ASSERT_EQ(shown.size(), links.properties().size());
    ASSERT_GE(shown.size(), 2u);
    EXPECT_EQ(shown.back().rule, "peak");
    EXPECT_EQ(shown.back().evidence.moment, document.memory().peak()->time);
    EXPECT_EQ(shown[shown.size() - 2].evidence.names, overview.largestWork->shown.evidence.names);
    if (shown.size() == 3) {
        EXPECT_EQ(shown.front().rule, overview.findings.front().rule);
    }
}

TEST_F(InspectorTest, ARunOfAGpuSaysHowBusyItWasAndASpreadOnlyOfEnoughSteps) {
    const auto ofSteps = [&](int steps) {
        document.setSnapshot(test::traceOf(test::filled(R"(
            info config.warmup 0 state finished
            repeat % every 1000
              step 0 0-1000
                launch 10-20 link 1 | kernel gemm 100-700 op aten::mm grid 100
        )",
                                                        steps)));
        inspector.refreshNow();
    };
    ofSteps(5);
    EXPECT_EQ(value(inspector.subject(), "GPU busy"), "60% · 40% idle");
    EXPECT_EQ(value(inspector.subject(), "Step"), "1.00\u202Fµs ± 0\u202Fns");
    EXPECT_TRUE(value(inspector.links(), "Top kernel").endsWith("gemm"));
    ofSteps(1);
    EXPECT_EQ(value(inspector.subject(), "Step"), "1.00\u202Fµs · 1 step");
}

TEST_F(InspectorTest, ASelectedKernelAnswersFourQuestions) {
    const auto gpu = test::traceOf(R"text(
        step 0 0-2000
          forward 0-600
            module blocks.0 0-500
              op aten::mm 100-300 | launch 150-200 link 7
                kernel gemm 700-850 full "void cutlass::gemm<float>(int)"
              op aten::mm 310-400 | launch 320-330 link 9 | kernel gemm 1100-1150
              op aten::mm 410-500 | launch 420-430 link 11 | kernel gemm 1150-1200
    )text");
    showKernelOf(gpu);
    const auto answers = [](const PropertyList& list) {
        QStringList sentences;
        for (const Property& p : list.properties()) {
            if (p.answers)
                sentences << p.label;
        }
        return sentences;
    };
    EXPECT_EQ(answers(inspector.subject()), QStringList{"A GEMM kernel of 150\u202Fns."});
    EXPECT_EQ(inspector.subject().wholeName(), "void cutlass::gemm<float>(int)");
    EXPECT_EQ(inspector.chain().asText(), "Module\tblocks.0\nOp\taten::mm\nLaunch\tcuLaunchKernel");
    ASSERT_EQ(answers(inspector.waited()).size(), 1);
    EXPECT_TRUE(answers(inspector.waited()).front().startsWith("It started 550\u202Fns after its launch."));
    EXPECT_EQ(answers(inspector.kind()), (QStringList{"The median of the 3 in the run is 50\u202Fns.",
                                                      "It took 7.5% of the time of step 0."}));
    // The lines that say where it belongs lead there.
    const PropertyList *const subject = &inspector.subject(), *const chain = &inspector.chain();
    for (const auto& [list, label, kind] :
         {std::tuple(subject, "Step", TrackKind::kStep), std::tuple(subject, "Phase", TrackKind::kPhase),
          std::tuple(chain, "Module", TrackKind::kModule), std::tuple(chain, "Op", TrackKind::kCpuThread)}) {
        select(first(TrackKind::kGpuStream));
        clickLine(const_cast<PropertyList&>(*list), lineOf(*list, label));
        EXPECT_EQ(axis.selectedSpan(), first(kind)) << label;
    }
}

TEST_F(InspectorTest, APartOfAModuleIsNamedOnceAndIsALink) {
    showKernelOf(test::traceOf(R"(
        step 0 0-2000
          forward 0-600
            module blocks.0.attn 0-500
              part softmax 50-400
                op aten::_softmax 100-300 | launch 150-200 link 7 | kernel softmax 700-850
    )"));
    EXPECT_EQ(value(inspector.subject(), "Part"), "(none)");
    EXPECT_EQ(value(inspector.subject(), "Module"), "blocks.0.attn");
    EXPECT_EQ(inspector.chain().asText(), "Part\tsoftmax\nOp\taten::_softmax\nLaunch\tcuLaunchKernel");
}

TEST_F(InspectorTest, AStepSaysWhatTheGpuAndTheHostWaitedFor) {
    show(test::traceOf(R"(
        step 0 0-1000
          launch 10-20 link 1 | kernel gemm 400-700
          wait stream 600-900 link 8
    )"));
    select(first(TrackKind::kStep));
    const auto& rows = inspector.waited().properties();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_TRUE(rows[0].label.startsWith("The GPU was busy for 30% of this step and waited "));
    EXPECT_EQ(rows[1].label, "The host waited for the GPU for 30% of it, 300\u202Fns.");
}

TEST_F(InspectorTest, AnAllocationSaysWhoMadeItAndLeadsThere) {
    show(test::traceOf(R"(
        step 1 0-1000
          forward 0-500
            op aten::mm 10-300
              op aten::empty 90-120
                alloc 1024 100-350 activations
        end 1000
    )"));
    axis.inspect(AllocationId(0));
    open();
    EXPECT_EQ(inspector.subject().heading(), "Allocation");
    EXPECT_EQ(value(inspector.subject(), "Op"), "aten::mm") << "that it counts under";
    EXPECT_EQ(value(inspector.subject(), "Size"), text(formatBytes(Bytes(1024))));
    EXPECT_EQ(inspector.subject().properties()[2].label, "It is live at the peak and 100% of it.");
    auto* subject = inspector.findChild<PropertyList*>("inspectorSubject");
    clickLine(*subject, lineOf(*subject, "Op"));
    EXPECT_FALSE(axis.selectedAllocation()) << "a span lets go of it";
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(describeSpan(*document.snapshot(), *axis.selectedSpan())->name, "aten::mm");
    axis.inspect(AllocationId(0));
    EXPECT_FALSE(axis.selectedSpan());
}

}  // namespace warpglass::ui::inspector_answers_test
