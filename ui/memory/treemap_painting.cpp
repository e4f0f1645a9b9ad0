// How a TreemapView is drawn: the path, what is shown in all, groups with their names, and cells with as much
// of name and size as there is room for.
#include <QPainter>
#include <algorithm>

#include "engine/base/format.h"
#include "ui/memory/treemap_view.h"
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

QFont cellFont() {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    return font;
}

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

}  // namespace

void TreemapView::paintCrumbs(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(painter.font(), painter.device());
    const std::vector<Crumb> path = crumbs();
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool last = i + 1 == path.size();
        const double room = width() - Metrics::kSpace3 - path[i].rect.left();
        painter.setPen(last ? colors.text : colors.accent);
        painter.drawText(path[i].rect, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.horizontalAdvance(path[i].text) <= room
                             ? path[i].text
                             : metrics.elidedText(path[i].text, Qt::ElideMiddle, room));
        painter.setPen(colors.secondaryText);
        if (!last)
            painter.drawText(QRectF(path[i].rect.right(), 0, 30, path[i].rect.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral(" › "));
    }
}

/// Beside the path, with as much as there is room for.
void TreemapView::paintTotal(QPainter& painter) const {
    const QFontMetricsF metrics(painter.font(), painter.device());
    const MemoryTreeNode* node = shownNode();
    const std::int64_t count = node ? node->allocations : 0;
    const QString allocations =
        count == 1 ? tr("1 allocation") : tr("%1 allocations").arg(toQString(formatGrouped(count)));
    const QString bytes = toQString(formatBytes(node ? node->bytes : Bytes()));
    const QRectF path = crumbs().back().rect;
    const QRectF beside(path.right() + Metrics::kSpace3, 0, width() - 2 * Metrics::kSpace3 - path.right(),
                        path.height());
    const QString of = tr("%1 of %2 shown").arg(bytes, toQString(formatBytes(m_all)));
    QStringList totals = m_restricted ? QStringList{tr("%1, %2").arg(of, allocations), of, bytes}
                                      : QStringList{tr("%1 in %2").arg(bytes, allocations), bytes};
    // Some of several equal tensors take more: the allocator leaves them what is too small to be split off.
    const Bytes rounding = node && node->asked.value > 0 ? node->bytes - node->asked : Bytes();
    if (rounding.value > 0)
        totals.prepend(tr("%1, %2 of it rounding").arg(totals.front(), toQString(formatBytes(rounding))));
    const auto total = std::find_if(totals.begin(), totals.end(), [&](const QString& text) {
        return metrics.horizontalAdvance(text) <= beside.width();
    });
    painter.setPen(Theme::instance().colors().secondaryText);
    if (count > 0 && total != totals.end())
        painter.drawText(beside, Qt::AlignRight | Qt::AlignVCenter, *total);
}

void TreemapView::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.setFont(Theme::tableFont());
    paintCrumbs(painter);
    paintTotal(painter);
    if (m_cells.empty()) {
        painter.setPen(colors.secondaryText);
        painter.drawText(mapRect(), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    for (const TreemapCell& cell : m_cells) {
        if (cell.group)
            paintGroup(painter, cell);
        else
            paintCell(painter, cell);
    }
    const auto frame = [&](std::size_t i, const QColor& color, double width) {
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        const double inset = width / 2;
        painter.drawRect(m_cells[i].rect.adjusted(inset, inset, -inset, -inset));
    };
    if (m_hovered)
        frame(*m_hovered, colors.text, 1);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        if (m_cells[i].allocation && m_cells[i].allocation == m_focus.selected())
            frame(i, colors.accent, 2);
    }
    if (m_current && hasFocus())
        frame(*m_current, colors.accent, 2);
}

/// An outermost one is a quiet box with a stripe of its color; one further in is of that color, with lines
/// between what it holds.
void TreemapView::paintGroup(QPainter& painter, const TreemapCell& cell) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = Theme::categoryColor(cell.category);
    const QRectF box = cell.rect.adjusted(0, 0, -1, -1);
    QFont font = cellFont();
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

void TreemapView::paintCell(QPainter& painter, const TreemapCell& cell) const {
    QColor color = Theme::categoryColor(cell.category);
    if (cell.rest)
        color = Theme::mixed(color, Theme::instance().colors().panel, 0.55);
    const QRectF inside = cell.rect.adjusted(0, 0, cell.rect.width() >= kSideWithGap ? -1 : 0,
                                             cell.rect.height() >= kSideWithGap ? -1 : 0);
    painter.fillRect(inside, color);
    if (inside.width() < kLabelWidth || inside.height() < kLabelHeight)
        return;
    painter.setFont(cellFont());
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

}  // namespace warpglass::ui
