// The allocation map under a bar with its order and what of it is drawn.
#pragma once

#include <QWidget>

#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/memory/allocation_map_view.h"

class QToolButton;

namespace warpglass::ui {

class CategoryKey;
class FreeStrip;
class LegendStrip;
class PhaseStrip;
class SegmentedControl;
class SummaryLabel;

class AllocationMapPanel : public QWidget, public FigurePart, public Headed {
    Q_OBJECT
public:
    AllocationMapPanel(RunDocument& document, TimeAxis& axis, MemoryFocus& focus, QWidget* parent = nullptr);

    AllocationMapView& view() const { return *m_view; }
    int labelWidth() const { return m_view->labelWidth(); }
    void setLabelWidth(int width);
    /// Whether it is shown without the chart, whose legend explains the colors and which shows the
    /// phases: it then does so itself.
    void setAlone(bool alone);

    Heading heading() const override;
    /// A figure explains the colors of phases that are too short for their names.
    void setInFigure(bool inFigure) override;
    void fitInFigure() override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showState();
    QString noAddressesInWords() const;

    RunDocument& m_document;
    SegmentedControl* m_orders;
    SummaryLabel* m_summary;
    CategoryKey* m_key;
    QToolButton* m_fold;
    LegendStrip* m_free;  // where free space is drawn
    PhaseStrip* m_phases;
    AllocationMapView* m_view;
    FreeStrip* m_strip;
};

}  // namespace warpglass::ui
