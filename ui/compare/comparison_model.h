// What differs between two runs as a table: a row a name, both figures, difference and ratio, and of what has
// both a time and memory the same again of its memory; less and more coloured alike everywhere. Neither where
// a run ended before it had come to all of it.
#pragma once

#include <optional>
#include <string>

#include "engine/query/comparison.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

/// In neither run where it has memory alone.
struct ComparedRow : ComparisonRow {
    std::optional<ComparisonRow> memory;
};

struct ComparisonNameOf {
    const std::string& operator()(const ComparedRow& row) const { return row.name; }
};

class ComparisonModel : public KeyedTableModel<ComparedRow, ComparisonNameOf> {
    Q_OBJECT
public:
    enum class Unit { kNanoseconds, kBytes };
    enum Column {
        kName,
        kA,
        kB,
        kDifference,
        kRatio,
        kMemoryA,
        kMemoryB,
        kMemoryDifference,
        kMemoryRatio,
        kColumns
    };

    explicit ComparisonModel(QObject* parent = nullptr);

    /// `code`: names are kernels', ops' or modules', in the mono font. `swatches`: kCategory or kPhase where
    /// names are those, and −1.
    /// `completeSteps`: figures are of complete steps only, so that a run that ended in its first has none,
    /// though it may have run the same.
    /// `memory`: of the same names, in bytes; of names that `rows` lack too.
    void setRows(const std::vector<ComparisonRow>& rows, Unit unit, bool code, int swatches,
                 bool completeSteps = false, const std::vector<ComparisonRow>& memory = {});

    /// What the columns of memory hold: "alive at the peak".
    void setMemoryWords(const QString& words) { m_memoryWords = words; }

    /// What stands over the names, where that says what they are of; "Name" without it.
    void setNameTitle(const QString& title);

    /// With the unit of the plain numbers: "A (ns)".
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    int trend(std::size_t row, int column) const override;
    bool isMono(int column) const override;

private:
    /// Of the row's time, or of its memory: in which unit, and which of the first five columns it is.
    struct Cell {
        const ComparisonRow* row;
        Unit unit;
        int column;
        bool completeSteps;
    };
    Cell cell(std::size_t row, int column) const;

    Unit m_unit = Unit::kNanoseconds;
    QString m_memoryWords, m_nameTitle;
    bool m_code = false;
    int m_swatches = -1;
    bool m_completeSteps = false;
};

}  // namespace warpglass::ui
