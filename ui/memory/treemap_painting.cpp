#include "ui/memory/treemap_painting.h"

#include <QPainter>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The least that a name is written in.
constexpr double kLabelWidth = 22, kLabelHeight = 15;
/// The least that an op's name is cut to.
constexpr double kCutName = 30;
constexpr double kLine = 13;
/// A side of less has no gap after it: gaps would be the strongest thing in the picture.
constexpr double kSideWithGap = 8;

/// The longest form that fits; an op's name is cut as in tables.
QString labelIn(const QFontMetricsF& metrics, const TreemapCell& cell, double room) {
    for (const QString& form : treemapForms(cell)) {
        if (metrics.horizontalAdvance(cutName(form)) <= room)
            return cutName(form);
    }
    return cell.allocation && room >= kCutName ? elidedName(metrics, cell.label, room) : QString();
}

/// Name at the left, as long as leaves room for the size at the right; the name alone where none does.
void paintLine(QPainter& painter, const QRectF& line, const TreemapCell& cell, const QColor& nameColor,
               const QColor& sizeColor) {
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QString size = toQString(formatBytes(cell.bytes));
    const QString beside = labelIn(metrics, cell, line.width() - metrics.horizontalAdvance(size) - 8);
    painter.setPen(nameColor);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     beside.isEmpty() ? labelIn(metrics, cell, line.width()) : beside);
    painter.setPen(sizeColor);
    if (!beside.isEmpty())
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, size);
}

/// An outermost one is a quiet box with a stripe of its color; one further in is of that color, with lines
/// between what it holds.
void paintGroup(QPainter& painter, const TreemapCell& cell) {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = Theme::categoryColor(cell.category);
    const QRectF box = cell.rect.adjusted(0, 0, -1, -1);
    QFont font = chartFont();
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const bool outermost = cell.path.size() == 1;
    painter.fillRect(box, outermost ? colors.raised : Theme::mixed(color, colors.panel, 0.22));
    if (outermost)
        painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), color);
    else
        painter.fillRect(QRectF(box.left(), box.top(), box.width(), cell.title - 1), color);
    const QColor text = outermost ? colors.text : Theme::textOn(color);
    paintLine(painter, QRectF(box.left() + (outermost ? 8 : 5), box.top(), box.width() - 13, cell.title),
              cell, text, outermost ? colors.secondaryText : text);
}

void paintLeaf(QPainter& painter, const TreemapCell& cell) {
    QColor color = Theme::categoryColor(cell.category);
    if (cell.rest)
        color = Theme::mixed(color, Theme::instance().colors().panel, 0.55);
    const QRectF inside = cell.rect.adjusted(0, 0, cell.rect.width() >= kSideWithGap ? -1 : 0,
                                             cell.rect.height() >= kSideWithGap ? -1 : 0);
    painter.fillRect(inside, color);
    if (inside.width() < kLabelWidth || inside.height() < kLabelHeight)
        return;
    painter.setFont(chartFont());
    const QColor text = Theme::textOn(color);
    const QString size = toQString(formatBytes(cell.bytes));
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QRectF room = inside.adjusted(4, 1, -2, -1);
    const QRectF first(room.left(), room.top(), room.width(), kLine);
    if (room.height() < 2 * kLine || metrics.horizontalAdvance(size) > room.width()) {
        paintLine(painter, first, cell, text, text);
        return;
    }
    painter.setPen(text);
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, labelIn(metrics, cell, room.width()));
    painter.drawText(first.translated(0, kLine), Qt::AlignLeft | Qt::AlignVCenter, size);
}

}  // namespace

void paintTreemapCell(QPainter& painter, const TreemapCell& cell) {
    cell.group ? paintGroup(painter, cell) : paintLeaf(painter, cell);
}

}  // namespace warpglass::ui
