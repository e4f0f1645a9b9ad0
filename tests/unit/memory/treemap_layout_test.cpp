// Areas, cover and shape of squarified treemaps; the example of the paper.
#include "ui/memory/treemap_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui::treemap_layout_test {

TEST(Squarify, TheExampleOfThePaper) {
    // Section 3.1: areas 6, 6, 4, 3, 2, 2, 1 in a rectangle of 6 × 4; the rows come out as in its figure 4.
    const auto rects = squarify({6, 6, 4, 3, 2, 2, 1}, QRectF(0, 0, 6, 4));
    ASSERT_EQ(rects.size(), 7u);
    const auto expect = [&](std::size_t i, double x, double y, double w, double h) {
        EXPECT_NEAR(rects[i].x(), x, 1e-9) << i;
        EXPECT_NEAR(rects[i].y(), y, 1e-9) << i;
        EXPECT_NEAR(rects[i].width(), w, 1e-9) << i;
        EXPECT_NEAR(rects[i].height(), h, 1e-9) << i;
    };
    expect(0, 0, 0, 3, 2);
    expect(1, 0, 2, 3, 2);
    expect(2, 3, 0, 12.0 / 7, 7.0 / 3);
    expect(3, 3 + 12.0 / 7, 0, 9.0 / 7, 7.0 / 3);
    expect(4, 3, 7.0 / 3, 1.2, 5.0 / 3);
}

TEST(Squarify, FillsTheAreaWithoutOverlapAndInProportion) {
    std::uint64_t seed = 11;
    for (int probe = 0; probe < 40; ++probe) {
        std::vector<double> values(1 + test::nextRandom(seed) % 60);
        for (double& value : values)
            value = static_cast<double>(1 + test::nextRandom(seed) % (probe % 2 ? 100 : 1'000'000));
        std::sort(values.rbegin(), values.rend());
        const double all = std::accumulate(values.begin(), values.end(), 0.0);
        const QRectF area(7, 11, 300 + probe * 10, 200);
        const auto rects = squarify(values, area);
        ASSERT_EQ(rects.size(), values.size());
        const double scale = area.width() * area.height() / all;
        for (std::size_t i = 0; i < rects.size(); ++i) {
            EXPECT_NEAR(rects[i].width() * rects[i].height(), values[i] * scale, 1e-3);
            EXPECT_TRUE(area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(rects[i]));
            for (std::size_t k = 0; k < i; ++k) {
                const QRectF both = rects[i].intersected(rects[k]);
                EXPECT_LT(std::max(0.0, both.width()) * std::max(0.0, both.height()), 1e-6);
            }
        }
    }
}

TEST(Squarify, EqualValuesAreNearlySquare) {
    for (const QRectF& rect : squarify(std::vector<double>(36, 1.0), QRectF(0, 0, 600, 600)))
        EXPECT_LT(std::max(rect.width() / rect.height(), rect.height() / rect.width()), 1.01);
}

TEST(Squarify, NoAreaIsNoRectangle) {
    EXPECT_TRUE(squarify({}, QRectF(0, 0, 5, 5)).empty());
    const auto flat = squarify({3, 2}, QRectF(0, 0, 0, 5));
    ASSERT_EQ(flat.size(), 2u);
    EXPECT_TRUE(flat[0].isEmpty());
}

}  // namespace warpglass::ui::treemap_layout_test
