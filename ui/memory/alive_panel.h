// What is alive at the moment that the memory page looks at: a treemap over a table of its largest
// allocations. The table holds what lies below where the treemap is, and stays where it is scrolled to while
// the moment moves.
#pragma once

#include <QWidget>

#include "ui/controls/heading.h"
#include "ui/memory/treemap_view.h"
#include "ui/models/allocation_model.h"

namespace warpglass::ui {

class CategoryKey;
class DataTable;
class SegmentedControl;
class ElidedLabel;

class AlivePanel : public QWidget, public Refreshable, public Headed {
    Q_OBJECT
public:
    AlivePanel(RunDocument& document, MemoryFocus& focus, QWidget* parent = nullptr);

    TreemapView& treemap() const { return *m_treemap; }
    DataTable& table() const { return *m_table; }
    const AllocationModel& model() const { return m_model; }
    void setListing(AllocationModel::Listing listing);

    /// Everything, in the treemap, and the largest allocation selected once that is shown.
    void selectFirst();

    void refreshNow() override { m_query.runNow(); }
    Heading heading() const override;

    /// More rows than anyone reads; the line over them says how many there are.
    static constexpr std::size_t kMost = 500;

private:
    DeferredQuery::Job makeJob();
    void showRows(std::vector<AllocationGroup> rows);
    void showSelected();
    bool revealSelected();
    void selectFirstNow();

    RunDocument& m_document;
    MemoryFocus& m_focus;
    SegmentedControl* m_groupings;
    /// In figures: not every category has room for its name.
    CategoryKey* m_key;
    TreemapView* m_treemap;
    ElidedLabel* m_summary;
    AllocationModel m_model;
    AllocationModel::Listing m_listing = AllocationModel::Listing::kGrouped;
    SegmentedControl* m_listings;
    DataTable* m_table;
    bool m_selectFirst = false;
    bool m_reveal = false;  // the selected row, once it is there
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
