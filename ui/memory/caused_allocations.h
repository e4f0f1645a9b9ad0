// Marks in the memory chart, where the op under the mouse in the timeline (or the selected one, or that of
// the kernel) allocated: a small triangle over the curve for each, and the sum beside the first.
#pragma once

#include <QPointF>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "engine/query/links/span_links.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

class QPainter;

namespace warpglass::ui {

class LabelPlace;
class MemoryPlot;

/// At most this many are told apart.
inline constexpr std::size_t kMostCausedAllocations = 64;

/// Allocations of the hovered span, or else of the selected one; empty without an op.
std::vector<CausedAllocation> causedAllocations(RunDocument& document, const TimeAxis& axis);

/// The same, looked for again only when the span or the run is another: a repaint asks each time the mouse
/// moves.
class CausedAllocations {
public:
    const std::vector<CausedAllocation>& of(RunDocument& document, const TimeAxis& axis);

private:
    std::optional<SpanRef> m_span;
    std::weak_ptr<const Snapshot> m_snapshot;
    std::vector<CausedAllocation> m_found;
};

/// Where they are in what is visible, one a pixel column at the most, and what they come to.
class CausedMarks {
public:
    /// Keeps their places free of labels that are placed from now on.
    CausedMarks(const MemoryPlot& plot, RunDocument& document, const TimeAxis& axis,
                const std::vector<CausedAllocation>& caused, LabelPlace& place);
    void paint(QPainter& painter, LabelPlace& place) const;

private:
    std::vector<QPointF> m_tips;  // of the triangles
    QString m_text;
};

}  // namespace warpglass::ui
