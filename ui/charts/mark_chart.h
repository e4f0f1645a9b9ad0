// The base of charts whose parts (bars, dots, blocks) can be pointed at, chosen and walked with the keyboard.
//
// A chart is painted once and kept as a picture until it is invalidated or resized; what is hovered and what
// is chosen are painted over it, so that moving the mouse costs next to nothing. On a device that is not the
// screen (a figure) it is painted directly. Marks are numbers from 0 to markCount() − 1, anew with every
// change of the data.
//
// Mouse: hover shows a mark's tool tip, a click chooses it, a double click acts on it. Keyboard: arrows walk,
// Home and End, Enter acts, Esc chooses nothing.
#pragma once

#include <QPixmap>
#include <QWidget>

namespace warpglass::ui {

class MarkChart : public QWidget {
    Q_OBJECT
public:
    explicit MarkChart(QWidget* parent = nullptr);

    virtual int markCount() const = 0;
    /// What it covers, in logical pixels; for tests and tool tips. Empty for what is not drawn.
    virtual QRectF markRect(int mark) const = 0;
    /// What is under a point, −1 for nothing. The smallest rectangle that holds it, where they overlap.
    virtual int markAt(QPointF point) const;
    virtual QString toolTipOf(int mark) const = 0;

    /// −1 for none.
    int chosen() const { return m_chosen; }
    int hovered() const { return m_hovered; }
    /// Does not emit markChosen().
    void setChosen(int mark);
    /// Shown in the middle in place of the chart; empty if there is something to draw.
    void setEmptyText(const QString& sentence);
    const QString& emptyText() const { return m_emptyText; }

signals:
    /// Chosen by the user; −1 if nothing is chosen any more.
    void markChosen(int mark);
    /// Enter or a double click.
    void markActivated(int mark);

protected:
    /// All but what is hovered and chosen. Logical pixels. The painter is a QCPPainter, for charts that draw
    /// with QCustomPlot.
    virtual void paintChart(QPainter& painter) = 0;
    /// Painted over the picture. By default a frame around the mark's rectangle.
    virtual void paintHighlight(QPainter& painter, int mark, bool chosen);
    /// The mark that an arrow key leads to; by default the next or the previous one.
    virtual int neighbor(int mark, Qt::Key key) const;

    /// The picture is out of date; the marks may be other ones.
    void invalidate();
    /// Chooses as the user does.
    void choose(int mark);

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void setHovered(int mark);
    void paintEmpty(QPainter& painter) const;

    QPixmap m_picture;
    bool m_pictureValid = false;
    int m_hovered = -1;
    int m_chosen = -1;
    QString m_emptyText;
};

/// Text in a box of its own, kept inside `within`: for labels over lines and bars.
void drawBoxedLabel(QPainter& painter, QPointF at, Qt::Alignment side, const QString& text,
                    const QRectF& within, const QColor& ink);
/// 11 px, the smallest text that charts have.
QFont chartFont();
/// The color with another opacity.
QColor faded(QColor color, float alpha);

}  // namespace warpglass::ui
