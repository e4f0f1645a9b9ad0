// The summary by structure: figures, shares, a card a finding, and what its buttons ask for.
#include "ui/panels/summary_page.h"
#include "tests/support/sample_run.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <filesystem>

#include "engine/base/format.h"
#include "engine/io/run_file.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/first_of.h"
#include "tests/support/has_text.h"
#include "tests/support/run_conditions.h"
#include "tests/support/show_unseen.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/refresh.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/share_card.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::summary_page_test {

struct SummaryPageTest : testing::Test {
    void show(std::shared_ptr<const Snapshot> snapshot) {
        document.setSnapshot(std::move(snapshot));
        page.refreshNow();
    }
    QString label(const char* name) { return page.findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    QPushButton* button(const char* name) { return page.findChild<QPushButton*>(QString::fromLatin1(name)); }

    RunDocument document;
    SummaryPage page{document};
};

TEST_F(SummaryPageTest, OfAFileWithoutItsSecondHalfItSaysWhatIsMissing) {
    const std::filesystem::path whole = WARPGLASS_SAMPLE_RUNS "/small-bf16-flash.wgrun";
    const std::filesystem::path cut = std::filesystem::path(testing::TempDir()) / "summary_cut.wgrun";
    std::filesystem::copy_file(whole, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, std::filesystem::file_size(whole) * 57 / 100);
    const auto opened = openRun(cut);
    ASSERT_TRUE(opened) << opened.message();
    show(opened->snapshot);
    auto* sentence = page.findChild<QLabel*>("summaryIncomplete");
    EXPECT_FALSE(sentence->isHidden());
    EXPECT_THAT(sentence->text(), test::HasText("memory events"));
    EXPECT_TRUE(label("noFinding").isEmpty() || label("noFinding").contains("in what is there"))
        << label("noFinding").toStdString();
    const auto noteOf = [&](const char* value) {
        for (const QLabel* label : page.findChildren<QLabel*>()) {
            if (label->text() == QLatin1String(value))
                return true;
        }
        return false;
    };
    EXPECT_TRUE(noteOf("its records are missing")) << "the peak's";
    QStringList warnings;
    for (const std::string& warning : opened->warnings)
        warnings << toQString(warning);
    ASSERT_FALSE(warnings.isEmpty());
    document.setWarnings(warnings, true);
    EXPECT_FALSE(sentence->isHidden());
    EXPECT_TRUE(noteOf("incomplete records")) << "the busy share's";
    show(test::openSampleRun("small-bf16-flash"));
    document.setWarnings({}, false);
    EXPECT_TRUE(sentence->isHidden());
    EXPECT_FALSE(noteOf("incomplete records"));
    std::filesystem::remove(cut);
}

TEST_F(SummaryPageTest, AFigureHasWholeCardsAndSaysHowManyFindingsItLeavesOut) {
    show(test::openSampleRun("small-bf16-naive"));
    ASSERT_GE(page.findings().size(), 3u);
    auto* more = page.findChild<QLabel*>("moreFindings");
    for (const QSize size : {QSize(443, 300), QSize(443, 700), QSize(443, 1200), QSize(897, 520),
                             QSize(897, 700), QSize(1600, 3000)}) {
        SCOPED_TRACE(size.height());
        FigureMode figure(page, size);
        withWidgetAt(page, size, [&] {
            figure.fit();
            std::size_t left = 0;
            QList<QWidget*> cards{page.widget()->findChild<ShareCard*>()};
            for (FindingCard* card : page.findings()) {
                left += card->isHidden();
                cards << card;
            }
            for (QWidget* card : page.widget()->findChildren<QFrame*>()) {
                if (card->property("card").toBool())
                    cards << card;
            }
            for (const QWidget* card : cards) {
                EXPECT_TRUE(card->isHidden() ||
                            card->mapTo(&page, QPoint(0, card->height())).y() <= page.viewport()->height());
            }
            EXPECT_EQ(left > 0, !more->isHidden());
            if (left > 0) {
                EXPECT_THAT(more->text(), test::HasText(QString::number(left)));
                EXPECT_LE(more->mapTo(&page, QPoint(0, more->height())).y(), page.viewport()->height());
            }
            EXPECT_EQ(left == 0, size.height() == 3000) << left;
        });
    }
    for (const FindingCard* card : page.findings())
        EXPECT_FALSE(card->isHidden());
    EXPECT_TRUE(more->isHidden());
}

TEST_F(SummaryPageTest, InLittleWidthAFindingsCostStandsOverItsSentence) {
    show(test::openSampleRun("xl-bf16-step"));
    ASSERT_FALSE(page.findings().empty());
    for (const int width : {387, 1000, 387}) {
        SCOPED_TRACE(width);
        withWidgetAt(page, QSize(width, 3000), [&] {
            for (const FindingCard* card : page.findings()) {
                const auto labels = card->findChildren<QLabel*>();
                ASSERT_GE(labels.size(), 3);
                const QLabel *cost = labels[0], *sentence = labels[2];
                ASSERT_EQ(sentence->text(), toQString(card->finding().sentence));
                const QRect of(cost->mapTo(card, QPoint()), cost->size());
                const QRect said(sentence->mapTo(card, QPoint()), sentence->size());
                if (width == 387) {
                    EXPECT_GT(said.top(), of.bottom());
                    EXPECT_EQ(said.left(), of.left());
                } else {
                    EXPECT_GT(said.left(), of.right());
                    EXPECT_EQ(said.top(), of.top());
                }
                EXPECT_GE(sentence->height(), sentence->heightForWidth(sentence->width())) << "all of it";
            }
        });
    }
}

TEST_F(SummaryPageTest, AColumnLeavesOutWhatWouldChangeAFindingBeforeItLeavesOutFindings) {
    show(test::openSampleRun("xl-bf16-step"));
    const FindingCard* first = page.findings().front();
    const QString sentence = toQString(first->finding().sentence);
    const auto remediesIn = [&](QSize size) {
        int shown = 0;
        FigureMode figure(page, size);
        withWidgetAt(page, size, [&] {
            figure.fit();
            for (const FindingCard* card : page.findings()) {
                const auto labels = card->findChildren<QLabel*>();
                shown += !card->isHidden() && labels.size() > 3 && !labels[3]->isHidden();
            }
        });
        return shown;
    };
    const auto all = std::ranges::count_if(
        page.findings(), [](const FindingCard* card) { return !card->finding().remedy.empty(); });
    EXPECT_EQ(remediesIn({387, 4000}), all);
    EXPECT_EQ(remediesIn({387, 1100}), 0);
    EXPECT_FALSE(first->isHidden()) << sentence.toStdString();
    EXPECT_EQ(remediesIn({387, 4000}), all) << "they come back";
    EXPECT_GT(remediesIn({897, 700}), 0) << "a page wide has them";
    // As high as its content, a figure has more of them without.
    FigureMode figure(page, {387, 400}, true);
    withWidgetAt(page, {387, 400}, [&] {
        const int most = 1100, height = page.figureHeight(387, most);
        EXPECT_LE(height, most);
        EXPECT_GT(height, 900);
    });
}

TEST_F(SummaryPageTest, AFindingIsShownByTheKeyboardToo) {
    show(test::openSampleRun("xl-bf16-step"));
    ASSERT_FALSE(page.findings().empty());
    test::showUnseen(page, {1000, 700});
    QSignalSpy shown(&page, &SummaryPage::showRequested);
    for (const FindingCard* card : page.findings()) {
        auto* button =
            card->findChild<QPushButton*>(QStringLiteral("show-") + toQString(card->finding().rule));
        ASSERT_TRUE(button);
        EXPECT_TRUE(button->focusPolicy() & Qt::TabFocus);
        EXPECT_FALSE(button->accessibleName().isEmpty());
        const qsizetype before = shown.count();
        QTest::keyClick(button, Qt::Key_Space);
        EXPECT_EQ(shown.count(), before + 1);
    }
}

TEST_F(SummaryPageTest, StatesARunOfAGpu) {
    const auto run = test::openSampleRun("small-bf16-flash");
    show(run);
    const MemoryTimeline timeline = test::timelineOf(run);
    const RunOverview expected = overviewOf(timeline);
    EXPECT_EQ(label("summaryTitle"), "small · bf16 · sdpa-flash · 512");
    EXPECT_EQ(label("summaryState"), "finished");
    EXPECT_EQ(label("summaryLosses"), QString());
    EXPECT_TRUE(label("summaryDescription").contains("NVIDIA H200"));
    EXPECT_EQ(page.figure("Time per step"), "29.0\u202Fms");
    EXPECT_EQ(page.figure("GPU busy"), "29%");
    // A tile says whose peaks its shares are of: the data sheet's first, and the measured one's beside it.
    const ModelUtilization& mfu = *expected.summary.utilization;
    EXPECT_EQ(page.figure("MFU"), toQString(formatPercent(*mfu.ofDataSheet())));
    for (const auto& [caption, sheet, measured] :
         {std::tuple("MFU", formatPercent(*mfu.ofDataSheet()), formatPercent(*mfu.ofMeasured())),
          std::tuple("Memory bandwidth", "≥\u00A0" + formatPercentAtLeast(*expected.traffic->ofDataSheet),
                     "≥\u00A0" + formatPercentAtLeast(*expected.traffic->ofMeasured))}) {
        SCOPED_TRACE(caption);
        const QList<QFrame*> frames = page.widget()->findChildren<QFrame*>();
        const QString said = test::firstOf(frames, [&, name = QLatin1String(caption)](const QFrame* tile) {
                                 return tile->accessibleName() == name;
                             })->accessibleDescription();
        EXPECT_THAT(said, test::BeginsWith(toQString(sheet)));
        EXPECT_THAT(said, test::HasText("of data-sheet peak "));
        EXPECT_THAT(said, test::HasText(toQString("; " + measured + " of measured peak ")));
    }
    EXPECT_EQ(page.figure("Peak memory"), toQString(formatBytes(Bytes(sumOf(expected.summary.peak->bytes)))));
    // The bars add up to what stands over them.
    for (const auto& [card, whole] : {std::pair{&page.phases(), *expected.summary.stepMean},
                                      std::pair{&page.gpu(), static_cast<double>(expected.gpu.wall.value) /
                                                                 static_cast<double>(expected.gpu.steps)}}) {
        double sum = 0;
        for (const ShareCard::Part& part : card->parts())
            sum += part.amount;
        EXPECT_NEAR(sum, whole, 1e-3 * whole);
    }
    EXPECT_EQ(page.memory().parts().front().color, Theme::categoryColor(Category::kWeights));
    double held = 0;
    for (const ShareCard::Part& part : page.memory().parts())
        held += part.amount;
    EXPECT_EQ(held, static_cast<double>(sumOf(expected.summary.peak->bytes)))
        << "every category, however small";
    ASSERT_EQ(page.findings().size(), expected.findings.size());
    for (std::size_t i = 0; i < expected.findings.size(); ++i) {
        EXPECT_EQ(page.findings()[i]->finding().rule, expected.findings[i].rule);
        EXPECT_EQ(page.findings()[i]->accessibleName(), toQString(expected.findings[i].sentence));
    }
    EXPECT_TRUE(page.findChild<QLabel*>("noFinding")->isHidden());
}

TEST_F(SummaryPageTest, ButtonsAskForTheEvidenceAndForTheRun) {
    show(test::openSampleRun("small-bf16-naive"));
    const Finding& finding = page.findings().front()->finding();
    ASSERT_EQ(finding.rule, "launch-bound");
    const Evidence evidence = finding.evidence;
    const RunConfig config = finding.trial->config;
    std::optional<Evidence> shown;
    std::optional<Trial> tried;
    QObject::connect(&page, &SummaryPage::showRequested, [&](const Finding& f) { shown = f.evidence; });
    QObject::connect(&page, &SummaryPage::tryRequested, [&](const Trial& t) { tried = t; });
    QTest::mouseClick(button("show-launch-bound"), Qt::LeftButton);
    ASSERT_TRUE(shown);
    EXPECT_EQ(shown->range, evidence.range);
    QTest::keyClick(button("try-launch-bound"), Qt::Key_Space);
    ASSERT_TRUE(tried);
    EXPECT_EQ(tried->config, config);
    EXPECT_EQ(button("try-kernel-gaps"), nullptr) << "nothing that can be set would change it";
    for (const char* name : {"show-launch-bound", "try-launch-bound"}) {
        EXPECT_FALSE(button(name)->accessibleName().isEmpty());
        EXPECT_NE(button(name)->focusPolicy(), Qt::NoFocus);
    }
}

TEST_F(SummaryPageTest, ARunOfTheCpuHasNoGpuInIt) {
    show(test::makeSyntheticRun());
    EXPECT_TRUE(page.gpu().isHidden());
    EXPECT_EQ(page.figure("GPU busy"), QString());
    EXPECT_FALSE(page.phases().isHidden());
    EXPECT_EQ(page.figure("MFU"), "–") << "no ceiling is known";
}

TEST_F(SummaryPageTest, ARunThatFailedHasWhatItReached) {
    show(test::openSampleRun("large-fp32-out-of-memory"));
    EXPECT_EQ(label("summaryState"), "failed");
    EXPECT_EQ(page.figure("Time per step"), QString()) << "no step ended";
    EXPECT_NE(page.figure("Peak memory"), QString());
    EXPECT_TRUE(page.phases().isHidden());
    EXPECT_EQ(page.findings().front()->finding().rule, "out-of-memory");
}

TEST_F(SummaryPageTest, WhereNothingStandsOutItSaysSo) {
    show(test::traceOf("end 1", toPairs(test::syntheticConfig())));
    EXPECT_TRUE(page.findings().empty());
    EXPECT_FALSE(page.findChild<QLabel*>("noFinding")->isHidden());
    EXPECT_EQ(label("noFinding"),
              "Nothing stands out: no step was completed, and nothing of memory is known.");
    EXPECT_TRUE(page.findChild<QLabel*>("summaryIncomplete")->isHidden());
}

TEST_F(SummaryPageTest, WithoutKernelsAndMemoryItSaysWhatIsNotJudged) {
    RunConfig config = test::syntheticConfig();
    config.device = "cuda:0";
    config.recorded = Recorded::none();
    show(test::traceOf("end 1", toPairs(config)));
    const auto* sentence = page.findChild<QLabel*>("summaryIncomplete");
    EXPECT_FALSE(sentence->isHidden());
    EXPECT_THAT(sentence->text(), test::BeginsWith("The run was recorded without kernels and memory"));
    EXPECT_EQ(label("noFinding"), "Nothing stands out in what was recorded.");
    show(test::openSampleRun("small-bf16-flash"));
    EXPECT_TRUE(sentence->isHidden());
}

TEST_F(SummaryPageTest, OfASingleMeasuredStepItSaysSoOverTheFigures) {
    show(test::openSampleRun("xl-bf16-step"));
    const auto* sentence = page.findChild<QLabel*>("summaryCaution");
    EXPECT_FALSE(sentence->isHidden());
    EXPECT_THAT(sentence->text(), test::BeginsWith("Only one step was measured"));
    show(test::openSampleRun("small-bf16-flash"));
    EXPECT_TRUE(sentence->isHidden());
}

TEST_F(SummaryPageTest, AnotherRunLeavesNothingOfTheFormer) {
    show(test::openSampleRun("small-bf16-naive"));
    document.clear();
    EXPECT_FALSE(page.overview());
    EXPECT_TRUE(page.findings().empty());
    EXPECT_EQ(label("summaryTitle"), QString());
    EXPECT_EQ(page.figure("Time per step"), "–");
}

TEST_F(SummaryPageTest, CardsThatSayTheSameStayAndKeepTheFocus) {
    show(test::openSampleRun("small-bf16-naive"));
    FindingCard* first = page.findings().front();
    emit document.snapshotChanged();
    page.refreshNow();
    EXPECT_EQ(page.findings().front(), first);
}

TEST_F(SummaryPageTest, AGrowingRunIsComputedAgain) {
    TraceWriter writer;
    test::SyntheticRecorder recorder(writer, test::syntheticConfig());
    document.follow(writer.feed());
    recorder.setup();
    ASSERT_TRUE(recorder.step(0));
    writer.commit(recorder.now());
    page.resize(800, 600);
    page.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.overview().has_value(); }, 60'000));
    EXPECT_EQ(page.overview()->summary.warmupSteps + page.overview()->summary.measuredSteps, 1);
    ASSERT_TRUE(recorder.step(1));
    ASSERT_TRUE(recorder.step(2));
    writer.commit(recorder.now());
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return page.overview()->summary.warmupSteps + page.overview()->summary.measuredSteps == 3; },
        60'000));
    EXPECT_EQ(page.findChild<QLabel*>("noFinding")->text(), "Nothing stands out so far.");
    document.stopFollowing();
}

