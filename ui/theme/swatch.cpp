#include "ui/theme/swatch.h"

#include <QPainter>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {
/// What WCAG 2.1 asks of what is not text.
constexpr double kEnough = 3;
}  // namespace

QColor borderOf(const QColor& color, const QColor& surface) {
    return Theme::readableOn(color, surface, kEnough);
}

void paintSwatch(QPainter& painter, QPointF at, const QColor& color, const QColor& surface) {
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(borderOf(color, surface), 1));
    painter.setBrush(color);
    // The pen's middle is half a pixel inside.
    painter.drawRoundedRect(QRectF(at.x() + 0.5, at.y() + 0.5, Metrics::kSwatch - 1, Metrics::kSwatch - 1),
                            Metrics::kSwatchRadius - 0.5, Metrics::kSwatchRadius - 0.5);
}

void paintBarPiece(QPainter& painter, const QRectF& piece, const QColor& color, const QColor& surface) {
    constexpr double kLeast = 4;
    painter.fillRect(piece, piece.width() < kLeast ? color : borderOf(color, surface));
    if (piece.width() >= kLeast)
        painter.fillRect(piece.adjusted(1, 1, -1, -1), color);
}

}  // namespace warpglass::ui
