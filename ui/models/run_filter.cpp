#include "ui/models/run_filter.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/query/findings/finding.h"
#include "engine/query/module_group.h"
#include "engine/query/step_table.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

namespace {

bool isRangeKind(TrackKind kind) {
    return kind == TrackKind::kStep || kind == TrackKind::kPhase || kind == TrackKind::kModule;
}

/// "1.20–3.40 ms"; with both units where they differ.
QString rangeText(TimeRange range) {
    const QString begin = toQString(formatMoment(range.begin));
    const QString end = toQString(formatMoment(range.end));
    const QChar thin(0x202F);
    const bool sameUnit = begin.section(thin, 1) == end.section(thin, 1);
    return (sameUnit ? begin.section(thin, 0, 0) : begin) + QStringLiteral("–") + end;
}

/// "aten::copy_ and 4 more" of several.
QString nameText(const std::string& names) {
    const QStringList each = toQString(names).split(QLatin1Char('|'), Qt::SkipEmptyParts);
    return each.size() < 2 ? toQString(names)
                           : RunFilter::tr("%1 and %2 more").arg(each.front()).arg(each.size() - 1);
}

QString numberOf(const std::vector<AllocationId>& allocations) {
    return toQString(formatGrouped(static_cast<std::int64_t>(allocations.size())));
}

}  // namespace

RunFilter::RunFilter(RunDocument& document, TimeAxis& axis, QObject* parent)
    : QObject(parent), m_document(document), m_axis(axis) {
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_past.clear();
        m_future.clear();
        m_state = State();
        m_seen.reset();
        m_extent.reset();  // it holds the run
        onSelection();
        emit changed();
    });
    connect(&m_axis, &TimeAxis::selectionChanged, this, &RunFilter::onSelection);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        if (m_state.steps == Steps::kInView && !usesSelection())
            emit viewMoved();
    });
    onSelection();
    m_past.clear();
}

bool RunFilter::continues(const State& before, const State& next) {
    State same = next;
    if (before.range && next.range)
        same.range = before.range;
    if (!before.text.isEmpty() && !next.text.isEmpty())
        same.text = before.text;
    return same == before;
}

void RunFilter::apply(State next, bool always) {
    if (next == m_state)
        return;
    if (always || !continues(m_state, next)) {
        if (m_past.size() == kMostHistory)
            m_past.erase(m_past.begin());
        m_past.push_back(m_state);
    }
    m_future.clear();
    m_state = std::move(next);
    emit changed();
}

void RunFilter::setSteps(Steps steps) {
    State next = m_state;
    next.steps = steps;
    apply(std::move(next));
}

std::optional<SpanDetails> RunFilter::pickedPlace() const {
    const auto& snapshot = m_document.snapshot();
    auto picked = m_state.span && snapshot ? describeSpan(*snapshot, *m_state.span) : std::nullopt;
    return picked && picked->kind != TrackKind::kStep ? picked : std::nullopt;
}

bool RunFilter::replacesPicked(Phase phase) const {
    return phase != Phase::kNone && pickedPlace();
}

bool RunFilter::replacesPicked(const std::string& module) const {
    const auto picked = pickedPlace();
    return !module.empty() && picked && !picked->module.empty() &&
           (module == picked->module || !isWithin(module, picked->module));
}

void RunFilter::applyWithoutSelection(State next) {
    clearSelected();
    next.range.reset();
    next.span.reset();
    apply(std::move(next));
}

void RunFilter::setPhase(std::optional<Phase> phase) {
    State next = m_state;
    next.phase = phase;
    if (phase && replacesPicked(*phase)) {
        // The module that was picked counts on, in every step.
        if (const auto picked = pickedPlace(); picked->kind == TrackKind::kModule && next.module.empty())
            next.module = picked->module;
        return applyWithoutSelection(std::move(next));
    }
    apply(std::move(next));
}

void RunFilter::setModule(const std::string& path) {
    State next = m_state;
    next.module = path;
    if (replacesPicked(path))
        return applyWithoutSelection(std::move(next));
    apply(std::move(next));
}

void RunFilter::setName(const std::string& name) {
    State next = m_state;
    next.name = name;
    apply(std::move(next));
}

void RunFilter::setText(const QString& text) {
    State next = m_state;
    next.text = text;
    apply(std::move(next));
}

void RunFilter::setCategory(std::optional<Category> category) {
    State next = m_state;
    next.category = category;
    apply(std::move(next));
}

