#include "app/cli/statistics_tables.h"

#include <cmath>

#include "app/cli/report.h"

namespace warpglass::cli {
namespace {

ReportCell textOrAbsent(const std::string& text) {
    return text.empty() ? ReportCell() : ReportCell(text);
}

/// Set-up and teardown, given beside the measured steps (phaseStatistics()).
bool isOutsideSteps(const StatisticsRow& row) {
    return row.timeShare == 0 && row.total.value > 0 && row.kind == "phase" &&
           (row.name == phaseName(Phase::kSetup) || row.name == phaseName(Phase::kTeardown));
}

/// "≥ 16.0 GiB".
ReportCell bounded(const ReportCell& cell, Unit unit, std::string_view bound) {
    return bound.empty() ? cell : ReportCell(std::string(bound) + " " + readableCell(cell, unit));
}

/// Name, A, B, B − A and B / A; neither of these where a run ended before it had come to any of it.
std::vector<ReportCell> comparisonCells(const ComparisonRow& row, Unit unit, bool people) {
    // A share that is not stated is not 0.
    const bool known = unit == Unit::kFraction ? row.inA && row.inB : !row.isUnknown();
    const std::string_view ofA = people && row.atLeastA ? "≥" : "", ofB = people && row.atLeastB ? "≥" : "";
    const bool unbounded = row.atLeastA == row.atLeastB || (!row.inA && !row.inB);
    const std::string_view ofBoth = !people || unbounded ? "" : row.atLeastB ? "≥" : "≤";
    std::vector<ReportCell> cells(5);
    cells[0] = row.name;
    if (row.inA)
        cells[1] = bounded(wholeIfExact(row.a), unit, ofA);
    if (row.inB)
        cells[2] = bounded(wholeIfExact(row.b), unit, ofB);
    if (known)
        cells[3] = bounded(wholeIfExact(row.difference()), unit, ofBoth);
    if (known && row.inA && row.inB && row.a != 0)
        cells[4] = bounded(row.ratio(), Unit::kRatio, ofBoth);
    return cells;
}

}  // namespace

ReportTable statisticsTable(std::string key, std::string title, const std::vector<StatisticsRow>& rows,
                            StatisticsColumns which, std::int64_t steps, bool people) {
    const bool selfTimes = which != StatisticsColumns::kKernels;
    const bool families = which != StatisticsColumns::kRanges;
    ReportTable table{std::move(title), {}, {}, std::move(key)};
    table.columns = {{"Time %", "time_share", Unit::kFraction},
                     {"Total time", "total_ns", Unit::kNanoseconds}};
    if (selfTimes) {
        table.columns.push_back({"Self %", "self_share", Unit::kFraction});
        table.columns.push_back({"Self time", "self_ns", Unit::kNanoseconds});
    }
    const ReportColumn perStep{"Per step", "instances_per_step", Unit::kCount};
    const std::size_t instances = table.columns.size();
    for (const ReportColumn& column : {ReportColumn{"Instances", "instances", Unit::kCount},
                                       {"Avg", "average_ns", Unit::kNanoseconds},
                                       {"Med", "median_ns", Unit::kNanoseconds},
                                       {"Min", "min_ns", Unit::kNanoseconds},
                                       {"Max", "max_ns", Unit::kNanoseconds},
                                       {"StdDev", "stddev_ns", Unit::kNanoseconds}}) {
        table.columns.push_back(column);
        if (families && people && table.columns.size() == instances + 1)
            table.columns.push_back(perStep);
    }
    if (families)
        table.columns.push_back({"Family", "family"});
    table.columns.push_back({"Name", "name"});
    if (which == StatisticsColumns::kRanges)
        table.columns.push_back({"Kind", "kind"});
    if (families && !people)
        table.columns.push_back(perStep);
    for (const StatisticsRow& row : rows) {
        // What happens once, outside the steps, has no share of them.
        const auto share = [&](double value) {
            return isOutsideSteps(row) ? ReportCell() : ReportCell(value);
        };
        std::vector<ReportCell>& cells =
            table.rows.emplace_back(std::vector<ReportCell>{share(row.timeShare), row.total.value});
        if (selfTimes) {
            cells.emplace_back(share(row.selfShare));
            cells.emplace_back(row.self.value);
        }
        cells.insert(cells.end(), {row.instances, row.average, row.median, row.min.value, row.max.value,
                                   row.spread() ? ReportCell(*row.spread()) : ReportCell()});
        const ReportCell ofStep =
            steps > 0 ? wholeIfExact(static_cast<double>(row.instances) / static_cast<double>(steps))
                      : ReportCell();
        if (families && people)
            cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(instances) + 1, ofStep);
        if (families)
            cells.emplace_back(std::string(kOpFamilyNames[static_cast<std::size_t>(row.family)]));
        cells.emplace_back(row.name);
        if (which == StatisticsColumns::kRanges)
            cells.emplace_back(std::string(row.kind));
        if (families && !people)
            cells.push_back(ofStep);
    }
    return table;
}

