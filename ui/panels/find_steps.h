// Goes from match to match of a search in order of time, round the run's end, and shows each in the timeline,
// the cursor and the inspector at it. A step before all is found is taken when it is.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "engine/query/statistics/span_search.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class FindSteps : public QObject {
    Q_OBJECT
public:
    /// Failures are shown in the panel, which owns it.
    FindSteps(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* panel);

    /// What is looked for has been found; null for nothing.
    void setSearch(std::shared_ptr<const SpanSearch> search);
    /// What is looked for has changed.
    void giveUp();
    /// Nobody waits for the step that was put off any longer.
    void forgetPutOff() { m_putOff.reset(); }
    /// At once, or when what is looked for is found.
    void step(bool forward);
    void goTo(const SearchMatch& match);
    void select(SpanPosition position);

signals:
    /// A step waits for it.
    void searchWanted();
    void stepped(const warpglass::SearchMatch& match);

private:
    void goToNext(bool forward);
    SearchMatch stepFrom(bool forward) const;
    void showNext(const SearchMatch& match);
    DeferredQuery::Job makeJob();

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    std::shared_ptr<const SpanSearch> m_search;
    bool m_found = false;
    std::optional<bool> m_putOff;  // forward (true) or back
    std::optional<SearchMatch> m_current;
    /// Steps asked for and not yet taken, in a run so long that a rare match takes a while to come by.
    int m_steps = 0;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
