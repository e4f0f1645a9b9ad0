// Labels against boxes and lines, compared with points tried one by one.
#include "ui/charts/label_room.h"

#include <gtest/gtest.h>

#include <random>

namespace warpglass::ui::label_room_test {

TEST(LabelRoom, ALineMeetsABoxWhereOneOfItsPointsIsInIt) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> at(0, 100), size(1, 40);
    int met = 0;
    for (int i = 0; i < 4000; ++i) {
        const QRectF box(at(random), at(random), size(random), size(random));
        QLineF line(at(random), at(random), at(random), at(random));
        if (i % 5 == 0)
            line.setP2({line.x1(), line.y2()});
        if (i % 7 == 0)
            line.setP2({line.x2(), line.y1()});
        bool inside = false;
        for (int k = 0; k <= 4000 && !inside; ++k)
            inside = box.contains(line.pointAt(k / 4000.0));
        met += inside;
        // A line that only grazes a corner may lie between two of the points.
        if (inside)
            EXPECT_TRUE(LabelRoom::meets(box, line));
        else
            EXPECT_FALSE(LabelRoom::meets(box.adjusted(0.1, 0.1, -0.1, -0.1), line));
    }
    EXPECT_GT(met, 500);
    EXPECT_LT(met, 3500);
}

TEST(LabelRoom, WhatIsTakenIsNotFreeAndNothingIsBeyondTheArea) {
    LabelRoom room(QRectF(0, 0, 100, 100));
    const QRectF box(10, 10, 20, 10);
    EXPECT_TRUE(room.isFree(box));
    EXPECT_FALSE(room.isFree(box.translated(-11, 0)));
    room.takeLine({0, 0, 100, 40});
    EXPECT_TRUE(room.isFree(box.translated(0, 20)));
    EXPECT_FALSE(room.isFree(box.translated(20, 0)));
    room.takeBox(QRectF(60, 60, 20, 20));
    EXPECT_FALSE(room.isFree(QRectF(70, 70, 5, 5)));
    EXPECT_FALSE(room.isFree(QLineF(50, 50, 90, 90)));
    EXPECT_TRUE(room.isFree(QLineF(0, 50, 50, 100)));
}

}  // namespace warpglass::ui::label_room_test
