#include "ui/memory/segment_bins.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "engine/trace/stack_order.h"

namespace warpglass::ui {

namespace {

std::vector<SegmentPart> partsOf(const std::vector<MemorySegment>& segments,
                                 const std::vector<std::size_t>& among,
                                 const std::function<Category(AllocationId)>& categoryOf) {
    std::array<std::int64_t, kCategoryCount> allocated{}, pending{};
    std::int64_t earlier = 0, free = 0;
    for (const std::size_t i : among) {
        for (const MemoryBlock& block : segments[i].blocks) {
            const bool own = block.state == BlockState::kAllocated || block.state == BlockState::kPending;
            const auto category =
                own ? static_cast<std::size_t>(std::min(categoryOf(block.allocation), Category::kUnknown))
                    : 0;
            std::int64_t& sum = block.state == BlockState::kAllocated ? allocated[category]
                                : block.state == BlockState::kPending ? pending[category]
                                : block.state == BlockState::kEarlier ? earlier
                                                                      : free;
            sum = wrappingAdd(sum, block.bytes);
        }
    }
    std::vector<SegmentPart> parts;
    const auto add = [&](BlockState state, Category category, std::int64_t bytes) {
        if (bytes > 0)
            parts.push_back({state, category, bytes});
    };
    for (const Category category : kStackOrder)
        add(BlockState::kAllocated, category, allocated[static_cast<std::size_t>(category)]);
    for (const Category category : kStackOrder)
        add(BlockState::kPending, category, pending[static_cast<std::size_t>(category)]);
    add(BlockState::kEarlier, Category::kUnknown, earlier);
    add(BlockState::kFree, Category::kUnknown, free);
    return parts;
}

/// Those of a size together, the sizes with the most waste first; beyond `most` rows several sizes in one.
std::vector<SegmentRow> bySize(const std::vector<MemorySegment>& segments,
                               const std::vector<std::size_t>& among, std::size_t most) {
    struct Size {
        std::vector<std::size_t> segments;
        std::int64_t bytes = 0;
        Bytes waste, all;
    };
    std::map<std::int64_t, Size> sizes;
    for (const std::size_t i : among) {
        Size& size = sizes[segments[i].bytes];
        size.segments.push_back(i);
        size.bytes = segments[i].bytes;
        size.waste += wasteOf(segments[i]);
        size.all += Bytes(segments[i].bytes);
    }
    std::vector<Size> ranked;
    for (auto& [bytes, size] : sizes)
        ranked.push_back(std::move(size));
    std::sort(ranked.begin(), ranked.end(), [](const Size& a, const Size& b) {
        return std::tuple(b.waste, b.all, b.bytes) < std::tuple(a.waste, a.all, a.bytes);
    });
    std::vector<SegmentRow> rows;
    for (std::size_t k = 0; k < ranked.size(); ++k) {
        const bool several = ranked.size() > most && k + 1 >= most;
        if (!several || rows.empty() || rows.back().fold.bytes != 0)
            rows.push_back({{}, true, {false, several ? 0 : ranked[k].bytes}, {}, {}});
        rows.back().segments.insert(rows.back().segments.end(), ranked[k].segments.begin(),
                                    ranked[k].segments.end());
    }
    for (SegmentRow& row : rows) {
        std::sort(row.segments.begin(), row.segments.end());
        row.folded = row.segments.size() > 1;
    }
    return rows;
}

}  // namespace

Bytes wasteOf(const MemorySegment& segment) {
    return segment.totals.active().value > 0 ? segment.totals.free : Bytes();
}

void sortByWaste(std::vector<MemorySegment>& segments) {
    std::sort(segments.begin(), segments.end(), [](const MemorySegment& a, const MemorySegment& b) {
        return std::tuple(wasteOf(b), b.totals.free, b.bytes, a.address) <
               std::tuple(wasteOf(a), a.totals.free, a.bytes, b.address);
    });
}

bool isConstantSegment(const MemorySegment& segment, const std::function<bool(AllocationId)>& isConstant) {
    return !segment.blocks.empty() &&
           std::all_of(segment.blocks.begin(), segment.blocks.end(), [&](const MemoryBlock& block) {
               return block.state == BlockState::kAllocated && isConstant(block.allocation);
           });
}

std::vector<SegmentRow> segmentRows(const std::vector<MemorySegment>& segments,
                                    const std::vector<bool>& constant, std::size_t most,
                                    const std::function<Category(AllocationId)>& categoryOf) {
    most = std::max<std::size_t>(most, 4);
    std::vector<std::size_t> varying, constants;
    for (std::size_t i = 0; i < segments.size(); ++i)
        (constant[i] ? constants : varying).push_back(i);
    // Half of the rows for the worst, where they are too many for one each.
    const std::size_t alone = varying.size() <= most ? varying.size() : most / 2;
    std::vector<SegmentRow> rows;
    for (std::size_t k = 0; k < alone; ++k)
        rows.push_back({{varying[k]}, false, {}, {}, {}});
    const std::vector<std::size_t> rest(varying.begin() + static_cast<std::ptrdiff_t>(alone), varying.end());
    for (SegmentRow& row : bySize(segments, rest, most - alone))
        rows.push_back(std::move(row));
    if (!constants.empty())
        rows.push_back({constants, constants.size() > 1, {true, 0}, {}, {}});
    for (SegmentRow& row : rows) {
        for (const std::size_t i : row.segments)
            row.totals += segments[i].totals;
        if (row.folded)
            row.parts = partsOf(segments, row.segments, categoryOf);
    }
    return rows;
}

}  // namespace warpglass::ui
