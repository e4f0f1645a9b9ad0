#include "ui/timeline/row_arrangement.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui::row_arrangement_test {

using test::nextRandom;

/// The same by one list of all tracks, in which everything is done the long way round.
struct Model {
    struct Track {
        std::string key;
        bool hidden = false, pinned = false;
    };
    std::vector<Track> tracks;

    std::vector<std::string> shown() const {
        std::vector<std::string> result;
        for (const bool pinned : {true, false}) {
            for (const Track& track : tracks) {
                if (track.pinned == pinned && !track.hidden)
                    result.push_back(track.key);
            }
        }
        return result;
    }
    Track& find(const std::string& key) {
        return *std::find_if(tracks.begin(), tracks.end(), [&](const Track& t) { return t.key == key; });
    }
    /// Exchanges neighbors until the track stands where it should.
    void move(const std::string& key, std::size_t position) {
        const Track track = find(key);
        if (track.hidden)
            return;
        std::vector<std::string> likes;
        for (const Track& other : tracks) {
            if (other.key != key && !other.hidden && other.pinned == track.pinned)
                likes.push_back(other.key);
        }
        std::size_t pins = 0;
        for (const Track& other : tracks)
            pins += other.key != key && !other.hidden && other.pinned;
        const std::size_t first = track.pinned ? 0 : pins;
        const std::size_t wanted = position <= first ? 0 : std::min(position - first, likes.size());
        std::vector<std::string> goal = likes;
        goal.insert(goal.begin() + static_cast<std::ptrdiff_t>(wanted), key);
        std::erase_if(tracks, [&](const Track& t) { return t.key == key; });
        std::size_t at = tracks.size();
        if (wanted < likes.size())
            at = static_cast<std::size_t>(&find(likes[wanted]) - tracks.data());
        else if (wanted > 0)
            at = static_cast<std::size_t>(&find(likes[wanted - 1]) - tracks.data()) + 1;
        tracks.insert(tracks.begin() + static_cast<std::ptrdiff_t>(at), track);
    }
};

std::vector<std::string> shownKeys(const RowArrangement& arrangement, const RowArrangement::Keys& keys) {
    std::vector<std::string> result;
    for (const std::size_t i : arrangement.shown(keys))
        result.push_back(keys[i]);
    return result;
}

TEST(RowArrangement, AnyChangesGiveWhatTheModelGives) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        std::uint64_t state = seed;
        const auto random = [&](std::size_t below) {
            return static_cast<std::size_t>(nextRandom(state) % std::max<std::size_t>(below, 1));
        };
        RowArrangement arrangement;
        Model model;
        RowArrangement::Keys keys;
        for (std::size_t i = 0; i < 1 + random(12); ++i) {
            keys.push_back("track " + std::to_string(i));
            model.tracks.push_back({keys.back()});
        }
        for (int change = 0; change < 80; ++change) {
            const std::string key = keys[random(keys.size())];
            switch (random(4)) {
                case 0:
                    model.find(key).hidden = !model.find(key).hidden;
                    arrangement.setHidden(key, !arrangement.isHidden(key));
                    break;
                case 1:
                    model.find(key).pinned = !model.find(key).pinned;
                    arrangement.setPinned(key, !arrangement.isPinned(key));
                    break;
                case 2: {
                    const std::size_t position = random(keys.size() + 2);
                    model.move(key, position);
                    arrangement.move(keys, key, position);
                    break;
                }
                default: {
                    const int by = random(2) == 0 ? -1 : 1;
                    const auto before = model.shown();
                    const auto at = std::find(before.begin(), before.end(), key) - before.begin() + by;
                    const bool possible =
                        !model.find(key).hidden && at >= 0 && at < std::ssize(before) &&
                        model.find(before[static_cast<std::size_t>(at)]).pinned == model.find(key).pinned;
                    if (possible)
                        model.move(key, static_cast<std::size_t>(at));
                    EXPECT_EQ(arrangement.moveBy(keys, key, by), possible);
                }
            }
            ASSERT_EQ(shownKeys(arrangement, keys), model.shown())
                << "seed " << seed << ", change " << change;
            const std::size_t shown = model.shown().size();
            const auto hides = [&](const std::string& key) { return arrangement.isHidden(key); };
            EXPECT_EQ(std::count_if(keys.begin(), keys.end(), hides),
                      static_cast<std::ptrdiff_t>(keys.size() - shown));
        }
        arrangement.reset();
        EXPECT_TRUE(arrangement.isDefault());
        EXPECT_EQ(shownKeys(arrangement, keys), keys);
    }
}

