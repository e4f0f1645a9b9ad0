#include "app/window/run_figure.h"

#include "engine/query/caption.h"
#include "engine/trace/snapshot.h"
#include "ui/charts/memory_chart.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/timeline/time_ruler_bar.h"

namespace warpglass::app {

RunFigure::RunFigure(QWidget* view, const ui::TimeAxis& axis, QString caption)
    : m_view(view), m_caption(std::move(caption)) {
    if (qobject_cast<ui::MemoryChart*>(view))
        m_ruler = std::make_unique<ui::TimeRulerBar>(axis, ui::MemoryChart::kFigureLabelWidth);
    else if (const auto* map = qobject_cast<ui::AllocationMapPanel*>(view))
        m_ruler = std::make_unique<ui::TimeRulerBar>(axis, map->labelWidth());
}

RunFigure::~RunFigure() = default;
RunFigure::RunFigure(RunFigure&&) noexcept = default;

ui::FigureSource RunFigure::source() const {
    return {m_view, m_ruler.get(), m_caption};
}

QString captionOf(const Snapshot& run) {
    return QString::fromStdString(runCaption(run.info()));
}

QString captionOf(const Snapshot& a, const Snapshot& b) {
    return QStringLiteral("A: %1\nB: %2").arg(captionOf(a), captionOf(b));
}

}  // namespace warpglass::app
