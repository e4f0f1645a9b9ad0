#include "ui/panels/idle_properties.h"

#include "engine/query/statistics/span_sentences.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

std::vector<Property> idleProperties(const IdleDetails& details, const StepClock& clock) {
    std::vector<Property> rows{answerOf(toQString(idleSentence(details.idle.stretch)))};
    for (const IdleFact& fact : idleFacts(details, clock)) {
        const bool links = fact.kind == IdleFact::Kind::kNext && details.nextSpan;
        rows.push_back({fact.label, fact.value, fact.exact, links ? 0 : -1});
    }
    return rows;
}

}  // namespace warpglass::ui
