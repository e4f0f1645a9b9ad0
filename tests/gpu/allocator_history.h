// LibTorch's own word of what its caching allocator does: the history that _memory_snapshot_pickled() writes,
// and its snapshots of segments and blocks. What the recording says is held against it.
//
// The test program does not link LibTorch: it speaks to the allocator that the runner has loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace warpglass::test {

struct HistoryEntry {
    /// "alloc", "free_requested", "segment_map" …: LibTorch's own words.
    std::string_view action;
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
};

struct HistoryBlock {
    std::int64_t bytes = 0;
    std::int64_t requested = 0;
    bool allocated = false;
    bool active = false;
};

struct HistorySegment {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    bool large = false;
    bool expandable = false;
    bool defaultStream = false;
    std::vector<HistoryBlock> blocks;
};

/// The history of the first GPU's allocator. Any thread.
class AllocatorHistory {
public:
    virtual ~AllocatorHistory() = default;
    /// Null where LibTorch's CUDA half is not loaded.
    static std::unique_ptr<AllocatorHistory> open();

    /// Forgets what it has; LibTorch keeps every entry from here on.
    virtual void begin() = 0;
    /// Since begin(); keeps none after this.
    virtual std::vector<HistoryEntry> end() = 0;
    /// By address. Leaves an entry "snapshot" in the history.
    virtual std::vector<HistorySegment> segments() = 0;
};

}  // namespace warpglass::test
