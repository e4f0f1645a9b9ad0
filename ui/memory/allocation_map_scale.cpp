// The scale at the left of the allocation map: bytes of a stack, or the addresses of the pieces of memory.
#include <QPainter>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/memory/allocation_map_view.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

constexpr double kLabelHeight = 16, kTickRoom = 40;

/// "0x7f3a2c000000"; "…2c000000" without the first `common` digits.
QString addressText(std::uint64_t address, std::size_t common) {
    const QString digits = QString::number(address, 16);
    return common == 0 ? QStringLiteral("0x") + digits
                       : QStringLiteral("…") + digits.mid(static_cast<qsizetype>(common));
}

/// Leading hexadecimal digits that all pieces' addresses share; never the last six.
std::size_t commonDigits(const std::vector<AllocationMap::Piece>& pieces) {
    if (pieces.empty())
        return 0;
    // They are in order, so what the first and the last share all do.
    const QString first = QString::number(pieces.front().address, 16);
    const QString last = QString::number(pieces.back().address, 16);
    qsizetype common = 0;
    while (first.size() == last.size() && common + 6 < first.size() && first[common] == last[common])
        ++common;
    return static_cast<std::size_t>(common);
}

}  // namespace

void AllocationMapView::paintScale(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const MapViewport view = viewport();
    painter.fillRect(QRectF(0, 0, m_labelWidth, height()), colors.panel);
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(colors.secondaryText);
    const auto label = [&](double y, const QString& text) {
        painter.drawText(QRectF(0, y - 8, m_labelWidth - 6, 16), Qt::AlignRight | Qt::AlignVCenter, text);
    };
    if (m_order == Order::kBirth || !hasAddresses()) {
        const double span = view.high - view.low;
        for (const std::int64_t tick :
             byteTicks(static_cast<std::int64_t>(view.high), std::max(2, height() / 44))) {
            const double y = view.yOf(static_cast<double>(tick));
            if (y < 8 || y > height() - 4 || span <= 0)
                continue;
            label(y, toQString(byteTickLabel(tick)));
            painter.fillRect(QRectF(m_labelWidth, std::floor(y), plotRect().width(), 1),
                             withAlpha(colors.text, 0.10F));
        }
        return;
    }
    paintAddresses(painter);
}

/// Where each piece of address space begins, and how far into it one is; a line between two.
void AllocationMapView::paintAddresses(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const MapViewport view = viewport();
    const QFontMetricsF metrics(painter.font(), painter.device());
    const std::vector<AllocationMap::Piece>& pieces = m_map->pieces();
    const std::size_t common = commonDigits(pieces);
    // From the bottom up, each where it is or not at all.
    double free = height();
    const auto label = [&](double y, const QString& text, const QColor& color) {
        const double top = std::max(0.0, y - kLabelHeight / 2);
        if (top + kLabelHeight > free)
            return;
        painter.setPen(color);
        painter.drawText(QRectF(0, top, m_labelWidth - 6, kLabelHeight), Qt::AlignRight | Qt::AlignVCenter,
                         text);
        free = top;
    };
    for (const AllocationMap::Piece& piece : pieces) {
        const double begin = view.yOf(static_cast<double>(piece.place));
        const double end = view.yOf(static_cast<double>(piece.place + piece.bytes));
        const double bottom = std::min<double>(height(), begin), top = std::max(0.0, end);
        if (bottom <= top)
            continue;
        if (bottom - top >= 3)
            painter.fillRect(QRectF(m_labelWidth - 4, std::floor(top), 4, 1), colors.hairline);
        if (bottom - top >= 24)  // many lines across would be a picture of their own
            painter.fillRect(QRectF(m_labelWidth, std::floor(top), plotRect().width(), 1),
                             withAlpha(colors.text, 0.12F));
        // Whole where it fits, else without the digits that all share.
        const QString whole = addressText(piece.address, 0);
        const bool fits = metrics.horizontalAdvance(whole) <= m_labelWidth - 8;
        label(bottom - kLabelHeight / 2, fits ? whole : addressText(piece.address, common), colors.text);
        const double bytesPerPixel = static_cast<double>(piece.bytes) / std::max(1.0, begin - end);
        const auto shown = static_cast<std::int64_t>((bottom - top) * bytesPerPixel);
        const auto from = static_cast<std::int64_t>((begin - bottom) * bytesPerPixel);
        // Of a piece that reaches beyond what is shown, the ticks are of the part in view.
        const int most = static_cast<int>((bottom - top) / kTickRoom);
        if (most < 1 || shown <= 0)
            continue;
        const std::int64_t step = byteTicks(shown, most).empty() ? shown : byteTicks(shown, most).front();
        for (std::int64_t tick = (from / step + 1) * step; tick < from + shown; tick += step)
            label(begin - static_cast<double>(tick) / bytesPerPixel,
                  QStringLiteral("+") + toQString(byteTickLabel(tick)), colors.secondaryText);
    }
}

}  // namespace warpglass::ui
