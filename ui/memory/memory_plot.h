// The plot of memory over time: the stack (memory_stack.h) on its scale (memory_scale.h), the phases in a
// strip above it, and what is written in it (memory_labels.h). The phases are the host's, which allocates; a
// figure has the GPU's too, which end later.
//
// Events can be evenly spaced instead of time: then they are counted below the plot, and the axis that views
// share stays one of time. The picture is kept until the range, the size or the run changes; cursor,
// selection and labels are painted over it, so that hovering costs next to nothing. On a device that is not
// the screen (a figure) everything is drawn directly, at that device's resolution.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/memory/caused_allocations.h"
#include "ui/memory/memory_labels.h"
#include "ui/memory/memory_scale.h"
#include "ui/memory/memory_stack.h"
#include "ui/memory/phase_bands.h"
#include "ui/memory/time_gestures.h"
#include "ui/models/mark_layer.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class RunFilter;

class MemoryPlot : public QWidget {
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
    /// What a row is called stands in the column of labels: the ticks' sizes, instead of over the stack, and
    /// whose the phases are.
    void setTicksBeside(bool beside);
    /// Where no lanes above the plot name the phases; else the strip is a thin one.
    void setPhaseNames(bool named);
    /// How high the phases of that kind are, with the gap below them; 0 where they are not shown.
    int phaseRowHeight(TrackKind kind) const;
    /// The strip's, in all its rows.
    std::vector<PhaseBar> phaseBars(const QPaintDevice& device) const;
    Spacing spacing() const { return m_scale.spacing(); }
    void setSpacing(Spacing spacing);
    /// Those of the shown run; they outlive the plot. Without them there are none.
    void setMarks(MarkList* marks) { m_marks->setMarks(marks); }
    /// What all views count; it outlives the plot. In the window, time that it leaves out is veiled as in the
    /// timeline, the memory is all there was; without `steps` only by what is selected, where the choice of
    /// steps says nothing of the views beside it. A figure shows the whole run alike.
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
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    /// The picture is another.
    void redraw();
    /// The run, the spacing or what is named has changed.
    void layOutPhases();
    void paintPhases(QPainter& painter) const;
    void paintVeil(QPainter& painter) const;
    /// The time that is not left out; nothing for all.
    std::optional<TimeRange> countedTime() const;
    void paintSelection(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintCursors(QPainter& painter) const;
    QString toolTipAt(Nanoseconds t) const;

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryScale m_scale;
    MemoryStack* m_stack;
    MemoryLabels m_labels;
    MarkLayer* m_marks;
    TimeGestures m_gestures;
    CausedAllocations m_caused;
    const RunFilter* m_filter = nullptr;
    bool m_bySteps = true;
    bool m_ticksBeside = false;
    bool m_phaseNames = false;
    QPixmap m_picture;
    bool m_pictureValid = false;
};

}  // namespace warpglass::ui
