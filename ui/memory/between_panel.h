// What happens to memory between two moments, the ends of the selected stretch of time: what is allocated,
// freed and kept, by category, module or op.
#pragma once

#include <QWidget>

#include "engine/query/memory_between.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/deferred_query.h"
#include "ui/models/memory_source.h"
#include "ui/models/table_model.h"
#include "ui/models/time_axis.h"
#include "ui/theme/refresh.h"

class QLabel;

namespace warpglass::ui {

class DataTable;
class SegmentedControl;

struct BetweenNameOf {
    const std::string& operator()(const MemoryBetweenRow& row) const { return row.name; }
};

class BetweenModel : public KeyedTableModel<MemoryBetweenRow, BetweenNameOf> {
    Q_OBJECT
public:
    enum Column {
        kName,
        kKept,
        kAllocated,
        kAllocations,
        kFreed,
        kFrees,
        kFreedOlder,
        kChange,
        kColumnCount
    };
    explicit BetweenModel(QObject* parent = nullptr);
    void setRows(BreakdownKey key, std::vector<MemoryBetweenRow> rows);

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    int trend(std::size_t row, int column) const override;
    bool isMono(int column) const override;

private:
    BreakdownKey m_key = BreakdownKey::kCategory;
};

class BetweenPanel : public QWidget, public Refreshable {
    Q_OBJECT
public:
    BetweenPanel(RunDocument& document, TimeAxis& axis, MemoryFocus& focus, QWidget* parent = nullptr);

    void setKey(BreakdownKey key);
    const BetweenModel& model() const { return m_model; }
    QString sentence() const;

    void refreshNow() override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    DeferredQuery::Job makeJob();
    void show(const MemoryBetween& between, BreakdownKey key, const QString& only);

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryFocus& m_focus;
    BreakdownKey m_key = BreakdownKey::kCategory;
    SegmentedControl* m_keys;
    QLabel* m_sentence;
    BetweenModel m_model;
    DataTable* m_table;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
