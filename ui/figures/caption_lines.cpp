#include "ui/figures/caption_lines.h"

#include <QFontMetricsF>
#include <QStringList>
#include <vector>

namespace warpglass::ui {

namespace {

const QString kDot = QStringLiteral(" · "), kSpace = QStringLiteral(" ");

/// What stays in one line.
struct Piece {
    QString text;
    QString before;  // between it and the one before, in one line with that
    double width = 0, beforeWidth = 0;
};

std::vector<Piece> piecesOf(const QString& paragraph, const QFontMetricsF& metrics, double width) {
    std::vector<Piece> pieces;
    const double dot = metrics.horizontalAdvance(kDot), space = metrics.horizontalAdvance(kSpace);
    for (const QString& part : paragraph.split(kDot)) {
        const double whole = metrics.horizontalAdvance(part);
        if (whole <= width) {
            pieces.push_back({part, kDot, whole, dot});
            continue;
        }
        bool first = true;
        for (const QString& word : part.split(kSpace, Qt::SkipEmptyParts)) {
            pieces.push_back(
                {word, first ? kDot : kSpace, metrics.horizontalAdvance(word), first ? dot : space});
            first = false;
        }
    }
    return pieces;
}

QStringList linesOf(const std::vector<Piece>& pieces, double width) {
    QStringList lines;
    double used = 0;
    for (const Piece& piece : pieces) {
        if (!lines.isEmpty() && used + piece.beforeWidth + piece.width <= width) {
            lines.last() += piece.before + piece.text;
            used += piece.beforeWidth + piece.width;
        } else {
            lines << piece.text;
            used = piece.width;
        }
    }
    return lines;
}

/// The narrowest that take no more lines.
QStringList balanced(const std::vector<Piece>& pieces, int width) {
    QStringList lines = linesOf(pieces, width);
    const qsizetype count = lines.size();
    int tooNarrow = 0;
    while (count > 1 && width - tooNarrow > 1) {
        const int middle = tooNarrow + (width - tooNarrow) / 2;
        QStringList narrower = linesOf(pieces, middle);
        if (narrower.size() > count) {
            tooNarrow = middle;
        } else {
            width = middle;
            lines = std::move(narrower);
        }
    }
    return lines;
}

}  // namespace

QString brokenAtParts(const QString& text, const QFont& font, int width) {
    const QFontMetricsF metrics(font);
    QStringList paragraphs = text.split(QLatin1Char('\n'));
    for (QString& paragraph : paragraphs)
        paragraph = balanced(piecesOf(paragraph, metrics, width), width).join(QLatin1Char('\n'));
    return paragraphs.join(QLatin1Char('\n'));
}

}  // namespace warpglass::ui
