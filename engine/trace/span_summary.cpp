#include "engine/trace/chunks.h"

namespace warpglass {

void SpanSummary::add(const SpanChunk& chunk, std::uint32_t row) {
    if (count == 0)
        start = chunk.start[row];
    end = chunk.end(row);
    busy += chunk.duration[row];
    ++count;
    if (chunk.duration[row] > longestDuration) {
        longestDuration = chunk.duration[row];
        longestRow = row;
        longestName = NameId(chunk.name[row]);
        longestPlace = PlaceId(chunk.place[row]);
    }
}

void SpanSummary::add(const SpanSummary& next) {
    if (next.count == 0)
        return;
    if (count == 0)
        start = next.start;
    end = next.end;
    busy += next.busy;
    count += next.count;
    if (next.longestDuration > longestDuration) {
        longestDuration = next.longestDuration;
        longestRow = next.longestRow;
        longestName = next.longestName;
        longestPlace = next.longestPlace;
    }
}

}  // namespace warpglass
