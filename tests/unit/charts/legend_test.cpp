// Legends wrap: nothing is left out, and nothing lies over anything else.
#include "ui/theme/legend.h"

#include <gtest/gtest.h>

#include "ui/theme/theme.h"

namespace warpglass::ui::legend_test {

std::vector<LegendEntry> entries() {
    std::vector<LegendEntry> all;
    for (const char* name : {"weights", "gradients", "optimizer", "input", "activations", "temporaries",
                             "workspace", "blocks.11.attn.output_proj"})
        all.push_back({Qt::red, QString::fromLatin1(name)});
    return all;
}

TEST(Legend, EveryEntryHasAPlaceWithinTheWidth) {
    const std::vector<LegendEntry> all = entries();
    for (const double width : {220.0, 300.0, 413.0, 900.0, 5000.0}) {
        const std::vector<QRectF> places = legendPlaces(all, Theme::tableFont(), width);
        ASSERT_EQ(places.size(), all.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            EXPECT_LE(places[i].right(), width) << all[i].name.toStdString();
            EXPECT_GE(places[i].left(), 0);
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_FALSE(places[i].intersects(places[k]));
        }
        EXPECT_EQ(legendHeight(all, Theme::tableFont(), width), places.back().bottom());
    }
    EXPECT_EQ(legendHeight(all, Theme::tableFont(), 5000), kLegendRow);
    EXPECT_GT(legendHeight(all, Theme::tableFont(), 220), 2 * kLegendRow);
    EXPECT_EQ(legendHeight({}, Theme::tableFont(), 220), 0);
}

TEST(Legend, InOneRowWhatCountsLeastGivesWay) {
    const std::vector<LegendEntry> all = entries();
    const std::vector<double> weights = {5, 1, 8, 2, 9, 3, 4, 7};
    const QFont font = Theme::tableFont();
    EXPECT_EQ(inOneRow(all, weights, font, 5000), all);
    EXPECT_TRUE(inOneRow({}, {}, font, 300).empty());
    for (const double width : {220.0, 300.0, 413.0}) {
        const std::vector<LegendEntry> shown = inOneRow(all, weights, font, width);
        EXPECT_EQ(legendHeight(shown, font, width), kLegendRow);
        EXPECT_EQ(shown.back().name, "…") << "it says that there are more";
        EXPECT_LE(legendPlaces(shown, font, width).back().right(), width);
        ASSERT_GE(shown.size(), 3u);
        EXPECT_EQ(shown[0].name, all[2].name) << "in their order";
        EXPECT_EQ(shown[1].name, all[4].name);
    }
}

TEST(Legend, OneThatIsTooWideStandsAloneInItsRow) {
    const std::vector<QRectF> places = legendPlaces(entries(), Theme::tableFont(), 40);
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(places[i].left(), 0);
        EXPECT_EQ(places[i].top(), static_cast<double>(i) * kLegendRow);
    }
}

TEST(Legend, TheStripAsksForTheRowsItNeeds) {
    LegendStrip strip;
    strip.setEntries(entries());
    EXPECT_EQ(strip.heightForWidth(strip.sizeHint().width()), static_cast<int>(kLegendRow));
    EXPECT_GT(strip.heightForWidth(200), static_cast<int>(2 * kLegendRow));
}

}  // namespace warpglass::ui::legend_test
