// What is selected: what it is, where in the model, how it compares with its kind, and memory at that moment.
// With nothing selected, the run itself.
#pragma once

#include <QScrollArea>
#include <optional>

#include "engine/query/activity/conditions.h"
#include "engine/query/activity/range_activity.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/shared_work.h"
#include "engine/query/summary/run_summary.h"
#include "engine/trace/missing_records.h"
#include "ui/models/deferred_query.h"
#include "ui/models/idle_details.h"
#include "ui/models/run_document.h"
#include "ui/models/span_details.h"
#include "ui/models/time_axis.h"
#include "ui/theme/refresh.h"

class QFrame;

namespace warpglass::ui {

class CauseChainList;
class DurationHistogram;
class PropertyList;

class Inspector : public QScrollArea, public Refreshable {
    Q_OBJECT
public:
    Inspector(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    /// Logical pixels: values are readable in it.
    static constexpr int kLeastWidth = 164;

    /// The selected span, idle stretch of a GPU or range, whichever was selected last, or the run. A range
    /// leads back to what is selected besides, an idle stretch to what ended it.
    const PropertyList& subject() const { return *m_subject; }
    const PropertyList& kind() const { return *m_kind; }
    /// What caused the selected span and what it caused: each line selects its span.
    CauseChainList& chain() const { return *m_chain; }
    const PropertyList& memory() const { return *m_memory; }

    void refreshNow() override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void onSelection();
    DeferredQuery::Job makeSubjectJob();
    /// The job for the run's own properties, with nothing selected.
    DeferredQuery::Job makeRunJob();
    DeferredQuery::Job makeMemoryJob();
    void showSpan(const SpanDetails& span, const KindStatistics& statistics, const Conditions& conditions,
                  const std::optional<OwnKernelSpan>& own, const std::optional<Sharing>& shared);
    /// `pinned`: the span or the idle stretch that is selected besides; empty for none.
    void showIdle(const IdleDetails& idle);
    void showRange(TimeRange range, const RangeActivity& activity, const QString& pinned);
    void showRun(const RunSummary& run, const MissingRecords& missing);
    void showNoRun();
    void updateLines();

    RunDocument& m_document;
    TimeAxis& m_axis;
    PropertyList* m_subject;
    CauseChainList* m_chain;
    PropertyList* m_kind;
    DurationHistogram* m_histogram;
    PropertyList* m_memory;
    QFrame* m_line0;
    QFrame* m_line1;
    QFrame* m_line2;
    // The range last seen, and whether it was selected after the span.
    std::optional<TimeRange> m_range;
    std::optional<SpanRef> m_span;
    std::optional<SelectedIdle> m_idle;
    /// What ended the idle stretch that is shown.
    std::optional<SpanRef> m_idleNext;
    bool m_rangeIsNewer = false;
    bool m_showsRange = false;
    DeferredQuery m_subjectQuery;
    DeferredQuery m_memoryQuery;
};

}  // namespace warpglass::ui
