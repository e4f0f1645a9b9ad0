#include "app/window/shown_finding.h"

#include <memory>

#include "app/window/calm_strip.h"
#include "app/window/evidence_bar.h"
#include "engine/query/findings/finding.h"
#include "ui/controls/data_table.h"
#include "ui/memory/memory_page.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/panels/op_table.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

ShownFinding::ShownFinding(Workspace& workspace, ui::RunDocument& document, ui::TimeAxis& axis,
                           CalmStrip& messages)
    : QObject(&workspace),
      m_workspace(workspace),
      m_document(document),
      m_axis(axis),
      m_filter(workspace.filter()),
      m_messages(messages),
      m_bar(new EvidenceBar(&workspace)) {
    connect(m_bar, &EvidenceBar::backWanted, this,
            [this] { m_workspace.setPage(Workspace::Page::kSummary); });
    connect(m_bar, &EvidenceBar::dismissed, this, [this] { m_filter.reset(); });
    connect(&document, &ui::RunDocument::runChanged, m_bar, &EvidenceBar::clear);
    connect(&m_filter, &ui::RunFilter::changed, m_bar, [this] { m_bar->setCounted(m_filter.state()); });
    connect(&workspace, &Workspace::pageChanged, m_bar, [this](Workspace::Page page) {
        if (page == Workspace::Page::kSummary)
            m_bar->clear();
    });
}

ShownFinding::Place ShownFinding::place() const {
    return {m_workspace.page(),
            m_axis.visibleRange(),
            m_axis.visibleRange() == m_axis.fullRange(),
            m_axis.following(),
            m_axis.pinnedCursor(),
            m_filter.isLooking() ? m_axis.selectedSpan() : std::nullopt};
}

void ShownFinding::goTo(const Place& place) {
    if (place.page != m_workspace.page())
        emit m_workspace.otherViewWanted();
    m_bar->clear();
    m_axis.setVisibleRange(place.whole ? m_axis.fullRange() : place.visible);
    // A run that has ended since then has no newest moment to go on to.
    m_axis.setFollowing(place.following && (place.whole || m_document.isLive()));
    m_axis.setPinnedCursor(place.pinned);
    if (place.lookedAt)
        m_filter.look(place.lookedAt);
    m_workspace.setPage(place.page);
}

void ShownFinding::show(const Finding& finding) {
    const auto shown = std::make_shared<const Finding>(finding);  // what asks goes with its page
    const auto showIt = [this, shown] {
        showEvidence(shown->evidence);
        m_bar->setFinding(*shown, m_filter.state());
        m_messages.settle();  // the views are others, if only by what they show
    };
    // What another finding has filtered and zoomed to is not left in the way.
    m_filter.setEvidence(shown->evidence, {[this, before = place()] { goTo(before); }, showIt});
    showIt();
}

void ShownFinding::showEvidence(const Evidence& evidence) {
    emit m_workspace.otherViewWanted();
    if (const auto& range = evidence.inView()) {
        const Nanoseconds margin(range->duration().value / 4);
        m_axis.setVisibleRange({range->begin - margin, range->end + margin});
    } else {
        m_axis.setVisibleRange(m_axis.fullRange());
    }
    m_axis.setPinnedCursor(evidence.moment);
    showEvidenceView(evidence);
}

void ShownFinding::showEvidenceView(const Evidence& evidence) {
    switch (evidence.view) {
        case EvidenceView::kMemory:
            m_workspace.setPage(Workspace::Page::kMemory);
            return m_workspace.memoryPage().showAlive(evidence.moment.has_value());
        case EvidenceView::kSegments:
            m_workspace.setPage(Workspace::Page::kMemory);
            return m_workspace.memoryPage().showSegments(evidence.moment.has_value());
        case EvidenceView::kAttention:
            m_workspace.showView(m_workspace.view(QStringLiteral("attention")));
            return m_workspace.focusView(m_workspace.view(QStringLiteral("attention")));
        case EvidenceView::kTimeline:
        case EvidenceView::kKernels:
        case EvidenceView::kCopies:
        case EvidenceView::kOps:
            break;
    }
    m_workspace.setPage(Workspace::Page::kViews);
    m_workspace.ops().setSubject(evidence.view == EvidenceView::kKernels  ? ui::OpTable::Subject::kKernels
                                 : evidence.view == EvidenceView::kCopies ? ui::OpTable::Subject::kCopies
                                 : evidence.view == EvidenceView::kOps    ? ui::OpTable::Subject::kOps
                                                                          : m_workspace.ops().firstSubject());
    m_workspace.ops().setGrouping(SpanGrouping::kFlat);
    m_workspace.ops().selectFirst();
    m_workspace.tabs()->setCurrentWidget(&m_workspace.ops());
    if (evidence.view == EvidenceView::kTimeline)
        m_workspace.timeline()->setFocus(Qt::OtherFocusReason);
    else
        m_workspace.ops().table().setFocus(Qt::OtherFocusReason);
}

}  // namespace warpglass::app
