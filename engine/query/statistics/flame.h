// Trees for flame charts: where the time of a step went (phase › module › part › op › kernel), and what holds
// memory at a moment (module › part › category).
//
// Time is that of engine/query/spans/work_times.h, so a parent is exactly the sum of its children and its own
// time. What works for several modules is under each of them with its share
// (engine/query/model/shared_work.h), and a filter's module takes these shares. Phases, modules and parts are
// in the order in which the run meets them, blocks in numerical order; ops, kernels and categories largest
// first. Nodes of no size are left out. An op and the kernel that takes nearly all of its time are one node,
// called as the kernel if its title tells of the op and as the op if not; the op's other kernels are beside
// it.
//
// A tree is a value, its nodes in one array with a node's children side by side, so that drawing it touches
// only what is wide enough to be seen. Pure; any thread. Computing it is linear in the rows: use a worker.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

enum class FlameKind : std::uint8_t { kAll, kPhase, kModule, kPart, kOp, kKernel, kCategory };
inline constexpr std::string_view kFlameKindNames[] = {"all", "phase",  "module",  "part",
                                                       "op",  "kernel", "category"};

struct FlameNode {
    /// "backward", "blocks.3", "attn", "aten::mm"; of a kernel its title (KernelWorks::titleOf()) or what of
    /// it tells of its op; or the name of the op that it stands for.
    std::string name;
    /// A kernel's name as it is recorded; of one whose op is no node of its own, "aten::copy_ › …".
    std::string recorded = {};
    FlameKind kind = FlameKind::kAll;
    std::uint32_t parent = 0;  // its own index for the root
    std::uint32_t firstChild = 0, children = 0;
    std::uint32_t depth = 0;
    /// ns or bytes of all steps, and that without what the children took.
    std::int64_t value = 0, self = 0;
    /// Ops or kernels that ran, allocations; those within its children too. One with shares in several nodes
    /// counts once in each of them, and once in a node that holds several.
    std::int64_t instances = 0;
    /// Where in its parent it begins: the sum of the siblings before it.
    std::int64_t offset = 0;
    Phase phase = Phase::kNone;              // of a tree of time, below the root
    OpFamily family = OpFamily::kOther;      // ops and kernels
    Category category = Category::kUnknown;  // of a tree of memory: categories
    /// The module of a module node and of everything within it: "blocks.3.attn"; empty if blocks are
    /// combined.
    NameId module;
};

struct FlameTree {
    enum class Subject : std::uint8_t { kTime, kMemory };
    Subject subject = Subject::kTime;
    /// Time of a GPU, not of the CPU's ops.
    bool gpu = false;
    /// What a mean divides by; 1 for memory and for a range.
    std::int64_t steps = 1;
    bool measured = false, ofRange = false;
    /// How the time of what works for several modules is split, a sentence for each kind that there is.
    std::vector<std::string> splits;
    /// nodes[0] is the root; empty when there is nothing. Breadth first: parents before their children.
    std::vector<FlameNode> nodes;
    std::uint32_t depth = 0;  // of the deepest node

    bool empty() const { return nodes.empty(); }
    /// Names from the root's child down: "backward › blocks.3 › attn".
    std::string pathOf(std::uint32_t node) const;
    double shareOfAll(std::uint32_t node) const;
    double shareOfParent(std::uint32_t node) const;
};

/// `mergeBlocks`: all blocks of the model as one, "blocks.*".
FlameTree timeFlame(const Snapshot& snapshot, const WorkScope& scope, bool mergeBlocks);
/// The flame tree of live allocations.
FlameTree memoryFlame(const MemoryTimeline& memory, const std::vector<AllocationId>& alive, bool mergeBlocks);
/// How much of the tree each family's ops and kernels took, by OpFamily; in a tree of memory, how much each
/// category holds, by Category.
std::vector<std::int64_t> flameTotals(const FlameTree& tree);

}  // namespace warpglass
