// From a finding to what it rests on, and to the run that tries what it proposes.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <memory>
#include <vector>

#include "app/window/banner.h"
#include "app/window/main_window.h"
#include "app/window/run_panel_place.h"
#include "app/window/session_controller.h"
#include "app/window/trial_runs.h"
#include "app/window/workspace.h"
#include "engine/base/format.h"
#include "engine/query/findings/finding.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/fake_runner.h"
#include "tests/support/held_run.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/valid.h"
#include "ui/controls/data_table.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/memory_page.h"
#include "ui/models/run_filter.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/op_table.h"
#include "ui/panels/run_panel.h"
#include "ui/panels/summary_page.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app::window_findings_test {

/// One that lessens the peak, whatever it was.
Trial trialOfLessMemory(const RunConfig& config) {
    return {.config = config,
            .setting = "warmup",
            .value = "0",
            .metric = TrialMetric::kPeakMemory,
            .before = 1e12,
            .expected = 9e11};
}

Finding findingOfStretch(TimeRange range) {
    return {
        .rule = "made-up", .sentence = "There is something in this stretch.", .evidence = {.visible = range}};
}

void dismissAllOf(const QWidget& outcomes) {
    for (auto* button : outcomes.findChildren<QPushButton*>()) {
        if (button->text() == QStringLiteral("Dismiss"))
            button->click();
    }
}

Finding findingIn(Workspace& workspace, const char* rule) {
    for (const ui::FindingCard* card : workspace.summary().findings()) {
        if (card->finding().rule == rule)
            return card->finding();
    }
    return {};
}

