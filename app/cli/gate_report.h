// `compare --fail-if`: ends with status 3 where a run is worse than it may be (engine/sweep/gate.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/cli_fwd.h"
#include "app/cli/console.h"
#include "engine/sweep/gate.h"
#include "engine/tables/report_table.h"
#include "engine/trace/snapshot.h"

namespace warpglass::cli {

struct GateOptions {
    std::vector<GateCondition> conditions;
    /// Further pairs of files, A and B in turn.
    std::vector<std::string> repeats;
    bool undecidedFails = false;
};

void addGateOptions(CLI::App& command, GateOptions& options);

class Gate {
public:
    Gate(const GateOptions& options, std::vector<GateJudgment> judgments)
        : m_options(options), m_judgments(std::move(judgments)) {}

    bool isAsked() const { return !m_judgments.empty(); }
    /// For people, one line for each condition; empty where none was given.
    std::string text() const;
    ReportTable table() const;
    ExitStatus status() const;

private:
    const GateOptions& m_options;
    std::vector<GateJudgment> m_judgments;
};

/// Nothing, after saying why, where a run of the repeats cannot be read. The options outlive it.
std::optional<Gate> gateOf(const GateOptions& options, const std::shared_ptr<const Snapshot>& a,
                           const std::shared_ptr<const Snapshot>& b);

}  // namespace warpglass::cli
