#include "ui/controls/card_layout.h"

#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

CardLayout::CardLayout(int leastWidth) : m_leastWidth(leastWidth) {
    setSpacing(Metrics::kSpace2);
    setContentsMargins(0, 0, 0, 0);
}

CardLayout::~CardLayout() {
    qDeleteAll(m_items);
}

QLayoutItem* CardLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QList<QLayoutItem*> CardLayout::shown() const {
    QList<QLayoutItem*> items;
    for (QLayoutItem* item : m_items) {
        if (!item->isEmpty())
            items << item;
    }
    return items;
}

int CardLayout::columnsAt(int width) const {
    const int items = std::max(1, static_cast<int>(shown().size()));
    const int fit = std::clamp((width + spacing()) / (m_leastWidth + spacing()), 1, items);
    const int rows = (items + fit - 1) / fit;
    return (items + rows - 1) / rows;
}

int CardLayout::arrange(const QRect& rect, bool place) const {
    const QList<QLayoutItem*> items = shown();
    const int columns = columnsAt(rect.width()), count = static_cast<int>(items.size());
    int y = rect.top();
    for (int first = 0; first < count; first += columns) {
        const int inRow = std::min(columns, count - first);
        const auto left = [&](int at) { return rect.left() + (rect.width() + spacing()) * at / inRow; };
        int height = 0;
        for (int i = 0; i < inRow; ++i) {
            const QLayoutItem& item = *items[first + i];
            const int width = left(i + 1) - spacing() - left(i);
            height = std::max({height, item.sizeHint().height(), item.minimumSize().height(),
                               item.hasHeightForWidth() ? item.heightForWidth(width) : 0});
        }
        for (int i = 0; i < inRow && place; ++i)
            items[first + i]->setGeometry(QRect(left(i), y, left(i + 1) - spacing() - left(i), height));
        y += height + spacing();
    }
    return std::max(0, y - spacing() - rect.top());
}

void CardLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

QSize CardLayout::sizeHint() const {
    const int width = static_cast<int>(shown().size()) * (m_leastWidth + spacing());
    return {width, heightForWidth(width)};
}

/// One under the other, they need no more width than one; how high that is follows from the width.
QSize CardLayout::minimumSize() const {
    int width = 0, height = 0;
    for (const QLayoutItem* item : shown()) {
        width = std::max(width, item->minimumSize().width());
        height = std::max(height, item->minimumSize().height());
    }
    return {width, height};
}

}  // namespace warpglass::ui