TEST_F(WindowTest, ShowOpensTheViewWithTheNumberOfTheSentence) {
    open({sample("small-bf16-naive")});
    ASSERT_TRUE(waitFor([&] { return !workspace().summary().findings().empty(); }));
    const auto findingOf = [this](const char* rule) { return findingIn(workspace(), rule); };
    auto* ops = qobject_cast<ui::OpTable*>(workspace().view("ops"));
    const auto text = [&](const char* label) {
        const auto* found = m_window->findChild<QLabel*>(QLatin1String(label));
        return found ? found->text() : QString();
    };
    auto* bar = m_window->findChild<QWidget*>("evidenceBar");
    EXPECT_FALSE(bar->isVisible());

    const Finding copies = findingOf("copies-and-casts");
    click(button("show-copies-and-casts"));
    EXPECT_EQ(workspace().page(), Workspace::Page::kViews);
    EXPECT_EQ(workspace().tabs()->currentWidget(), ops);
    EXPECT_EQ(ops->subject(), ui::OpTable::Subject::kKernels);
    const QString time = ui::toQString(formatDuration(Nanoseconds(std::llround(copies.nsPerStep))));
    ASSERT_TRUE(copies.sentence.find(time.toStdString()) != std::string::npos) << copies.sentence;
    EXPECT_TRUE(waitFor([&] { return text("opSummary").contains(time + QStringLiteral(" per step")); }))
        << text("opSummary").toStdString();
    EXPECT_TRUE(waitFor([&] { return ops->table().selectedRows().size() == 1; }));
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(text("evidenceSentence").toStdString(), copies.sentence);
    // All of the sentence is to be read: its number may be at its end.
    m_window->resize(1280, 720);
    const auto* sentence = m_window->findChild<QLabel*>("evidenceSentence");
    EXPECT_TRUE(waitFor([&] { return sentence->height() >= sentence->heightForWidth(sentence->width()); }))
        << sentence->height();
    click(button("evidenceBack"));
    EXPECT_EQ(workspace().page(), Workspace::Page::kSummary);
    EXPECT_FALSE(bar->isVisible());

    const Finding matrices = findingOf("score-matrix-memory");
    click(button("show-score-matrix-memory"));
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_EQ(axis().pinnedCursor(), matrices.evidence.moment);
    EXPECT_FALSE(axis().selectedRange());
    EXPECT_TRUE(axis().visibleRange().contains(*matrices.evidence.moment));
    const QString bytes = ui::toQString(formatBytes(matrices.bytes));
    EXPECT_TRUE(waitFor([&] {
        return text("aliveSummary").startsWith("24 allocations") &&
               text("aliveSummary").contains(bytes + QStringLiteral(" of "));
    })) << text("aliveSummary").toStdString();
    // Scores and probabilities of 12 blocks, each a group; that of what is selected is open.
    EXPECT_EQ(workspace().memoryPage().alive().model().rowCount(), 2 + 12);
    EXPECT_TRUE(workspace().memoryPage().focus().selected());
    EXPECT_EQ(text("evidenceSentence").toStdString(), matrices.sentence);
    // Let go: everything alive again, on the same page.
    QTest::mouseClick(m_window->findChild<QToolButton*>("evidenceDismiss"), Qt::LeftButton);
    EXPECT_FALSE(bar->isVisible());
    EXPECT_EQ(workspace().filter().state(), ui::RunFilter::State());
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_TRUE(waitFor([&] { return workspace().memoryPage().alive().model().rowCount() > 24; }));

    // Its first allocation was made steps before the peak, which stays in view all the same.
    const Finding moments = findingOf("optimizer-memory");
    workspace().setPage(Workspace::Page::kSummary);
    click(button("show-optimizer-memory"));
    ASSERT_TRUE(waitFor([&] { return workspace().memoryPage().focus().selected().has_value(); }));
    EXPECT_EQ(axis().pinnedCursor(), moments.evidence.moment);
    EXPECT_TRUE(axis().visibleRange().contains(*moments.evidence.moment));

    workspace().setPage(Workspace::Page::kSummary);
    ops->setSubject(ui::OpTable::Subject::kOps);
    const Finding late = findingOf("launch-bound");
    click(button("show-launch-bound"));
    EXPECT_EQ(workspace().page(), Workspace::Page::kViews);
    EXPECT_EQ(axis().selectedRange(), late.evidence.range);
    EXPECT_LE(axis().visibleRange().begin, late.evidence.visible->begin);
    EXPECT_GE(axis().visibleRange().end, late.evidence.visible->end);
    EXPECT_LT(axis().visibleRange().duration().value, 2 * late.evidence.visible->duration().value);
    EXPECT_EQ(ops->subject(), ui::OpTable::Subject::kKernels) << "what was chosen before is not left there";
    EXPECT_TRUE(waitFor([&] { return text("opSummary").startsWith("1,265 kernels"); }))
        << text("opSummary").toStdString();

    workspace().setPage(Workspace::Page::kSummary);
    click(button("show-score-matrix-time"));
    EXPECT_EQ(workspace().page(), Workspace::Page::kCharts);
    EXPECT_TRUE(workspace().view("attention")->isVisible());
}

TEST_F(WindowTest, ShowOfFragmentationOpensTheSegmentsWhereThePeakIs) {
    open({sample("small-bf16-graph")});
    ASSERT_TRUE(waitFor([&] { return !workspace().summary().findings().empty(); }));
    click(button("show-fragmentation"));
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_TRUE(workspace().view("segments")->isVisible());
    const auto peak = m_controller.document().memory().peak()->time;
    EXPECT_TRUE(axis().visibleRange().contains(peak));
    EXPECT_EQ(workspace().memoryPage().focus().moment(), peak);
}

TEST_F(WindowTest, ShowOfAMemoryFindingOpensTheMemoryPageAtItsMoment) {
    open({sample("small-bf16-naive")});
    const Evidence evidence{.view = EvidenceView::kMemory,
                            .moment = m_controller.document().memory().peak()->time};
    workspace().memoryPage().showView(workspace().view("segments"));
    workspace().showFinding({.evidence = evidence});
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_TRUE(workspace().view("treemap")->isVisible());
    EXPECT_EQ(workspace().memoryPage().focus().moment(), evidence.moment);
}

