// What is written in the plot of memory: the sizes of its ticks, the lines across and their labels, the peak
// and the numbers of events. A label has the best of a few places (label_place.h).
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <vector>

#include "ui/memory/label_place.h"
#include "ui/memory/memory_scale.h"
#include "ui/memory/memory_stack.h"

class QPaintDevice;
class QPainter;

namespace warpglass::ui {

class MemoryLabels {
    Q_DECLARE_TR_FUNCTIONS(MemoryLabels)
public:
    /// All outlive it.
    MemoryLabels(const RunDocument& document, const MemoryScale& scale, const MemoryStack& stack)
        : m_document(document), m_scale(scale), m_stack(stack) {}

    /// The ticks' sizes in the column of labels, instead of over the stack.
    void setTicksBeside(bool beside) { m_ticksBeside = beside; }

    /// What labels had better not cover. The ticks' labels are placed by it, before anything is painted.
    LabelPlace place(const QPaintDevice* device);
    void paintLevelLines(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    /// The numbers of the events, and what they count at the right end.
    void paintEventAxis(QPainter& painter) const;
    void paintPeak(QPainter& painter, LabelPlace& place) const;
    void paintLevels(QPainter& painter, LabelPlace& place) const;
    /// At the line's end, where nothing else is: the legend names the line too.
    void paintReserved(QPainter& painter, LabelPlace& place) const;

private:
    QRectF peakDot() const;
    void paintLeader(QPainter& painter, QPointF dot, const QRectF& chip) const;
    /// Where a tick's label lies over the stack: on its line, beside the peak's dot. Empty where it has no
    /// room.
    QRectF tickChip(std::int64_t tick, const QPaintDevice* device) const;
    QString tickText(std::int64_t tick) const;

    const RunDocument& m_document;
    const MemoryScale& m_scale;
    const MemoryStack& m_stack;
    bool m_ticksBeside = false;
    std::vector<QRectF> m_tickChips;
};

}  // namespace warpglass::ui
