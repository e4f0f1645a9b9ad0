// What is written in the plot of memory: the sizes of its ticks, the lines across and their labels, the peak,
// the ends of steps and the numbers of events. A label has the best of a few places (label_place.h).
//
// GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <vector>

#include "engine/query/spans/step_spans.h"
#include "ui/charts/label_place.h"
#include "ui/charts/memory_scale.h"
#include "ui/charts/memory_stack.h"

class QPaintDevice;
class QPainter;

namespace warpglass::ui {

class MemoryLabels {
    Q_DECLARE_TR_FUNCTIONS(MemoryLabels)
public:
    /// All outlive it.
    MemoryLabels(const RunDocument& document, const TimeAxis& axis, const MemoryScale& scale,
                 const MemoryStack& stack)
        : m_document(document), m_axis(axis), m_scale(scale), m_stack(stack) {}

    /// The ticks' sizes in the column of labels, instead of over the stack; then there is room for the ends
    /// of steps and for what is reserved.
    void setTicksBeside(bool beside) { m_ticksBeside = beside; }

    /// What labels had better not cover; the ticks' labels are placed first.
    LabelPlace place(const QPaintDevice* device) const;
    void paintLevelLines(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    /// The numbers of the events, and what they count at the right end.
    void paintEventAxis(QPainter& painter) const;
    /// A line down where no other step follows at once, which the axis below tells.
    void paintStepEnds(QPainter& painter, LabelPlace& place) const;
    void paintPeak(QPainter& painter, LabelPlace& place) const;
    void paintLevels(QPainter& painter, LabelPlace& place) const;
    /// At the line's end, where there is room for more labels than the legend's.
    void paintReserved(QPainter& painter, LabelPlace& place) const;

private:
    std::vector<StepSpan> visibleStepEnds() const;
    QRectF peakDot() const;
    /// Where a tick's label lies over the stack, beside the peak's dot; empty where it has no room.
    QRectF tickChip(std::int64_t tick, const QPaintDevice* device) const;
    QString tickText(std::int64_t tick) const;

    const RunDocument& m_document;
    const TimeAxis& m_axis;
    const MemoryScale& m_scale;
    const MemoryStack& m_stack;
    bool m_ticksBeside = false;
};

}  // namespace warpglass::ui