TEST_F(WindowTest, OneBackAfterShowIsWhereItWasAskedFor) {
    open({sample("small-bf16-naive")});
    ASSERT_TRUE(waitFor([&] { return !workspace().summary().findings().empty(); }));
    ui::RunFilter& filter = workspace().filter();
    const auto* bar = m_window->findChild<QWidget*>("evidenceBar");
    const auto step = [this](Qt::Key key) { QTest::keyClick(m_window.get(), key, Qt::AltModifier); };
    const TimeRange run = axis().fullRange();
    const Nanoseconds tenth(run.duration().value / 10);
    const TimeRange zoomed{run.begin + tenth, run.begin + tenth + tenth};
    filter.setPhase(Phase::kBackward);
    axis().setVisibleRange(zoomed);
    axis().setPinnedCursor(run.begin + tenth);
    const ui::RunFilter::State before = filter.state();
    const auto expectBefore = [&] {
        EXPECT_EQ(workspace().page(), Workspace::Page::kSummary);
        EXPECT_EQ(filter.state(), before);
        EXPECT_EQ(axis().visibleRange(), zoomed);
        EXPECT_EQ(axis().pinnedCursor(), run.begin + tenth);
        EXPECT_FALSE(bar->isVisible());
    };
    for (const char* show : {"show-copies-and-casts", "show-score-matrix-memory", "show-launch-bound"}) {
        SCOPED_TRACE(show);
        ASSERT_EQ(workspace().page(), Workspace::Page::kSummary);
        click(button(show));
        const Workspace::Page page = workspace().page();
        const ui::RunFilter::State counted = filter.state();
        const TimeRange visible = axis().visibleRange();
        EXPECT_NE(page, Workspace::Page::kSummary);
        EXPECT_NE(visible, zoomed);
        step(Qt::Key_Left);
        expectBefore();
        // And there again, with the sentence.
        step(Qt::Key_Right);
        EXPECT_EQ(workspace().page(), page);
        EXPECT_EQ(filter.state(), counted);
        EXPECT_EQ(axis().visibleRange(), visible);
        EXPECT_TRUE(bar->isVisible());
        // What is chosen after it is a step of its own, of which the zoom is none.
        axis().setSelectedRange(TimeRange{run.begin, run.begin + tenth});
        EXPECT_NE(filter.state(), counted);
        step(Qt::Key_Left);
        EXPECT_EQ(filter.state(), counted);
        EXPECT_EQ(workspace().page(), page);
        EXPECT_EQ(axis().visibleRange(), visible);
        step(Qt::Key_Left);
        expectBefore();
    }

    // Where what counts stays what it is, there is a zoom to go back to all the same.
    filter.reset();
    axis().fitAll();
    workspace().showFinding(findingOfStretch(zoomed));
    EXPECT_EQ(filter.state(), ui::RunFilter::State());
    EXPECT_NE(axis().visibleRange(), run);
    EXPECT_TRUE(bar->isVisible());
    step(Qt::Key_Left);
    EXPECT_EQ(workspace().page(), Workspace::Page::kSummary);
    EXPECT_EQ(axis().visibleRange(), run);
    EXPECT_TRUE(axis().following());
    EXPECT_FALSE(bar->isVisible());
}

TEST_F(WindowTest, BackInARunThatHasEndedSinceFollowsNothing) {
    test::HeldRun run(2);
    m_controller.recording().startWith(run.runner, test::valid(test::syntheticConfig(4)));
    ASSERT_TRUE(waitFor([&] { return run.begun.try_acquire(); }));
    ASSERT_TRUE(waitFor([&] { return m_controller.document().isLive() && spans() > 0; }));
    // Near to, at the newest moment.
    const TimeRange soFar = axis().fullRange();
    axis().setVisibleRange({soFar.end - Nanoseconds(soFar.duration().value / 4), soFar.end});
    ASSERT_TRUE(axis().following());
    const TimeRange seen = axis().visibleRange();
    workspace().showFinding(
        findingOfStretch({soFar.begin, soFar.begin + Nanoseconds(soFar.duration().value / 8)}));
    EXPECT_NE(axis().visibleRange(), seen);
    run.go.release();
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    ASSERT_GT(axis().fullRange().end, seen.end);
    workspace().filter().back();
    EXPECT_EQ(axis().visibleRange(), seen);
    EXPECT_FALSE(axis().following());
}

