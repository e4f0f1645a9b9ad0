// The largest allocations alive at the cursor, or at the run's peak when there is none; or, of a filter with
// a range of time, the largest that were made in it.
#pragma once

#include <QWidget>

#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/allocation_model.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"

class QMenu;

namespace warpglass::ui {

class DataTable;
class FilterBar;
class SegmentedControl;
class SummaryLabel;

class AllocationsTable : public QWidget, public Refreshable, public Headed {
    Q_OBJECT
public:
    AllocationsTable(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    DataTable& table() const { return *m_table; }
    const AllocationModel& model() const { return m_model; }
    void setListing(AllocationModel::Listing listing);

    void refreshNow() override { m_query.runNow(); }
    Heading heading() const override;

    /// More rows than anyone reads; the summary says how many there are in all.
    static constexpr std::size_t kMost = 500;

private:
    struct Answer {
        std::vector<AllocationGroup> rows;
        /// Before and after the filter; the rows are the largest of what it kept.
        std::size_t all = 0, kept = 0;
        Bytes allBytes, keptBytes;
        LargestHolding holding;  // of what is kept
        Nanoseconds moment;
        QString phase;
        QString words, placeWords;  // of the filter
        QString whyNone;            // of a run that shows no memory
        bool known = false, recorded = false, selected = false, atCursor = false;
    };

    /// Whether it shows what was made in a selection, and not what is alive at a moment.
    bool ofSelection() const;
    DeferredQuery::Job makeJob();
    void take(Answer taken);
    void showRows(std::vector<AllocationGroup> rows);
    void updateSummary();
    void fillMenu(QMenu& menu, int row);
    void look(int row);
    /// Shows the allocation's life on the time axis, the cursor at its beginning.
    void goTo(int row);

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    FilterBar* m_filterBar;
    SummaryLabel* m_moment;
    SummaryLabel* m_summary;
    QString m_listed;
    Answer m_answer;  // its rows are the model's
    AllocationModel m_model;
    AllocationModel::Listing m_listing = AllocationModel::Listing::kGrouped;
    SegmentedControl* m_listings;
    DataTable* m_table;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
