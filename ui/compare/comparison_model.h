// What differs between two runs as a table (engine/tables/comparison_columns.h): of names in ns or in bytes,
// and of what has both a time and memory the same again of its memory.
#pragma once

#include "engine/tables/comparison_columns.h"
#include "ui/models/described_table_model.h"

namespace warpglass::ui {

class ComparisonModel : public DescribedTableModel<ComparedRow, ComparisonShown> {
    Q_OBJECT
public:
    explicit ComparisonModel(QObject* parent = nullptr);

    /// The index of a column, which is the same for everything that is compared; and the number of columns.
    static int place(std::string_view key);
    static int places();

    /// Columns in the order in which they have room, those of memory too or not.
    QList<int> priority(bool withMemory) const;

    /// `unit` is kNanoseconds or kBytes. `memory`: of the same names, bytes; of names that `rows` lack too.
    void setRows(const std::vector<ComparisonRow>& rows, Unit unit, const ComparisonShown& shown,
                 const std::vector<ComparisonRow>& memory = {});

    /// What the columns of memory hold: "alive at the peak".
    void setMemoryWords(const QString& words) { m_memoryWords = words.toStdString(); }
    /// The title of the name column if it says what the names belong to; "Name" otherwise.
    void setNameTitle(const QString& title);

private:
    Unit m_unit = Unit::kNanoseconds;
    std::string m_memoryWords, m_nameTitle;
};

}  // namespace warpglass::ui
