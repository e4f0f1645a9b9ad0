#include "engine/query/statistics/flame.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/query/model/shared_work.h"
#include "engine/query/spans/kernel_works.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/statistics/grouped_statistics.h"

namespace warpglass {
namespace {

constexpr std::string_view kNoOp = "(no op)";
constexpr std::string_view kAllBlocks = "blocks.*";

/// The path's next component, taken off its front: "blocks.3" of "blocks.3.attn", then "attn".
std::string_view takeComponent(std::string_view& path, bool inBlocks) {
    std::size_t end = path.find('.');
    if (inBlocks && end != std::string_view::npos)
        end = path.find('.', end + 1);
    const std::string_view component = path.substr(0, end);
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
    return component;
}

/// Whether a kernel's title says what the op does: "copy bf16" of "aten::copy_", "gemm 128×256 TN" of
/// "aten::mm".
bool tells(std::string_view title, std::string_view op) {
    op.remove_prefix(op.rfind(':') + 1);
    while (!op.empty()) {
        const std::size_t end = std::min(op.find('_'), op.size());
        const std::string_view word = op.substr(0, end);
        if (word.size() > 1 && word != "forward" && word != "backward" && title.find(word) != title.npos)
            return true;
        op.remove_prefix(std::min(end + 1, op.size()));
    }
    return false;
}

/// Adds nodes in any order; arrange() puts them into the order of a FlameTree. Names outlive it.
class FlameBuilder {
public:
    FlameBuilder(const Snapshot& snapshot, bool mergeBlocks) : m_snapshot(snapshot), m_merge(mergeBlocks) {
        m_nodes.emplace_back();
    }

    std::uint32_t child(std::uint32_t parent, FlameKind kind, std::string_view name) {
        const auto [found, fresh] = m_children.try_emplace({parent, kind, name}, m_nodes.size());
        if (fresh) {
            FlameNode& node = m_nodes.emplace_back();
            node.name = name;
            node.kind = kind;
            node.parent = parent;
            node.depth = m_nodes[parent].depth + 1;
            node.phase = m_nodes[parent].phase;
            node.module = m_nodes[parent].module;
        }
        return found->second;
    }
    FlameNode& node(std::uint32_t index) { return m_nodes[index]; }

    /// The node of a place's module and part, under the given one.
    std::uint32_t placeNode(std::uint32_t parent, const Place& place) {
        parent = moduleNode(parent, m_snapshot.name(place.module));
        if (!m_merge && place.module.valid())
            m_nodes[parent].module = place.module;
        if (const std::string_view part = m_snapshot.name(place.part); !part.empty())
            parent = child(parent, FlameKind::kPart, part);
        return parent;
    }
    /// The node of a module that the place is not in, but works for.
    std::uint32_t servedNode(std::uint32_t parent, std::string_view path) {
        parent = moduleNode(parent, path);
        if (const NameId module = m_snapshot.findName(path); !m_merge && module.valid())
            m_nodes[parent].module = module;
        return parent;
    }

    /// `instances` are of the row `of`, which may be in several nodes: each counts them once, and so does
    /// what holds several of these.
    void add(std::uint32_t index, std::int64_t value, std::int64_t instances, std::size_t of) {
        FlameNode& node = m_nodes[index];
        node.self = std::max<std::int64_t>(0, wrappingAdd(node.self, std::max<std::int64_t>(0, value)));
        m_counted.resize(m_nodes.size(), kNothing);
        for (std::uint32_t at = index; m_counted[at] != of; at = m_nodes[at].parent) {
            m_counted[at] = of;
            addWrapping(m_nodes[at].instances, instances);
        }
    }