TEST_F(SummaryPageTest, OnAWideScreenFindingsStandBesideTheFigures) {
    show(test::openSampleRun("small-bf16-naive"));
    page.setAttribute(Qt::WA_DontShowOnScreen);
    const auto placeOf = [&](const QWidget& widget) {
        return QRect(widget.mapTo(&page, QPoint()), widget.size());
    };
    page.show();
    ASSERT_FALSE(page.findings().empty());
    for (const int width : {1200, 3000, 1200}) {
        SCOPED_TRACE(width);
        page.resize(width, 900);
        QApplication::processEvents();
        const QRect finding = placeOf(*page.findings().front()), memory = placeOf(page.memory());
        if (width == 3000) {
            EXPECT_GT(finding.left(), memory.right());
            EXPECT_LT(finding.top(), memory.top());
        } else {
            EXPECT_GT(finding.top(), memory.bottom());
        }
    }
}

TEST_F(SummaryPageTest, EveryCardIsAsHighAsItsText) {
    show(test::openSampleRun("small-bf16-naive"));
    page.resize(700, 500);  // sentences take several lines, and the page scrolls
    page.show();
    QApplication::processEvents();
    for (const FindingCard* card : page.findings()) {
        for (const QLabel* label : card->findChildren<QLabel*>()) {
            if (label->wordWrap()) {
                EXPECT_GE(label->height(), label->heightForWidth(label->width()))
                    << label->text().toStdString();
            }
        }
    }
}

