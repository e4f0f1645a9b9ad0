#include "engine/io/run_states.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

namespace warpglass::run_file {

bool continues(const FileTables& now, const FileTables& earlier) {
    if (earlier.chunks.empty() != now.chunks.empty() || earlier.names.size() > now.names.size() ||
        !std::equal(earlier.names.begin(), earlier.names.end(), now.names.begin()))
        return false;
    std::map<std::int64_t, const ChunkHeader*> chunks;
    for (const ChunkEntry& entry : now.chunks)
        chunks.emplace(entry.id, &entry.header);
    return std::all_of(earlier.chunks.begin(), earlier.chunks.end(), [&](const ChunkEntry& entry) {
        const auto found = chunks.find(entry.id);
        if (found == chunks.end())
            return false;
        const ChunkHeader &then = entry.header, &later = *found->second;
        // Samples of counters do not come in order of time: an earlier one may have come since.
        const bool sameBegin = then.begin == later.begin || then.kind == ChunkKind::kCounters;
        return std::tie(then.kind, then.lane, then.chunk) == std::tie(later.kind, later.lane, later.chunk) &&
               sameBegin && then.rows <= later.rows;
    });
}

bool contradict(const FileTables& a, const FileTables& b) {
    for (const auto& [key, value] : a.info.pairs()) {
        // What a run states from its beginning to its end.
        if ((key == "time.started" || key.starts_with("config.")) && b.info.has(key) &&
            b.info.get(key) != value)
            return true;
    }
    std::map<std::int64_t, const ChunkHeader*> chunks;
    for (const ChunkEntry& entry : a.chunks)
        chunks.emplace(entry.id, &entry.header);
    // Damage may have changed some of them.
    std::size_t same = 0, different = 0;
    for (const ChunkEntry& entry : b.chunks) {
        const auto found = chunks.find(entry.id);
        if (found == chunks.end() || entry.header.kind == ChunkKind::kCounters)
            continue;  // samples of counters do not come in order of time
        const ChunkHeader &mine = *found->second, &its = entry.header;
        ++(std::tie(mine.kind, mine.lane, mine.chunk, mine.begin) ==
                   std::tie(its.kind, its.lane, its.chunk, its.begin)
               ? same
               : different);
    }
    return different > same;
}

}  // namespace warpglass::run_file