ReportTable breakdownTable(std::string key, std::string title, const std::vector<BreakdownRow>& rows) {
    ReportTable table{std::move(title),
                      {{"Name", "name"},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Share", "share", Unit::kFraction},
                       {"Allocations", "allocations", Unit::kCount}},
                      {},
                      std::move(key)};
    for (const BreakdownRow& row : rows)
        table.rows.push_back({row.name, row.bytes.value, row.share, row.allocations});
    return table;
}

ReportTable allocationsTable(std::string title, const std::vector<AllocationDetail>& allocations) {
    ReportTable table{std::move(title),
                      {{"Size", "size_bytes", Unit::kBytes},
                       {"Asked for", "requested_bytes", Unit::kBytes},
                       {"Category", "category"},
                       {"Step", "step", Unit::kCount},
                       {"Phase", "phase"},
                       {"Module", "module"},
                       {"Part", "part"},
                       {"Op", "op"},
                       {"Allocated at", "allocated_ns", Unit::kNanoseconds},
                       {"Freed at", "freed_ns", Unit::kNanoseconds},
                       {"Id", "allocation", Unit::kCount}},
                      {},
                      "allocations"};
    for (const AllocationDetail& a : allocations)
        table.rows.push_back({a.row.bytes, a.row.requested, a.category,
                              a.row.step == kNoStep ? ReportCell() : ReportCell(std::int64_t{a.row.step}),
                              textOrAbsent(a.phase), textOrAbsent(a.module), textOrAbsent(a.part),
                              textOrAbsent(a.op), a.allocated.value,
                              a.freed ? ReportCell(a.freed->value) : ReportCell(),
                              static_cast<std::int64_t>(a.id.value)});
    return table;
}

ReportTable settingsTable(const std::vector<RunComparison::Setting>& settings, bool inWords) {
    ReportTable table{
        "Settings that differ", {{"Setting", "setting"}, {"A", "a"}, {"B", "b"}}, {}, "settings"};
    for (const RunComparison::Setting& setting : settings)
        table.rows.push_back({setting.key,
                              textOrAbsent(inWords ? settingWords(setting, setting.a) : setting.a),
                              textOrAbsent(inWords ? settingWords(setting, setting.b) : setting.b)});
    return table;
}

ReportTable comparisonTable(std::string key, std::string title, Unit unit,
                            const std::vector<ComparisonRow>& rows, bool people) {
    const std::string suffix = unit == Unit::kBytes ? "_bytes" : unit == Unit::kFraction ? "_share" : "_ns";
    ReportTable table{std::move(title),
                      {{"Name", "name"},
                       {"A", "a" + suffix, unit},
                       {"B", "b" + suffix, unit},
                       {"B − A", "difference" + suffix, unit},
                       {"B / A", "ratio", Unit::kRatio}},
                      {},
                      std::move(key)};
    for (const ComparisonRow& row : rows)
        table.rows.push_back(comparisonCells(row, unit, people));
    return table;
}

}  // namespace warpglass::cli
