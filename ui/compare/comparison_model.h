// What differs between two runs as a table: a row a name, both figures, difference and ratio; less and more
// coloured alike everywhere. Neither where a run ended before it had come to all of it.
#pragma once

#include <string>

#include "engine/query/comparison.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct ComparisonNameOf {
    const std::string& operator()(const ComparisonRow& row) const { return row.name; }
};

class ComparisonModel : public KeyedTableModel<ComparisonRow, ComparisonNameOf> {
    Q_OBJECT
public:
    enum class Unit { kNanoseconds, kBytes };
    enum Column { kName, kA, kB, kDifference, kRatio };

    explicit ComparisonModel(QObject* parent = nullptr);

    /// `code`: names are kernels', ops' or modules', in the mono font. `swatches`: kCategory or kPhase where
    /// names are those, and −1.
    /// `completeSteps`: figures are of complete steps only, so that a run that ended in its first has none,
    /// though it may have run the same.
    void setRows(std::vector<ComparisonRow> rows, Unit unit, bool code, int swatches,
                 bool completeSteps = false);

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    int trend(std::size_t row, int column) const override;
    bool isMono(int column) const override;

private:
    QString figure(double value) const;
    QString whyUnknown(const ComparisonRow& row) const;

    Unit m_unit = Unit::kNanoseconds;
    bool m_code = false;
    int m_swatches = -1;
    bool m_completeSteps = false;
};

}  // namespace warpglass::ui
