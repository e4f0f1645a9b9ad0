#include "engine/capture/open_ranges.h"

#include <atomic>
#include <iterator>
#include <mutex>

namespace warpglass {
namespace {

std::atomic<int> g_wanted{0};
std::mutex g_mutex;
std::vector<OpenRange> g_open;

}  // namespace

const char* rangeKindWord(RangeKind kind) {
    constexpr const char* kWords[] = {"step", "phase", "module", "part", "capture"};
    static_assert(std::size(kWords) == static_cast<std::size_t>(RangeKind::kCapture) + 1);
    return kWords[static_cast<std::size_t>(kind)];
}

void OpenRanges::keep(bool wanted) {
    g_wanted += wanted ? 1 : -1;
}

bool OpenRanges::areKept() {
    return g_wanted.load(std::memory_order_relaxed) > 0;
}

void OpenRanges::open(OpenRange range) {
    const std::lock_guard lock(g_mutex);
    g_open.push_back(range);
}

void OpenRanges::close() {
    const std::lock_guard lock(g_mutex);
    if (!g_open.empty())
        g_open.pop_back();
}

std::vector<OpenRange> OpenRanges::now() {
    const std::lock_guard lock(g_mutex);
    return g_open;
}

}  // namespace warpglass
