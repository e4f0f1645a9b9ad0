// Memory over time, stacked by category, module or op, on the shared time axis: a legend bar over the plot,
// what the stack is made of and what it is spaced by beside it.
//
// Reads RunDocument::memory(); while a run grows it repaints along with it, at a cost that follows the plot's
// width.
#pragma once

#include <QWidget>

#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/legend.h"

class QComboBox;

namespace warpglass::ui {

class MemoryLegend;
class MemoryPlot;

class MemoryChart : public QWidget, public Refreshable, public FigurePart, public Headed {
    Q_OBJECT
public:
    MemoryChart(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    /// The plot's left margin: where the timeline's label column ends.
    int labelWidth() const;
    void setLabelWidth(int width);
    MemoryPlot& plot() const { return *m_plot; }
    MemoryLegend& legend() const { return *m_legend; }

    void refreshNow() override;
    /// In a figure the column of labels has the memory axis's sizes.
    void setInFigure(bool inFigure) override;
    /// Phases that are too short for their names in the strip get them in the legend, and a figure that
    /// follows its content is so much higher.
    int figureHeight(int width, int most) override;
    void fitInFigure() override;
    static constexpr int kFigureLabelWidth = 76;
    /// Explains the peak: O(n) in what is live at it, once for each snapshot.
    Heading heading() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRun();
    void onSnapshotChanged();
    void makeChoices();
    void placeChoices();
    void updateLegend();
    /// The legend's, without phases.
    std::vector<LegendEntry> lines() const;
    void updateLines();
    void updateReading();

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryLegend* m_legend;
    MemoryPlot* m_plot;
    int m_labelWidthBefore = 0;
    /// The finding, and the snapshot that it is of.
    mutable QString m_finding;
    mutable std::weak_ptr<const Snapshot> m_findingOf;
    QComboBox* m_stack = nullptr;
    QComboBox* m_spacing = nullptr;
    /// What the legend lists, while a run grows: it reads the whole run and changes rarely.
    DeferredQuery m_legendQuery;
};

}  // namespace warpglass::ui
