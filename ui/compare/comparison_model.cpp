#include "ui/compare/comparison_model.h"

namespace warpglass::ui {

ComparisonModel::ComparisonModel(QObject* parent)
    : DescribedTableModel(comparedTable(Unit::kNanoseconds), parent) {}

int ComparisonModel::place(std::string_view key) {
    return comparedTable(Unit::kNanoseconds).place(key);
}

int ComparisonModel::places() {
    return static_cast<int>(comparedTable(Unit::kNanoseconds).columns.size());
}

void ComparisonModel::setRows(const std::vector<ComparisonRow>& rows, Unit unit, const ComparisonShown& shown,
                              const std::vector<ComparisonRow>& memory) {
    clear();  // rows of another kind keep nothing of these
    m_unit = unit;
    describe(comparedTable(m_unit, m_nameTitle, m_memoryWords));
    show(joinedRows(rows, memory), shown);
}

void ComparisonModel::setNameTitle(const QString& title) {
    m_nameTitle = title.toStdString();
    describe(comparedTable(m_unit, m_nameTitle, m_memoryWords));
}

/// The ratio is what a comparison is for: in little room it stays longer than the difference.
QList<int> ComparisonModel::priority(bool withMemory) const {
    QList<int> order = columns({"name", "a", "b", "ratio", "difference"});
    if (withMemory)
        order += columns({"memory_a_bytes", "memory_b_bytes", "memory_ratio", "memory_difference_bytes"});
    return order;
}

}  // namespace warpglass::ui
