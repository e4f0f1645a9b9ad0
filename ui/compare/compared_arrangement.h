// The rows of both timelines of a comparison: one arrangement for both, so that what is folded or moved in
// the one is in the other. Until a person arranges them it follows the height.
#pragma once

#include <QObject>

#include "engine/trace/snapshot.h"
#include "ui/timeline/row_arrangement.h"

namespace warpglass::ui {

class ComparedRun;

class ComparedArrangement : public QObject {
    Q_OBJECT
public:
    /// Both outlive this.
    ComparedArrangement(const ComparedRun& a, const ComparedRun& b);

    /// Until a person arranges the rows, modules are one row where several would push the GPU's out of sight,
    /// and in very little room what the GPU did stands first, or without one the CPU, under the step, which
    /// stays wherever the rows scroll.
    void fit(bool inFigure);

private:
    static RowArrangement arrangementFor(const Snapshot& run, RowArrangement::Lists rows, int height,
                                         bool inFigure);

    const ComparedRun& m_a;
    const ComparedRun& m_b;
    bool m_arranging = false;
    bool m_arranged = false;  // by the user
};

}  // namespace warpglass::ui
