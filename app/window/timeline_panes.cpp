#include "app/window/timeline_panes.h"

#include <algorithm>

#include "app/window/table_tabs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::app {

namespace {

/// What each part should have: the lanes of a GPU's run, a chart under its legend, six rows.
constexpr int kLanes = 300, kMemory = 140, kRows = 6 * ui::Metrics::kTableRow;
/// Through the first stream of a GPU; and rows, where there is not even room for those lanes.
constexpr int kLeastLanes = 224, kLeastRows = 2 * ui::Metrics::kTableRow;
/// Over the lanes, whatever their height: overview and ruler.
constexpr int kOverLanes = ui::OverviewStrip::kHeight + ui::kRulerHeight;

/// Where that has no room, the chart keeps its height, and the rows give way before the GPU's lanes do.
QList<int> sizesFor(int height, int overRows) {
    const int wanted = kLanes + kRows;
    const int spare = height - kOverLanes - overRows - kMemory - wanted;
    const int lanes = kOverLanes + kLanes, tables = overRows + kRows;
    if (spare < 0) {
        const int left = std::max(0, wanted + spare);
        const int rows =
            std::min(left, std::max(kLeastRows, std::min(left * kRows / wanted, left - kLeastLanes)));
        return {kOverLanes + left - rows, kMemory, overRows + rows};
    }
    const int all = lanes + kMemory + tables;
    const int more = spare * lanes / all, higher = spare * kMemory / all;
    return {lanes + more, kMemory + higher, tables + spare - more - higher};
}

}  // namespace

TimelinePanes::TimelinePanes(const TableTabs& tables, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_tables(tables) {
    setChildrenCollapsible(false);
    setHandleWidth(1);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_chosen = true; });
}

QByteArray TimelinePanes::choice() const {
    return m_chosen ? saveState() : QByteArray();
}

void TimelinePanes::applyChoice(const QByteArray& choice) {
    m_chosen = !choice.isEmpty() && restoreState(choice);
    fit();
}

void TimelinePanes::resizeEvent(QResizeEvent* event) {
    QSplitter::resizeEvent(event);
    fit();
}

void TimelinePanes::fit() {
    if (!m_chosen)
        setSizes(sizesFor(height() - 2 * handleWidth(), m_tables.headHeight(width())));
}

}  // namespace warpglass::app
