#include "tests/gpu/allocator_history.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <dlfcn.h>

#include <array>
#include <atomic>
#include <limits>

namespace warpglass::test {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

/// c10::cuda::CUDACachingAllocator::allocator, by the name that the compiler gives it.
constexpr const char* kAllocatorSymbol = "_ZN3c104cuda20CUDACachingAllocator9allocatorE";

/// In the order of TraceEntry::Action.
constexpr std::array<std::string_view, 9> kActions = {"alloc",         "free_requested", "free_completed",
                                                      "segment_alloc", "segment_free",   "segment_map",
                                                      "segment_unmap", "snapshot",       "oom"};

class TorchHistory final : public AllocatorHistory {
public:
    explicit TorchHistory(allocator::CUDAAllocator& torch) : m_torch(torch) {}

    void begin() override {
        m_torch.recordHistory(true, nullptr, std::numeric_limits<std::size_t>::max(),
                              allocator::RecordContext::NEVER, true, {});
    }

    std::vector<HistoryEntry> end() override {
        std::vector<HistoryEntry> entries;
        const allocator::SnapshotInfo snapshot = m_torch.snapshot({0, 0}, true);
        for (const allocator::TraceEntry& entry : snapshot.device_traces.at(0))
            entries.push_back({kActions.at(static_cast<std::size_t>(entry.action_)), entry.addr_,
                               static_cast<std::int64_t>(entry.size_)});
        m_torch.recordHistory(false, nullptr, 1, allocator::RecordContext::NEVER, true, {});
        return entries;
    }

    std::vector<HistorySegment> segments() override {
        std::vector<HistorySegment> segments;
        for (const allocator::SegmentInfo& info : m_torch.snapshot({0, 0}, false).segments) {
            if (info.device != 0)
                continue;
            HistorySegment& segment = segments.emplace_back();
            segment.address = info.address;
            segment.bytes = static_cast<std::int64_t>(info.total_size);
            segment.large = info.is_large;
            segment.expandable = info.is_expandable;
            segment.defaultStream = info.stream == nullptr;
            for (const allocator::BlockInfo& block : info.blocks)
                segment.blocks.push_back({static_cast<std::int64_t>(block.size),
                                          static_cast<std::int64_t>(block.requested_size), block.allocated,
                                          block.active});
        }
        return segments;
    }

private:
    allocator::CUDAAllocator& m_torch;
};

}  // namespace

std::unique_ptr<AllocatorHistory> AllocatorHistory::open() {
    void* library = dlopen("libc10_cuda.so", RTLD_LAZY | RTLD_NOLOAD);
    void* symbol = library ? dlsym(library, kAllocatorSymbol) : nullptr;
    if (!symbol)
        return nullptr;
    auto* torch = static_cast<std::atomic<allocator::CUDAAllocator*>*>(symbol)->load();
    return torch ? std::make_unique<TorchHistory>(*torch) : nullptr;
}

}  // namespace warpglass::test
