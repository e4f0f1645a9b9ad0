// A table's column titles: quiet text, the sorted column's in the text color with a chevron. In the room that
// the first one leaves stands what the table says in one sentence.
#pragma once

#include <QHeaderView>
#include <QRect>
#include <QStringList>

namespace warpglass::ui {

/// The padding before a column's content: the first column's text is aligned with that around the table.
int leftPadding(const QHeaderView& header, int column);

class TableHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TableHeader(QWidget* parent = nullptr);

    QSize sizeHint() const override;
    /// The sentence, which a figure has in its head, and ever shorter wordings of it: the longest that fits
    /// is shown, and none where none does. Empty for none.
    void setFinding(const QStringList& wordings);
    QString finding() const { return m_finding.value(0); }
    /// What the dark and the pale part of a long bar (kLongBarRole) stand for, over the bars; empty for
    /// nothing.
    void setBarWords(const QStringList& darkAndPale);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;

private:
    void paintBarWords(QPainter& painter, const QRectF& bars) const;

    QStringList m_finding, m_barWords;
    mutable QRect m_findingPlace;  // as it was painted last
};

}  // namespace warpglass::ui
