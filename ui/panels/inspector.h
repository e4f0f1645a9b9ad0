// What is selected, as answers to four questions: what is it, who launched it, what waited, and is it slow
// for what it is; in sentences with the numbers behind them, each fact once. What has no answer has no
// section. With nothing selected it is the run: the verdict, three numbers, and links to what is worth
// looking at.
#pragma once

#include <QScrollArea>
#include <memory>
#include <optional>
#include <vector>

#include "engine/query/activity/gpu_busy.h"
#include "engine/query/activity/range_activity.h"
#include "engine/query/findings/finding.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"
#include "ui/models/idle_details.h"
#include "ui/models/run_document.h"
#include "ui/models/span_details.h"
#include "ui/models/time_axis.h"
#include "ui/panels/property_list.h"

class QFrame;

namespace warpglass::ui {

class CauseChainList;
class DurationHistogram;
struct SpanAnswers;

class Inspector : public QScrollArea, public Refreshable, public FigurePart, public Headed {
    Q_OBJECT
public:
    Inspector(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);
    ~Inspector() override;

    /// Logical pixels: what it asks for, and what values are still readable in.
    static constexpr int kWidth = 264, kLeastWidth = 160;

    /// The selected span, idle stretch of a GPU, allocation or range, whichever was selected last, or the
    /// run. A range leads back to what is selected besides, an idle stretch to what ended it, an allocation
    /// to its op.
    const PropertyList& subject() const { return *m_subject; }
    /// Where to look in the run, with nothing selected.
    PropertyList& links() const { return *m_links; }
    /// What caused the selected span and what it caused: each line selects its span.
    CauseChainList& chain() const { return *m_chain; }
    const PropertyList& waited() const { return *m_waited; }
    const PropertyList& kind() const { return *m_kind; }
    const PropertyList& memory() const { return *m_memory; }

    void refreshNow() override;
    /// What is inspected, and whether it is slow, or else the first answer.
    Heading heading() const override;
    /// They are not said again under a figure's head.
    void setInFigure(bool inFigure) override;

signals:
    /// The user wants to see where: a finding, or what is in the form of one.
    void showRequested(const warpglass::Finding& finding);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    enum class Shows { kNothing, kRun, kSpan, kIdle, kRange, kAllocation };
    struct Section {
        QFrame* line;
        PropertyList* list;
    };

    void addSections(QWidget* content);
    PropertyList* addList(QWidget* content, const char* name);
    void connectRun();
    void onSelection();
    void onLink(int link);
    DeferredQuery::Job makeSubjectJob();
    DeferredQuery::Job makeRangeJob(TimeRange range, const QString& pinned);
    DeferredQuery::Job makeMemoryJob();
    void clear();
    void showSpan();
    void showIdle(const IdleDetails& idle);
    void showAllocation(AllocationId id);
    /// `gpu` are the times of the only GPU in it. `pinned`: the span or the idle stretch that is selected
    /// besides; empty for none.
    void showRange(TimeRange range, const RangeActivity& activity, const GpuBusy::Times& gpu,
                   const QString& pinned);
    void showRun();
    /// The list that begins with what is found.
    PropertyList& foundIn() const { return m_kind->beginsWithAnswer() ? *m_kind : *m_subject; }
    void setShows(Shows shows);
    void updateWanted();
    void updateLines();

    RunDocument& m_document;
    TimeAxis& m_axis;
    PropertyList* m_subject;
    PropertyList* m_links;
    CauseChainList* m_chain;
    PropertyList* m_waited;
    PropertyList* m_kind;
    DurationHistogram* m_histogram;
    PropertyList* m_memory;
    std::vector<Section> m_sections;
    Shows m_shows = Shows::kNothing;
    bool m_seen = false;  // by the user
    /// The answers on the span that is shown, and what its links lead to.
    std::shared_ptr<const SpanAnswers> m_answers;
    SpansAroundOne m_around;
    /// What the run's links lead to.
    std::vector<Finding> m_linked;
    // The range last seen, and whether it was selected after the span.
    std::optional<TimeRange> m_range;
    std::optional<SpanRef> m_span;
    std::optional<SelectedIdle> m_idle;
    std::optional<AllocationId> m_allocation;
    /// What ended the idle stretch that is shown, or the op that made the allocation.
    std::optional<SpanRef> m_next;
    bool m_rangeIsNewer = false;
    DeferredQuery m_subjectQuery;
    DeferredQuery m_memoryQuery;
};

}  // namespace warpglass::ui
