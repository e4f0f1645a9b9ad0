// Draws a table's cells: a swatch or a share bar, then text; numbers in tabular figures at the right, code
// names in mono.
#pragma once

#include <QColor>
#include <QStyledItemDelegate>

namespace warpglass::ui {

class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit CellDelegate(QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

    /// Room for "99.9%" beside a bar; and where a long bar begins, after that.
    static constexpr int kBarTextWidth = 50, kBarAt = kBarTextWidth + 12;
    /// What a bar without parts has: the accent, calmed, so that the column reads as one quiet shape beside
    /// its numbers.
    static QColor barColor(bool pale);
    /// Where a row of a tree has its chevron, in its cell.
    static QRect chevronBox(const QRect& cell, int depth);

    /// The row under the pointer is drawn as such; −1 for none.
    void setHoveredRow(int row) { m_hoveredRow = row; }
    int hoveredRow() const { return m_hoveredRow; }

private:
    int m_hoveredRow = -1;
    QFont m_textFont, m_strongFont, m_monoFont;
};

}  // namespace warpglass::ui
