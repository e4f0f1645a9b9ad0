// Every step of a run with the time of each of its phases, as a table; warm-ups and a step cut off are said
// to be so.
#pragma once

#include "engine/query/step_table.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct StepOf {
    std::int32_t operator()(const StepRow& row) const { return row.step; }
};

class StepsModel : public KeyedTableModel<StepRow, StepOf> {
    Q_OBJECT
public:
    static constexpr std::array<Phase, 6> kPhaseColumns = {
        Phase::kForward, Phase::kLoss, Phase::kBackward, Phase::kOptimizer, Phase::kZeroGrad, Phase::kReplay};
    /// One for each phase of kPhaseColumns from kFirstPhase on; then what the step ran under.
    enum Column {
        kStep,
        kState,
        kDuration,
        kPeak,
        kFirstPhase,
        kOthersCores = kFirstPhase + static_cast<int>(kPhaseColumns.size()),
        kWaited,
        kSmClock
    };

    explicit StepsModel(QObject* parent = nullptr);

    /// `peaksAreLeast`: some records of memory are missing, and a peak may have been higher.
    void setRows(std::vector<StepRow> rows, bool peaksAreLeast = false);
    /// Whether any step went through a column's phase.
    bool hasPhase(Phase phase) const;
    /// Whether a column of what steps ran under is known of any.
    bool hasCondition(Column column) const;

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant shareBar(std::size_t row, int column) const override;

private:
    std::optional<Nanoseconds> timeOf(std::size_t row, int column) const;
    std::optional<double> conditionOf(std::size_t row, int column) const;

    Nanoseconds m_longest;
    bool m_peaksAreLeast = false;
};

}  // namespace warpglass::ui
