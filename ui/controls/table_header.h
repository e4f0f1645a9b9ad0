// A table's column titles: quiet text, the sorted column's in the text color with a chevron.
#pragma once

#include <QHeaderView>

namespace warpglass::ui {

/// The padding before a column's content: the first column's text is aligned with that around the table.
int leftPadding(const QHeaderView& header, int column);

class TableHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TableHeader(QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
};

}  // namespace warpglass::ui
