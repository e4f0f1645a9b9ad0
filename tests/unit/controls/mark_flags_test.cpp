// Flags of marks: which mark is counted in which, and how wide each is.
#include "ui/controls/mark_flags.h"

#include <gtest/gtest.h>

#include <QFontMetrics>
#include <algorithm>
#include <random>

namespace warpglass::ui::mark_flags_test {

constexpr FlagLane kLane{3, 1199};
constexpr int kReadable = 76, kNarrowest = 24, kWidest = 420;
/// What a flag's box has beside its text; the text is painted in a pixel more.
constexpr int kPadding = 10;

int advance(const QString& text) {
    return QFontMetrics(markFlagFont()).horizontalAdvance(text);
}

QString labelOf(const MarkFlag& flag) {
    return markFlagLabel(flag, flag.box.width() - kPadding + 1);
}

MarkPlace at(std::size_t mark, int x) {
    return {mark, x, true, {}};
}

TEST(MarkFlags, ANoteTakesTheRoomThatThereIs) {
    const QString note = "the optimizer waits here for the last copy";
    const auto noteOf = [&note](std::size_t) { return note; };
    const int wide = advance(note) + kPadding;
    ASSERT_TRUE(wide > 2 * kReadable && wide < kWidest) << wide;
    auto flags = layMarkFlags({at(0, 100)}, noteOf, kLane);
    ASSERT_EQ(flags.size(), 1u);
    EXPECT_EQ(flags[0].box, QRect(100, kLane.top, wide, kFlagHeight));
    EXPECT_EQ(labelOf(flags[0]), note);

    // As far as the next one, or the lane's end.
    flags = layMarkFlags({at(0, 100), at(1, 100 + wide - 20), at(2, kLane.right - wide + 20)}, noteOf, kLane);
    ASSERT_EQ(flags.size(), 3u);
    EXPECT_EQ(flags[0].box.right(), flags[1].box.left() - 1);
    EXPECT_TRUE(labelOf(flags[0]).startsWith("the optimizer"));
    EXPECT_TRUE(labelOf(flags[0]).endsWith("…"));
    EXPECT_EQ(labelOf(flags[1]), note);
    EXPECT_EQ(flags[2].box.right(), kLane.right);
    EXPECT_TRUE(labelOf(flags[2]).endsWith("…"));
    // Where there is too little even for its beginning, it reaches back over its line.
    flags = layMarkFlags({at(0, kLane.right - 5)}, noteOf, kLane);
    EXPECT_EQ(flags[0].box.width(), kReadable);
    EXPECT_EQ(flags[0].box.right(), kLane.right);
    EXPECT_EQ(flags[0].lines, std::vector<int>{kLane.right - 5});
    EXPECT_TRUE(labelOf(flags[0]).endsWith("…"));
    // Not over the one before, which counts it where there is too little left.
    flags = layMarkFlags({at(0, kLane.right - 85), at(1, kLane.right - 5)}, noteOf, kLane);
    ASSERT_EQ(flags.size(), 1u);
    EXPECT_EQ(flags[0].box, QRect(kLane.right - 85, kLane.top, 86, kFlagHeight));
    EXPECT_EQ(flags[0].marks, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(flags[0].lines, (std::vector<int>{kLane.right - 85, kLane.right - 5}));
    EXPECT_TRUE(labelOf(flags[0]).endsWith("… +1"));

    const auto longer = [](std::size_t) { return QString(900, QLatin1Char('m')); };
    flags = layMarkFlags({at(0, 100)}, longer, kLane);
    EXPECT_EQ(flags[0].box.width(), kWidest);
    EXPECT_TRUE(labelOf(flags[0]).endsWith("…"));
}

TEST(MarkFlags, AreAsWideAsTheirTextOrTheRoomAndCountWhatIsTooNear) {
    std::mt19937 random(7);
    const auto below = [&random](int most) {
        return static_cast<int>(random() % static_cast<unsigned>(most));
    };
    for (int round = 0; round < 300; ++round) {
        std::vector<MarkPlace> places(static_cast<std::size_t>(1 + below(round % 2 == 0 ? 12 : 200)));
        std::vector<int> xs(places.size());
        std::generate(xs.begin(), xs.end(), [&] { return below(kLane.right + 1); });
        std::sort(xs.begin(), xs.end());
        std::vector<QString> notes(places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            places[i] = at(i, xs[i]);
            notes[i] = QString(below(90), QLatin1Char('e'));
        }
        std::size_t asked = 0;
        const auto noteOf = [&](std::size_t mark) {
            ++asked;
            return notes[mark];
        };
        const auto flags = layMarkFlags(places, noteOf, kLane);
        std::size_t seen = 0, counted = 0;
        for (std::size_t i = 0; i < flags.size(); ++i) {
            const MarkFlag& flag = flags[i];
            const std::size_t first = seen, end = first + flag.marks.size();
            const int left = xs[first];
            EXPECT_EQ(flag.text, notes[first]);
            const auto wants = [&](std::size_t from, std::size_t marks) {
                const QString rest = marks > 1 ? QStringLiteral(" +%1").arg(marks - 1) : QString();
                return std::clamp(advance(notes[from]) + advance(rest) + kPadding, kNarrowest, kWidest);
            };
            const bool last = i + 1 == flags.size();
            std::size_t far = end;  // the first that is not near enough
            for (; seen < end; ++seen) {
                ASSERT_EQ(flag.marks[seen - first], seen);
                if (seen > first && far == end &&
                    xs[seen] - left >= std::min(kReadable, wants(first, seen - first)))
                    far = seen;
            }
            if (far < end) {  // a flag of its own would have been too narrow
                ++counted;
                EXPECT_TRUE(last);
                const int free = left + std::min(wants(first, far - first), xs[far] - left);
                EXPECT_LT(kLane.right - free + 1, std::min(kReadable, wants(far, end - far)));
                EXPECT_EQ(flag.box.left(), left);
                EXPECT_EQ(flag.box.right(), kLane.right);
                continue;
            }
            const int room =
                last ? std::max(kLane.right - left + 1, kReadable) : flags[i + 1].box.left() - left;
            const int width = std::min(wants(first, end - first), room);
            const int beyond = std::max(0, left + width - 1 - kLane.right);
            const int free = i > 0 ? flags[i - 1].box.right() + 1 : 0;
            EXPECT_EQ(flag.box.left(), beyond > 0 ? std::max(free, left - beyond) : left);
            EXPECT_EQ(flag.box.right(), left + width - 1 - beyond);
            if (i > 0) {
                EXPECT_GE(flag.box.width(), std::min(kReadable, wants(first, end - first)))
                    << "not counted in it";
            }
        }
        EXPECT_EQ(asked, flags.size() + counted);
        ASSERT_EQ(seen, places.size());
    }
}

TEST(MarkFlags, OfThousandsInOnePlaceAskForOneNote) {
    std::vector<MarkPlace> places;
    for (std::size_t i = 0; i < 10'000; ++i)
        places.push_back({i, 50, false, 50 + static_cast<int>(i % 300)});
    int asked = 0;
    const auto flags = layMarkFlags(
        places,
        [&asked](std::size_t) {
            ++asked;
            return QStringLiteral("slow");
        },
        kLane);
    ASSERT_EQ(flags.size(), 1u);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(labelOf(flags[0]), "slow +9999");
    EXPECT_EQ(flags[0].ranges.size(), places.size());
    EXPECT_TRUE(flags[0].lines.empty()) << "they began before what is in view";
}

}  // namespace warpglass::ui::mark_flags_test