TEST_F(WindowTest, ATrialThatIsRefusedLeavesTheRunPanelAsItWas) {
    open({sample("small-bf16-naive")});
    ASSERT_TRUE(waitFor([&] { return !workspace().summary().findings().empty(); }));
    ui::RunPanel& panel = m_window->runPanel();
    const std::string recordedOn(m_controller.document().snapshot()->info().get("device.name"));
    const auto* devices = test::must(panel.findChild<QComboBox*>("device"));
    RunConfig own = tinyRun(7);
    own.device = "cuda:0";
    // Recorded on another device.
    panel.setDevices({DeviceInfo{"cuda:0", "Another GPU", {}, {}, 1}});
    panel.setConfig(own);
    ASSERT_EQ(panel.config(), own);
    const int listed = devices->count();
    const Trial trialOf = test::must(findingIn(workspace(), "launch-bound").trial);
    auto* attempt = button("try-launch-bound");
    EXPECT_FALSE(attempt->isEnabled());
    EXPECT_TRUE(attempt->toolTip().contains("NVIDIA H200")) << attempt->toolTip().toStdString();
    EXPECT_EQ(attempt->statusTip(), attempt->toolTip());
    emit workspace().summary().tryRequested(trialOf);
    EXPECT_FALSE(m_controller.isRunning());
    EXPECT_EQ(panel.config(), own);
    EXPECT_EQ(devices->count(), listed);
    EXPECT_TRUE(message().contains("NVIDIA H200")) << message().toStdString();

    // On the same one it could be tried, where anything can be run.
    panel.setDevices({DeviceInfo{"cuda:0", recordedOn, {}, {}, 1}});
    panel.setCannotRun({}, false);
    EXPECT_TRUE(attempt->isEnabled());
    EXPECT_TRUE(attempt->toolTip().contains("--execution graph"));
    EXPECT_TRUE(attempt->statusTip().isEmpty());
    panel.setCannotRun("There is nothing here to run it with.", true);
    EXPECT_FALSE(attempt->isEnabled());
    EXPECT_EQ(attempt->toolTip(), "There is nothing here to run it with.");
    emit workspace().summary().tryRequested(trialOf);
    EXPECT_FALSE(m_controller.isRunning());
    EXPECT_EQ(panel.config(), own);
    EXPECT_EQ(message(), "There is nothing here to run it with.")
        << "the panel is folded, for a finished run";
    m_window->runPanelPlace().toggle();
    emit workspace().summary().tryRequested(trialOf);
    EXPECT_EQ(message(), "This cannot be tried: the run panel says why.");

    // A configuration that cannot be run is refused with its problem.
    panel.setCannotRun({}, false);
    Trial trial{.config = own};
    trial.config.batch = 0;
    emit workspace().summary().tryRequested(trial);
    EXPECT_FALSE(m_controller.isRunning());
    EXPECT_EQ(panel.config(), own);
    EXPECT_EQ(message().toStdString(), validate(trial.config).front().sentence);
}

