#include "engine/query/memory/free_memory.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "engine/query/memory/memory_sentences.h"
#include "engine/query/spans/module_group.h"

namespace warpglass {

namespace {

constexpr std::int64_t kOneMiB = std::int64_t{1} << 20;

void addPieces(const MemorySegment& segment, std::vector<FreePiece>& pieces) {
    const std::vector<MemoryBlock>& blocks = segment.blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].state != BlockState::kFree)
            continue;
        FreePiece piece{
            blocks[i].address, blocks[i].bytes, segment.bytes, segment.large, blocks.size() == 1, {}, {}};
        if (i > 0)
            piece.below = blocks[i - 1].allocation;
        if (i + 1 < blocks.size())
            piece.above = blocks[i + 1].allocation;
        pieces.push_back(piece);
    }
}

void addTo(FreePlaces& places, const FreePiece& piece) {
    const Bytes bytes(piece.bytes);
    (piece.whole ? places.whole : places.holes) += 1;
    (piece.whole ? places.wholeBytes : places.holeBytes) += bytes;
    Bytes& largest = piece.whole ? places.largestWhole : places.largestHole;
    largest = std::max(largest, bytes);
}

/// What is beside most of the holes, by category and module: in doubt, the first by name.
void nameBeside(FreeGroup& group, const std::vector<FreePiece>& pieces, const MemoryTimeline& memory) {
    const Snapshot& snapshot = *memory.snapshot();
    std::map<std::tuple<Category, std::string>, int> kinds;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
        for (const std::optional<AllocationId>& id : {pieces[i].below, pieces[i].above}) {
            const auto row = id && id->valid() ? snapshot.allocation(*id) : std::nullopt;
            if (row)
                ++kinds[{memory.categoryOf(*id),
                         moduleGroup(snapshot.name(snapshot.place(row->place).module))}];
        }
    }
    const auto most =
        std::ranges::max_element(kinds, [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == kinds.end())
        return;
    const auto& [category, module] = most->first;
    group.category = category;
    if (category != Category::kUnknown)
        group.beside = categoryNoun(category) + (module.empty() ? "" : " of " + module);
}

/// 0 for less than 1 MiB, 1 for less than 2 MiB, …
std::size_t sizeStep(std::int64_t bytes) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(bytes / kOneMiB)));
}

std::vector<FreeSizes> sizesOf(const std::vector<FreePiece>& pieces) {
    std::vector<FreeSizes> sizes;
    std::size_t lowest = 64, highest = 0;
    for (const FreePiece& piece : pieces) {
        lowest = std::min(lowest, sizeStep(piece.bytes));
        highest = std::max(highest, sizeStep(piece.bytes));
    }
    for (std::size_t step = lowest; step <= highest; ++step)
        sizes.push_back({step == 0 ? 0 : kOneMiB << (step - 1), kOneMiB << step, 0, 0, {}, {}});
    for (const FreePiece& piece : pieces) {
        FreeSizes& size = sizes[sizeStep(piece.bytes) - lowest];
        (piece.whole ? size.whole : size.holes) += 1;
        (piece.whole ? size.wholeBytes : size.holeBytes) += Bytes(piece.bytes);
    }
    return sizes;
}

}  // namespace

FreeMemory freeMemory(const SegmentState& state, const MemoryTimeline& memory) {
    FreeMemory free;
    free.totals = state.totals;
    for (const MemorySegment& segment : state.segments) {
        addPieces(segment, free.pieces);
        const MemorySegment& first = state.segments.front();
        free.isOfOnePool = free.isOfOnePool && segment.pool == first.pool && segment.stream == first.stream;
    }
    std::ranges::sort(free.pieces, [](const FreePiece& a, const FreePiece& b) {
        return std::tuple(a.whole, b.bytes, a.address) < std::tuple(b.whole, a.bytes, b.address);
    });
    for (std::size_t i = 0; i < free.pieces.size(); ++i) {
        const FreePiece& piece = free.pieces[i];
        addTo(free.places, piece);
        const FreePiece* before = free.groups.empty() ? nullptr : &free.pieces[free.groups.back().first];
        if (!before || before->whole != piece.whole || before->bytes != piece.bytes)
            free.groups.push_back({i, 0, {}, Category::kUnknown});
        ++free.groups.back().count;
    }
    for (FreeGroup& group : free.groups)
        nameBeside(group, free.pieces, memory);
    free.sizes = sizesOf(free.pieces);
    return free;
}

std::optional<ComingAllocation> largestAfter(const MemoryTimeline& memory, Nanoseconds t) {
    std::optional<ComingAllocation> largest;
    const Snapshot& snapshot = *memory.snapshot();
    // Allocations are numbered as they are made, but for damaged ones, whose time is not known.
    for (auto index = static_cast<std::uint32_t>(snapshot.allocationCount()); index-- > 0;) {
        const AllocationId id(index);
        if (!memory.wasAllocated(id))
            continue;
        if (memory.allocatedAt(id) <= t)
            break;
        const auto row = snapshot.allocation(id);
        if (row && row->bytes > 0 && (!largest || row->bytes >= largest->bytes.value))
            largest = ComingAllocation{id, Bytes(row->bytes)};
    }
    return largest;
}

const FreePiece* pieceFor(const FreeMemory& free, Bytes bytes) {
    const FreePiece* best = nullptr;
    for (const FreePiece& piece : free.pieces) {
        if (piece.bytes >= bytes.value && piece.large == (bytes.value > kOneMiB) &&
            (!best || best->whole == piece.whole))
            best = &piece;  // of either kind the largest come first
    }
    return best;
}

}  // namespace warpglass
