#include "ui/charts/chart_text.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/tables/layer_columns.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

std::int64_t whole(double value) {
    constexpr double kMost = 9e18;
    return std::llround(std::clamp(value, -kMost, kMost));
}

}  // namespace

QString durationText(double nanoseconds) {
    return toQString(formatDuration(Nanoseconds(whole(nanoseconds))));
}

QString durationExact(double nanoseconds) {
    return QStringLiteral("%1 ns").arg(toQString(formatGrouped(whole(nanoseconds))));
}

QString bytesText(std::int64_t bytes) {
    return toQString(formatBytes(Bytes(bytes)));
}

QString flopsText(std::int64_t flops) {
    return toQString(formatFlops(Flops(flops)));
}

QString flopRateText(double perSecond) {
    return flopsText(whole(perSecond)) + QStringLiteral("/s");
}

QString byteRateText(double perSecond) {
    return toQString(formatByteRate(perSecond));
}

QString percentText(double fraction) {
    return toQString(formatPercent(fraction));
}

QString unknownWorkText() {
    return toQString(kUnknownWork);
}

QString unknownWorkWords() {
    return toQString(kWhyWorkIsUnknown);
}

std::vector<double> linearTicks(double top, int most) {
    std::vector<double> ticks = {0};
    if (!(top > 0) || most < 1)
        return ticks;
    const double least = top / most;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    double step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        step = factor * power;
        if (step >= least * (1 - 1e-9))
            break;
    }
    for (int i = 1; i * step <= top * (1 + 1e-9); ++i)
        ticks.push_back(i * step);
    return ticks;
}

std::vector<double> decades(double low, double high) {
    std::vector<double> ticks;
    if (!(low > 0) || !(high >= low))
        return ticks;
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    for (int exponent = static_cast<int>(std::ceil(std::log10(low) - 1e-9)); exponent <= last; ++exponent)
        ticks.push_back(std::pow(10.0, exponent));
    return ticks;
}

QFont chartFont() {
    return sized(Theme::tableFont(), 11);
}

void drawBoxedLabel(QPainter& painter, QPointF at, Qt::Alignment side, const QString& text,
                    const QRectF& within, const QColor& ink) {
    const QFontMetricsF metrics(painter.font(), painter.device());
    QRectF box(at.x(), at.y() - metrics.height() / 2, metrics.horizontalAdvance(text) + 8, metrics.height());
    if (side & Qt::AlignRight)
        box.moveRight(at.x());
    else if (side & Qt::AlignHCenter)
        box.moveLeft(at.x() - box.width() / 2);
    if (side & Qt::AlignBottom)
        box.moveBottom(at.y());
    box.moveRight(std::min(box.right(), within.right()));
    box.moveLeft(std::max(box.left(), within.left()));
    box.moveBottom(std::min(box.bottom(), within.bottom()));
    box.moveTop(std::max(box.top(), within.top()));
    painter.fillRect(box, withAlpha(Theme::instance().colors().background, 0.8F));
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace warpglass::ui
