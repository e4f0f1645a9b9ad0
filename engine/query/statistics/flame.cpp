#include "engine/query/statistics/flame.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/query/spans/module_group.h"
#include "engine/query/spans/work_times.h"
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

/// Adds nodes in any order; arrange() puts them into the order of a FlameTree. Names are the snapshot's.
class Builder {
public:
    Builder(const Snapshot& snapshot, bool mergeBlocks) : m_snapshot(snapshot), m_merge(mergeBlocks) {
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
        std::string_view path = m_snapshot.name(place.module);
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
        if (!m_merge && place.module.valid())
            m_nodes[parent].module = place.module;
        if (const std::string_view part = m_snapshot.name(place.part); !part.empty())
            parent = child(parent, FlameKind::kPart, part);
        return parent;
    }

    void add(std::uint32_t index, std::int64_t value, std::int64_t instances) {
        FlameNode& node = m_nodes[index];
        node.self = std::max<std::int64_t>(0, wrappingAdd(node.self, std::max<std::int64_t>(0, value)));
        node.instances = wrappingAdd(node.instances, instances);
    }

    void arrange(FlameTree& tree) {
        // A child is always made after its parent.
        for (FlameNode& node : m_nodes)
            node.value = node.self;
        for (std::size_t i = m_nodes.size(); i-- > 1;) {
            FlameNode& parent = m_nodes[m_nodes[i].parent];
            parent.value = std::max<std::int64_t>(0, wrappingAdd(parent.value, m_nodes[i].value));
            parent.instances = wrappingAdd(parent.instances, m_nodes[i].instances);
        }
        if (m_nodes.front().value == 0)
            return;
        std::vector<std::vector<std::uint32_t>> childrenOf(m_nodes.size());
        for (std::uint32_t i = 1; i < m_nodes.size(); ++i) {
            if (m_nodes[i].value > 0)
                childrenOf[m_nodes[i].parent].push_back(i);
        }
        tree.nodes.reserve(m_nodes.size());
        std::vector<std::uint32_t> order = {0};
        tree.nodes.push_back(m_nodes.front());
        for (std::size_t i = 0; i < order.size(); ++i) {
            std::vector<std::uint32_t>& children = childrenOf[order[i]];
            std::stable_sort(children.begin(), children.end(), [&](std::uint32_t a, std::uint32_t b) {
                return before(m_nodes[a], m_nodes[b]);
            });
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
    /// Where two siblings stand; equal ones stay as they were first met.
    static bool before(const FlameNode& a, const FlameNode& b) {
        const auto rank = [](const FlameNode& node) {
            return node.kind == FlameKind::kPhase  ? static_cast<int>(node.phase)
                   : node.kind <= FlameKind::kPart ? 100
                                                   : 101;
        };
        if (rank(a) != rank(b))
            return rank(a) < rank(b);
        if (a.kind > FlameKind::kPart)
            return a.value > b.value;
        const auto blockA = blockNumber(a.name), blockB = blockNumber(b.name);
        return blockA && blockB && *blockA < *blockB;
    }

    const Snapshot& m_snapshot;
    bool m_merge;
    std::vector<FlameNode> m_nodes;
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

FlameTree timeFlame(const Snapshot& snapshot, const WorkScope& scope, bool mergeBlocks) {
    WorkTimes times = workTimes(snapshot, scope);
    FlameTree tree;
    tree.gpu = times.gpu;
    tree.steps = std::max<std::int64_t>(1, times.steps);
    tree.measured = times.measured;
    tree.ofRange = times.ofRange;
    // Places are numbered as the run met them, which is the order of the model.
    std::stable_sort(times.rows.begin(), times.rows.end(),
                     [](const WorkRow& a, const WorkRow& b) { return a.place.value < b.place.value; });
    Builder builder(snapshot, mergeBlocks);
    std::unordered_map<std::uint32_t, std::uint32_t> ofPlace;
    for (const WorkRow& row : times.rows) {
        const Place place = snapshot.place(row.place);
        const auto [found, fresh] = ofPlace.try_emplace(row.place.value, 0);
        if (fresh) {
            const std::uint32_t phase = builder.child(
                0, FlameKind::kPhase, place.phase == Phase::kNone ? kOutsidePhases : phaseName(place.phase));
            builder.node(phase).phase = place.phase;
            found->second = builder.placeNode(phase, place);
        }
        std::string_view op = snapshot.name(row.op);
        const OpFamily family = opFamily(op.empty() ? snapshot.name(row.kernel) : op, place.phase);
        std::uint32_t leaf = builder.child(found->second, FlameKind::kOp, op.empty() ? kNoOp : op);
        builder.node(leaf).family = family;
        if (row.kernel.valid()) {
            leaf = builder.child(leaf, FlameKind::kKernel, snapshot.name(row.kernel));
            builder.node(leaf).family = family;
        }
        builder.add(leaf, row.time, row.instances);
    }
    const bool oneStep = scope.filter.step && scope.filter.ranges.empty();
    builder.node(0).name = oneStep         ? "step " + std::to_string(*scope.filter.step)
                           : times.ofRange ? "range"
                                           : "step";
    builder.arrange(tree);
    return tree;
}

FlameTree memoryFlame(const Snapshot& snapshot, const std::vector<AllocationId>& alive, bool mergeBlocks) {
    FlameTree tree;
    tree.subject = FlameTree::Subject::kMemory;
    Builder builder(snapshot, mergeBlocks);
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
                {snapshot.place(row->place), row->place.value, snapshot.categoryOf(id), row->bytes});
    }
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const Block& a, const Block& b) { return a.placeId < b.placeId; });
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
        builder.add(leaf, block.bytes, 1);
    }
    builder.node(0).name = "memory";
    builder.arrange(tree);
    return tree;
}

}  // namespace warpglass
