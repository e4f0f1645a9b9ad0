#include "engine/session/save_run.h"

#include <utility>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/query/statistics/statistics.h"

namespace warpglass {
namespace {

std::vector<StatisticsEntry> measuredOps(const Snapshot& snapshot) {
    SpanFilter measured;
    measured.measuredOnly = true;
    std::vector<StatisticsEntry> entries;
    for (StatisticsRow& row : opStatistics(snapshot, measured))
        entries.push_back({std::move(row.name), kOpFamilyNames[static_cast<std::size_t>(row.family)],
                           row.timeShare, row.total, row.selfShare, row.self, row.instances, row.average,
                           row.median, row.min, row.max, row.spread()});
    return entries;
}

}  // namespace

Status saveRun(const Snapshot& snapshot, const std::filesystem::path& path,
               const std::function<bool(double)>& progress) {
    return writeRun(snapshot, path, &measuredOps, progress);
}

Status finishRun(RunFileWriter& writer, const Snapshot& snapshot) {
    return writer.finish(snapshot, &measuredOps);
}

}  // namespace warpglass
