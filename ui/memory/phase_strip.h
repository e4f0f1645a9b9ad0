// The phases of a run in a row over a chart on its time axis, with their names where these have room.
#pragma once

#include <QWidget>

#include "ui/controls/figure_mode.h"
#include "ui/memory/phase_bands.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class PhaseStrip : public QWidget, public FigurePart {
    Q_OBJECT
public:
    /// Both outlive it.
    PhaseStrip(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    /// Whether no other view beside it shows the phases: else it is there in a figure alone.
    void setAlone(bool alone);
    void setInFigure(bool inFigure) override;
    /// Where the time axis begins, in logical pixels.
    void setLabelWidth(int width);
    static constexpr int kHeight = 18;
    std::vector<PhaseBar> bars(const QPaintDevice& device) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RunDocument& m_document;
    TimeAxis& m_axis;
    int m_labelWidth = 96;
    bool m_alone = false, m_inFigure = false;
};

}  // namespace warpglass::ui
