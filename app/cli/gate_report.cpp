#include "app/cli/gate_report.h"

#include <algorithm>

#include "app/cli/saved_run.h"
#include "engine/query/compare/comparison_notes.h"

namespace warpglass::cli {
namespace {

Cell cellOfFound(const std::optional<double>& value) {
    return value ? Cell(*value) : Cell();
}

std::string cautionOf(const Snapshot& a, const Snapshot& b) {
    std::string all;
    for (const std::string& caution : comparisonCautions(a, b))
        all += (all.empty() ? "" : " ") + caution;
    return all;
}

}  // namespace

void addGateOptions(CLI::App& command, GateOptions& options) {
    command
        .add_option_function<std::vector<std::string>>(
            "--fail-if",
            [&options](const std::vector<std::string>& texts) {
                options.conditions.clear();
                for (const std::string& text : texts) {
                    Result<GateCondition> condition = parseGateCondition(text);
                    if (!condition)
                        throw CLI::ValidationError(condition.message());
                    options.conditions.push_back(std::move(*condition));
                }
            },
            "End with status 3 if B is worse than A by more than this, as in \"step.mean > +5%\"; may be "
            "given "
            "several times")
        ->type_name("CONDITION")
        ->expected(1)
        ->take_all()
        ->group("Gate");
    command
        .add_option(
            "--repeat", options.repeats,
            "Another run of A and another of B, measured in turn with them, so that --fail-if knows how "
            "much runs scatter; may be given several times")
        ->type_name("A B")
        ->type_size(2)
        ->expected(-1)
        ->group("Gate");
    command
        .add_option_function<std::string>(
            "--undecided", [&options](const std::string& word) { options.undecidedFails = word == "fail"; },
            "Status of a condition that the measurements cannot decide: pass (0) or fail (3)")
        ->type_name("WORD")
        ->check(CLI::IsMember({"pass", "fail"}))
        ->default_str("pass")
        ->group("Gate");
}

std::optional<Gate> gateOf(const GateOptions& options, const std::shared_ptr<const Snapshot>& a,
                           const std::shared_ptr<const Snapshot>& b) {
    std::vector<GateJudgement> judgements;
    if (options.conditions.empty())
        return Gate(options, std::move(judgements));
    std::vector<GatePair> pairs{{measure(a), measure(b)}};
    std::string caution = cautionOf(*a, *b);
    for (std::size_t i = 0; i + 1 < options.repeats.size(); i += 2) {
        const std::shared_ptr<const Snapshot> nextA = openSaved(options.repeats[i]),
                                              nextB = openSaved(options.repeats[i + 1]);
        if (!nextA || !nextB)
            return std::nullopt;
        pairs.push_back({measure(nextA), measure(nextB)});
        if (caution.empty())
            caution = cautionOf(*nextA, *nextB);
    }
    for (const GateCondition& condition : options.conditions)
        judgements.push_back(judge(condition, pairs, caution));
    return Gate(options, std::move(judgements));
}

std::string Gate::text() const {
    std::string text;
    for (const GateJudgement& each : m_judgements)
        text += "Gate: " + each.sentence + "\n";
    return text.empty() ? text : text + "\n";
}

ReportTable Gate::table() const {
    ReportTable table{"Gate",
                      {{"Condition", "condition"},
                       {"Measure", "measure"},
                       {"A", "a", Unit::kNumber},
                       {"B", "b", Unit::kNumber},
                       {"Found", "found", Unit::kNumber},
                       {"Low", "low", Unit::kNumber},
                       {"High", "high", Unit::kNumber},
                       {"Limit", "limit", Unit::kNumber},
                       {"Verdict", "verdict"},
                       {"Sentence", "sentence"}},
                      {},
                      "gate"};
    for (std::size_t i = 0; i < m_judgements.size(); ++i) {
        const GateCondition& condition = m_options.conditions[i];
        const GateJudgement& each = m_judgements[i];
        table.rows.push_back(
            {condition.text, condition.measure->key, cellOfFound(each.a), cellOfFound(each.b),
             cellOfFound(each.found), cellOfFound(each.low), cellOfFound(each.high), condition.limit,
             std::string(kGateVerdictNames[static_cast<std::size_t>(each.verdict)]), each.sentence});
    }
    return table;
}

ExitStatus Gate::status() const {
    const auto fails = [this](const GateJudgement& each) {
        return each.verdict == GateVerdict::kTrips ||
               (each.verdict == GateVerdict::kUndecided && m_options.undecidedFails);
    };
    return std::any_of(m_judgements.begin(), m_judgements.end(), fails) ? ExitStatus::kGateTripped
                                                                        : ExitStatus::kDone;
}

}  // namespace warpglass::cli