TEST_F(WindowTest, ATrialRunsExactlyWhatWasProposed) {
    SessionController controller;
    QWidget parent;
    ui::RunPanel panel(&parent);
    panel.setDevices({DeviceInfo{"cuda:0", "Synthetic GPU", Bytes(std::int64_t{80} << 30), {}, 8}});
    TrialRuns trials(controller, panel, &parent);
    std::vector<RunConfig> requested;
    std::vector<RunConfig> shown;
    QObject::connect(&panel, &ui::RunPanel::runRequested, &controller, [&](const ValidConfig& config) {
        requested.push_back(config);
        shown.push_back(panel.config());
    });
    Trial trial{.config = tinyRun(2)};
    trial.config.device = "cuda:0";
    trial.config.memoryLimit = Bytes((std::int64_t{16} << 30) + 1);
    trial.config.recorded = Recorded::none();
    trial.config.recorded.set(Feature::kMemory, true);
    trial.config.seed = 42;
    trial.setting = "batch";
    trials.start(trial);
    ASSERT_EQ(requested.size(), 1u);
    EXPECT_EQ(requested[0], trial.config);
    EXPECT_EQ(shown[0], trial.config) << "the panel says what is run";
    EXPECT_NE(panel.config(), trial.config) << "nothing ran it";
}

TEST_F(WindowTest, WhatCameOfATrialIsSaidWithItsRunsAlone) {
    test::FakeRunner runner;
    QWidget parent;
    ui::RunPanel panel(&parent);
    panel.setDevices({DeviceInfo{"cpu", "Synthetic CPU", {}, {}, 8}});
    SessionController controller;
    TrialRuns trials(controller, panel, &parent);
    QObject::connect(&panel, &ui::RunPanel::runRequested, &controller,
                     [&](const ValidConfig& config) { controller.recording().startWith(runner, config); });
    const auto snapshotOf = [&controller](int run) {
        return run < 0 ? nullptr : controller.runs()[static_cast<std::size_t>(run)].snapshot;
    };
    QObject::connect(&controller, &SessionController::currentRunChanged, &trials,
                     [&](int index) { trials.showOutcomesOf(snapshotOf(index)); });
    const auto sentences = [&trials] { return trials.outcome().sentences(); };
    controller.showSnapshot({}, {test::makeSyntheticRun(), {}});  // another run, then that of the trial
    controller.showSnapshot({}, {test::makeSyntheticRun(), {}});
    Trial trial = trialOfLessMemory(tinyRun(2));
    trials.start(trial);
    ASSERT_TRUE(waitFor([&] { return !controller.isRunning(); }));
    ASSERT_EQ(controller.runs().size(), 3u);
    ASSERT_EQ(controller.currentRun(), 2);
    const QStringList said = sentences();
    ASSERT_EQ(said.size(), 1);
    controller.showRun(0);
    EXPECT_TRUE(sentences().isEmpty()) << "it says nothing of this run";
    EXPECT_TRUE(trials.outcome().isHidden());
    controller.showRun(1);
    EXPECT_EQ(sentences(), said);
    controller.showRun(2);
    EXPECT_EQ(sentences(), said);
    trials.showOutcomesOf(snapshotOf(2), snapshotOf(1));
    EXPECT_EQ(sentences(), said) << "the two beside each other";
    trials.showOutcomesOf(snapshotOf(0), snapshotOf(2));
    EXPECT_TRUE(sentences().isEmpty()) << "compared with another";
    // Another trial of the same run has its own.
    controller.showRun(1);
    trial.value = "1";
    trial.config.warmup = 1;
    trials.start(trial);
    ASSERT_TRUE(waitFor([&] { return !controller.isRunning(); }));
    EXPECT_EQ(sentences().size(), 1);
    EXPECT_NE(sentences(), said);
    controller.showRun(1);
    EXPECT_EQ(sentences().size(), 2);
    // It goes with the run that was tried, or as it is dismissed.
    controller.closeRun(2);
    controller.showRun(1);
    ASSERT_EQ(sentences().size(), 1);
    EXPECT_NE(sentences(), said);
    dismissAllOf(trials.outcome());
    controller.showRun(2);
    EXPECT_TRUE(sentences().isEmpty());
}