void RunFilter::setAllocations(std::vector<AllocationId> allocations) {
    State next = m_state;
    next.allocations = allocations.empty()
                           ? nullptr
                           : std::make_shared<const std::vector<AllocationId>>(std::move(allocations));
    apply(std::move(next));
}

void RunFilter::setEvidence(const Evidence& evidence) {
    m_restoring = true;
    m_axis.setSelectedSpan(std::nullopt);
    m_axis.setSelectedRange(evidence.range);
    m_restoring = false;
    m_seen.reset();
    State next;
    next.range = m_axis.selectedRange();
    next.name = evidence.names;
    next.phase = evidence.phase;
    if (!evidence.allocations.empty())
        next.allocations = std::make_shared<const std::vector<AllocationId>>(evidence.allocations);
    apply(std::move(next), true);
}

void RunFilter::look(std::optional<SpanRef> span) {
    m_restoring = true;
    m_axis.setSelectedSpan(span);
    m_restoring = false;
    m_seen = span;
}

void RunFilter::pick(SpanRef span) {
    if (m_axis.selectedSpan() == span)
        look(std::nullopt);  // it was looked at, or something was selected after it: picked anew
    m_axis.setSelectedSpan(span);
}

bool RunFilter::isLooking() const {
    return m_axis.selectedSpan() && m_axis.selectedSpan() != m_state.span;
}

void RunFilter::clearSelected() {
    m_restoring = true;
    m_axis.setSelectedRange(std::nullopt);
    if (!isLooking())
        m_axis.setSelectedSpan(std::nullopt);
    m_restoring = false;
    m_seen = m_axis.selectedSpan();
}

void RunFilter::remove(Condition condition) {
    switch (condition) {
        case Condition::kSteps:
            return setSteps(Steps::kAll);
        case Condition::kCategory:
            return setCategory(std::nullopt);
        case Condition::kSelection:
            return applyWithoutSelection(m_state);
        case Condition::kPhase:
            return setPhase(std::nullopt);
        case Condition::kModule:
            return setModule({});
        case Condition::kName:
            return setName({});
        case Condition::kText:
            return setText({});
        case Condition::kAllocations:
            return setAllocations({});
    }
}

void RunFilter::reset() {
    clearSelected();
    apply(State());
}

void RunFilter::onSelection() {
    if (m_restoring)
        return;
    State next = m_state;
    const auto picked = m_axis.selectedSpan(), before = m_seen;
    m_seen = picked;
    const auto& snapshot = m_document.snapshot();
    const auto span =
        picked && picked != before && snapshot ? describeSpan(*snapshot, *picked) : std::nullopt;
    if (span && isRangeKind(span->kind)) {
        m_restoring = true;
        m_axis.setSelectedRange(std::nullopt);
        m_restoring = false;
        next.range.reset();
        next.span = picked;
        return apply(std::move(next));
    }
    next.range = m_axis.selectedRange();
    // What was looked at is let go without letting go of what counts.
    const bool letGo = !picked && before && before == m_state.span;
    if (next.range || letGo)
        next.span.reset();
    apply(std::move(next));
}

void RunFilter::restore(const State& state) {
    const bool looking = isLooking();
    m_state = state;
    m_restoring = true;
    m_axis.setSelectedRange(state.range);
    if (!looking)
        m_axis.setSelectedSpan(state.span);
    m_restoring = false;
    m_seen = m_axis.selectedSpan();
    emit changed();
}

void RunFilter::back() {
    if (m_past.empty())
        return;
    const State state = m_past.back();
    m_past.pop_back();
    m_future.push_back(m_state);
    restore(state);
}

void RunFilter::takeBack() {
    if (m_past.empty())
        return;
    const State state = m_past.back();
    m_past.pop_back();
    restore(state);
}

void RunFilter::forward() {
    if (m_future.empty())
        return;
    const State state = m_future.back();
    m_future.pop_back();
    m_past.push_back(m_state);
    restore(state);
}

bool RunFilter::letGo() {
    if (!m_axis.selectedRange() && !m_axis.selectedSpan() && !m_axis.pinnedCursor() && !usesSelection())
        return false;
    const bool looking = usesSelection() && isLooking();
    m_axis.setPinnedCursor(std::nullopt);
    if (!looking)
        remove(Condition::kSelection);
    look(std::nullopt);
    return true;
}

