#include "engine/query/statistics/row_names.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/query/spans/op_types.h"

namespace warpglass {

namespace {

/// The name with the most time.
NameId mostOf(const Snapshot& snapshot, const AmountById& times) {
    NameId most;
    std::int64_t longest = -1;
    for (const auto& [id, time] : times) {
        if (time > longest || (time == longest && snapshot.name(NameId(id)) < snapshot.name(most))) {
            longest = time;
            most = NameId(id);
        }
    }
    return most;
}

}  // namespace

void nameMost(const Snapshot& snapshot, bool ofGpu, const AmountById& times, GroupedRow& row) {
    const NameId most = mostOf(snapshot, times);
    (ofGpu ? row.launchers : row.distinctTypes) = static_cast<int>(times.size());
    if (ofGpu)
        row.launchedBy = snapshot.name(most);
    else
        row.types = typesText(snapshot, most);
}

void nameTitle(const Snapshot& snapshot, const KernelWorks& works, const AmountById& times, GroupedRow& row) {
    if (times.empty())
        return;
    row.signature = snapshot.name(mostOf(snapshot, times));
    row.title = works.titleOf(row.figures.name, row.signature);
}

void nameShape(const Snapshot& snapshot, const SpanWork& work, const AmountById& products, GroupedRow& row) {
    std::map<std::pair<std::string_view, bool>, std::int64_t> shapes;
    for (const auto& [place, count] : products) {
        if (const std::string_view shape = work.shapeAt(place); !shape.empty())
            shapes[{shape, snapshot.place(PlaceId(place)).phase == Phase::kBackward}] += count;
    }
    const auto most = std::ranges::max_element(shapes, {}, [](const auto& each) { return each.second; });
    if (most == shapes.end())
        return;
    std::tie(row.shape, row.isGradient) = most->first;
    row.shapes = static_cast<int>(shapes.size());
}

}  // namespace warpglass
