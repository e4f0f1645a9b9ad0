// A table's column titles: quiet text, the sorted column's in the text color with a chevron. In the room that
// the first one leaves stands what the table says in one sentence.
#pragma once

#include <QHeaderView>
#include <QRect>
#include <QString>

namespace warpglass::ui {

/// The padding before a column's content: the first column's text is aligned with that around the table.
int leftPadding(const QHeaderView& header, int column);

class TableHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TableHeader(QWidget* parent = nullptr);

    QSize sizeHint() const override;
    /// The sentence, which a figure has in its head; empty for none.
    void setFinding(const QString& finding);
    QString finding() const { return m_finding; }

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;

private:
    QString m_finding;
    mutable QRect m_findingPlace;  // as it was painted last
};

}  // namespace warpglass::ui