TEST_F(WindowTest, ATrialLetsGoOfTheRunItWasProposedForHoweverItEnds) {
    enum class End { kRun, kNotStarted, kRefused, kTabClosed };
    for (const End end : {End::kRun, End::kNotStarted, End::kRefused, End::kTabClosed}) {
        SCOPED_TRACE(static_cast<int>(end));
        QSemaphore begun, go;
        test::FakeRunnerOptions options;
        if (end == End::kRefused)
            options.refuse = "the device is taken";
        options.beforeStep = [&](std::int64_t step) {
            if (step == 1 && end == End::kTabClosed) {
                begun.release();
                go.acquire();
            }
        };
        test::FakeRunner runner(options);
        SessionController controller;
        const auto letGo = qScopeGuard([&go] { go.release(); });  // before the controller waits for it
        QWidget parent;
        ui::RunPanel panel(&parent);
        panel.setDevices({DeviceInfo{"cpu", "Synthetic CPU", {}, {}, 8}});
        TrialRuns trials(controller, panel, &parent);
        QSignalSpy settled(&trials, &TrialRuns::settled);
        if (end != End::kNotStarted)
            QObject::connect(
                &panel, &ui::RunPanel::runRequested, &controller,
                [&](const ValidConfig& config) { controller.recording().startWith(runner, config); });
        controller.showSnapshot({}, {test::makeSyntheticRun(), {}});
        const std::weak_ptr<const Snapshot> proposedFor = controller.document().snapshot();
        trials.start(trialOfLessMemory(tinyRun(2)));
        ASSERT_EQ(controller.isRunning(), end != End::kNotStarted);
        if (end == End::kTabClosed) {
            ASSERT_TRUE(waitFor([&] { return begun.tryAcquire(); }));
            controller.closeRun(0);
            EXPECT_FALSE(proposedFor.expired()) << "or another run could be taken for it";
            go.release();
        }
        ASSERT_TRUE(waitFor([&] { return !controller.isRunning(); }));
        EXPECT_EQ(settled.count(), end == End::kRun ? 1 : 0);
        EXPECT_EQ(trials.outcome().sentences().isEmpty(), end == End::kNotStarted || end == End::kRefused);
        if (end != End::kTabClosed)
            controller.closeRun(0);
        EXPECT_TRUE(waitFor([&] { return proposedFor.expired(); }));
    }
}

#if WARPGLASS_TEST_WITH_RUNNER

TEST_F(WindowTest, ATrialIsRunAndSaysWhetherTheGainCameTrue) {
    m_window->runPanel().setConfig(tinyRun(2));
    click(button("runButton"));
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    ASSERT_NE(m_controller.document().snapshot(), nullptr) << message().toStdString();
    EXPECT_EQ(workspace().page(), Workspace::Page::kViews) << "a run that is recorded is watched";
    Trial trial = trialOfLessMemory(tinyRun(2));
    trial.config.warmup = 1;
    trial.value = "1";
    emit workspace().summary().tryRequested(trial);
    ASSERT_TRUE(m_controller.isRunning()) << message().toStdString();
    EXPECT_EQ(m_window->runPanel().config(), trial.config);
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    auto* outcome = m_window->findChild<QWidget*>("trialOutcome");
    EXPECT_FALSE(outcome->isHidden());
    const QString sentence = outcome->findChild<QLabel*>()->text();
    EXPECT_TRUE(sentence.startsWith("Warmup 1: ")) << sentence.toStdString();
    EXPECT_TRUE(sentence.contains("the gain came true")) << sentence.toStdString();
    m_controller.showSnapshot("/runs/another.wgrun", {test::makeSyntheticRun(), {}});
    EXPECT_TRUE(outcome->isHidden()) << "it says nothing of another run";
    m_controller.showRun(1);
    EXPECT_FALSE(outcome->isHidden());
    dismissAllOf(*outcome);
    EXPECT_TRUE(outcome->isHidden());
}

#endif

}  // namespace warpglass::app::window_findings_test
