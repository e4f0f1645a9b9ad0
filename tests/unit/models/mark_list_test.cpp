#include "ui/models/mark_list.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/synthetic_trace.h"
#include "ui/models/mark_range.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {
namespace {

TEST(MarkList, DoesWhatAMapDoes) {
    MarkList list;
    std::map<std::int64_t, std::string> map;
    std::uint64_t state = 3;
    for (int i = 0; i < 500; ++i) {
        const Nanoseconds t(static_cast<std::int64_t>(warpglass::test::nextRandom(state) % 60));
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
    list.setText(0, QStringLiteral("a"));
    list.remove(7);
    EXPECT_EQ(changed.count(), 1) << "nothing changed";
    list.setText(0, QStringLiteral("c"));
    list.remove(1);
    EXPECT_EQ(edited.count(), 2);
    changed.clear();
    list.setMarks(list.marks());
    EXPECT_EQ(changed.count(), 1) << "another run may have the same ones";
    EXPECT_EQ(edited.count(), 2);
}

TEST(MarkList, ARangesNoteTellsItsEndToTheDigitsThatItShows) {
    std::uint64_t state = 17;
    for (int i = 0; i < 2000; ++i) {
        const auto upTo = [&state](double digits) {
            const double exponent =
                digits * static_cast<double>(warpglass::test::nextRandom(state) % 1000) / 1000;
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
    const QString words = QStringLiteral("slow: 9.00 ms until 12.000 ms: why?");
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

TEST(MarkList, WithinARangeAreMomentsInItAndRangesOfWhichAnyIsInIt) {
    MarkList list;
    std::vector<RunMark> marks;
    std::uint64_t state = 5;
    const auto below = [&state](std::uint64_t most) {
        return static_cast<std::int64_t>(warpglass::test::nextRandom(state) % most) * 1'000'000;
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
    const std::size_t added = list.add(Nanoseconds(7), QStringLiteral("note"));
    EXPECT_EQ(list.rangeOf(added).duration(), Nanoseconds(0));
    list.setText(added, rangeNote({Nanoseconds(7), Nanoseconds(90'007)}));
    EXPECT_EQ(list.rangeOf(added).end, Nanoseconds(90'007));
}

}  // namespace
}  // namespace warpglass::ui
