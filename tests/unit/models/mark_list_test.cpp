#include "ui/models/mark_list.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/synthetic_trace.h"
#include "ui/models/mark_range.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::mark_list_test {

TEST(MarkList, DoesWhatAMapDoes) {
    MarkList list;
    std::map<std::int64_t, std::string> map;
    std::uint64_t state = 3;
    for (int i = 0; i < 500; ++i) {
        const Nanoseconds t(static_cast<std::int64_t>(test::nextRandom(state) % 60));
        const auto found = list.at(t);
        ASSERT_EQ(found.has_value(), map.contains(t.value));
        if (i % 3 == 0 && found) {
            list.remove(*found);
            map.erase(t.value);
        } else {
            const QString text = QStringLiteral("note %1").arg(i);
            EXPECT_EQ(list.marks()[list.add(t, text)].time, t);
            map[t.value] = text.toStdString();
        }
        std::vector<RunMark> expected;
        for (const auto& [time, text] : map)
            expected.push_back({Nanoseconds(time), text});
        ASSERT_EQ(list.marks(), expected);
        if (map.empty()) {
            EXPECT_FALSE(list.next(t) || list.previous(t));
            continue;
        }
        const auto after = map.upper_bound(t.value);
        EXPECT_EQ(list.marks()[*list.next(t)].time.value, (after == map.end() ? map.begin() : after)->first);
        auto before = map.lower_bound(t.value);
        before = before == map.begin() ? std::prev(map.end()) : std::prev(before);
        EXPECT_EQ(list.marks()[*list.previous(t)].time.value, before->first);
    }
}

TEST(MarkList, TellsEditsFromAnotherRunsMarks) {
    MarkList list;
    QSignalSpy changed(&list, &MarkList::changed), edited(&list, &MarkList::edited);
    list.setMarks({{Nanoseconds(9), "b"}, {Nanoseconds(2), "a"}});
    EXPECT_EQ(list.marks()[0].text, "a");
    EXPECT_EQ(changed.count(), 1);
    EXPECT_EQ(edited.count(), 0);
    list.setText(0, "a");
    list.remove(7);
    EXPECT_EQ(changed.count(), 1) << "nothing changed";
    list.setText(0, "c");
    list.remove(1);
    EXPECT_EQ(edited.count(), 2);
    changed.clear();
    list.setMarks(list.marks());
    EXPECT_EQ(changed.count(), 1) << "another run may have the same ones";
    EXPECT_EQ(edited.count(), 2);
}

TEST(MarkList, PutsBackWhatWasRemovedLastAsItWas) {
    MarkList list;
    QSignalSpy removed(&list, &MarkList::removedChanged), edited(&list, &MarkList::edited);
    const TimeRange range{Nanoseconds(5'000'000), Nanoseconds(8'000'000)};
    const std::vector<RunMark> marks{{Nanoseconds(2), "a"},
                                     {range.begin, (rangeNote(range) + QStringLiteral("slow")).toStdString()},
                                     {Nanoseconds(9'000'000), "c"}};
    list.setMarks(marks);
    EXPECT_EQ(list.removed(), nullptr);
    list.restore();
    EXPECT_EQ(list.marks(), marks);
    list.remove(0);
    list.remove(0);
    ASSERT_NE(list.removed(), nullptr);
    EXPECT_EQ(*list.removed(), marks[1]);
    list.restore();
    EXPECT_EQ(list.marks(), (std::vector<RunMark>{marks[1], marks[2]}));
    EXPECT_EQ(list.rangeOf(0).begin, range.begin);
    EXPECT_GT(list.rangeOf(0).end, range.begin);
    EXPECT_EQ(edited.count(), 3) << "to be kept again";
    EXPECT_EQ(list.removed(), nullptr) << "once";
    list.restore();
    EXPECT_EQ(list.marks().size(), 2u);

    list.remove(1);
    ASSERT_NE(list.removed(), nullptr);
    list.add(marks[2].time, "another");
    EXPECT_EQ(list.removed(), nullptr) << "its place may be taken";
    list.remove(0);
    removed.clear();
    list.setMarks({});
    EXPECT_EQ(list.removed(), nullptr) << "it is another run's";
    EXPECT_EQ(removed.count(), 1);
}

