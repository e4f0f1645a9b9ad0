#include "ui/compare/compared_run.h"

#include <QLabel>
#include <algorithm>
#include <utility>

#include "ui/compare/range_outline.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

ComparedRun::ComparedRun(const QString& letter, bool accent, QWidget* parent)
    : m_letter(letter),
      m_timeline(new TimelineView(&m_document, &m_axis, parent)),
      m_label(new QLabel(letter, m_timeline)),
      m_outline(new RangeOutline(*m_timeline, m_axis)) {
    m_timeline->setObjectName(QStringLiteral("timeline") + letter);
    m_timeline->setAccessibleName(TimelineView::tr("Timeline of run %1").arg(letter));
    m_label->setFont(Theme::strongFont());
    m_label->setProperty(accent ? "accentText" : "secondary", true);
    m_label->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_label->adjustSize();
    setShowsRuler(true);
}

void ComparedRun::show(Side side) {
    m_side = std::move(side);
    m_document.setSnapshot(m_side.snapshot, m_side.memory);
    m_side.memory = m_document.sharedMemory();
    m_axis.setFollowing(false);
    m_steps = comparedSteps(*m_side.snapshot);
    m_step = typicalStep(*m_side.snapshot, m_steps);
    m_landmark = Landmark();
}

void ComparedRun::setShowsRuler(bool shown) {
    m_timeline->setShowsRuler(shown);
    m_label->move(kTrackLabelWidth - m_label->width() - Metrics::kSpace3,
                  (shown ? kRulerHeight : 0) + Metrics::kSpace1);
}

ComparedRun::Kept ComparedRun::kept() const {
    return {m_step, m_landmark, m_axis.state(), m_outline->range()};
}

void ComparedRun::restore(const Kept& kept) {
    m_step = kept.step;
    m_landmark = kept.landmark;
    m_outline->setRange(kept.outline);
}

void ComparedRun::setStep(int step) {
    m_step = std::clamp(step, m_steps.empty() ? -1 : 0, static_cast<int>(m_steps.size()) - 1);
}

Nanoseconds ComparedRun::length() const {
    return stepRange().value_or(m_side.snapshot->range()).duration();
}

SearchedStep ComparedRun::searched(int step) const {
    return {m_side.snapshot,
            step < 0 ? std::nullopt : std::optional(m_steps[static_cast<std::size_t>(step)].span)};
}

int ComparedRun::stepAround(SpanRef span) const {
    if (span.lane.index() >= m_side.snapshot->laneCount())
        return -1;
    const auto row = m_side.snapshot->lane(span.lane).row(span.row);
    for (std::size_t i = 0; row && i < m_steps.size(); ++i) {
        if (m_steps[i].span.step == row->step)
            return static_cast<int>(i);
    }
    return -1;
}

int ComparedRun::stepAt(Nanoseconds time) const {
    const auto found = std::ranges::find_if(
        m_steps, [time](const ComparedStep& step) { return step.span.range.contains(time); });
    return found == m_steps.end() ? m_step : static_cast<int>(found - m_steps.begin());
}

std::optional<SpanRow> ComparedRun::spanOf(const std::optional<FoundPlace>& found) const {
    return found && found->span ? m_side.snapshot->lane(found->span->lane).row(found->span->row)
                                : std::nullopt;
}

void ComparedRun::outline(const std::optional<FoundPlace>& found) {
    const auto span = spanOf(found);
    const bool more = span && found->range != TimeRange{Nanoseconds(span->start), Nanoseconds(span->end())};
    m_outline->setRange(more ? std::optional(found->range) : std::nullopt);
}

}  // namespace warpglass::ui
