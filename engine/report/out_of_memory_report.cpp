#include "engine/report/out_of_memory_report.h"

#include <string>

#include "engine/tables/memory_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

ReportTable numbersTable(const std::optional<OutOfMemory>& failure) {
    ReportTable table{"Out of memory",
                      {{"At", "time_ns", Unit::kNanoseconds},
                       {"Step", "step", Unit::kCount},
                       {"Phase", "phase"},
                       {"Module", "module"},
                       {"Requested", "request_bytes", Unit::kBytes},
                       {"Allocated", "allocated_bytes", Unit::kBytes},
                       {"Reserved", "reserved_bytes", Unit::kBytes},
                       {"Limit", "limit_bytes", Unit::kBytes},
                       {"Live as recorded", "alive_bytes", Unit::kBytes},
                       {"Live allocations", "alive", Unit::kCount},
                       {"Predicted peak", "predicted_bytes", Unit::kBytes},
                       {"Predicted in phase", "predicted_phase"},
                       {"Predicted for the first step", "predicted_first_step_bytes", Unit::kBytes},
                       {"Predicted for every later step", "predicted_later_steps_bytes", Unit::kBytes}},
                      {},
                      "out-of-memory"};
    if (!failure)
        return table;
    const std::optional<StepPeaks>& steps = failure->predictedSteps;
    table.rows.push_back(
        {failure->time.value, failure->step == kNoStep ? Cell() : Cell(std::int64_t{failure->step}),
         textOrAbsent(failure->phase), textOrAbsent(failure->module), orAbsent(failure->request),
         orAbsent(failure->allocated), orAbsent(failure->reserved), orAbsent(failure->limit),
         failure->alive.value, failure->aliveCount, orAbsent(failure->predictedPeak),
         textOrAbsent(failure->predictedPhase), steps ? Cell(steps->first.value) : Cell(),
         steps ? Cell(steps->later.value) : Cell()});
    return table;
}

ReportTable groupsTable(const std::optional<OutOfMemory>& failure) {
    ReportTable table{"Live when memory ran out, by module and category",
                      {{"Module", "module"},
                       {"Category", "category"},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Share", "share", Unit::kFraction},
                       {"Allocations", "allocations", Unit::kCount}},
                      {},
                      "alive-by-module"};
    if (!failure)
        return table;
    const auto whole = static_cast<double>(failure->alive.value);
    for (const OutOfMemory::Group& group : failure->groups)
        table.rows.push_back({group.module.empty() ? "(outside the model)" : group.module,
                              std::string(categoryName(group.category)), group.bytes.value,
                              whole > 0 ? static_cast<double>(group.bytes.value) / whole : 0.0, group.count});
    return table;
}

}  // namespace

std::vector<ReportTable> outOfMemoryTables(const std::optional<OutOfMemory>& failure, TableFormat format) {
    ReportTable largest =
        reportOf(allocationsTable(), "Largest live allocations when memory ran out",
                 failure ? failure->largest : std::vector<AllocationDetail>(), {}, isForPeople(format));
    largest.key = "largest-alive";
    return {asRecord(numbersTable(failure), format), groupsTable(failure), std::move(largest)};
}

}  // namespace warpglass