TEST(MarkList, ARangesNoteTellsItsEndToTheDigitsThatItShows) {
    std::uint64_t state = 17;
    for (int i = 0; i < 2000; ++i) {
        const auto upTo = [&state](double digits) {
            const double exponent = digits * static_cast<double>(test::nextRandom(state) % 1000) / 1000;
            return static_cast<std::int64_t>(std::pow(10, exponent));
        };
        const std::int64_t begin = upTo(12), length = upTo(12.5);
        const TimeRange range{Nanoseconds(begin), Nanoseconds(begin + length)};
        for (const QString& note : {QString(), QStringLiteral("slow: 5.00 ms until 7.000 ms: all of it")}) {
            const QString text = rangeNote(range) + note;
            const auto end = endOfRange({range.begin, text.toStdString()});
            // Three digits of how long it lasts, or a microsecond of when it ends: whichever is finer. Beyond
            // a minute a duration is written in seconds, and beyond an hour in minutes.
            const std::int64_t least = std::min<std::int64_t>(1'000, 1 + length / 190);
            if (!end) {
                EXPECT_LT(length, 1'000) << text.toStdString();
                continue;
            }
            EXPECT_NEAR(static_cast<double>(end->value), static_cast<double>(range.end.value),
                        static_cast<double>(least))
                << text.toStdString();
        }
    }
    for (const char* text : {"", "slow", " until ", "slow until 5.000 ms: x", "3.00 ms until then: x",
                             "3.00 ms until 5.000 ms and more", "3.00 ms until 0.001 ms: it ended before",
                             "9999999999999999999999 h until 9999999999999999999999 h: x"})
        EXPECT_FALSE(endOfRange({Nanoseconds(1'000'000'000), text})) << text;
    // A person may write an ordinary space.
    EXPECT_EQ(endOfRange({Nanoseconds(2'000'000), "3.00 ms until 5.000 ms"}), Nanoseconds(5'000'000));
    EXPECT_EQ(endOfRange({Nanoseconds(0), "2 min 5 s until 125.000000 s: x"}), Nanoseconds(125'000'000'000));
}

TEST(MarkList, OtherWordsInANoteLeaveTheRangeThatItTells) {
    const TimeRange range{Nanoseconds(2'000'000), Nanoseconds(5'000'000)};
    const QString words = "slow: 9.00 ms until 12.000 ms: why?";
    for (const QString& before : {QString(), QStringLiteral("old")}) {
        // As the editor leaves it, without the space at its end.
        const RunMark mark{range.begin, (rangeNote(range) + before).trimmed().toStdString()};
        ASSERT_EQ(endOfRange(mark), range.end);
        EXPECT_EQ(wordsOfNote(mark), before);
        const RunMark changed{range.begin, noteWithWords(mark, words).toStdString()};
        EXPECT_EQ(endOfRange(changed), range.end);
        EXPECT_EQ(wordsOfNote(changed), words);
        const RunMark cleared{range.begin, noteWithWords(changed, {}).toStdString()};
        EXPECT_EQ(endOfRange(cleared), range.end);
        EXPECT_EQ(wordsOfNote(cleared), QString());
    }
    const RunMark moment{Nanoseconds(2'000'000), "3.00 ms until 1.000 ms: it ended before"};
    EXPECT_EQ(wordsOfNote(moment), toQString(moment.text));
    EXPECT_EQ(noteWithWords(moment, words), words);
    EXPECT_EQ(noteWithWords({Nanoseconds(3), "old"}, {}), QString());
}

TEST(MarkList, WhereRoomIsShortTheWordsComeBeforeTheRangeThatTheyAreOf) {
    const TimeRange range{Nanoseconds(2'000'000), Nanoseconds(5'000'000)};
    QString reached = rangeNote(range);
    reached.chop(2);  // the colon and the space after it
    const auto first = [&range](const QString& note) {
        return noteWordsFirst({range.begin, note.toStdString()});
    };
    EXPECT_EQ(first(reached + QStringLiteral(": slow: why?")), QStringLiteral("slow: why? · ") + reached);
    for (const char* end : {"", ":", ": "})
        EXPECT_EQ(first(reached + QLatin1String(end)), reached);
    for (const char* note : {"slow", "", "slow · 3.00 ms until 5.000 ms", "3.00 ms until 1.000 ms: before"})
        EXPECT_EQ(first(QString::fromUtf8(note)), QString::fromUtf8(note)) << "of a moment";
}

TEST(MarkList, WithinARangeAreMomentsInItAndRangesOfWhichAnyIsInIt) {
    MarkList list;
    std::vector<RunMark> marks;
    std::uint64_t state = 5;
    const auto below = [&state](std::uint64_t most) {
        return static_cast<std::int64_t>(test::nextRandom(state) % most) * 1'000'000;
    };
    for (int i = 0; i < 200; ++i) {
        const Nanoseconds begin(below(100) + i * 1000);
        const Nanoseconds end = begin + Nanoseconds(i % 3 == 0 ? 0 : 1'000'000 + below(20));
        marks.push_back({begin, end > begin ? rangeNote({begin, end}).toStdString() : "moment"});
    }
    list.setMarks(marks);
    for (int i = 0; i < 300; ++i) {
        const Nanoseconds begin(below(100)), end = begin + Nanoseconds(below(30));
        std::vector<std::size_t> expected;
        for (std::size_t m = 0; m < list.marks().size(); ++m) {
            const TimeRange range = list.rangeOf(m);
            if (range.begin <= end && (range.begin >= begin || range.end > begin))
                expected.push_back(m);
        }
        EXPECT_EQ(list.within({begin, end}), expected);
    }
    // Edits tell of it too.
    const std::size_t added = list.add(Nanoseconds(7), "note");
    EXPECT_EQ(list.rangeOf(added).duration(), Nanoseconds(0));
    list.setText(added, rangeNote({Nanoseconds(7), Nanoseconds(90'007)}));
    EXPECT_EQ(list.rangeOf(added).end, Nanoseconds(90'007));
}

TEST(MarkList, AFlagsNoteIsOfTheNoteAsItIsNow) {
    MarkList list;
    const TimeRange range{Nanoseconds(5'000'000), Nanoseconds(8'000'000)};
    const std::string ofRange = rangeNote(range).toStdString();
    list.setMarks({{Nanoseconds(9'000'000), "moment"}, {range.begin, ofRange + "slow"}});
    const auto expectTrue = [&list](std::size_t marks) {
        ASSERT_EQ(list.marks().size(), marks);
        for (std::size_t i = 0; i < marks; ++i)
            EXPECT_EQ(list.flagNoteOf(i), noteWordsFirst(list.marks()[i])) << i;
    };
    expectTrue(2);
    EXPECT_TRUE(list.flagNoteOf(0).startsWith("slow · "));
    list.add(Nanoseconds(3), "first");
    expectTrue(3);
    list.setText(1, toQString(ofRange + "slower"));
    expectTrue(3);
    EXPECT_TRUE(list.flagNoteOf(1).startsWith("slower · "));
    list.remove(0);
    expectTrue(2);
    list.restore();
    expectTrue(3);
    list.setMarks({});
    expectTrue(0);
}

}  // namespace warpglass::ui::mark_list_test