TEST_F(SummaryPageTest, ARunThatIsStillInItsWarmUpSaysHowFarItIs) {
    TraceWriter writer;
    test::SyntheticRecorder recorder(writer, test::syntheticConfig());
    recorder.setup();
    recorder.teardown();
    recorder.finish(run_state::kStopped);
    show(writer.feed()->latest());
    EXPECT_THAT(label("summaryDescription"), test::HasText("0 measured steps, 0 of 1 warm-up"));
}

TEST(ShareCard, ANameThatDoesNotFitHasASecondLine) {
    ShareCard card("The GPU's time");
    const QString value = "12.3 ms";
    card.setParts({{Qt::blue, "busy", 1, value, {}}, {Qt::red, "idle, synchronization", 1, value, {}}},
                  "24.6 ms");
    EXPECT_TRUE(card.hasHeightForWidth());
    EXPECT_EQ(card.heightForWidth(400), card.sizeHint().height());
    EXPECT_GT(card.heightForWidth(210), card.sizeHint().height());
    EXPECT_FALSE(renderWidget(card, {210, card.heightForWidth(210)}, 1).isNull());
}

TEST_F(SummaryPageTest, SaysWhatTheRunRanUnder) {
    const auto isShown = [&](const char* name) {
        return !page.findChild<QLabel*>(QString::fromLatin1(name))->isHidden();
    };
    show(test::makeSyntheticRun());
    EXPECT_FALSE(isShown("summaryCaution")) << "nothing is known";
    EXPECT_FALSE(isShown("summaryConditions"));
    test::MadeConditions made{.device = "cuda:0", .othersCores = 0.1};
    made.smClock = [](std::int64_t) { return 1980.0; };
    show(test::makeRun(made));
    EXPECT_FALSE(isShown("summaryCaution")) << "nothing disturbed it";
    EXPECT_TRUE(isShown("summaryConditions"));
    EXPECT_EQ(label("summaryConditions"),
              "Conditions: other programs used 0.1 of 4 cores · SM clock 1,980 of 1,980 MHz");
    made.othersCores = 3.5;
    show(test::makeRun(made));
    EXPECT_TRUE(isShown("summaryCaution"));
    EXPECT_TRUE(
        label("summaryCaution")
            .startsWith("The host was busy: in the measured steps other programs used 3.5 of 4 cores"))
        << label("summaryCaution").toStdString();
    show(test::makeSyntheticRun());
    EXPECT_FALSE(isShown("summaryCaution")) << "it was the former run's";
}

