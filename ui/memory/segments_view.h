// The segments of a GPU's allocator at a moment: all together as one bar, and under it rows with the largest
// holes first, all on one scale of bytes. Holes between blocks in use are hatched; segments that nothing is
// in, which can be given back, are empty. Those that constants fill for the whole run are one row, and of
// very many the others are rows by size (segment_bins.h). Under the rows stands of what sizes the free pieces
// are (free_sizes.h).
//
// A segment's bar lies over its addresses; blocks narrower than a pixel share it: the color is that of most
// of its bytes. A row of several is a bar of all their bytes; a click or Enter unfolds it, each of its
// segments then on a scale of the row's own, and Right and Left do and undo it. Up and Down move between
// rows, Left and Right between a segment's blocks, Enter zooms to the life of the block's allocation. A mark
// is a row; the chosen one is where the keyboard is. GUI thread only.
#pragma once

#include "ui/controls/canvas.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/memory/memory_focus.h"
#include "ui/memory/segments_picture.h"
#include "ui/models/deferred_query.h"
#include "ui/models/memory_source.h"

class QScrollBar;

namespace warpglass::ui {

class SegmentsView : public Canvas, public Refreshable, public FigurePart, public Headed {
    Q_OBJECT
public:
    SegmentsView(RunDocument& document, MemoryFocus& focus, QWidget* parent = nullptr);

    /// "At step 1, only 2.4% of the 38.3 GiB reserved is lost to holes …".
    QString sentence() const { return m_content.sentence; }
    /// "35.6 GiB is in use, …", which stands under the rows and in the tool tip of the bar over them.
    QString inUse() const { return m_content.inUse; }
    const SegmentList& list() const { return m_content.list; }
    const FreeMemory& free() const { return m_content.sizes.free(); }
    const SegmentsPicture& picture() const { return m_picture; }
    QScrollBar& scrollBar() const { return *m_bar; }

    int markCount() const override { return static_cast<int>(list().shown().size()); }
    QRectF markRect(int mark) const override { return m_picture.barOf(static_cast<std::size_t>(mark)); }
    int markAt(QPointF at) const override;
    QString toolTipOf(int mark) const override;

    QSize sizeHint() const override { return {256, 192}; }
    QSize minimumSizeHint() const override { return {200, 140}; }
    void refreshNow() override { m_query.runNow(); }
    /// The sentence, which a figure has in its head alone.
    Heading heading() const override {
        return {{}, list().state().segments.empty() ? QString() : sentence()};
    }
    // A figure has as many complete rows as fit.
    void setInFigure(bool inFigure) override;
    int figureHeight(int width, int most) override;

protected:
    QColor ground() const override;
    void paintPicture(QPainter& painter) override { m_picture.paint(painter); }
    void paintOver(QPainter& painter) override;
    QString toolTipAt(QPointF at) const override;
    bool takeKey(const QKeyEvent& event) override;
    bool walk(Qt::Key key) override;
    bool escape() override;
    void activate(int mark) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    // A click is one only when the button is let go: rows may be others after it.
    void mousePressEvent(QMouseEvent*) override {}
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent*) override {}

private:
    DeferredQuery::Job makeJob();
    QString sentenceOf(Nanoseconds moment, MemoryFocus::At at) const;
    void setUnfolded(std::size_t shown, bool unfolded);
    /// Rows are others, or elsewhere.
    void layOut();
    void select(const MemoryBlock* block);
    /// Where the keyboard is; there are rows.
    std::size_t currentRow() const { return static_cast<std::size_t>(std::max(0, chosen())); }
    QString toolTipOf(const MemoryBlock& block) const;

    RunDocument& m_document;
    MemoryFocus& m_focus;
    SegmentsContent m_content;
    SegmentsPicture m_picture{m_document, m_content};
    QScrollBar* m_bar;
    bool m_inFigure = false;
    std::size_t m_currentBlock = 0;  // of the chosen row
    std::shared_ptr<MemorySegments> m_segments = std::make_shared<MemorySegments>();
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
