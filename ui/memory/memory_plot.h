// The plot of memory over time: the stack (memory_stack.h) on its scale (memory_scale.h), the phases in rows
// above it (phase_rows.h), what is written in it (memory_labels.h) and what it tells of a moment. Nothing
// translucent lies over the stack: what the filter excludes is drawn in muted colors, and a selected range
// has its ground tinted.
//
// Events can be evenly spaced instead of time: then they are counted below the plot, and the axis that views
// share stays one of time. Cursors, marks and labels are painted over the canvas' picture.
#pragma once

#include <optional>

#include "ui/controls/canvas.h"
#include "ui/memory/caused_allocations.h"
#include "ui/memory/memory_labels.h"
#include "ui/memory/memory_scale.h"
#include "ui/memory/memory_stack.h"
#include "ui/memory/phase_rows.h"
#include "ui/models/mark_layer.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/timeline/time_gestures.h"

namespace warpglass::ui {

class RunFilter;

class MemoryPlot : public Canvas {
    Q_OBJECT
public:
    using Spacing = MemoryScale::Spacing;

    MemoryPlot(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    const MemoryScale& scale() const { return m_scale; }
    MemoryStack& stack() const { return *m_stack; }
    /// Flags at the plot's lower edge.
    MarkLayer& marks() const { return *m_marks; }

    int labelWidth() const { return m_scale.labelWidth(); }
    void setLabelWidth(int width);
    /// As in a figure: what a row is called stands in the column of labels (the ticks' sizes, instead of over
    /// the stack, and whose the phases are).
    void setTicksBeside(bool beside);
    /// Where no lanes above the plot name the phases; else there is no strip over time.
    void setPhaseNames(bool named);
    const PhaseRows& phases() const { return m_phases; }
    Spacing spacing() const { return m_scale.spacing(); }
    void setSpacing(Spacing spacing);
    /// What all views count; it outlives the plot. In the window, time that it leaves out is drawn muted as
    /// in the timeline, the memory is all there was; without `steps` only by what is selected, where the
    /// choice of steps says nothing of the views beside it. A figure shows the whole run alike.
    void setFilter(const RunFilter* filter, bool steps = true);
    /// The run has grown or is another one.
    void invalidate();

    Nanoseconds timeAt(double x) const { return m_scale.timeAt(x); }
    double xOf(Nanoseconds t) const { return m_scale.xOf(t); }
    double yOf(std::int64_t bytes) const { return m_scale.yOf(bytes); }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

signals:
    void spacingChanged();

protected:
    void paintPicture(QPainter& painter) override;
    void paintOver(QPainter& painter) override;
    QString toolTipAt(QPointF point) const override;
    bool takeKey(const QKeyEvent& event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    /// The run, the spacing or what is named has changed.
    void layOutPhases();
    /// The time that is not left out; nothing for all.
    std::optional<TimeRange> countedTime() const;
    KeptX kept() const;
    /// The part of the plot that is selected; invalid for none.
    QRectF selectedRect() const;
    void paintMarks(QPainter& painter) const;
    void paintCursors(QPainter& painter) const;
    QString textAt(Nanoseconds t) const;

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryScale m_scale;
    MemoryStack* m_stack;
    PhaseRows m_phases;
    MemoryLabels m_labels;
    MarkLayer* m_marks;
    TimeGestures m_gestures;
    CausedAllocations m_caused;
    const RunFilter* m_filter = nullptr;
    bool m_bySteps = true;
};

}  // namespace warpglass::ui
