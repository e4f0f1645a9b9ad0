// Looks through the steps of two runs that are compared: at once, or in long ones on a worker. Among several
// questions the last is answered.
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/query/compare/landmark.h"
#include "ui/models/deferred_query.h"

class QWidget;

namespace warpglass::ui {

class ComparedRun;
struct SearchedStep;

class StepSearch : public QObject {
    Q_OBJECT
public:
    /// Both outlive this. `view` shows what fails; while it is hidden, nothing is looked for.
    StepSearch(const ComparedRun& a, const ComparedRun& b, QWidget* view);

    /// Looks for something in these two steps, which `work` captures.
    void ask(const SearchedStep& a, const SearchedStep& b, std::function<DeferredQuery::Apply()> work);
    /// What is looked for is no longer wanted.
    void drop() { ++m_question; }
    /// Lists the landmarks that the compared steps share.
    void list();
    /// Others are compared from now on.
    void startOver();
    /// Waits for what is looked for.
    void runNow();

signals:
    /// It takes a while.
    void waits();
    void listed(const std::vector<warpglass::Landmark>& landmarks);

private:
    DeferredQuery::Job makeListJob();
    DeferredQuery::Job makeSearchJob();
    static void invalidate(DeferredQuery& query, const SearchedStep& a, const SearchedStep& b);

    const ComparedRun& m_a;
    const ComparedRun& m_b;
    DeferredQuery m_listQuery;
    DeferredQuery m_search;
    std::function<DeferredQuery::Apply()> m_asked;
    std::uint64_t m_question = 0;  // of which the answer is wanted
};

}  // namespace warpglass::ui
