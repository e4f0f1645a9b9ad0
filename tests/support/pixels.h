// What a picture is made of, pixel by pixel.
#pragma once

#include <QImage>
#include <QSet>

namespace warpglass::test {

/// How many pixels of a rectangle `is` holds for: is(x, y).
template <class Is>
int countPixels(const QRect& within, Is&& is) {
    int count = 0;
    for (int y = within.top(); y <= within.bottom(); ++y) {
        for (int x = within.left(); x <= within.right(); ++x)
            count += is(x, y) ? 1 : 0;
    }
    return count;
}
inline int countPixels(const QImage& image, const QRect& within, const QColor& color) {
    return countPixels(within, [&](int x, int y) { return image.pixelColor(x, y) == color; });
}

/// By how many pixels two pictures of one size differ.
inline int differingPixels(const QImage& a, const QImage& b) {
    return countPixels(a.rect(), [&](int x, int y) { return a.pixel(x, y) != b.pixel(x, y); });
}

/// How many colors every so many pixels have: one where nothing is drawn.
inline int distinctColors(const QImage& image, int pace = 3) {
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += pace) {
        for (int x = 0; x < image.width(); x += pace)
            colors.insert(image.pixel(x, y));
    }
    return static_cast<int>(colors.size());
}

}  // namespace warpglass::test
