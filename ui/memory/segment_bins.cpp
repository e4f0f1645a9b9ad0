#include "ui/memory/segment_bins.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "engine/trace/stack_order.h"

namespace warpglass::ui {

namespace {

std::vector<SegmentPart> partsOf(const std::vector<MemorySegment>& segments,
                                 const std::vector<std::size_t>& among,
                                 const std::function<Category(AllocationId)>& categoryOf) {
    std::array<std::int64_t, kCategoryCount> allocated{}, pending{};
    std::int64_t earlier = 0, holes = 0, whole = 0;
    for (const std::size_t i : among) {
        std::int64_t& free = segments[i].totals.active().value > 0 ? holes : whole;
        for (const MemoryBlock& block : segments[i].blocks) {
            const bool own = block.state == BlockState::kAllocated || block.state == BlockState::kPending;
            const auto category = own ? static_cast<std::size_t>(categoryOf(block.allocation)) : 0;
            std::int64_t& sum = block.state == BlockState::kAllocated ? allocated[category]
                                : block.state == BlockState::kPending ? pending[category]
                                : block.state == BlockState::kEarlier ? earlier
                                                                      : free;
            sum = wrappingAdd(sum, block.bytes);
        }
    }
    std::vector<SegmentPart> parts;
    const auto add = [&](BlockState state, Category category, std::int64_t bytes, bool isWhole = false) {
        if (bytes > 0)
            parts.push_back({state, category, isWhole, bytes});
    };
    for (const Category category : kStackOrder)
        add(BlockState::kAllocated, category, allocated[static_cast<std::size_t>(category)]);
    for (const Category category : kStackOrder)
        add(BlockState::kPending, category, pending[static_cast<std::size_t>(category)]);
    add(BlockState::kEarlier, Category::kUnknown, earlier);
    add(BlockState::kFree, Category::kUnknown, holes);
    add(BlockState::kFree, Category::kUnknown, whole, true);
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
    std::ranges::sort(ranked, [](const Size& a, const Size& b) {
        return std::tuple(b.waste, b.all, b.bytes) < std::tuple(a.waste, a.all, a.bytes);
    });
    std::vector<SegmentRow> rows;
    for (std::size_t k = 0; k < ranked.size(); ++k) {
        const bool several = ranked.size() > most && k + 1 >= most;
        if (!several || rows.empty() || rows.back().fold.bytes != 0)
            rows.push_back({{}, true, {false, several ? 0 : ranked[k].bytes}, {}, {}, 0, {}});
        rows.back().segments.insert(rows.back().segments.end(), ranked[k].segments.begin(),
                                    ranked[k].segments.end());
    }
    for (SegmentRow& row : rows) {
        std::ranges::sort(row.segments);
        row.folded = row.segments.size() > 1;
    }
    return rows;
}

void addUp(SegmentRow& row, const std::vector<MemorySegment>& segments,
           const std::function<Category(AllocationId)>& categoryOf) {
    for (const std::size_t i : row.segments) {
        row.totals += segments[i].totals;
        row.holes += wasteOf(segments[i]);
        row.widest = std::max(row.widest, segments[i].bytes);
    }
    row.parts = partsOf(segments, row.segments, categoryOf);
}

}  // namespace

Bytes wasteOf(const MemorySegment& segment) {
    return segment.totals.active().value > 0 ? segment.totals.free : Bytes();
}

void sortByWaste(std::vector<MemorySegment>& segments) {
    std::ranges::sort(segments, [](const MemorySegment& a, const MemorySegment& b) {
        return std::tuple(wasteOf(b), b.totals.free, b.bytes, a.address) <
               std::tuple(wasteOf(a), a.totals.free, a.bytes, b.address);
    });
}

bool isConstantSegment(const MemorySegment& segment, const std::function<bool(AllocationId)>& isConstant) {
    return !segment.blocks.empty() && std::ranges::all_of(segment.blocks, [&](const MemoryBlock& block) {
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
    std::vector<SegmentRow> rows;
    if (varying.size() > most)
        rows = bySize(segments, varying, most);
    else
        for (const std::size_t i : varying)
            rows.push_back({{i}, false, {}, {}, {}, 0, {}});
    if (!constants.empty())
        rows.push_back({constants, constants.size() > 1, {true, 0}, {}, {}, 0, {}});
    for (SegmentRow& row : rows)
        addUp(row, segments, categoryOf);
    return rows;
}

SegmentRow allSegments(const std::vector<MemorySegment>& segments,
                       const std::function<Category(AllocationId)>& categoryOf) {
    SegmentRow all;
    all.segments.resize(segments.size());
    std::iota(all.segments.begin(), all.segments.end(), std::size_t{0});
    addUp(all, segments, categoryOf);
    return all;
}

}  // namespace warpglass::ui