const FilterExtent& RunFilter::extent() const {
    const auto& snapshot = m_document.snapshot();
    if (!m_extent || m_extent->state != m_state || m_extent->snapshot != snapshot) {
        m_extent = Extent{m_state, snapshot, {}};
        // What is in view is all that is seen.
        const bool inView = m_state.steps == Steps::kInView && !usesSelection();
        if (snapshot && !inView)
            m_extent->extent = filterExtent(*snapshot, spanFilter());
    }
    return m_extent->extent;
}

/// Whether a measured step has begun: until then "measured" would be an empty table during warm-up.
bool RunFilter::hasMeasuredStep() const {
    const Snapshot& snapshot = *m_document.snapshot();
    const auto isMeasured = [&](std::int32_t step) {
        return step != kNoStep && stepState(snapshot, step) == StepState::kMeasured;
    };
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kStep)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            const auto last = lane.empty() ? std::nullopt : lane.row(lane.rows() - 1);
            // Of a run that was cut off, the one before the last may be.
            for (std::uint64_t back = 1; last && back <= std::min<std::uint64_t>(2, lane.rows()); ++back) {
                const auto row = lane.row(lane.rows() - back);
                if (row && isMeasured(row->step))
                    return true;
            }
        }
    }
    return std::any_of(snapshot.openSpans().begin(), snapshot.openSpans().end(),
                       [&](const OpenSpan& open) { return isMeasured(open.step); });
}

SpanFilter RunFilter::spanFilter() const {
    SpanFilter filter;
    const auto& snapshot = m_document.snapshot();
    filter.phase = m_state.phase;
    filter.modulePath = m_state.module;
    filter.name = m_state.name;
    const auto span = m_state.span && snapshot ? describeSpan(*snapshot, *m_state.span) : std::nullopt;
    if (m_state.range) {
        filter.ranges = {*m_state.range};
    } else if (span) {
        filter.ranges = {span->range()};
        filter.byLaunch = true;
    } else if (m_state.steps == Steps::kInView) {
        filter.ranges = {m_axis.visibleRange()};
    } else {
        filter.measuredOnly = m_state.steps == Steps::kMeasured && snapshot && hasMeasuredStep();
    }
    return filter;
}

WorkScope RunFilter::work() const {
    WorkScope work(spanFilter());
    const auto& snapshot = m_document.snapshot();
    const auto span = m_state.span && snapshot ? describeSpan(*snapshot, *m_state.span) : std::nullopt;
    if (!m_state.range && span && span->kind == TrackKind::kStep) {
        work.filter.ranges.clear();
        work.filter.byLaunch = false;
        work.filter.step = span->step;
    }
    work.allSteps = m_state.steps == Steps::kAll && !usesSelection();
    work.text = m_state.text.toStdString();
    return work;
}

AllocationConditions RunFilter::allocations() const {
    AllocationConditions conditions(spanFilter());
    if (!usesSelection())
        conditions.made.ranges.clear();
    conditions.category = m_state.category;
    conditions.among = m_state.allocations;
    conditions.text = m_state.text.toStdString();
    return conditions;
}

bool RunFilter::countsBeginnings() const {
    return m_state.range || (!m_state.span && m_state.steps == Steps::kInView);
}

QString RunFilter::wordsOfSteps() const {
    if (m_state.range)
        return tr("the selected %1").arg(toQString(formatDuration(m_state.range->duration())));
    const auto& snapshot = m_document.snapshot();
    if (!snapshot)
        return tr("the whole run");
    if (const auto span = m_state.span ? describeSpan(*snapshot, *m_state.span) : std::nullopt) {
        const QString name = toQString(span->name);
        return span->kind != TrackKind::kStep && span->step != kNoStep
                   ? tr("%1 of step %2").arg(name).arg(span->step)
                   : name;
    }
    switch (m_state.steps) {
        case Steps::kAll:
            return tr("the whole run");
        case Steps::kInView:
            return tr("view");
        case Steps::kMeasured:
            break;
    }
    if (hasMeasuredStep())
        return tr("measured steps");
    if (m_document.isLive())
        return tr("the run so far, in warm-up");
    // A damaged file may have lost its steps, and with them what was measured.
    const auto tracks = snapshot->tracksOfKind(TrackKind::kStep);
    const bool steps = std::any_of(tracks.begin(), tracks.end(), [&](TrackId track) {
        const auto lanes = snapshot->lanesOf(track);
        return std::any_of(lanes.begin(), lanes.end(), [](const SpanLane& lane) { return !lane.empty(); });
    });
    return !steps                       ? tr("the whole run")
           : warmupSteps(*snapshot) > 0 ? tr("set-up and warm-up steps")
                                        : tr("the whole run, no step of which was completed");
}

