#include "ui/models/mark_list.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <map>

#include "tests/support/synthetic_trace.h"

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

}  // namespace
}  // namespace warpglass::ui