    void arrange(FlameTree& tree) {
        // A child is always made after its parent.
        for (FlameNode& node : m_nodes)
            node.value = node.self;
        for (std::size_t i = m_nodes.size(); i-- > 1;) {
            FlameNode& parent = m_nodes[m_nodes[i].parent];
            parent.value = std::max<std::int64_t>(0, wrappingAdd(parent.value, m_nodes[i].value));
        }
        if (m_nodes.front().value == 0)
            return;
        std::vector<std::vector<std::uint32_t>> childrenOf(m_nodes.size());
        for (std::uint32_t i = 1; i < m_nodes.size(); ++i) {
            if (m_nodes[i].value > 0)
                childrenOf[m_nodes[i].parent].push_back(i);
        }
        std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> folded;
        for (std::uint32_t i = 1; i < m_nodes.size(); ++i) {
            if (m_nodes[i].kind == FlameKind::kOp && !childrenOf[i].empty() && m_nodes[i].self == 0)
                fold(i, childrenOf, folded);
        }
        tree.nodes.reserve(m_nodes.size());
        std::vector<std::uint32_t> order = {0};
        tree.nodes.push_back(m_nodes.front());
        for (std::size_t i = 0; i < order.size(); ++i) {
            std::vector<std::uint32_t>& children = childrenOf[order[i]];
            const auto block = std::ranges::find_if(children, [&](std::uint32_t c) {
                return m_nodes[c].kind <= FlameKind::kPart && blockNumber(m_nodes[c].name);
            });
            const std::uint32_t firstBlock = block == children.end() ? 0 : *block;
            std::ranges::sort(children, {}, [&](std::uint32_t c) { return standingOf(c, firstBlock); });
            tree.nodes[i].firstChild = static_cast<std::uint32_t>(order.size());
            tree.nodes[i].children = static_cast<std::uint32_t>(children.size());
            std::int64_t offset = 0;
            for (const std::uint32_t c : children) {
                FlameNode& node = tree.nodes.emplace_back(m_nodes[c]);
                node.parent = static_cast<std::uint32_t>(i);
                node.offset = offset;
                offset += node.value;
                tree.depth = std::max(tree.depth, node.depth);
                order.push_back(c);
            }
        }
    }

private:
    /// The kernel that takes nearly all of an op's time stands for both, and the op's other kernels beside
    /// it; so does what is then called the same for several ops beside one another, as for aten::mul and
    /// aten::mul_: `folded`, by parent and name.
    void fold(std::uint32_t index, std::vector<std::vector<std::uint32_t>>& childrenOf,
              std::map<std::pair<std::uint32_t, std::string>, std::uint32_t>& folded) {
        constexpr double kNearlyAll = 0.97;
        FlameNode& op = m_nodes[index];
        const auto valueOf = [&](std::uint32_t node) { return m_nodes[node].value; };
        const std::uint32_t largest = *std::ranges::max_element(childrenOf[index], {}, valueOf);
        if (static_cast<double>(valueOf(largest)) < kNearlyAll * static_cast<double>(op.value))
            return;
        const std::string opName = op.name;
        const std::vector<std::uint32_t> kernels = std::exchange(childrenOf[index], {});
        std::erase(childrenOf[op.parent], index);
        for (const std::uint32_t each : kernels) {
            FlameNode& kernel = m_nodes[each];
            if (each == largest)
                kernel.name = standingName(kernel.name, opName);
            if (opName != kNoOp)
                kernel.recorded = opName + " › " + kernel.recorded;
            kernel.parent = op.parent;
            kernel.depth = op.depth;
            const auto [found, isFirst] = folded.try_emplace({op.parent, kernel.name}, each);
            FlameNode& same = m_nodes[found->second];
            if (isFirst || same.family != kernel.family) {
                if (!isFirst)
                    kernel.name = opName + " › " + kernel.name;
                childrenOf[op.parent].push_back(each);
                continue;
            }
            same.recorded += ", " + kernel.recorded;
            addWrapping(same.value, kernel.value);
            addWrapping(same.self, kernel.self);
            addWrapping(same.instances, kernel.instances);
        }
    }

    /// What an op and its kernel are called together: as the kernel, if that tells of the op, too.
    static std::string standingName(const std::string& kernel, const std::string& op) {
        if (!tells(kernel, op))
            return op == kNoOp ? kernel : op;
        // "mul bf16" of "elementwise · mul bf16", whose first words say nothing of the op.
        constexpr std::string_view kDot = " · ";
        const std::size_t dot = kernel.find(kDot);
        const bool drops = dot != std::string::npos && !tells(kernel.substr(0, dot), op);
        return drops ? kernel.substr(dot + kDot.size()) : kernel;
    }

    /// The node of a path of modules, under the given one; this itself for "".
    std::uint32_t moduleNode(std::uint32_t parent, std::string_view path) {
        bool inBlocks = moduleGroup(path) != path;
        const std::size_t size = path.size();
        for (std::size_t level = 0; !path.empty(); ++level) {
            const bool block = inBlocks;
            std::string_view component = isLastPathLevel(level, size - path.size())
                                             ? std::exchange(path, {})
                                             : takeComponent(path, block);
            if (block && m_merge)
                component = kAllBlocks;
            parent = child(parent, FlameKind::kModule, component);
            inBlocks = false;
        }
        return parent;
    }

