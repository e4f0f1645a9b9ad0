// Phases of a step as a table: mean, deviation, and how much steps vary.
#pragma once

#include "engine/query/phase_samples.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct PhaseNameOf {
    const std::string& operator()(const PhaseSamples& row) const { return row.name; }
};

class PhasesModel : public KeyedTableModel<PhaseSamples, PhaseNameOf> {
    Q_OBJECT
public:
    enum Column { kPhase, kMean, kDeviation, kVariation, kMedian, kMin, kMax, kSteps, kFirst };

    explicit PhasesModel(QObject* parent = nullptr);
    void setPhases(const std::vector<PhaseSamples>& phases) { replaceRows(phases); }

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;

private:
    double value(const PhaseSamples& row, int column) const;
};

}  // namespace warpglass::ui
