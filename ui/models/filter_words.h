// What a RunFilter says of itself: in words, and as a chip for each condition. For the moment: it refers to
// the filter's state, its document and its clock.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <vector>

#include "ui/models/filter_state.h"

namespace warpglass::ui {

class RunDocument;
class StepClock;

class FilterWords {
    Q_DECLARE_TR_FUNCTIONS(warpglass::ui::FilterWords)
public:
    struct Chip {
        FilterCondition condition;
        QString text, toolTip;
        bool operator==(const Chip&) const = default;
    };

    FilterWords(const FilterState& state, const RunDocument& document, const StepClock& clock)
        : m_state(state), m_document(document), m_clock(clock) {}

    /// "measured steps", "the selected 52.1 ms, forward, blocks.3.attn".
    QString withoutText() const;
    /// The same with the text: what a view says about what it fades.
    QString all() const;
    /// Those of these conditions that are set, as "backward, blocks.3.attn"; for kSelection and kSteps, what
    /// withoutText() begins with.
    QString of(const std::vector<FilterCondition>& conditions) const;
    /// One for each condition but the text and the lack of any: the choice of measured steps is none where
    /// none was measured, and everything counts.
    std::vector<Chip> chips() const;

private:
    QString ofSteps() const;

    const FilterState& m_state;
    const RunDocument& m_document;
    const StepClock& m_clock;
};

}  // namespace warpglass::ui
