#include "ui/memory/treemap_painting.h"

#include <QPainter>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The least that an op's name is cut to.
constexpr double kCutName = 30;
constexpr double kTileLine = TreemapCell::kLine;
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

/// Name, number of modules (in a line of its own where it has room only there) and size, one below the other;
/// none where they don't fit in.
QStringList linesIn(const QFontMetricsF& metrics, const TreemapCell& cell, const QSizeF& room) {
    const QString size = toQString(formatBytes(cell.bytes)), name = labelIn(metrics, cell, room.width());
    if (name.isEmpty() || room.height() < 2 * kTileLine || metrics.horizontalAdvance(size) > room.width())
        return {};
    const bool says = cell.modules == 0 || name == treemapForms(cell).front();
    return says || room.height() < 3 * kTileLine
               ? QStringList{name, size}
               : QStringList{name, QStringLiteral("× %1").arg(cell.modules), size};
}

void paintLines(QPainter& painter, QRectF line, const QStringList& lines) {
    line.setHeight(kTileLine);
    for (const QString& text : lines) {
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, text);
        line.translate(0, kTileLine);
    }
}

/// An outermost one is a quiet box with a stripe of its color; one further in is of that color, with lines
/// between what it holds.
void paintGroup(QPainter& painter, const TreemapCell& cell) {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = Theme::categoryColor(cell.category);
    const QRectF box = cell.rect.adjusted(0, 0, -1, -1);
    painter.setFont(treemapTitleFont());
    const bool outermost = cell.path.size() == 1;
    painter.fillRect(box, outermost ? colors.raised : Theme::mixed(color, colors.panel, 0.22));
    if (outermost)
        painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), color);
    else
        painter.fillRect(QRectF(box.left(), box.top(), box.width(), cell.title - 1), color);
    const QColor text = outermost ? colors.text : Theme::textOn(color);
    const QRectF title(box.left() + (outermost ? 8 : 5), box.top(), box.width() - 13, cell.title);
    painter.setPen(text);
    const QStringList lines = linesIn(QFontMetricsF(painter.font(), painter.device()), cell, title.size());
    if (lines.isEmpty())
        paintLine(painter, title, cell, text, outermost ? colors.secondaryText : text);
    else
        paintLines(painter, title.adjusted(0, 2, 0, 0), lines);
}

/// In a tile that is only high enough, the words stand upright.
void paintLeaf(QPainter& painter, const TreemapCell& cell) {
    QColor color = Theme::categoryColor(cell.category);
    if (cell.rest)
        color = Theme::mixed(color, Theme::instance().colors().panel, 0.55);
    const QRectF inside = cell.rect.adjusted(0, 0, cell.rect.width() >= kSideWithGap ? -1 : 0,
                                             cell.rect.height() >= kSideWithGap ? -1 : 0);
    painter.fillRect(inside, color);
    QRectF room = inside.adjusted(4, 0, -2, 0);
    if (std::min(room.width(), room.height()) < kTileLine)
        return;
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QColor text = Theme::textOn(color);
    const PainterScope undone(painter);
    QStringList lines = linesIn(metrics, cell, room.size());
    const QRectF upright(4, 0, inside.height() - 6, inside.width());
    if (lines.isEmpty() && inside.height() > inside.width()) {
        lines = linesIn(metrics, cell, upright.size());
        if (!lines.isEmpty() || labelIn(metrics, cell, room.width()).isEmpty()) {
            painter.translate(inside.bottomLeft());
            painter.rotate(-90);
            room = upright;
        }
    }
    painter.setPen(text);
    if (lines.isEmpty())
        paintLine(painter,
                  QRectF(room.left(), room.top(), room.width(), std::min(room.height(), kTileLine + 2)), cell,
                  text, text);
    else
        paintLines(painter, room.adjusted(0, 1, 0, 0), lines);
}

}  // namespace

void paintTreemap(QPainter& painter, const std::vector<TreemapCell>& cells) {
    for (const TreemapCell& cell : cells)
        cell.group ? paintGroup(painter, cell) : paintLeaf(painter, cell);
    // The smallest have no gap of their own: those at a group's edge would run into the group beside it.
    for (const TreemapCell& cell : cells) {
        if (!cell.group || cell.path.size() == 1)
            continue;
        const QRectF& rect = cell.rect;
        const QColor gap = Theme::instance().colors().raised;
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), gap);
        painter.fillRect(QRectF(rect.right() - 1, rect.top(), 1, rect.height()), gap);
    }
}

}  // namespace warpglass::ui
