// Allocations that are alive at a moment: what, how large, made where and for how long, as a table.
#pragma once

#include "engine/query/memory_breakdown.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct AllocationIdOf {
    std::uint32_t operator()(const AllocationDetail& detail) const { return detail.id.value; }
};

class AllocationsModel : public KeyedTableModel<AllocationDetail, AllocationIdOf> {
    Q_OBJECT
public:
    enum Column {
        kCategory,
        kBytes,
        kAsked,
        kModule,
        kPart,
        kPhase,
        kStep,
        kAllocated,
        kLifetime,
        kAddress,
        kOp,
        kColumnCount
    };

    explicit AllocationsModel(QObject* parent = nullptr);

    void setRows(std::vector<AllocationDetail> rows) { replaceRows(std::move(rows)); }

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    bool isMono(int column) const override;
};

}  // namespace warpglass::ui