TEST(RowArrangement, ATrackThatAppearsLaterStandsBehindItsNaturalPredecessor) {
    RowArrangement arrangement;
    RowArrangement::Keys keys{"a", "b", "c"};
    arrangement.move(keys, "c", 0);
    ASSERT_EQ(shownKeys(arrangement, keys), (RowArrangement::Keys{"c", "a", "b"}));
    keys = {"first", "a", "after a", "b", "c", "after c"};
    EXPECT_EQ(shownKeys(arrangement, keys),
              (RowArrangement::Keys{"first", "c", "after c", "a", "after a", "b"}));
}

TEST(RowArrangement, AnotherRunsTracksKeepTheirOrder) {
    RowArrangement arrangement;
    const RowArrangement::Keys one{"a", "b", "c"}, two{"x", "a", "y"};
    arrangement.move(one, "c", 0);
    arrangement.move(two, "y", 0);
    EXPECT_EQ(shownKeys(arrangement, two).front(), "y");
    EXPECT_EQ(shownKeys(arrangement, one), (RowArrangement::Keys{"c", "a", "b"}));
}

TEST(RowArrangement, WhatIsKeptIsTakenUpAgain) {
    const RowArrangement::Keys keys{"a", "b", "c", "d"};
    RowArrangement arrangement;
    arrangement.setFolded("a", true);
    arrangement.setHidden("b", true);
    arrangement.setPinned("d", true);
    arrangement.move(keys, "c", 1);
    EXPECT_EQ(RowArrangement(arrangement.lists()), arrangement);
    EXPECT_EQ(shownKeys(RowArrangement(arrangement.lists()), keys), shownKeys(arrangement, keys));
    EXPECT_TRUE(RowArrangement(RowArrangement().lists()).isDefault());
}

TEST(RowArrangement, WhatIsLeftOutForAWhileIsNotKeptAndLeavesTheUsersChoiceAlone) {
    const RowArrangement::Keys keys{"a", "b", "c"};
    RowArrangement arrangement;
    arrangement.setHidden("a", true);
    const RowArrangement before = arrangement;
    arrangement.setLeftOut({"a", "b"});
    EXPECT_EQ(shownKeys(arrangement, keys), RowArrangement::Keys{"c"});
    EXPECT_NE(arrangement, before) << "the rows are laid out anew";
    EXPECT_EQ(RowArrangement(arrangement.lists()), before);
    RowArrangement shown = arrangement;
    shown.setHidden("b", false);
    EXPECT_EQ(shownKeys(shown, keys), (RowArrangement::Keys{"b", "c"}));
    shown.showAll();
    EXPECT_EQ(shownKeys(shown, keys), keys);
    arrangement.setLeftOut({});
    EXPECT_EQ(arrangement, before);
}

TEST(RowArrangement, NonsenseThatWasKeptIsHarmless) {
    const RowArrangement::Keys keys{"a", "b"};
    const RowArrangement twice({{}, {}, {}, {"b", "b", "gone", "a", "b"}});
    EXPECT_EQ(shownKeys(twice, keys), (RowArrangement::Keys{"b", "a"}));
    RowArrangement::Keys many;
    for (std::size_t i = 0; i < 3 * RowArrangement::kMostKept; ++i)
        many.push_back(std::to_string(i));
    EXPECT_EQ(RowArrangement({many, {}, {}, many}).lists().order.size(), RowArrangement::kMostKept);
}

}  // namespace warpglass::ui::row_arrangement_test
