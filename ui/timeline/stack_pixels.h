// Fills small pieces of an image that a QPainter draws on as well: a call of the painter costs more than the
// few pixels of one. Opaque colors only; nothing is filled outside the image or the rows that are let
// through.
//
// The image outlives it and is neither copied nor resized meanwhile. GUI thread.
#pragma once

#include <QImage>
#include <QRect>
#include <algorithm>

namespace warpglass::ui {

class StackPixels {
public:
    /// An image of 32 bits a pixel, before the painter begins.
    explicit StackPixels(QImage& image)
        : m_bits(reinterpret_cast<QRgb*>(image.bits())),
          m_stride(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb))),
          m_width(image.width()),
          m_height(image.height()) {}

    /// Above this row of the image nothing is filled.
    void setTop(int top) { m_top = std::max(0, top); }

    void fill(const QRect& piece, QRgb color) {
        const int left = std::max(0, piece.left()), right = std::min(m_width, piece.right() + 1);
        const int end = std::min(m_height, piece.bottom() + 1);
        for (int y = std::max(m_top, piece.top()); y < end; ++y) {
            QRgb* const line = m_bits + y * m_stride;
            for (int x = left; x < right; ++x)
                line[x] = color;
        }
    }

private:
    QRgb* m_bits;
    qsizetype m_stride;
    int m_width, m_height, m_top = 0;
};

}  // namespace warpglass::ui
