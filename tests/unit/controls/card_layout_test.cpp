// Cards in rows: as many as fit, evenly, over the whole width.
#include "ui/controls/card_layout.h"

#include <gtest/gtest.h>

#include <QWidget>

namespace warpglass::ui::card_layout_test {

struct CardLayoutTest : testing::Test {
    CardLayoutTest() {
        page.setLayout(layout);
        for (int i = 0; i < 6; ++i) {
            cards << new QWidget(&page);
            cards.back()->setMinimumSize(20, 30 + 10 * i);
            layout->addWidget(cards.back());
        }
        page.setAttribute(Qt::WA_DontShowOnScreen);
        page.show();
    }
    /// Cards by the y of their row.
    std::map<int, int> rowsAt(int width) {
        page.resize(width, 2000);
        layout->activate();
        std::map<int, int> rows;
        for (const QWidget* card : cards) {
            if (!card->isHidden())
                ++rows[card->y()];
        }
        return rows;
    }
    QWidget page;
    CardLayout* layout = new CardLayout(100);
    QList<QWidget*> cards;
};

TEST_F(CardLayoutTest, AsManyStandInARowAsHaveTheirWidthAndRowsAreEven) {
    for (const auto& [width, first, rows] :
         {std::tuple(700, 6, 1u), {600, 3, 2u}, {330, 3, 2u}, {310, 2, 3u}, {150, 1, 6u}, {40, 1, 6u}}) {
        const auto found = rowsAt(width);
        EXPECT_EQ(found.size(), rows) << width;
        EXPECT_EQ(found.begin()->second, first) << width;
    }
    cards[4]->hide();
    cards[5]->hide();
    cards[3]->hide();
    const auto three = rowsAt(250);  // two and one, which takes the whole row
    ASSERT_EQ(three.size(), 2u);
    EXPECT_EQ(cards[2]->width(), 250);
    EXPECT_EQ(cards[0]->geometry().right() + layout->spacing() + 1, cards[1]->x());
}

TEST_F(CardLayoutTest, NothingOverlapsAndTheHeightIsWhatItTakes) {
    for (int width = 40; width < 900; width += 37) {
        rowsAt(width);
        int bottom = 0;
        for (const QWidget* card : cards) {
            EXPECT_GE(card->height(), card->minimumHeight());
            EXPECT_LE(card->geometry().right(), width);
            bottom = std::max(bottom, card->geometry().bottom() + 1);
            for (const QWidget* other : cards)
                EXPECT_TRUE(card == other || !card->geometry().intersects(other->geometry())) << width;
        }
        EXPECT_EQ(bottom, layout->heightForWidth(width)) << width;
    }
}

}  // namespace warpglass::ui::card_layout_test
