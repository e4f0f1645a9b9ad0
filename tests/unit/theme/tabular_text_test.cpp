#include "ui/theme/tabular_text.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "ui/theme/theme.h"

namespace warpglass::ui::tabular_text_test {

TEST(TabularText, EqualNumbersOfDigitsAreEquallyWide) {
    const QFontMetricsF metrics(Theme::tableFont());
    const qreal width = tabularWidth(metrics, "111.11");
    for (const char* number : {"000.00", "888.88", "417.93", "999.11"})
        EXPECT_DOUBLE_EQ(tabularWidth(metrics, QString::fromLatin1(number)), width) << number;
    EXPECT_LT(tabularWidth(metrics, "11.11"), width);
}

/// Leftmost and rightmost inked column.
std::pair<int, int> inkOf(const QString& text, Qt::Alignment alignment) {
    QImage image(200, 30, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(Theme::tableFont());
    painter.setPen(Qt::black);
    drawTabular(painter, QRectF(10, 0, 180, 30), alignment, text);
    painter.end();
    int left = 200, right = -1;
    for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 200; ++x) {
            if (qGray(image.pixel(x, y)) < 128) {
                left = std::min(left, x);
                right = std::max(right, x);
            }
        }
    }
    return {left, right};
}

TEST(TabularText, StandsAtTheSideAskedFor) {
    const auto [left, right] = inkOf("4.06 µs", Qt::AlignRight);
    EXPECT_NEAR(right, 190, 2);
    EXPECT_GT(left, 120);
    EXPECT_NEAR(inkOf("4.06 µs", Qt::AlignLeft).first, 10, 2);
    const auto [centerLeft, centerRight] = inkOf("4.06 µs", Qt::AlignHCenter);
    EXPECT_NEAR((centerLeft + centerRight) / 2.0, 100, 3);
}

}  // namespace warpglass::ui::tabular_text_test