    /// Where a node stands among its siblings: phases in their order, modules as they were first met with all
    /// blocks where the first of them was, by number, and the rest by value.
    struct Standing {
        int rank = 0;
        std::int64_t negativeValue = 0;
        std::uint32_t met = 0;
        std::int64_t block = -1;
        std::uint32_t index = 0;

        auto operator<=>(const Standing&) const = default;
    };
    Standing standingOf(std::uint32_t index, std::uint32_t firstBlock) const {
        const FlameNode& node = m_nodes[index];
        if (node.kind > FlameKind::kPart)
            return {.rank = 101, .negativeValue = -node.value, .index = index};
        const auto block = blockNumber(node.name);
        return {.rank = node.kind == FlameKind::kPhase ? static_cast<int>(node.phase) : 100,
                .met = block ? firstBlock : index,
                .block = block ? static_cast<std::int64_t>(*block) : -1,
                .index = index};
    }

    static constexpr std::size_t kNothing = std::numeric_limits<std::size_t>::max();

    const Snapshot& m_snapshot;
    bool m_merge;
    std::vector<FlameNode> m_nodes;
    std::vector<std::size_t> m_counted;  // by node: of which row it has counted the instances last
    std::map<std::tuple<std::uint32_t, FlameKind, std::string_view>, std::uint32_t> m_children;
};

}  // namespace

std::string FlameTree::pathOf(std::uint32_t node) const {
    std::string path;
    for (; node != 0; node = nodes[node].parent)
        path = path.empty() ? nodes[node].name : nodes[node].name + " › " + path;
    return path;
}

double FlameTree::shareOfAll(std::uint32_t node) const {
    return static_cast<double>(nodes[node].value) / static_cast<double>(nodes.front().value);
}

double FlameTree::shareOfParent(std::uint32_t node) const {
    return static_cast<double>(nodes[node].value) / static_cast<double>(nodes[nodes[node].parent].value);
}

namespace {

/// Adds the time of rows: under their place or, where they work for several modules, under each of these.
class TimeBuilder {
public:
    TimeBuilder(const Snapshot& snapshot, std::string_view module, bool mergeBlocks)
        : m_snapshot(snapshot),
          m_within(module),
          m_shared(snapshot),
          m_works(snapshot),
          m_builder(snapshot, mergeBlocks) {}

    /// So that modules stand as the run met them, and not as another's kernel was found to work for them.
    void meet(const WorkRow& row) { nodeOf(row.place, m_snapshot.place(row.place)); }
    /// `index`: another for each row.
    void add(const WorkRow& row, std::size_t index) {
        const Place place = m_snapshot.place(row.place);
        for (const SharedWork::Share& share : m_shared.sharesOf(row, m_within)) {
            const std::uint32_t at = share.split ? m_builder.servedNode(phaseNode(place.phase), share.module)
                                                 : nodeOf(row.place, place);
            m_builder.add(leafOf(at, row, place.phase), share.time, row.instances, index);
        }
    }
    void finish(std::string name, FlameTree& tree) {
        tree.splits = m_shared.sentences();
        m_builder.node(0).name = std::move(name);
        m_builder.arrange(tree);
    }

private:
    std::uint32_t phaseNode(Phase phase) {
        const std::uint32_t node =
            m_builder.child(0, FlameKind::kPhase, phase == Phase::kNone ? kOutsidePhases : phaseName(phase));
        m_builder.node(node).phase = phase;
        return node;
    }
    std::uint32_t nodeOf(PlaceId id, const Place& place) {
        const auto [found, fresh] = m_ofPlace.try_emplace(id.value, 0);
        if (fresh)
            found->second = m_builder.placeNode(phaseNode(place.phase), place);
        return found->second;
    }
    /// Its kernel's, or on the CPU its op's.
    std::uint32_t leafOf(std::uint32_t at, const WorkRow& row, Phase phase) {
        const std::string_view op = m_snapshot.name(row.op);
        std::uint32_t leaf = m_builder.child(at, FlameKind::kOp, op.empty() ? kNoOp : op);
        m_builder.node(leaf).family = op.empty() ? familyOf(m_snapshot, row) : opFamily(op, phase);
        if (row.kernel.valid()) {
            leaf = m_builder.child(leaf, FlameKind::kKernel, titleOf(row));
            m_builder.node(leaf).family = familyOf(m_snapshot, row);
            // Kernels of several names can do the same.
            std::string& recorded = m_builder.node(leaf).recorded;
            const std::string_view name = m_snapshot.name(row.kernel);
            if (recorded.find(name) == recorded.npos)
                recorded += (recorded.empty() ? "" : ", ") + std::string(name);
        }
        return leaf;
    }

