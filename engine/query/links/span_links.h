// What belongs together across tracks: the module ranges, the op, the launching call, the kernels and copies
// that it ran, and the wait by which the host learned that they were done.
//
// A kernel and its launch share a correlation id. The op is the innermost one that ran on the launching
// thread at the launch and has the name that the recorder noted; the modules are the ranges open at that
// moment. A kernel of a CUDA graph belongs to an op of the capture, not of its launch: its op and its modules
// are those of the captured call that made its node (graph_captures.h), if known; and that op's work is what
// the first replay ran of it. The wait is the host's first synchronization, on any stream, that began after
// the launch and ended after the work did (within the clocks' tolerance).
//
// For a module, or a part of one, the first call in it that ran work is used: many ops run nothing, including
// the first ones of most backward passes.
//
// Any thread. O(log n) for each span that is named; an op's launches are read one by one, as far as
// kMostCalls.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/query/links/link_index.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

struct SpanLinks {
    /// From the outermost in.
    std::vector<SpanRef> modules;
    std::optional<SpanRef> op;
    /// For an op with several launches, the first that made work run.
    std::optional<SpanRef> launch;
    /// For a kernel of a graph, the captured call that made its node; op and modules are those at capture.
    std::optional<SpanRef> captured;
    /// In the order of their launches; at most kMostWork.
    std::vector<SpanRef> work;
    std::optional<SpanRef> wait;
    /// There is more work than that.
    bool moreWork = false;

    static constexpr std::size_t kMostWork = 256;
    static constexpr std::uint64_t kMostCalls = 4096;
};

/// Links of a module, an op, a call, a kernel, a copy or a wait; empty for other spans and for those that
/// can't be read. Without an index, only what time alone shows: an op's modules, a call's op.
SpanLinks spanLinks(const Snapshot& snapshot, const LinkIndex* index, SpanRef span);

/// One span a level, each caused by the one before it.
enum class CauseLevel : std::uint8_t { kModule, kOp, kLaunch, kWork, kWait };
inline constexpr std::size_t kCauseLevels = 5;

struct CauseChain {
    std::array<std::optional<SpanRef>, kCauseLevels> spans;
    /// The span's own level in the chain; nothing for a span without one (a step, a phase).
    std::optional<CauseLevel> at;
    /// The module and the op are those of a graph's capture.
    bool captured = false;

    /// The level of that span in the chain.
    std::optional<CauseLevel> levelOf(SpanRef span) const;
    /// The next span up (−1) or down (+1) the chain.
    std::optional<SpanRef> beside(int by) const;
};
CauseChain causeChain(const Snapshot& snapshot, const LinkIndex* index, SpanRef span);

/// Allocations made while an op ran, in its place of the model: at most `most`, in order of time.
struct CausedAllocation {
    std::int64_t time = 0;
    AllocationId allocation{};
    std::int64_t bytes = 0;
};
std::vector<CausedAllocation> allocationsDuring(const Snapshot& snapshot, SpanRef op, std::size_t most);
/// Allocations of the op that a span belongs to; for a graph's kernel, those that this replay of the graph
/// made for it: what the capture allocated before its node is allocated again as the kernel begins.
std::vector<CausedAllocation> allocationsCausedBy(const Snapshot& snapshot, const SpanLinks& links,
                                                  std::size_t most);

}  // namespace warpglass
