// What is alive at a moment, by category, module, op or phase, as a table.
#pragma once

#include "engine/query/memory_breakdown.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

/// What it means that memory is grouped by op, for the controls that offer it.
QString groupedByOpWords();

struct BreakdownNameOf {
    const std::string& operator()(const BreakdownRow& row) const { return row.name; }
};

class BreakdownModel : public KeyedTableModel<BreakdownRow, BreakdownNameOf> {
    Q_OBJECT
public:
    enum Column { kName, kBytes, kAllocations, kShare, kColumnCount };

    explicit BreakdownModel(QObject* parent = nullptr);

    void setRows(BreakdownKey key, std::vector<BreakdownRow> rows);

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    QVariant shareBar(std::size_t row, int column) const override;
    bool isMono(int column) const override;

private:
    BreakdownKey m_key = BreakdownKey::kCategory;
};

}  // namespace warpglass::ui
