#include "ui/compare/comparison_panes.h"

#include <algorithm>

#include "ui/compare/comparison_tables.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

/// A table with its line, its choices, its header and eight rows.
constexpr int kRoomForRows = 24 + Metrics::kBarHeight + 9 * Metrics::kTableRow + 6;
/// Of a table in a figure, which has no choices, under charts that cannot give way: half as many.
constexpr int kFewRows = 186;
/// The ruler, the step and the GPU's rows; and with the host's phases and the modules in one row.
constexpr int kLowTimeline = 96, kTimeline = 172;
constexpr int kLowChart = 84, kHighChart = 240;

const QString kSizes[] = {QStringLiteral("low"), QStringLiteral("roomy")};
const QString kMemory = QStringLiteral("memory");

QList<int> sizesOf(const QVariant& list) {
    QList<int> sizes;
    for (const QVariant& size : list.toList())
        sizes << std::max(0, size.toInt());
    return sizes;
}

}  // namespace

ComparisonPanes::ComparisonPanes(QWidget* timelineA, QWidget* timelineB, QWidget* chart,
                                 ComparisonTables* tables, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_chart(chart), m_tables(tables) {
    setObjectName(QStringLiteral("comparisonSplitter"));
    setHandleWidth(1);
    setChildrenCollapsible(false);
    for (QWidget* part : std::initializer_list<QWidget*>{timelineA, timelineB, chart, tables})
        addWidget(part);
    connect(this, &QSplitter::splitterMoved, this, [this] {
        m_chosen.at(static_cast<std::size_t>(m_roomy)) = sizes();
        emit arranged();
    });
    connect(&m_tables->memorySplitter(), &QSplitter::splitterMoved, this, [this] { m_memoryChosen = true; });
}

void ComparisonPanes::setRoomy(bool roomy) {
    if (roomy == m_roomy)
        return;
    m_roomy = roomy;
    if (roomy) {
        m_tables->setChart(nullptr);
        insertWidget(2, m_chart);
        m_chart->show();
    } else {
        m_tables->setChart(m_chart);
    }
    fit();
}

QList<int> ComparisonPanes::sizesFor(int height) const {
    if (!m_roomy) {
        const int table = std::min(std::max(kRoomForRows, height / 2), height - 2 * kLowTimeline);
        const int timeline = (height - table) / 2;
        return {timeline, timeline, table};
    }
    const int chart = std::clamp(height / 8, kLowChart, kHighChart);
    const int least = FigureMode::holds(*this) ? kFewRows : kRoomForRows;
    const int table =
        std::min(std::max(kRoomForRows, height * 3 / 10), std::max(least, height - chart - 2 * kTimeline));
    const int timeline = (height - chart - table) / 2;
    return {timeline, timeline, chart, table};
}

void ComparisonPanes::fit() {
    const QList<int>& chosen = m_chosen.at(static_cast<std::size_t>(m_roomy));
    // Of as many parts only; their proportions count.
    setSizes(chosen.size() == count() ? chosen : sizesFor(height()));
    if (!m_memoryChosen) {
        const int chart = m_tables->width() * 9 / 20;
        m_tables->memorySplitter().setSizes({chart, m_tables->width() - chart});
    }
    emit arranged();
}

void ComparisonPanes::resizeEvent(QResizeEvent* event) {
    QSplitter::resizeEvent(event);
    fit();
}

QVariantMap ComparisonPanes::state() const {
    QVariantMap state;
    for (std::size_t roomy = 0; roomy < m_chosen.size(); ++roomy) {
        QVariantList sizes;
        for (const int size : m_chosen.at(roomy))
            sizes << size;
        if (!sizes.isEmpty())
            state[kSizes[roomy]] = sizes;
    }
    if (m_memoryChosen)
        state[kMemory] = m_tables->memorySplitter().saveState();
    return state;
}

void ComparisonPanes::apply(const QVariantMap& state) {
    for (std::size_t roomy = 0; roomy < m_chosen.size(); ++roomy)
        m_chosen.at(roomy) = sizesOf(state.value(kSizes[roomy]));
    m_memoryChosen = state.contains(kMemory) &&
                     m_tables->memorySplitter().restoreState(state.value(kMemory).toByteArray());
    fit();
}

}  // namespace warpglass::ui
