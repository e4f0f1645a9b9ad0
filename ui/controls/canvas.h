// The base of views that are painted and whose marks (bars, dots, cells, blocks) can be pointed at, chosen
// and walked with the keyboard: charts, the treemap, segments, the allocation map.
//
// A canvas is painted once and kept as a picture until it is invalidated or resized; what is hovered and what
// is chosen are painted over it, so that moving the mouse costs next to nothing. On a device that is not the
// screen (a figure) it is painted directly. Marks are numbers from 0 to markCount() − 1, anew with every
// change of the data.
//
// Mouse: hover shows a mark's tool tip, a click chooses it, a double click acts on it. Keyboard: arrows walk,
// Home and End, Enter acts, Esc chooses nothing. A view without such marks (the timeline, a curve over time)
// takes focus, keys, tool tips and being seen from it. GUI thread only.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>

#include "ui/controls/failure_note.h"

namespace warpglass::ui {

class Canvas : public QWidget {
    Q_OBJECT
public:
    explicit Canvas(QWidget* parent = nullptr);

    /// A view that is a whole, such as a curve over time, has none.
    virtual int markCount() const { return 0; }
    /// What it covers, in logical pixels; for tests and tool tips. Empty for what is not drawn.
    virtual QRectF markRect(int) const { return {}; }
    /// What is under a point, −1 for nothing. The smallest rectangle that holds it, where they overlap.
    virtual int markAt(QPointF point) const;
    virtual QString toolTipOf(int) const { return {}; }

    /// −1 for none.
    int chosen() const { return m_chosen; }
    int hovered() const { return m_hovered; }
    /// Does not emit markChosen().
    void setChosen(int mark);
    /// Shown in the middle in place of the picture; empty if there is something to draw.
    void setEmptyText(const QString& sentence);
    const QString& emptyText() const { return m_emptyText; }

signals:
    /// Chosen by the user; −1 if nothing is chosen any more.
    void markChosen(int mark);
    /// Enter or a double click.
    void markActivated(int mark);
    /// It is shown or hidden.
    void seen(bool visible);

protected:
    /// What the picture has under it.
    virtual QColor ground() const;
    /// All but what is hovered and chosen. Logical pixels.
    virtual void paintPicture(QPainter& painter) = 0;
    /// A painter for the picture, for canvases that draw with a library's own.
    virtual std::shared_ptr<QPainter> painterOn(QPaintDevice& device);
    /// Painted over the picture. By default what is hovered, chosen and selected, and where the keyboard is.
    virtual void paintOver(QPainter& painter);
    /// By default a frame around the mark's rectangle.
    virtual void paintHighlight(QPainter& painter, int mark, bool chosen);
    /// Says that the keyboard is here while no mark is chosen; by default a frame around all.
    virtual void paintFocus(QPainter& painter);
    /// Whether it is highlighted like the chosen one.
    virtual bool isSelected(int) const { return false; }
    /// By default that of the mark there; empty for none.
    virtual QString toolTipAt(QPointF point) const;
    /// The mark that an arrow key leads to; by default the next or the previous one.
    virtual int neighbor(int mark, Qt::Key key) const;
    /// What keys do; false for one that is left to others. `key`: an arrow, Home or End.
    virtual bool takeKey(const QKeyEvent& event);
    virtual bool walk(Qt::Key key);
    virtual bool goOut() { return false; }  // Backspace
    virtual bool escape();
    /// By default emits markActivated().
    virtual void activate(int mark) { emit markActivated(mark); }

    /// The picture is out of date; and the marks may be other ones.
    void redraw();
    void invalidate();
    /// Chooses as the user does.
    void choose(int mark);
    /// The answers of `query`, a DeferredQuery, are drawn: it is asked while the canvas is shown, and what it
    /// fails with is written here.
    template <class Query>
    void draws(Query& query) {
        askWhileSeen(this, query);
    }

    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setHovered(int mark);
    void describeChosen();
    bool isEmpty() const { return !m_emptyText.isEmpty() || markCount() == 0; }
    void paintEmpty(QPainter& painter) const;
    void paintKept(QPainter& painter);

    QPixmap m_picture;
    bool m_pictureValid = false;
    int m_hovered = -1;
    int m_chosen = -1;
    QString m_emptyText;
};

}  // namespace warpglass::ui
