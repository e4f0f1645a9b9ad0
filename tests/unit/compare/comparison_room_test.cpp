// What a comparison shows in much and in little room: its rows, timelines and chart, its headline and what
// differs, its dividers, and the way of Tab through it.
#include <QRegularExpression>
#include <QSplitter>
#include <QTextDocument>
#include <optional>

#include "tests/support/gestures.h"
#include "tests/unit/compare/comparison_fixture.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/controls/figure_mode.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui::comparison_room_test {

struct ComparisonRoomTest : ComparisonViewTest {
    QSplitter* panes() { return view.findChild<QSplitter*>("comparisonSplitter"); }
};

TEST_F(ComparisonRoomTest, EightRowsAreReadableInTheSmallestWindow) {
    const auto* total = view.findChild<QWidget*>("comparisonTotal");
    for (const QSize size : {kLow, QSize(1155, 804), kRoomy, QSize(3555, 2064)}) {
        resize(size);
        EXPECT_TRUE(total->isVisible());
        EXPECT_GE(wholeRows(), 8) << size.height();
        // The timelines show what the GPU did.
        for (TimelineView* timeline : {view.timelineOfA(), view.timelineOfB()}) {
            for (const TimelineTrack& track : streamsOf(*timeline)) {
                EXPECT_LE(timeline->viewport().shownTop(track.legendTop()), timeline->plotArea().height())
                    << size.height();
            }
        }
        // The memory of both stands under the timelines, or in little room beside the table of memory.
        EXPECT_EQ(chart()->isVisible(), size != kLow);
        chooseTable(4);
        EXPECT_TRUE(chart()->isVisible()) << size.height();
        EXPECT_GE(wholeRows(), 8) << size.height();
        chooseTable(0);
    }
}

TEST_F(ComparisonRoomTest, TheStepAndThePhaseStayInSightWhereBothAreAlignedAtAPhase) {
    resize(kLow);
    view.alignAt(landmark("optimizer"));
    view.refreshNow();
    for (TimelineView* timeline : {view.timelineOfA(), view.timelineOfB()}) {
        int seen = 0;
        for (const TimelineTrack& track : timeline->rows().tracks()) {
            if (track.kind != TrackKind::kStep && track.kind != TrackKind::kPhase)
                continue;
            ++seen;
            EXPECT_GE(timeline->viewport().shownTop(track.top), 0) << track.label;
            EXPECT_LE(timeline->viewport().shownTop(track.top) + kBandRowHeight,
                      timeline->plotArea().height())
                << track.label;
        }
        EXPECT_EQ(seen, 2);
    }
    resize(kRoomy);
    for (const TimelineTrack& track : view.timelineOfA()->rows().tracks())
        EXPECT_FALSE(track.pinned) << track.label << ": there is room again";
}

/// As high as docs/screenshots has it, less the caption.
TEST_F(ComparisonRoomTest, ALowFigureStillHasWhatTheGpuDid) {
    const QSize size(1280, 676);
    FigureMode figure(view, size);
    withWidgetAt(view, size, [&] {
        figure.fit();
        for (TimelineView* timeline : {view.timelineOfA(), view.timelineOfB()}) {
            EXPECT_FALSE(streamsOf(*timeline).empty());
            for (const TimelineTrack& track : streamsOf(*timeline)) {
                const int lane = track.height - track.legendHeight;
                EXPECT_LE(timeline->viewport().shownTop(track.top) + lane * 3 / 4,
                          timeline->plotArea().height());
            }
        }
        EXPECT_TRUE(chart()->isVisible());
        EXPECT_GE(chart()->height(), 132);
        EXPECT_GE(view.findChild<QWidget*>("comparisonBridge")->height(), 50);
        EXPECT_GE(wholeRows(), 8);
        // Both ways from A to B stand under the headline.
        for (const char* name : {"comparisonBridge", "comparisonMemoryBridge"})
            EXPECT_TRUE(view.findChild<QWidget*>(QLatin1String(name))->isVisible()) << name;
    });
}

TEST_F(ComparisonRoomTest, WhatDiffersIsFoldedAwayInLittleRoomAndOpens) {
    auto* details = view.findChild<QToolButton*>("comparisonDetails");
    auto* settings = view.findChild<QLabel*>("comparisonSettings");
    resize(kRoomy);
    EXPECT_TRUE(settings->isVisible());
    EXPECT_TRUE(label("comparisonHeadline").contains("per step against"));
    resize(kLow);
    EXPECT_FALSE(settings->isVisible());
    // What it is stands on the button, where there is room for the words.
    EXPECT_EQ(details->text(), "precision fp32 → bf16");
    resize(QSize(700, kLow.height()));
    EXPECT_EQ(details->text(), "1 difference");
    resize(kLow);
    EXPECT_TRUE(label("comparisonHeadline").contains("× faster"));
    EXPECT_FALSE(label("comparisonHeadline").contains("per step against"));
    QTest::mouseClick(static_cast<QWidget*>(details), Qt::LeftButton);
    EXPECT_TRUE(settings->isVisible());
    EXPECT_EQ(details->text(), "1 difference") << "the words stand above it";
    // As the person left it, also in another window.
    ComparisonView other;
    other.resize(kLow);
    other.applyLayout(view.layoutState());
    EXPECT_EQ(other.layoutState(), view.layoutState());
    EXPECT_TRUE(other.findChild<QToolButton*>("comparisonDetails")->isChecked());
}

