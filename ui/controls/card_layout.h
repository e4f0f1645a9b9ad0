// Cards side by side, all of one width: as many per row as fit at their minimum width, and the rest in rows
// below. Rows are as even as possible (6 become 3 and 3, not 5 and 1), and each takes the full width.
#pragma once

#include <QLayout>
#include <QList>

namespace warpglass::ui {

class CardLayout : public QLayout {
public:
    /// `leastWidth`: of a card, in logical pixels.
    explicit CardLayout(int leastWidth);
    ~CardLayout() override;
    Q_DISABLE_COPY(CardLayout)

    /// Cards in the first row at that width.
    int columnsAt(int width) const;

    void addItem(QLayoutItem* item) override { m_items << item; }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    void setGeometry(const QRect& rect) override;

private:
    QList<QLayoutItem*> shown() const;
    /// Returns the height that they need; `place`: puts them there.
    int arrange(const QRect& rect, bool place) const;

    int m_leastWidth;
    QList<QLayoutItem*> m_items;
};

}  // namespace warpglass::ui
