#include "ui/compare/step_search.h"

#include <utility>

#include "ui/compare/compared_run.h"
#include "ui/controls/failure_note.h"

namespace warpglass::ui {

StepSearch::StepSearch(const ComparedRun& a, const ComparedRun& b, QWidget* view)
    : m_a(a),
      m_b(b),
      m_listQuery([this] { return makeListJob(); }),
      m_search([this] { return makeSearchJob(); }) {
    askWhileSeen(view, m_listQuery);
    askWhileSeen(view, m_search);
}

DeferredQuery::Job StepSearch::makeListJob() {
    return {[this, a = m_a.searched(), b = m_b.searched()] {
                std::vector<Landmark> common = commonLandmarks(a, b);
                return DeferredQuery::Apply([this, common] { emit listed(common); });
            },
            true};
}

/// Nothing where another run took the place of what was asked.
DeferredQuery::Job StepSearch::makeSearchJob() {
    if (!m_asked)
        return {[] { return DeferredQuery::Apply(); }, false};
    return {std::exchange(m_asked, nullptr), true};
}

/// What takes little is there at once, unless that were to wait for what takes long.
void StepSearch::invalidate(DeferredQuery& query, const SearchedStep& a, const SearchedStep& b) {
    const bool atOnce = query.isIdle() && !takesLong(a, b);
    query.invalidate(DeferredQuery::Cause::kPerson);
    if (atOnce)
        query.runNow();
}

void StepSearch::ask(const SearchedStep& a, const SearchedStep& b,
                     std::function<DeferredQuery::Apply()> work) {
    m_asked = [this, question = ++m_question, work = std::move(work)] {
        return DeferredQuery::Apply([this, question, apply = work()] {
            if (question == m_question)
                apply();
        });
    };
    invalidate(m_search, a, b);
    if (!m_search.isIdle())
        emit waits();
}

void StepSearch::list() {
    invalidate(m_listQuery, m_a.searched(), m_b.searched());
}

void StepSearch::startOver() {
    drop();
    m_asked = nullptr;
    for (DeferredQuery* query : {&m_search, &m_listQuery}) {
        if (!query->isIdle() || !query->failure().isEmpty())
            query->invalidate(DeferredQuery::Cause::kOtherRun);
    }
}

void StepSearch::runNow() {
    m_search.runNow();
    m_listQuery.runNow();
}

}  // namespace warpglass::ui
