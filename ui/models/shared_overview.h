// The overview of the shown run: its figures and findings, computed once for the summary and the inspector.
//
// It is computed while a view that shows it can be seen: on a worker for large runs, and while a run grows at
// most once per second.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <set>

#include "engine/query/findings/run_overview.h"
#include "engine/query/memory/memory_timeline.h"
#include "ui/models/deferred_query.h"

namespace warpglass::ui {

class RunDocument;

class SharedOverview : public QObject {
    Q_OBJECT
public:
    /// Belongs to the document.
    explicit SharedOverview(RunDocument& document);

    /// Nothing before it has been computed, and without a run.
    const std::optional<RunOverview>& current() const { return m_current; }
    /// Whether a view shows it; what is destroyed wants nothing any more.
    void setWanted(const QObject& by, bool wanted);
    /// Waits for it.
    void runNow();
    /// For the views to say why it is missing (ui/controls/failure_note.h).
    const DeferredQuery& query() const { return m_query; }

    /// Interval of updates while a run grows.
    static constexpr int kLiveInterval = 1000;  // ms

signals:
    /// Also when there is none any more.
    void changed();

private:
    DeferredQuery::Job makeJob();
    void set(std::optional<RunOverview> overview);
    void onGrowth();
    void forget(QObject* gone);

    RunDocument& m_document;
    std::optional<RunOverview> m_current;
    /// The worker's own; one job at a time.
    std::shared_ptr<MemoryTimeline> m_timeline;
    std::set<const QObject*> m_wantedBy;
    QTimer m_growth;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
