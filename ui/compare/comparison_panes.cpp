#include "ui/compare/comparison_panes.h"

#include <QHeaderView>
#include <algorithm>

#include "ui/compare/comparison_tables.h"
#include "ui/compare/comparison_total.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/controls/data_table.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {
namespace {

/// A table with the line for what is selected, its choices, its header, eight rows and their sum.
constexpr int kRoomForRows = 24 + Metrics::kBarHeight + 9 * Metrics::kTableRow + ComparisonTotal::kHeight + 6;
/// In a figure: rows of the table where there is room, with its line and its header; and the chart.
/// Where there are more, the last is the line that says how many.
constexpr int kFigureRows = 9, kLeastFigureRows = 3;
constexpr int kLeastFigureChart = 84, kLowFigureChart = 140, kHighFigureChart = 200;
/// The ruler, the step and the GPU's rows; and with the host's phases and the modules in one row.
constexpr int kLowTimeline = 96, kTimeline = 184;
constexpr int kLowChart = 84, kHighChart = 360;
/// The most for a timeline without a GPU, in a figure.
constexpr int kMostHost = 320;

const QString kSizes[] = {QStringLiteral("low"), QStringLiteral("roomy")};
const QString kMemory = QStringLiteral("memory");

int legendHeight(const TimelineView& timeline) {
    for (const TimelineTrack& track : timeline.rows().tracks()) {
        if (track.kind == TrackKind::kGpuStream && !track.gpu)
            return track.legendHeight;
    }
    return 0;
}

QList<int> sizesOf(const QVariant& list) {
    QList<int> sizes;
    for (const QVariant& size : list.toList())
        sizes << std::max(0, size.toInt());
    return sizes;
}

}  // namespace

ComparisonPanes::ComparisonPanes(TimelineView* timelineA, TimelineView* timelineB,
                                 MemoryDifferencePlot* chart, ComparisonTables* tables, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_timelines{timelineA, timelineB}, m_chart(chart), m_tables(tables) {
    setObjectName(QStringLiteral("comparisonSplitter"));
    divided(this);
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
    m_chart->setShowsTimes(m_inFigure || !roomy);
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
    // Its share, as far as the timelines and the table's rows leave it room.
    const int share = std::min(height * 2 / 11, height - kRoomForRows - 2 * kTimeline);
    const int chart = std::clamp(std::max(height / 8, share), kLowChart, kHighChart);
    const int table = std::min(std::max(kRoomForRows, height * 3 / 10),
                               std::max(kRoomForRows, height - chart - 2 * kTimeline));
    const int timeline = (height - chart - table) / 2;
    return {timeline, timeline, chart, table};
}

/// All that a figure has, whatever its height.
QList<int> ComparisonPanes::figureSizes(int width) const {
    QList<int> sizes;
    for (const TimelineView* timeline : m_timelines) {
        const auto gpu = timeline->viewport().heightThrough(TrackKind::kGpuStream);
        const auto host = timeline->viewport().heightThrough(TrackKind::kCpuThread);
        sizes << gpu.value_or(host ? std::min(*host, kMostHost) : kTimeline);
    }
    const QTableView& table = m_tables->table();
    const int rows = table.model() ? table.model()->rowCount() : 0;
    return sizes << std::clamp(width / 4, kLowFigureChart, kHighFigureChart)
                 << 2 + m_tables->height() - table.viewport()->height() +
                        std::clamp(rows, kLeastFigureRows, kFigureRows) *
                            std::max(1, table.verticalHeader()->defaultSectionSize());
}

void ComparisonPanes::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    m_chart->setShowsTimes(inFigure || !m_roomy);
    if (!inFigure)
        m_tables->show();
}

int ComparisonPanes::figureHeight(int width, int) {
    int height = 3 * handleWidth();
    for (const int size : figureSizes(width))
        height += size;
    return height;
}

/// Where not all of it has room, the chart gives height away as long as it is read, then a legend, then the
/// chart again, the table rows and the timelines; a table of fewer rows than are worth it is left out.
void ComparisonPanes::fitInFigure() {
    QList<int> sizes = figureSizes(width());
    const int row = std::max(1, m_tables->table().verticalHeader()->defaultSectionSize());
    int over = figureHeight(width(), 0) - height();
    if (over > 0) {
        const auto lowerChart = [&](int least) {
            const int lower = std::clamp(over, 0, sizes[2] - least);
            sizes[2] -= lower;
            over -= lower;
        };
        lowerChart(kLowFigureChart);
        // One legend of the kernels is enough: B's.
        const int legend = std::clamp(over, 0, legendHeight(*m_timelines[0]));
        sizes[0] -= legend;
        over -= legend;
        int rows =
            m_tables->table().model() ? std::min(m_tables->table().model()->rowCount(), kFigureRows) : 0;
        const auto lowerRows = [&](int least) {
            const int less = std::clamp((over + row - 1) / row, 0, std::max(0, rows - least));
            rows -= less;
            sizes[3] -= less * row;
            over -= less * row;
        };
        lowerChart(kLeastFigureChart);
        lowerRows(kLeastFigureRows);
        if (over > kLowTimeline) {
            m_tables->hide();
            over -= sizes[3];
        }
        sizes[0] -= std::max(0, over) / 2;
        sizes[1] -= std::max(0, over) / 2;
    }
    if (over < 0) {
        // Half of what is left is for rows that the table has more, the rest the chart's.
        const int more = m_tables->table().model() ? m_tables->table().model()->rowCount() - kFigureRows : 0;
        const int higher = std::clamp(-over / 2 / row, 0, std::max(0, more)) * row;
        sizes[3] += higher;
        sizes[2] -= over + higher;
    }
    setSizes(sizes);
    m_tables->fitInFigure();
}

void ComparisonPanes::fit() {
    if (m_inFigure)
        return setSizes(figureSizes(width()));
    const QList<int>& chosen = m_chosen.at(static_cast<std::size_t>(m_roomy));
    // Chosen sizes are for as many parts only; their proportions count.
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
