// The parts of a comparison under its head: both timelines, the memory chart, the tables. With much room they
// are one below the other; with little room the chart is beside the memory table, so that a table has enough
// rows to read.
//
// Their sizes follow the room until the user moves a divider; then they keep those proportions, separately
// for much and for little room.
#pragma once

#include <QSplitter>
#include <QVariantMap>
#include <array>

#include "ui/controls/figure_mode.h"

namespace warpglass::ui {

class ComparisonTables;
class MemoryDifferencePlot;
class TimelineView;

class ComparisonPanes : public QSplitter, public FigurePart {
    Q_OBJECT
public:
    /// They become this widget's.
    ComparisonPanes(TimelineView* timelineA, TimelineView* timelineB, MemoryDifferencePlot* chart,
                    ComparisonTables* tables, QWidget* parent = nullptr);

    void setRoomy(bool roomy);

    /// What the user has chosen, to be saved and restored; a part that is missing in it follows the room.
    QVariantMap state() const;
    void apply(const QVariantMap& state);

    // A figure has the rows of the GPU, or else of the host, and as many complete rows of the table as fit.
    void setInFigure(bool inFigure) override;
    int figureHeight(int width, int most) override;
    void fitInFigure() override;

signals:
    /// The parts have other sizes.
    void arranged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    QList<int> sizesFor(int height) const;
    QList<int> figureSizes(int width) const;

    std::array<TimelineView*, 2> m_timelines;
    MemoryDifferencePlot* m_chart;
    ComparisonTables* m_tables;
    bool m_roomy = true, m_inFigure = false;
    /// By m_roomy; empty while nobody has moved a divider.
    std::array<QList<int>, 2> m_chosen;
    bool m_memoryChosen = false;
};

}  // namespace warpglass::ui