QString RunFilter::words() const {
    const QString place = placeWords();
    return place.isEmpty() ? wordsOfSteps() : wordsOfSteps() + QStringLiteral(", ") + place;
}

QString RunFilter::allWords() const {
    const QString text = wordsOf({Condition::kText});
    return text.isEmpty() ? words() : words() + QStringLiteral(", ") + text;
}

QString RunFilter::placeWords() const {
    return wordsOf({Condition::kPhase, Condition::kModule, Condition::kName});
}

QString RunFilter::wordsOf(const std::vector<Condition>& conditions) const {
    QStringList words;
    for (const Condition condition : conditions) {
        QString word;
        if (condition == Condition::kSelection && usesSelection())
            word = wordsOfSteps();
        else if (condition == Condition::kSteps && !usesSelection() && m_state.steps != Steps::kAll)
            word = wordsOfSteps();
        else if (condition == Condition::kPhase && m_state.phase)
            word = toQString(phaseName(*m_state.phase));
        else if (condition == Condition::kModule)
            word = toQString(m_state.module);
        else if (condition == Condition::kName)
            word = nameText(m_state.name);
        else if (condition == Condition::kText && !m_state.text.isEmpty())
            word = tr("names or modules with “%1”").arg(m_state.text);
        else if (condition == Condition::kCategory && m_state.category)
            word = toQString(categoryName(*m_state.category));
        else if (condition == Condition::kAllocations && m_state.allocations)
            word = m_state.allocations->size() == 1
                       ? tr("one allocation")
                       : tr("%1 chosen allocations").arg(numberOf(*m_state.allocations));
        if (!word.isEmpty())
            words << word;
    }
    return words.join(QStringLiteral(", "));
}

std::vector<RunFilter::Chip> RunFilter::chips() const {
    std::vector<Chip> chips;
    if (m_state.range) {
        chips.push_back({Condition::kSelection, rangeText(*m_state.range),
                         tr("Only what begins in the %1 selected in the timeline, whatever is clicked there; "
                            "another range, step, phase or module takes its place")
                             .arg(toQString(formatDuration(m_state.range->duration())))});
    } else if (m_state.span) {
        chips.push_back(
            {Condition::kSelection, wordsOfSteps(),
             tr("Only what %1 holds or launched, as selected in the timeline, whatever op or kernel is "
                "clicked there; another range, step, phase or module takes its place")
                 .arg(wordsOfSteps())});
    } else if (m_state.steps == Steps::kMeasured) {
        if (!m_document.snapshot() || hasMeasuredStep())
            chips.push_back(
                {Condition::kSteps, tr("measured steps"), tr("Only measured steps: no set-up, no warm-up")});
    } else if (m_state.steps == Steps::kInView) {
        chips.push_back(
            {Condition::kSteps, tr("in view"), tr("Only what begins in what the timeline shows")});
    }
    if (m_state.phase) {
        const QString phase = toQString(phaseName(*m_state.phase));
        chips.push_back({Condition::kPhase, phase, tr("Only in the phase %1").arg(phase)});
    }
    if (!m_state.module.empty()) {
        const QString module = toQString(m_state.module);
        chips.push_back({Condition::kModule, module, tr("Only in %1 and what is in it").arg(module)});
    }
    if (!m_state.name.empty()) {
        const QString name = nameText(m_state.name);
        QString all = toQString(m_state.name);
        chips.push_back({Condition::kName, name,
                         name == all ? tr("Only %1, and what it launched").arg(name)
                                     : tr("Only these and what they launched:\n%1")
                                           .arg(all.replace(QLatin1Char('|'), QLatin1Char('\n')))});
    }
    if (m_state.category) {
        const QString category = toQString(categoryName(*m_state.category));
        chips.push_back({Condition::kCategory, category, tr("Of memory, only %1").arg(category)});
    }
    if (m_state.allocations) {
        const QString text = wordsOf({Condition::kAllocations});
        chips.push_back({Condition::kAllocations, text, tr("Of memory, only %1").arg(text)});
    }
    return chips;
}

}  // namespace warpglass::ui
