// Next and previous match of the find panel, and going to one in the timeline.
#include <QSortFilterProxyModel>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ui/panels/find_bar.h"
#include "ui/panels/find_panel.h"
#include "ui/theme/data_table.h"

namespace warpglass::ui {

namespace {

/// A match narrower than this share of the view is zoomed to, until it is that wide.
constexpr double kLeastShare = 1.0 / 150, kZoomedShare = 1.0 / 12;

}  // namespace

void FindPanel::stepAsPutOff() {
    m_found = true;
    m_query.setActive(isVisible());
    if (const auto forward = std::exchange(m_stepPutOff, std::nullopt))
        goToNext(*forward);
}

void FindPanel::findNext() {
    step(true);
}

void FindPanel::findPrevious() {
    step(false);
}

/// At once, or when what is looked for is found.
void FindPanel::step(bool forward) {
    if (m_found) {
        goToNext(forward);
        return;
    }
    m_stepPutOff = forward;
    m_query.setActive(true);
}

/// The match that is shown; else where the timeline is.
SearchMatch FindPanel::stepFrom(bool forward) const {
    if (m_current)
        return *m_current;
    const TimeRange visible = m_axis.visibleRange();
    SearchMatch from;
    from.start = forward ? visible.begin.value - 1 : visible.end.value;
    return from;
}

void FindPanel::goToNext(bool forward) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || !m_search)
        return;
    if (snapshot->spanCount() > DeferredQuery::kHeavySpans) {
        m_steps += forward ? 1 : -1;
        m_stepQuery.invalidate(DeferredQuery::Cause::kPerson);
        return;
    }
    if (const auto match = nextMatch(*snapshot, *m_search, stepFrom(forward), forward))
        showNext(*match);
}

DeferredQuery::Job FindPanel::makeStepJob() {
    const auto snapshot = m_document.snapshot();
    const auto search = m_search;
    const int steps = std::exchange(m_steps, 0);
    if (!snapshot || !search || steps == 0)
        return {[]() -> DeferredQuery::Apply { return {}; }};
    return {[this, snapshot, search, steps, from = stepFrom(steps > 0)]() -> DeferredQuery::Apply {
                std::optional<SearchMatch> match = from;
                for (int i = 0; i < std::abs(steps) && match; ++i)
                    match = nextMatch(*snapshot, *search, match, steps > 0);
                return [this, search, match] {
                    if (match && search == m_search)
                        showNext(*match);
                };
            },
            true};
}

void FindPanel::showNext(const SearchMatch& match) {
    goTo(match);
    int row = 0;
    while (row < m_model.rowCount() && m_model.rowAt(row).at != match.at)
        ++row;
    if (row == m_model.rowCount())
        return;
    m_selecting = true;
    const QModelIndex shown = m_table->proxy()->mapFromSource(m_model.index(row, 0));
    m_table->setCurrentIndex(shown);
    m_table->scrollTo(shown);
    m_selecting = false;
}

void FindPanel::select(SpanPosition position) {
    const auto& snapshot = m_document.snapshot();
    if (const auto match = snapshot && m_search ? matchAt(*snapshot, *m_search, position) : std::nullopt)
        goTo(*match);
}

void FindPanel::goTo(const SearchMatch& match) {
    m_current = match;
    const Nanoseconds start(match.start), duration(std::max<std::int64_t>(match.duration, 1));
    const TimeRange visible = m_axis.visibleRange();
    const auto width = static_cast<double>(visible.duration().value);
    const bool inside = visible.begin <= start && start + duration <= visible.end;
    const bool wide = static_cast<double>(duration.value) >= width * kLeastShare;
    if (!inside || !wide) {
        const double wanted = wide && static_cast<double>(duration.value) <= width
                                  ? width
                                  : static_cast<double>(duration.value) / kZoomedShare;
        const Nanoseconds half(static_cast<std::int64_t>(wanted / 2));
        const Nanoseconds middle = start + Nanoseconds(duration.value / 2);
        m_axis.setVisibleRange({middle - half, middle + half});
    }
    m_filter.look(SpanRef{match.at.lane, match.at.row});
    m_axis.setPinnedCursor(start);
}

}  // namespace warpglass::ui