TEST_F(SummaryPageTest, TheNameOfARunIsItsHeadingOverItsOwnTitle) {
    show(test::openSampleRun("small-bf16-flash"));
    const QString own = label("summaryTitle"), description = label("summaryDescription");
    page.setName("before & after");
    EXPECT_EQ(label("summaryTitle"), "before & after");
    EXPECT_EQ(label("summaryDescription"), own + QStringLiteral(" · ") + description);
    page.setName({});
    EXPECT_EQ(label("summaryTitle"), own);
    EXPECT_EQ(label("summaryDescription"), description);
}

TEST_F(SummaryPageTest, APlaceToBeScrolledToIsTakenOnceThereIsSoMuchToShow) {
    test::showUnseen(page, {700, 240});
    page.restoreScrollTop(130);
    EXPECT_EQ(page.scrollTop(), 130) << "it waits for it";
    show(test::openSampleRun("small-bf16-naive"));
    QCoreApplication::processEvents();
    QScrollBar* bar = page.verticalScrollBar();
    ASSERT_GT(bar->maximum(), 130);
    EXPECT_EQ(bar->value(), 130);
    // Later growth leaves the person where they have gone to.
    bar->triggerAction(QAbstractSlider::SliderToMinimum);
    page.resize(600, 240);
    QCoreApplication::processEvents();
    EXPECT_EQ(bar->value(), 0);
}

TEST_F(SummaryPageTest, AButtonThatGoesWithItsCardDoesNotScrollThePageToTheNext) {
    test::showUnseen(page, {700, 240});
    page.activateWindow();
    show(test::openSampleRun("small-bf16-naive"));
    QCoreApplication::processEvents();
    ASSERT_GE(page.findings().size(), 2u);
    const auto buttons = page.findings().front()->findChildren<QPushButton*>();
    test::firstOf(buttons, [](const QPushButton* one) {
        return !one->isHidden() && one->isEnabled();
    })->setFocus();
    page.restoreScrollTop(0);
    show(test::openSampleRun("small-fp32-naive"));
    QCoreApplication::processEvents();
    EXPECT_EQ(page.verticalScrollBar()->value(), 0);
    EXPECT_EQ(page.focusWidget(), &page);
}

}  // namespace warpglass::ui::summary_page_test
