#include "ui/panels/find_steps.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ui/controls/failure_note.h"

namespace warpglass::ui {

namespace {

/// A match narrower than this share of the view is zoomed to, until it is that wide.
constexpr double kLeastShare = 1.0 / 150, kZoomedShare = 1.0 / 12;

}  // namespace

FindSteps::FindSteps(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* panel)
    : QObject(panel), m_document(document), m_axis(axis), m_filter(filter), m_query([this] {
          return makeJob();
      }) {
    showFailures(panel, m_query);
    m_query.setActive(true);  // F3 steps also where the panel is not seen
}

void FindSteps::setSearch(std::shared_ptr<const SpanSearch> search) {
    m_search = std::move(search);
    m_found = true;
    if (const auto forward = std::exchange(m_putOff, std::nullopt))
        goToNext(*forward);
}

void FindSteps::giveUp() {
    m_current.reset();
    m_steps = 0;
    m_found = false;
    m_putOff.reset();
}

/// At once, or when what is looked for is found.
void FindSteps::step(bool forward) {
    if (m_found) {
        goToNext(forward);
        return;
    }
    m_putOff = forward;
    emit searchWanted();
}

/// The match that is shown; else where the timeline is.
SearchMatch FindSteps::stepFrom(bool forward) const {
    if (m_current)
        return *m_current;
    const TimeRange visible = m_axis.visibleRange();
    SearchMatch from;
    from.start = forward ? visible.begin.value - 1 : visible.end.value;
    return from;
}

void FindSteps::goToNext(bool forward) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || !m_search)
        return;
    if (snapshot->spanCount() > DeferredQuery::kHeavySpans) {
        m_steps += forward ? 1 : -1;
        m_query.invalidate(DeferredQuery::Cause::kPerson);
        return;
    }
    if (const auto match = nextMatch(*snapshot, *m_search, stepFrom(forward), forward))
        showNext(*match);
}

DeferredQuery::Job FindSteps::makeJob() {
    const auto snapshot = m_document.snapshot();
    const auto search = m_search;
    const int steps = std::exchange(m_steps, 0);
    if (!snapshot || !search || steps == 0)
        return {[]() -> DeferredQuery::Apply { return {}; }};
    return {[this, snapshot, search, steps, from = stepFrom(steps > 0)] {
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

void FindSteps::showNext(const SearchMatch& match) {
    goTo(match);
    emit stepped(match);
}

void FindSteps::select(SpanPosition position) {
    const auto& snapshot = m_document.snapshot();
    if (const auto match = snapshot && m_search ? matchAt(*snapshot, *m_search, position) : std::nullopt)
        goTo(*match);
}

void FindSteps::goTo(const SearchMatch& match) {
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