TEST_F(ComparisonRoomTest, ANumberOfTheHeadlineIsNotPartedFromItsUnit) {
    resize(kRoomy);
    QTextDocument headline;
    headline.setHtml(label("comparisonHeadline"));
    const QString text = headline.toPlainText();
    EXPECT_TRUE(text.startsWith("bf16 is 1.32× faster: 35.1\u202Fms per step against "))
        << text.toStdString();
    EXPECT_EQ(text.count(QRegularExpression("[0-9] (ms|GiB|%)")), 0) << text.toStdString();
    EXPECT_TRUE(text.contains(", but launch-bound")) << text.toStdString();
    resize(QSize(2600, kRoomy.height()));
    EXPECT_TRUE(label("comparisonHeadline").contains("87%\u00A0→\u00A029%"))
        << "nor what it was from what became of it";
    EXPECT_TRUE(view.findChild<QLabel*>("comparisonHeadline")->toolTip().isEmpty()) << "all of it stands";
}

TEST_F(ComparisonRoomTest, MovedDividersAreRememberedInMuchAndInLittleRoom) {
    const QVariantMap initial = view.layoutState();
    EXPECT_TRUE(initial.isEmpty()) << "nobody has chosen anything";
    resize(kLow);
    const int before = table()->height();
    test::dragDivider(*panes(), 2, 60);
    EXPECT_LT(table()->height(), before);
    const int low = table()->height();
    resize(kRoomy);
    const int roomy = table()->height();
    EXPECT_GT(roomy, low) << "the low window's divider is not this one's";
    test::dragDivider(*panes(), 3, -50);
    const int dragged = table()->height();
    EXPECT_GT(dragged, roomy);
    resize(kLow);
    EXPECT_NEAR(table()->height(), low, 8);

    ComparisonView other;
    other.resize(kRoomy);
    other.show();
    other.setRuns(view.sideA(), view.sideB());
    other.refreshNow();
    other.applyLayout(view.layoutState());
    QTest::qWait(0);
    other.grab();
    EXPECT_NEAR(other.findChild<DataTable*>("comparisonRows")->height(), dragged, 30);
    view.applyLayout(initial);
    EXPECT_EQ(table()->height(), before) << "it follows the room again";
}

TEST_F(ComparisonRoomTest, ALongNameLeavesRoomForTheFigures) {
    resize(kLow);
    chooseTable(0);
    clickRow(0);
    const QString line = label("comparisonMessage");
    EXPECT_TRUE(line.startsWith("aten::mm")) << line.toStdString();
    EXPECT_TRUE(line.endsWith("×)")) << line.toStdString();
    EXPECT_LT(QFontMetrics(Theme::tableFont()).horizontalAdvance(line), kLow.width()) << line.toStdString();
}

TEST_F(ComparisonRoomTest, TheLegendIsNeverCut) {
    chooseTable(4);
    for (const std::optional<Category> category :
         {std::optional<Category>(), std::optional(Category::kActivations)}) {
        chart()->setCategory(category);
        for (const bool cursor : {false, true}) {
            view.axisOfA().setCursor(
                cursor ? std::optional(view.axisOfA().visibleRange().begin + Nanoseconds(9'000'000))
                       : std::nullopt);
            QStringList former;
            for (const int width : {1600, 640, 460, 410}) {
                chart()->resize(width, 100);
                const QStringList parts = chart()->shownLegend();
                int needed = 96;
                for (const QString& part : parts)
                    needed +=
                        28 + QFontMetrics(Theme::tableFont()).horizontalAdvance(part) + Metrics::kSpace4;
                EXPECT_LE(needed, width + Metrics::kSpace4) << width << parts.join(u'|').toStdString();
                EXPECT_LE(parts.join(QString()).size(),
                          former.isEmpty() ? 1000 : former.join(QString()).size());
                former = parts;
            }
        }
    }
}

TEST_F(ComparisonRoomTest, TabGoesDownThePage) {
    const QStringList page = {"comparisonDetails", "swapRuns",         "closeComparison", "stepOfA",
                              "stepOfB",           "landmarkChooser",  "timelineA",       "timelineB",
                              "comparedPerToken",  "comparisonFilter", "comparisonRows"};
    QStringList reached;
    for (QWidget* part = view.nextInFocusChain(); part != &view; part = part->nextInFocusChain()) {
        if (page.contains(part->objectName()) && part->focusPolicy() & Qt::TabFocus)
            reached << part->objectName();
    }
    EXPECT_EQ(reached, page) << reached.join(u' ').toStdString();
}

TEST_F(ComparisonRoomTest, WhatDiffersIsNotSpokenOfBeforeItIsKnown) {
    auto* details = view.findChild<QToolButton*>("comparisonDetails");
    EXPECT_TRUE(details->isVisible());
    view.setRuns(view.sideA(), view.sideB());
    EXPECT_FALSE(details->isVisible());
    EXPECT_TRUE(details->text().isEmpty() && details->accessibleName().isEmpty());
    EXPECT_FALSE(details->toolTip().contains("precision")) << details->toolTip().toStdString();
    view.setInFigure(true);
    view.setInFigure(false);
    EXPECT_FALSE(details->isVisible());
    view.refreshNow();
    EXPECT_TRUE(details->isVisible());
    EXPECT_EQ(details->accessibleName(), "1 difference");
}

}  // namespace warpglass::ui::comparison_room_test
