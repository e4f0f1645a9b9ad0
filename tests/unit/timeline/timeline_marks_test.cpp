// Marks by keys and mouse.
#include <QLineEdit>
#include <QMenu>

#include "tests/support/first_of.h"
#include "tests/support/has_text.h"
#include "tests/unit/timeline/timeline_view_fixture.h"
#include "ui/models/mark_list.h"

namespace warpglass::ui::timeline_marks_test {

struct TimelineMarks : TimelineViewFixture {
    TimelineMarks() {
        view.setMarks(&marks);
        view.setFocus();
    }
    /// That which is open; one that was closed is deleted later.
    QLineEdit* editor() {
        for (auto* found : view.findChildren<QLineEdit*>("markEditor")) {
            if (!found->isHidden())
                return found;
        }
        return nullptr;
    }
    /// Types into the editor that is open.
    void write(const char* text, Qt::Key end) {
        QTest::keyClicks(test::must(editor()), QString::fromUtf8(text));
        QTest::keyClick(editor(), end);
    }
    void note(std::int64_t time, const char* text) {
        axis.setCursor(Nanoseconds(time));
        key(Qt::Key_M);
        write(text, Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        axis.setCursor(std::nullopt);
    }

    MarkList marks;
};

TEST_F(TimelineMarks, MAsksForANoteAtTheCursor) {
    note(1'000'000, "slow here");
    ASSERT_EQ(marks.marks(), (std::vector<RunMark>{{Nanoseconds(1'000'000), "slow here"}}));
    EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(1'000'000));
    ASSERT_EQ(view.marks().flags().size(), 1u);
    EXPECT_NEAR(view.marks().flags()[0].box.left(), pixelOf(Nanoseconds(1'000'000)), 1.0);
    const QImage with = view.grab().toImage();
    marks.remove(0);
    EXPECT_NE(view.grab().toImage(), with);
}

TEST_F(TimelineMarks, FlagsHaveALaneUnderTheRulerAndTakeNoLabelFromIt) {
    const QRect before = view.plotArea();
    const auto ruler = [this] { return view.grab(QRect(0, 0, view.width(), kRulerHeight - 4)).toImage(); };
    axis.setCursor(std::nullopt);
    const QImage labels = ruler();
    marks.add(Nanoseconds(snapshot->range().end.value / 2), "a note as long as the flag is wide");
    EXPECT_GT(view.plotArea().top(), before.top() + kFlagHeight);
    EXPECT_EQ(view.marks().flags()[0].box.intersected(QRect(0, 0, view.width(), kRulerHeight)), QRect());
    EXPECT_LT(view.marks().flags()[0].box.bottom(), view.plotArea().top());
    EXPECT_EQ(ruler(), labels);
    // What is under the mouse has moved with the rows.
    const SpanRef backward{lane(TrackKind::kPhase, 0), 3};
    QTest::mouseClick(&view, Qt::LeftButton, {},
                      middleOf(backward) + QPoint(0, view.plotArea().top() - before.top()));
    EXPECT_EQ(axis.selectedSpan(), backward);
    marks.remove(0);
    EXPECT_EQ(view.plotArea(), before);
}

TEST_F(TimelineMarks, EscapeDropsANoteAndEnterAloneNumbersIt) {
    axis.setCursor(Nanoseconds(5000));
    key(Qt::Key_M);
    write("no", Qt::Key_Escape);
    EXPECT_TRUE(marks.marks().empty());
    EXPECT_EQ(editor(), nullptr);
    note(5000, "");
    ASSERT_EQ(marks.marks().size(), 1u);
    EXPECT_EQ(marks.marks()[0].text, "mark 1");
}

TEST_F(TimelineMarks, KeysGoFromMarkToMarkEditAndDelete) {
    const std::int64_t end = snapshot->range().end.value;
    note(end / 4, "one");
    note(end / 2, "two");
    note(end * 3 / 4, "three");
    axis.setVisibleRange({Nanoseconds(0), Nanoseconds(end / 8)});
    axis.setPinnedCursor(std::nullopt);
    for (const std::int64_t time : {end / 4, end / 2, end * 3 / 4, end / 4}) {
        key(Qt::Key_N);
        EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(time));
        EXPECT_TRUE(axis.visibleRange().contains(Nanoseconds(time)));
    }
    key(Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(end * 3 / 4));
    key(Qt::Key_E);
    EXPECT_EQ(test::must(editor())->text(), "three");
    write("changed", Qt::Key_Return);
    EXPECT_EQ(marks.marks()[2].text, "changed");
    key(Qt::Key_Delete);
    EXPECT_EQ(marks.marks().size(), 2u);
    key(Qt::Key_Delete);
    EXPECT_EQ(marks.marks().size(), 2u) << "no mark at the cursor";
}

TEST_F(TimelineMarks, AFlagIsClickedEditedAndListed) {
    const std::int64_t end = snapshot->range().end.value;
    note(end / 3, "flag");
    axis.setPinnedCursor(std::nullopt);
    const QPoint at = view.marks().flags()[0].box.center();
    click(at);
    EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(end / 3));
    QTest::mouseDClick(&view, Qt::LeftButton, {}, at);
    ASSERT_NE(editor(), nullptr);
    QTest::keyClick(editor(), Qt::Key_Escape);
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, view.mapToGlobal(at));
    QCoreApplication::sendEvent(&view, &event);
    auto* menu = test::must(view.findChild<QMenu*>("timelineMenu"));
    const QList<QAction*> entries = menu->actions();
    test::firstOf(entries, [](const QAction* entry) {
        return entry->text().startsWith("Delete Mark");
    })->trigger();
    menu->close();
    EXPECT_TRUE(marks.marks().empty());
}