    std::string_view titleOf(const WorkRow& row) {
        const auto [found, fresh] = m_titles.try_emplace({row.kernel.value, row.signature.value});
        if (fresh)
            found->second = m_works.titleOf(m_snapshot.name(row.kernel), m_snapshot.name(row.signature));
        return found->second;
    }

    const Snapshot& m_snapshot;
    std::string_view m_within;
    SharedWork m_shared;  // has names of nodes, and so have the titles
    KernelWorks m_works;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> m_titles;
    FlameBuilder m_builder;
    std::unordered_map<std::uint32_t, std::uint32_t> m_ofPlace;
};

}  // namespace

FlameTree timeFlame(const Snapshot& snapshot, const WorkScope& scope, bool mergeBlocks) {
    WorkTimes times = workTimes(snapshot, withAllModules(scope));
    FlameTree tree;
    tree.gpu = times.gpu;
    tree.steps = std::max<std::int64_t>(1, times.steps);
    tree.measured = times.measured;
    tree.ofRange = times.ofRange;
    // Places are numbered as the run met them, which is the order of the model.
    std::ranges::stable_sort(
        times.rows, [](const WorkRow& a, const WorkRow& b) { return a.place.value < b.place.value; });
    TimeBuilder builder(snapshot, scope.filter.modulePath, mergeBlocks);
    for (const WorkRow& row : times.rows)
        builder.meet(row);
    for (std::size_t i = 0; i < times.rows.size(); ++i)
        builder.add(times.rows[i], i);
    const bool oneStep = scope.filter.step && scope.filter.ranges.empty();
    const std::string step = oneStep         ? "step " + std::to_string(*scope.filter.step)
                             : times.ofRange ? "range"
                                             : "step";
    // A GPU is not busy all of a step: the sum of its work is not the step's time.
    const std::string_view of = oneStep ? "of " : times.ofRange ? "of the " : "per ";
    builder.finish(times.gpu ? "GPU time " + std::string(of) + step : step, tree);
    return tree;
}

FlameTree memoryFlame(const MemoryTimeline& memory, const std::vector<AllocationId>& alive,
                      bool mergeBlocks) {
    FlameTree tree;
    tree.subject = FlameTree::Subject::kMemory;
    const Snapshot& snapshot = *memory.snapshot();
    FlameBuilder builder(snapshot, mergeBlocks);
    std::unordered_map<std::uint32_t, std::uint32_t> ofPlace;
    struct Block {
        Place place;
        std::uint32_t placeId;
        Category category;
        std::int64_t bytes;
    };
    std::vector<Block> blocks;
    blocks.reserve(alive.size());
    for (const AllocationId id : alive) {
        if (const auto row = snapshot.allocation(id))
            blocks.push_back(
                {snapshot.place(row->place), row->place.value, memory.categoryOf(id), row->bytes});
    }
    std::ranges::stable_sort(blocks, {}, &Block::placeId);
    std::size_t added = 0;
    for (const Block& block : blocks) {
        const auto [found, fresh] = ofPlace.try_emplace(block.placeId, 0);
        if (fresh) {
            found->second = snapshot.name(block.place.module).empty()
                                ? builder.child(0, FlameKind::kModule, kOutsideModel)
                                : builder.placeNode(0, block.place);
        }
        const std::uint32_t leaf =
            builder.child(found->second, FlameKind::kCategory, categoryName(block.category));
        builder.node(leaf).category = block.category;
        builder.add(leaf, block.bytes, 1, added++);
    }
    builder.node(0).name = "memory";
    builder.arrange(tree);
    return tree;
}

std::vector<std::int64_t> flameTotals(const FlameTree& tree) {
    const bool memory = tree.subject == FlameTree::Subject::kMemory;
    std::vector<std::int64_t> totals(memory ? kCategoryCount : kOpFamilyCount);
    for (const FlameNode& node : tree.nodes) {
        if (memory && node.kind == FlameKind::kCategory)
            totals[static_cast<std::size_t>(node.category)] += node.value;
        else if (!memory && (node.kind == FlameKind::kOp || node.kind == FlameKind::kKernel))
            totals[static_cast<std::size_t>(node.family)] += node.self;
    }
    return totals;
}

}  // namespace warpglass
