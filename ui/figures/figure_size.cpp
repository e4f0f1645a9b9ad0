#include "ui/figures/figure_size.h"

#include <QtGlobal>

namespace warpglass::ui {

FigureSize FigureSize::onPaper(double widthMm, double heightMm, double textPt) {
    constexpr double kMmPerInch = 25.4, kPtPerInch = 72;
    const double width = qBound(kLeastMm, widthMm, kMostMm);
    const double height = qBound(kLeastMm, heightMm > 0 ? heightMm : width * 5 / 8, kMostMm);
    FigureSize size;
    // A whole number, because SVG and PDF writers take no other; the pixels then follow it.
    size.dotsPerInch = qRound(kTextPixels * kPtPerInch / qBound(kLeastTextPt, textPt, kMostTextPt));
    size.pixels =
        QSize(qRound(width / kMmPerInch * size.dotsPerInch), qRound(height / kMmPerInch * size.dotsPerInch));
    size.heightFollows = !(heightMm > 0);
    return size;
}

}  // namespace warpglass::ui
