// The kernels of attention from inside (--record kernel-clocks): of one of them what all multiprocessors do
// over time, or each by itself, and the figures of all in a table. A tile or a moment that is opened leads to
// its kernel on the time axis.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/tables/clock_columns.h"
#include "ui/charts/clock_chart.h"
#include "ui/charts/clock_load_chart.h"
#include "ui/charts/table_chart.h"
#include "ui/models/described_table_model.h"

namespace warpglass {

/// A run has one of each.
inline const std::string& rowKey(const ClockedKernel& kernel) {
    return kernel.kernel;
}

}  // namespace warpglass

namespace warpglass::ui {

class SegmentedControl;

class ClocksView : public TableChart {
    Q_OBJECT
public:
    ClocksView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    ClockChart& chart() const { return *m_chart; }
    ClockLoadChart& loadChart() const { return *m_load; }
    /// Each multiprocessor by itself instead of all together.
    void setApart(bool apart);

private:
    struct Answer {
        std::vector<ClockedKernel> kernels;
        std::vector<ClockLoadChart::Load> loads;  // of each
        std::string why;
    };

    DeferredQuery::Job makeJob() override;
    void clear() override;
    void showAnswer(Answer answer);
    void present();
    /// Which of the answer's kernels has that place of the control; nothing where there is none.
    std::optional<std::size_t> kernelOf(int pass) const;
    void goToKernel();

    SegmentedControl* m_passes;
    SegmentedControl* m_apart;
    ClockLoadChart* m_load;
    ClockChart* m_chart;
    DescribedTableModel<ClockedKernel> m_model{kernelClocksTable()};
    Answer m_answer;
    std::size_t m_shown = 0;
};

}  // namespace warpglass::ui
