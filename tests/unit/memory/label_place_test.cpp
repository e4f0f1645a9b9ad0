// Where labels over a chart go.
#include "ui/memory/label_place.h"

#include <gtest/gtest.h>

#include <random>

namespace warpglass::ui::label_place_test {

constexpr QRectF kArea(0, 0, 200, 100);

TEST(LabelPlaceTest, TheFirstOfTheFreePlacesIsTaken) {
    LabelPlace place(kArea);
    const QRectF a(10, 10, 40, 12), b(60, 10, 40, 12);
    EXPECT_EQ(place.place({a, b}), a);
    EXPECT_EQ(place.place({a, b}), b) << "a label lies there now";
    place.addLine(16);
    EXPECT_EQ(place.place({QRectF(110, 10, 40, 12), QRectF(110, 40, 40, 12)}), QRectF(110, 40, 40, 12));
    place.addShape([](const QRectF& box) { return box.contains(130, 60); });
    EXPECT_EQ(place.place({QRectF(110, 55, 40, 12), QRectF(10, 70, 40, 12)}), QRectF(10, 70, 40, 12));
    EXPECT_EQ(place.place({QRectF(120, 55, 40, 12), QRectF(60, 11, 40, 12), QRectF(150, 10, 40, 12)}),
              QRectF(150, 10, 40, 12))
        << "on a line rather than on a shape";
}

TEST(LabelPlaceTest, ALineIsCoveredBeforeALabelAndNothingLeavesTheArea) {
    LabelPlace place(kArea);
    place.keepFree(QRectF(10, 10, 40, 12));
    place.addLine(50);
    EXPECT_EQ(place.place({QRectF(20, 12, 40, 12), QRectF(20, 44, 40, 12)}), QRectF(20, 44, 40, 12));
    EXPECT_EQ(place.place({QRectF(190, -20, 40, 12)}), QRectF(160, 0, 40, 12));
}

TEST(LabelPlaceTest, ALabelThatMayBeLeftOutCoversNothingAndLiesWithinTheArea) {
    LabelPlace place(kArea);
    place.addLine(50);
    const QRectF onLine(10, 44, 40, 12), outside(190, 10, 40, 12), free(10, 70, 40, 12);
    EXPECT_EQ(place.placeFree({onLine, outside}), std::nullopt);
    EXPECT_EQ(place.placeFree({onLine, free}), free);
    EXPECT_EQ(place.placeFree({free}), std::nullopt) << "a label lies there now";
}

TEST(LabelPlaceTest, IsNeverOverALabelWhereOneOfThePlacesIsNot) {
    std::mt19937 random(5);
    const auto box = [&random] {
        return QRectF(static_cast<int>(random() % 160), static_cast<int>(random() % 88), 40, 12);
    };
    for (int round = 0; round < 2000; ++round) {
        LabelPlace place(kArea);
        std::vector<QRectF> taken;
        for (int i = 0; i < 5; ++i) {
            taken.push_back(box());
            place.keepFree(taken.back());
            place.addLine(static_cast<int>(random() % 100));
        }
        const QRectF a = box(), b = box(), c = box();
        const auto isFree = [&](const QRectF& one) {
            return std::none_of(taken.begin(), taken.end(),
                                [&](const QRectF& other) { return one.intersects(other); });
        };
        const QRectF chosen = place.place({a, b, c});
        EXPECT_EQ(isFree(chosen), isFree(a) || isFree(b) || isFree(c)) << round;
    }
}

}  // namespace warpglass::ui::label_place_test
