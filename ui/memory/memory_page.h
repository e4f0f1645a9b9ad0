// The workspace's page about memory: why the peak is where it is; memory over time over the allocation map,
// on the timeline's axis; at the right what is alive at the peak or at the cursor, what happens between two
// cursors, and the segments of a GPU's allocator.
#pragma once

#include <QWidget>

#include "ui/controls/refresh.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/deferred_query.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class AlivePanel;
class AllocationMapPanel;
class ElidedLabel;
class MemoryChart;
class SegmentedControl;
class SegmentsView;

class MemoryPage : public QWidget, public Refreshable {
    Q_OBJECT
public:
    MemoryPage(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    MemoryFocus& focus() const { return *m_focus; }
    MemoryChart& chart() const { return *m_chart; }
    AllocationMapPanel& map() const { return *m_map; }
    AlivePanel& alive() const { return *m_alive; }
    QTabWidget& tabs() const { return *m_tabs; }
    QString explanation() const;
    /// The filter's controls, above the page, and the line for what does not fit beside them.
    void setFilterBar(QWidget* bar, QWidget* line);
    /// Which views follow the filter, in words; empty if there is nothing to follow.
    QString restriction() const;
    /// What is alive at the cursor, else at the peak, as a treemap; or the allocator's segments then.
    void showAlive(bool atCursor);
    void showSegments(bool atCursor);
    /// Brings the tab of a view in it to the front.
    void showView(QWidget* view);
    /// The one view that is shown, which may be another page's; null where all are.
    void setAlone(const QWidget* view);

    void refreshNow() override;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    DeferredQuery::Job makeExplanationJob();
    QWidget* makeLeft();
    QWidget* makeRight();
    void showMoment();
    void showRestriction();
    void showSelected();
    void showMerged(const QString& words);
    void makeFollow();

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryFocus* m_focus;
    QLabel* m_explanation = nullptr;
    QHBoxLayout* m_filterRow = nullptr;
    ElidedLabel* m_restriction = nullptr;
    QPushButton* m_follow = nullptr;  // of a run that is being recorded, while the axis stands still
    MemoryChart* m_chart = nullptr;
    AllocationMapPanel* m_map = nullptr;
    SegmentedControl* m_at = nullptr;
    ElidedLabel* m_moment = nullptr;
    AlivePanel* m_alive = nullptr;
    SegmentsView* m_segments = nullptr;
    QTabWidget* m_tabs = nullptr;
    QLabel* m_selected = nullptr;
    DeferredQuery m_explanationQuery;
};

}  // namespace warpglass::ui
