// How large a figure is on paper and in pixels.
#pragma once

#include <QSize>

namespace warpglass::ui {

/// The views' text is 13 pixels high (Theme::textFont()); at 96 dots an inch that is 9.75 points.
inline constexpr double kTextPixels = 13;
/// What papers set captions in.
inline constexpr double kDefaultTextPt = 8;

/// Bounds, so that a typing slip takes no gigabytes.
inline constexpr double kLeastMm = 20, kMostMm = 1000;
/// Height limit of a figure as high as its content: what an A4 page has between its margins.
inline constexpr double kPageMm = 257;
inline constexpr double kLeastTextPt = 5, kMostTextPt = 24;
/// Device pixels a logical one, of a PNG; the least is one.
inline constexpr double kMostPixelRatio = 4;
/// Device pixels of a picture, at four bytes each.
inline constexpr double kMostPicturePixels = 1 << 29;
inline constexpr int kMostPictureGiB = 2;

struct FigureSize {
    /// Logical pixels, caption included.
    QSize pixels{1600, 1000};
    /// Logical pixels an inch of paper.
    int dotsPerInch = 96;
    /// Whether it is as high as its content needs, up to a page. `pixels` is then the size for a view without
    /// a height of its own, not counting the caption. See fitted().
    bool heightFollows = false;

    /// A size on paper at which the views' text is `textPt` points high: the smaller the text, the more fits.
    /// With a `heightMm` of 0 the height follows the content.
    static FigureSize onPaper(double widthMm, double heightMm, double textPt);
    /// Whether a picture of it has no more than kMostPicturePixels, as all do that are a page high at most.
    bool isWithinPicture(double pixelRatio) const {
        return heightFollows ||
               pixelRatio * pixels.width() * pixelRatio * pixels.height() <= kMostPicturePixels;
    }
    double widthMm() const { return pixels.width() * 25.4 / dotsPerInch; }
    double heightMm() const { return pixels.height() * 25.4 / dotsPerInch; }
    bool operator==(const FigureSize&) const = default;
};

}  // namespace warpglass::ui
