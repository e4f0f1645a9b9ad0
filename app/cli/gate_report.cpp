#include "app/cli/gate_report.h"

#include <algorithm>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/saved_run.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/compare/comparison_scope.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/summary/out_of_memory.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

void append(std::string& text, const std::string& sentence) {
    if (!sentence.empty() && text.find(sentence) == std::string::npos)
        text += (text.empty() ? "" : " ") + sentence;
}

/// Adds why a run by itself cannot be judged; `ofState` gets what became of it.
void addRun(const Snapshot& run, const std::string& name, std::string& ofState, GateCautions& cautions) {
    const std::string state = run.info().get("state");
    if (state != run_state::kFinished)
        append(ofState, name + " did not run to its end" + (state.empty() ? "." : " (" + state + ")."));
    const MissingRecords& missing = Completeness(run).missing();
    if (missing.any())
        append(cautions.times, "Part of " + name + " is missing from its file.");
    if (missing.lacksMemory())
        append(cautions.memory, "Part of the memory events of " + name + " is missing from its file.");
}

/// Adds why the times of two runs cannot be set against each other. `pair`: 0 where there is only one.
void addPair(const Snapshot& a, const Snapshot& b, std::size_t pair, GateCautions& cautions) {
    addRun(a, runOfPair("A", pair), cautions.againstA, cautions);
    addRun(b, runOfPair("B", pair), cautions.all, cautions);
    const std::string both = pair == 0 ? "A and B" : "The runs of pair " + std::to_string(pair);
    const auto differ = [&](const char* key) { return a.info().get(key) != b.info().get(key); };
    if (differ("device.name"))
        append(cautions.times, both + " ran on different devices.");
    if (differ("config.mode") || tokensPerStep(a) != tokensPerStep(b))
        append(cautions.times, "A step of " + runOfPair("A", pair) + " is other work than one of " +
                                   runOfPair("B", pair) + ".");
    if (isSameRun(a, b))
        return;
    for (const std::string& sentence : comparedConditions(conditionsOf(a), conditionsOf(b)))
        append(cautions.times, (pair == 0 ? "" : "Pair " + std::to_string(pair) + ": ") + sentence);
}

/// Where it ran out of memory; nothing where it did not.
std::optional<std::string> whereOutOfMemory(const std::shared_ptr<const Snapshot>& run) {
    if (!outOfMemoryTime(*run))
        return std::nullopt;
    MemoryTimeline timeline;
    timeline.update(run);
    const std::optional<OutOfMemory> failure = outOfMemory(timeline);
    return failure ? std::optional(placeInWords(*failure)) : std::nullopt;
}

bool onGpu(const Snapshot& run) {
    return run.info().get("config.device").starts_with("cuda");
}

}  // namespace

void addGateOptions(CLI::App& command, GateOptions& options) {
    beginGroup(command, "Gate");
    const auto take = [&options](const std::vector<std::string>& texts) {
        options.conditions.clear();
        for (const std::string& text : texts) {
            Result<GateCondition> condition = parseGateCondition(text);
            if (!condition)
                throw CLI::ValidationError(condition.message());
            options.conditions.push_back(std::move(*condition));
        }
    };
    CLI::Option* condition =
        command
            .add_option_function<std::vector<std::string>>(
                "--fail-if", take,
                "End with status 3 if B is worse than A by more than this, as in \"step.mean > +5%\"; may be "
                "given several times")
            ->type_name("CONDITION")
            ->expected(1)
            ->take_all();
    command
        .add_option(
            "--repeat", options.repeats,
            "Another run of A and another of B, measured in turn with them, so that --fail-if knows how "
            "much runs scatter; may be given several times")
        ->type_name("A B")
        ->type_size(2)
        ->expected(-1)
        ->needs(condition);
    command
        .add_option_function<std::string>(
            "--undecided", [&options](const std::string& word) { options.undecidedFails = word == "fail"; },
            "Status of a condition that the measurements cannot decide: pass (0) or fail (3)")
        ->type_name("WORD")
        ->check(CLI::IsMember({"pass", "fail"}))
        ->default_str("pass")
        ->needs(condition);
    command.parse_complete_callback([&options] {
        if (options.repeats.size() % 2 != 0)
            throw CLI::ValidationError("--repeat takes a run of A and a run of B: " + options.repeats.back() +
                                       " stands alone.");
    });
}

std::optional<Gate> gateOf(const GateOptions& options, const std::shared_ptr<const Snapshot>& a,
                           const std::shared_ptr<const Snapshot>& b) {
    std::vector<GateJudgment> judgments;
    if (options.conditions.empty())
        return Gate(options, std::move(judgments));
    std::vector<std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>>> runs{{a, b}};
    for (std::size_t i = 0; i + 1 < options.repeats.size(); i += 2) {
        runs.emplace_back(openSaved(options.repeats[i]), openSaved(options.repeats[i + 1]));
        if (!runs.back().first || !runs.back().second)
            return std::nullopt;
    }
    std::vector<GatePair> pairs;
    GateCautions cautions;
    for (const auto& [first, second] : runs) {
        pairs.push_back({measure(first), measure(second), onGpu(*first) || onGpu(*second),
                         whereOutOfMemory(first), whereOutOfMemory(second)});
        addPair(*first, *second, runs.size() > 1 ? pairs.size() : 0, cautions);
    }
    for (const GateCondition& condition : options.conditions)
        judgments.push_back(judge(condition, pairs, cautions));
    return Gate(options, std::move(judgments));
}

std::string Gate::text() const {
    std::string text;
    for (const GateJudgment& each : m_judgments)
        text += "Gate: " + each.sentence + "\n";
    return text.empty() ? text : text + "\n";
}

ReportTable Gate::table() const {
    struct Judged {
        const GateCondition* condition;
        const GateJudgment* judgment;
    };
    std::vector<Judged> judged;
    for (std::size_t i = 0; i < m_judgments.size(); ++i)
        judged.push_back({&m_options.conditions[i], &m_judgments[i]});
    using Of = Column<Judged>;
    const auto found = [](auto of) { return through(&Judged::judgment, of); };
    return tableOf<Judged>(
        "gate", "Gate", judged,
        {Of("condition", "Condition", through(&Judged::condition, &GateCondition::text)),
         Of("measure", "Measure", [](const Judged& each) { return each.condition->measure->key; }),
         Of("a", "A", Unit::kNumber, found(&GateJudgment::a)),
         Of("b", "B", Unit::kNumber, found(&GateJudgment::b)),
         Of("found", "Found", Unit::kNumber, found(&GateJudgment::found)),
         Of("low", "Low", Unit::kNumber, found(&GateJudgment::low)),
         Of("high", "High", Unit::kNumber, found(&GateJudgment::high)),
         Of("limit", "Limit", Unit::kNumber, through(&Judged::condition, &GateCondition::limit)),
         Of("verdict", "Verdict", found([](const GateJudgment* each) {
                return kGateVerdictNames[static_cast<std::size_t>(each->verdict)];
            })),
         Of("sentence", "Sentence", found(&GateJudgment::sentence))});
}

ExitStatus Gate::status() const {
    const auto fails = [this](const GateJudgment& each) {
        return each.verdict == GateVerdict::kTrips ||
               (each.verdict == GateVerdict::kUndecided && m_options.undecidedFails);
    };
    return std::ranges::any_of(m_judgments, fails) ? ExitStatus::kGateTripped : ExitStatus::kDone;
}

}  // namespace warpglass::cli
