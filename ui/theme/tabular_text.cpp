#include "ui/theme/tabular_text.h"

#include <QPainter>
#include <algorithm>

namespace warpglass::ui {

namespace {

bool isDigit(QChar c) {
    return c >= QLatin1Char('0') && c <= QLatin1Char('9');
}

qreal digitWidth(const QFontMetricsF& metrics) {
    qreal widest = 0;
    for (char c = '0'; c <= '9'; ++c)
        widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(c)));
    return widest;
}

/// Calls fn(text, isDigit) for every digit and every run of other characters.
template <class Fn>
void forEachPiece(const QString& text, Fn&& fn) {
    qsizetype from = 0;
    while (from < text.size()) {
        const bool digit = isDigit(text[from]);
        qsizetype to = from + 1;
        while (!digit && to < text.size() && !isDigit(text[to]))
            ++to;
        fn(text.mid(from, to - from), digit);
        from = to;
    }
}

}  // namespace

qreal tabularWidth(const QFontMetricsF& metrics, const QString& text) {
    const qreal cell = digitWidth(metrics);
    qreal width = 0;
    forEachPiece(text, [&](const QString& piece, bool digit) {
        width += digit ? cell : metrics.horizontalAdvance(piece);
    });
    return width;
}

void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text) {
    const QFontMetricsF metrics(painter.font(), painter.device());
    const qreal cell = digitWidth(metrics);
    const qreal width = tabularWidth(metrics, text);
    qreal x = rect.left();
    if (alignment & Qt::AlignRight)
        x = rect.right() - width;
    else if (alignment & Qt::AlignHCenter)
        x = rect.center().x() - width / 2;
    const qreal baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    forEachPiece(text, [&](const QString& piece, bool digit) {
        const qreal advance = metrics.horizontalAdvance(piece);
        painter.drawText(QPointF(digit ? x + (cell - advance) / 2 : x, baseline), piece);
        x += digit ? cell : advance;
    });
}

}  // namespace warpglass::ui
