// Phases with every step as a dot, above their table, by the host's clock, or by the GPU's where CUDA's
// events were recorded. Choosing a dot selects that phase of that step on the time axis.
#pragma once

#include <string>
#include <vector>

#include "engine/tables/phase_columns.h"
#include "ui/charts/phases_chart.h"
#include "ui/charts/table_chart.h"
#include "ui/models/described_table_model.h"

namespace warpglass::ui {

class SegmentedControl;

class PhasesView : public TableChart {
    Q_OBJECT
public:
    PhasesView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    PhasesChart& chart() const { return *m_chart; }
    bool showsGpu() const { return m_gpu; }

private:
    struct Answer {
        std::vector<PhaseSamples> host, device;
        /// Why there are none by the GPU's clock.
        std::string hostClock;
        /// That the first measured step is slower than the others, and what helps; "" where it is not.
        std::string slowFirst;
    };

    DeferredQuery::Job makeJob() override;
    void clear() override;
    static Answer answerOf(const Snapshot& snapshot, const WorkScope& scope);
    void showAnswer(Answer answer, const Scope& scope);
    void present();
    /// Says that times are the host's, and for a GPU run why.
    QString hostWords() const;
    void goToMark(int mark, bool show);
    void chooseLongest(int row, bool show);

    SegmentedControl* m_clocks;
    PhasesChart* m_chart;
    DescribedTableModel<PhaseSamples> m_model{phaseSpreadTable()};
    Answer m_answer;
    Scope m_shown;
    bool m_gpu = false;
    bool m_hadGpu = false;  // of the last answer, also once it is cleared
};

}  // namespace warpglass::ui
