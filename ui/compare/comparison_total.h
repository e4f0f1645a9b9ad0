// The sum of a comparison's table, in a line under it whose columns are the table's: it stays in sight
// however the table is sorted and scrolled.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/compare/comparison_model.h"

namespace warpglass::ui {

class DataTable;

class ComparisonTotal : public QWidget {
    Q_OBJECT
public:
    /// The table outlives this, and shows a ComparisonModel.
    explicit ComparisonTotal(DataTable& table, QWidget* parent = nullptr);

    /// Nothing hides the line.
    void setTotal(const std::optional<ComparisonRow>& total, const ComparisonShown& shown);
    const ComparisonModel& model() const { return m_model; }
    QSize sizeHint() const override { return {0, kHeight}; }
    static constexpr int kHeight = 24;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    DataTable& m_table;
    ComparisonModel m_model;
};

}  // namespace warpglass::ui
