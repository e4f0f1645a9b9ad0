// The phases in rows above the plot of memory: the host's, which allocates; in a figure the GPU's too, which
// end later. GUI thread.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "ui/memory/memory_scale.h"
#include "ui/memory/phase_bands.h"

class QPaintDevice;
class QPainter;

namespace warpglass::ui {

class PhaseRows {
    Q_DECLARE_TR_FUNCTIONS(PhaseRows)
public:
    /// All outlive it.
    PhaseRows(const RunDocument& document, const TimeAxis& axis, const MemoryScale& scale)
        : m_document(document), m_axis(axis), m_scale(scale) {}

    /// As in a figure: whose the phases are stands in the column of labels, and the GPU's are there too.
    void setOfFigure(bool ofFigure) { m_ofFigure = ofFigure; }
    /// Where no lanes above the plot name the phases; else there is no row over time.
    void setNamed(bool named) { m_named = named; }

    /// Logical pixels that the row of that kind takes, with the gap below it; 0 where there is none.
    int height(TrackKind kind) const;
    /// What all rows take.
    int height() const { return height(TrackKind::kPhase) + height(TrackKind::kGpuPhase); }
    std::vector<PhaseBar> bars(const QPaintDevice& device) const;
    void paint(QPainter& painter, KeptX kept) const;

private:
    const RunDocument& m_document;
    const TimeAxis& m_axis;
    const MemoryScale& m_scale;
    bool m_ofFigure = false, m_named = false;
};

}  // namespace warpglass::ui
