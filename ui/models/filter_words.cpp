#include "ui/models/filter_words.h"

#include <QStringList>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/statistics/step_table.h"
#include "ui/models/run_document.h"
#include "ui/models/span_details.h"
#include "ui/models/step_clock.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// "aten::copy_ and 4 more" of several.
QString nameText(const std::string& names) {
    const QStringList each = toQString(names).split(QLatin1Char('|'), Qt::SkipEmptyParts);
    return each.size() < 2 ? toQString(names)
                           : FilterWords::tr("%1 and %2 more").arg(each.front()).arg(each.size() - 1);
}

/// "blocks.0.attn scores, backward of step 1": with the module that a part is of, and the phase of both.
QString placeText(const SpanDetails& span) {
    QString text = toQString(span.name);
    if (span.kind == TrackKind::kModule) {
        if (span.name == span.part && !span.module.empty())
            text = FilterWords::tr("%1 %2").arg(toQString(span.module), toQString(span.part));
        if (span.phase != Phase::kNone)
            text = FilterWords::tr("%1, %2").arg(text, toQString(phaseName(span.phase)));
    }
    return span.kind != TrackKind::kStep && span.step != kNoStep
               ? FilterWords::tr("%1 of step %2").arg(text).arg(span.step)
               : text;
}

QString numberOf(const std::vector<AllocationId>& allocations) {
    return toQString(formatGrouped(static_cast<std::int64_t>(allocations.size())));
}

}  // namespace

QString FilterWords::ofSteps() const {
    if (m_state.range)
        return tr("the selected %1").arg(toQString(formatDuration(m_state.range->duration())));
    const auto& snapshot = m_document.snapshot();
    if (!snapshot)
        return tr("the whole run");
    if (const auto span = m_state.span ? describeSpan(*snapshot, *m_state.span) : std::nullopt)
        return placeText(*span);
    switch (m_state.steps) {
        case FilterState::Steps::kAll:
            return tr("the whole run");
        case FilterState::Steps::kInView:
            return tr("view");
        case FilterState::Steps::kMeasured:
            break;
    }
    if (hasBegunMeasuring(*snapshot))
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
                                        : tr("the whole run (no step was completed)");
}

QString FilterWords::withoutText() const {
    const QString place = of({FilterCondition::kPhase, FilterCondition::kModule, FilterCondition::kName});
    return place.isEmpty() ? ofSteps() : ofSteps() + QStringLiteral(", ") + place;
}

QString FilterWords::all() const {
    const QString text = of({FilterCondition::kText});
    return text.isEmpty() ? withoutText() : withoutText() + QStringLiteral(", ") + text;
}

QString FilterWords::of(const std::vector<FilterCondition>& conditions) const {
    QStringList words;
    for (const FilterCondition condition : conditions) {
        QString word;
        if (condition == FilterCondition::kSelection && m_state.usesSelection())
            word = ofSteps();
        else if (condition == FilterCondition::kSteps && !m_state.usesSelection() &&
                 m_state.steps != FilterState::Steps::kAll)
            word = ofSteps();
        else if (condition == FilterCondition::kPhase && m_state.phase)
            word = toQString(phaseName(*m_state.phase));
        else if (condition == FilterCondition::kModule)
            word = toQString(m_state.module);
        else if (condition == FilterCondition::kName)
            word = nameText(m_state.name);
        else if (condition == FilterCondition::kText && !m_state.text.isEmpty())
            word = tr("names or modules with “%1”").arg(m_state.text);
        else if (condition == FilterCondition::kCategory && m_state.category)
            word = toQString(categoryName(*m_state.category));
        else if (condition == FilterCondition::kAllocations && m_state.allocations)
            word = m_state.allocations->size() == 1
                       ? tr("one allocation")
                       : tr("%1 chosen allocations").arg(numberOf(*m_state.allocations));
        if (!word.isEmpty())
            words << word;
    }
    return words.join(QStringLiteral(", "));
}

std::vector<FilterWords::Chip> FilterWords::chips() const {
    std::vector<Chip> chips;
    if (m_state.range) {
        chips.push_back({FilterCondition::kSelection, m_clock.text(*m_state.range),
                         tr("Only what begins in the %1 selected in the timeline. It stays when ops or "
                            "kernels are clicked; another range, step, phase or module replaces it")
                             .arg(toQString(formatDuration(m_state.range->duration())))});
    } else if (m_state.span) {
        chips.push_back({FilterCondition::kSelection, ofSteps(),
                         tr("Only what %1 contains or launched, as selected in the timeline. It stays when "
                            "ops or kernels are clicked; another range, step, phase or module replaces it")
                             .arg(ofSteps())});
    } else if (m_state.steps == FilterState::Steps::kMeasured) {
        if (!m_document.snapshot() || hasBegunMeasuring(*m_document.snapshot()))
            chips.push_back({FilterCondition::kSteps, tr("measured steps"),
                             tr("Only measured steps: no set-up, no warm-up")});
    } else if (m_state.steps == FilterState::Steps::kInView) {
        chips.push_back(
            {FilterCondition::kSteps, tr("in view"), tr("Only what begins in what the timeline shows")});
    }
    if (m_state.phase) {
        const QString phase = toQString(phaseName(*m_state.phase));
        chips.push_back({FilterCondition::kPhase, phase, tr("Only in the phase %1").arg(phase)});
    }
    if (!m_state.module.empty()) {
        const QString module = toQString(m_state.module);
        chips.push_back({FilterCondition::kModule, module, tr("Only in %1 and what is in it").arg(module)});
    }
    if (!m_state.name.empty()) {
        const QString name = nameText(m_state.name);
        QString all = toQString(m_state.name);
        chips.push_back({FilterCondition::kName, name,
                         name == all ? tr("Only %1, and what it launched").arg(name)
                                     : tr("Only these and what they launched:\n%1")
                                           .arg(all.replace(QLatin1Char('|'), QLatin1Char('\n')))});
    }
    if (m_state.category) {
        const QString category = toQString(categoryName(*m_state.category));
        chips.push_back({FilterCondition::kCategory, category, tr("Only memory of %1").arg(category)});
    }
    if (m_state.allocations) {
        const QString text = of({FilterCondition::kAllocations});
        chips.push_back({FilterCondition::kAllocations, text, tr("Only memory of %1").arg(text)});
    }
    return chips;
}

}  // namespace warpglass::ui