TEST_F(TimelineMarks, FlagsDoNotLieOverEachOther) {
    const std::int64_t end = snapshot->range().end.value;
    std::vector<RunMark> many;
    std::uint64_t state = 9;
    for (int i = 0; i < 400; ++i)
        many.push_back({Nanoseconds(static_cast<std::int64_t>(test::nextRandom(state) %
                                                              static_cast<std::uint64_t>(end))),
                        "a note that is long"});
    marks.setMarks(many);
    const auto flags = view.marks().flags();
    ASSERT_GT(flags.size(), 5u);
    std::size_t marksSeen = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        EXPECT_GE(flags[i].box.width(), 70) << "room for the beginning of a note and a number";
        const QString label = markFlagLabel(flags[i], flags[i].box.width() - 9);
        EXPECT_THAT(label, test::BeginsWith("a "));
        EXPECT_EQ(label.endsWith(QStringLiteral(" +%1").arg(flags[i].marks.size() - 1)),
                  flags[i].marks.size() > 1);
        for (const std::size_t mark : flags[i].marks)
            EXPECT_EQ(mark, marksSeen++);
        if (i > 0) {
            EXPECT_GT(flags[i].box.left(), flags[i - 1].box.right());
        }
        for (const int x : flags[i].lines)
            EXPECT_TRUE(x >= flags[i].box.left() && x <= flags[i].box.right()) << "a line is under its flag";
    }
    EXPECT_EQ(marksSeen, many.size()) << "each in one flag";
    view.grab();
}

TEST_F(TimelineMarks, HoveringAFlagSaysAllThatItStandsFor) {
    const std::int64_t end = snapshot->range().end.value;
    marks.setMarks({{Nanoseconds(end / 2), "first"},
                    {Nanoseconds(end / 2 + 10), "second"},
                    {Nanoseconds(end / 2 + end / 200), "third"},
                    {Nanoseconds(end * 3 / 4), "far away"}});
    const auto flags = view.marks().flags();
    ASSERT_EQ(flags.size(), 2u);
    EXPECT_EQ(flags[0].marks.size(), 3u);
    const QString all = test::toolTipAt(view, flags[0].box.center());
    for (const char* note : {"first", "second", "third"})
        EXPECT_THAT(all, test::HasText(note));
    EXPECT_FALSE(all.contains(QLatin1String("far away")));
    EXPECT_THAT(test::toolTipAt(view, flags[1].box.center()), test::BeginsWith("far away"));
    // A click goes to the first of them, N to the next.
    click(flags[0].box.center());
    EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(end / 2));
    key(Qt::Key_N);
    EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(end / 2 + 10));
}

TEST_F(TimelineMarks, OfARangeTheFlagStaysWhileAnyOfItIsInView) {
    const Nanoseconds begin(1'000'000), end(3'000'000);
    axis.setSelectedRange(TimeRange{begin, end});
    key(Qt::Key_M);
    write("slow", Qt::Key_Return);
    ASSERT_EQ(marks.marks().size(), 1u);
    EXPECT_EQ(marks.marks()[0].time, begin);
    axis.setSelectedRange(std::nullopt);
    const auto flagsIn = [this](TimeRange visible) {
        axis.setVisibleRange(visible);
        return view.marks().flags();
    };
    const QRect plot = view.plotArea();
    const auto ranges = [](int from, int to) { return std::vector<std::pair<int, int>>{{from, to}}; };
    const Nanoseconds before(500'000), within(2'000'000), later(2'500'000), after(3'500'000);
    const auto all = flagsIn({before, after});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NEAR(all[0].box.left(), pixelOf(begin), 1.0);
    EXPECT_EQ(all[0].lines.size(), 1u);
    EXPECT_EQ(all[0].ranges, ranges(static_cast<int>(pixelOf(begin)), static_cast<int>(pixelOf(end))));
    for (const Nanoseconds right : {later, after}) {
        const auto cut = flagsIn({within, right});
        ASSERT_EQ(cut.size(), 1u);
        EXPECT_EQ(cut[0].box.left(), plot.left()) << "it stays in view";
        EXPECT_TRUE(cut[0].text.startsWith("slow · "))
            << "the note before what it reaches: " << cut[0].text.toStdString();
        EXPECT_TRUE(cut[0].lines.empty()) << "it does not begin there";
        EXPECT_EQ(cut[0].ranges, ranges(plot.left(), static_cast<int>(pixelOf(std::min(end, right)))));
        view.grab();
    }
    EXPECT_TRUE(flagsIn({end + Nanoseconds(1000), end + Nanoseconds(500'000)}).empty());
    EXPECT_TRUE(flagsIn({Nanoseconds(0), before}).empty());
    // It is gone to whole: moved to at the zoom that there is, or where that is too near, zoomed out to.
    axis.setVisibleRange({Nanoseconds(1'500'000), Nanoseconds(4'500'000)});
    key(Qt::Key_N);
    EXPECT_EQ(axis.visibleRange(), (TimeRange{Nanoseconds(500'000), Nanoseconds(3'500'000)}));
    EXPECT_EQ(axis.pinnedCursor(), begin);
    axis.setVisibleRange({within, later});
    key(Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(axis.visibleRange(), (TimeRange{begin, end}));
    axis.setVisibleRange({before, after});
    key(Qt::Key_N);
    EXPECT_EQ(axis.visibleRange(), (TimeRange{before, after})) << "all of it was in view";
}

TEST_F(TimelineMarks, WithoutAListKeysDoNothing) {
    view.setMarks(nullptr);
    key(Qt::Key_M);
    EXPECT_EQ(editor(), nullptr);
    EXPECT_TRUE(view.marks().flags().empty());
}

}  // namespace warpglass::ui::timeline_marks_test
