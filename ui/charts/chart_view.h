// The base of the charts page's views: figures of a run that are computed off the window's thread, over the
// measured steps or over what is selected on the time axis; a bar with controls and a sentence, and under it
// what the view is made of.
//
// A selected range counts what ran in it (on a GPU, too); a selected step what that step launched. GUI thread
// only.
#pragma once

#include <QWidget>

#include "engine/query/statistics.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/refresh.h"

class QHBoxLayout;
class QVBoxLayout;

namespace warpglass::ui {

class ElidedLabel;

class ChartView : public QWidget, public Refreshable {
    Q_OBJECT
public:
    void refreshNow() override { m_query.runNow(); }
    /// For tests: what the bar says.
    QString summary() const;

signals:
    /// What was selected on the time axis is wanted to be seen.
    void timelineRequested();

protected:
    ChartView(RunDocument& document, TimeAxis& axis, QWidget* parent);

    virtual DeferredQuery::Job makeJob() = 0;
    /// Derived constructors call it when they are whole.
    void start();

    /// What the figures are taken over: empty for the measured steps.
    struct Scope {
        SpanFilter filter;
        /// "the selected 2.3 ms", "step 3"; empty for the measured steps.
        QString words;
    };
    Scope scope() const;
    /// "mean of 3 measured steps", "step 3".
    static QString scopeWords(const Scope& scope, std::int64_t steps, bool measured);
    /// For a view of every step, which has no scope.
    void setFollowsSelection(bool follows) { m_followsSelection = follows; }

    /// Selects a span on the time axis; `show` also zooms to it and asks for the timeline.
    void selectSpan(std::optional<SpanRef> span, bool show);
    /// The longest completed instance of a module in the averaged steps, in a phase if one is named.
    std::optional<SpanRef> longestModule(const QString& module, std::optional<Phase> phase) const;

    QHBoxLayout& bar() const { return *m_bar; }
    QVBoxLayout& body() const { return *m_body; }
    void setSummary(const QString& text, const QString& toolTip = {});

    RunDocument& document() const { return m_document; }
    TimeAxis& axis() const { return m_axis; }
    void invalidate(DeferredQuery::Cause cause) { m_query.invalidate(cause); }

    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    RunDocument& m_document;
    TimeAxis& m_axis;
    QHBoxLayout* m_bar;
    QVBoxLayout* m_body;
    ElidedLabel* m_summary;
    bool m_followsSelection = true;
    SpanFilter m_scoped;  // what was last computed, or is about to be
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
