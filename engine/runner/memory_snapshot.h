// LibTorch's own snapshot of a GPU's memory, as torch.cuda.memory._dump_snapshot() writes one: what the
// viewer on pytorch.org/memory_viz and torch.cuda._memory_viz open.
#pragma once

#include <filesystem>
#include <string>

#include "engine/runner/gpu.h"

namespace warpglass {

/// From construction the allocator's history is kept; the snapshot is taken and written when this goes, so
/// that a run which failed shows what was live then. Does nothing for an empty path. The run's thread.
class MemorySnapshotScope {
public:
    /// `gpu` is not null where there is a path. `problem` gets a sentence when there is no snapshot in the
    /// end; both outlive this.
    MemorySnapshotScope(Gpu* gpu, std::filesystem::path path, std::string& problem);
    ~MemorySnapshotScope();
    MemorySnapshotScope(const MemorySnapshotScope&) = delete;
    MemorySnapshotScope& operator=(const MemorySnapshotScope&) = delete;

private:
    Gpu* m_gpu;
    std::filesystem::path m_path;
    std::string& m_problem;
};

}  // namespace warpglass
