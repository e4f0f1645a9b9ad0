#include "app/window/fitted_panes.h"

#include <QEvent>
#include <algorithm>
#include <utility>

#include "app/window/table_tabs.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_legend.h"
#include "ui/memory/memory_plot.h"
#include "ui/panels/inspector.h"
#include "ui/theme/theme.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_viewport.h"

namespace warpglass::app {

namespace {

/// What each part should have for its data: the lanes of a GPU's run, the memory, six rows.
constexpr int kLanes = 300, kMemory = 140, kFittedRows = 6 * ui::Metrics::kTableRow;
/// Through the first stream of a GPU; and rows, where there is not even room for those lanes.
constexpr int kLeastLanes = 224, kLeastRows = 2 * ui::Metrics::kTableRow;
/// Over the lanes, whatever their height: overview and ruler.
constexpr int kOverLanes = ui::OverviewStrip::kHeight + ui::kRulerHeight;
/// The plots', before the inspector gets more than it needs.
constexpr int kPlotWidth = 1000;

/// Where that has no room, the memory keeps its height, and the rows give way before the GPU's lanes do.
QList<int> sizesFor(int height, int memory, int overRows) {
    const int wanted = kLanes + kFittedRows;
    const int spare = height - kOverLanes - overRows - memory - wanted;
    const int lanes = kOverLanes + kLanes, tables = overRows + kFittedRows;
    if (spare < 0) {
        const int left = std::max(0, wanted + spare);
        const int rows =
            std::min(left, std::max(kLeastRows, std::min(left * kFittedRows / wanted, left - kLeastLanes)));
        return {kOverLanes + left - rows, memory, overRows + rows};
    }
    const int all = lanes + memory + tables;
    const int more = spare * lanes / all, higher = spare * memory / all;
    return {lanes + more, memory + higher, tables + spare - more - higher};
}

}  // namespace

FittedPanes::FittedPanes(Qt::Orientation orientation, QWidget* parent) : QSplitter(orientation, parent) {
    ui::divided(this);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_chosen = true; });
}

void FittedPanes::setSizesFor(Sizes sizes) {
    m_sizesFor = std::move(sizes);
    fit();
}

QByteArray FittedPanes::choice() const {
    return m_chosen ? saveState() : QByteArray();
}

void FittedPanes::applyChoice(const QByteArray& choice) {
    m_chosen = !choice.isEmpty() && restoreState(choice);
    fit();
}

bool FittedPanes::event(QEvent* event) {
    const bool handled = QSplitter::event(event);
    if (event->type() == QEvent::LayoutRequest)  // a part has come, or what is over its data is higher
        fit();
    return handled;
}

void FittedPanes::resizeEvent(QResizeEvent* event) {
    QSplitter::resizeEvent(event);
    fit();
}

void FittedPanes::fit() {
    if (m_chosen || !m_sizesFor)
        return;
    const int length = orientation() == Qt::Vertical ? height() : width();
    setSizes(m_sizesFor(length - (count() - 1) * handleWidth()));
}

FittedPanes::Sizes sizesOfTimelinePage(const ui::TimelineViewport& lanes, const ui::MemoryChart& memory,
                                       const TableTabs& tables) {
    return [&lanes, &memory, &tables](int height) {
        const int overMemory =
            memory.legend().maximumHeight() + static_cast<int>(memory.plot().scale().plotRect().top());
        // Beside one other part the lanes get the height of their rows, and that part what is left.
        if (tables.isHidden() || memory.isHidden()) {
            const int least =
                tables.isHidden() ? overMemory + kMemory : tables.headHeight(tables.width()) + kFittedRows;
            const int rows = std::min(ui::OverviewStrip::kHeight + lanes.headHeight() + lanes.contentHeight(),
                                      std::max(0, height - least));
            return tables.isHidden() ? QList<int>{rows, height - rows, 0}
                                     : QList<int>{rows, 0, height - rows};
        }
        QList<int> sizes = sizesFor(height, overMemory + kMemory, tables.headHeight(tables.width()));
        // A lane without room for all of it leaves its part to the tables, where the lanes have enough
        // without.
        const int over = ui::OverviewStrip::kHeight + lanes.headHeight(), room = sizes[0] - over;
        const int whole = std::min(room, lanes.wholeHeight(room, 0));
        const int least = room < kLanes ? kLeastLanes : kLanes;
        if (whole >= least && lanes.contentHeight() > room) {
            sizes[0] = over + whole;
            sizes[2] += room - whole;
        }
        return sizes;
    };
}

QList<int> sizesBesideInspector(int width) {
    const int beside = std::clamp(width - kPlotWidth - ui::kTrackLabelWidth, ui::Inspector::kLeastWidth,
                                  ui::Inspector::kWidth);
    return {width - beside, beside};
}

}  // namespace warpglass::app
