// The module ranges and parts of a run as a tree: each nesting once, so that where an op ran is one number.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/trace/ids.h"

namespace warpglass {

class RangeTree {
public:
    using Node = std::uint32_t;
    /// Outside every module.
    static constexpr Node kRoot = 0;

    RangeTree() : m_nodes(1) {}

    /// The range `name` opened directly inside `parent`; the same node every time.
    Node child(Node parent, NameId name, bool isPart) {
        const std::uint64_t key =
            (std::uint64_t{parent} << 33) | (std::uint64_t{name.value} << 1) | (isPart ? 1 : 0);
        const auto [found, isNew] = m_children.try_emplace(key, static_cast<Node>(m_nodes.size()));
        if (isNew) {
            Info info = m_nodes[parent];
            info.parent = parent;
            info.name = name;
            ++info.depth;
            (isPart ? info.part : info.module) = name;
            if (!isPart)
                info.part = NameId();
            m_nodes.push_back(info);
        }
        return found->second;
    }

    Node parent(Node node) const { return m_nodes[node].parent; }
    /// 0 for the root.
    std::uint32_t depth(Node node) const { return m_nodes[node].depth; }
    NameId name(Node node) const { return m_nodes[node].name; }
    NameId module(Node node) const { return m_nodes[node].module; }
    NameId part(Node node) const { return m_nodes[node].part; }

private:
    struct Info {
        Node parent = kRoot;
        std::uint32_t depth = 0;
        NameId name, module, part;
    };
    std::vector<Info> m_nodes;
    std::unordered_map<std::uint64_t, Node> m_children;
};

}  // namespace warpglass
