#include "engine/cuda/graph_parts.h"

#include <c10/cuda/CUDAException.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace warpglass {
namespace {

/// A part has this many times the nodes of the one before it: the shortest kernels take some 2 µs with the
/// gap after them, three times as long as the preparation of a node.
constexpr std::size_t kGrowth = 4;
constexpr std::size_t kLeastNodes = 8;

std::vector<cudaGraphNode_t> nodesOf(cudaGraph_t graph) {
    std::size_t count = 0;
    C10_CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    C10_CUDA_CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
    return nodes;
}

/// Whether no node waits for one that is listed after it, so that the list may be cut anywhere.
bool isInOrder(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& nodes) {
    std::size_t count = 0;
    C10_CUDA_CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    std::vector<cudaGraphNode_t> from(count), to(count);
    std::vector<cudaGraphEdgeData> data(count);
    C10_CUDA_CHECK(cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &count));
    std::unordered_map<cudaGraphNode_t, std::size_t> position;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        position.emplace(nodes[i], i);
    return std::equal(
        from.begin(), from.end(), to.begin(),
        [&position](cudaGraphNode_t a, cudaGraphNode_t b) { return position.at(a) < position.at(b); });
}

/// Where the parts of so many nodes end, in order; the last is all of them.
std::vector<std::size_t> endsOfParts(std::size_t nodes) {
    std::vector<std::size_t> ends{nodes};
    while (ends.back() / (kGrowth + 1) >= kLeastNodes)
        ends.push_back(ends.back() / (kGrowth + 1));
    std::reverse(ends.begin(), ends.end());
    return ends;
}

/// The nodes from `begin` to `end` as a graph of their own.
cudaGraphExec_t instantiatePart(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& nodes,
                                std::size_t begin, std::size_t end) {
    cudaGraph_t copy = nullptr;
    C10_CUDA_CHECK(cudaGraphClone(&copy, graph));
    const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, decltype(&cudaGraphDestroy)> held(
        copy, &cudaGraphDestroy);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i >= begin && i < end)
            continue;
        cudaGraphNode_t node = nullptr;
        C10_CUDA_CHECK(cudaGraphNodeFindInClone(&node, nodes[i], copy));
        C10_CUDA_CHECK(cudaGraphDestroyNode(node));
    }
    cudaGraphExec_t part = nullptr;
    C10_CUDA_CHECK(cudaGraphInstantiate(&part, copy, 0));
    return part;
}

}  // namespace

GraphParts::GraphParts(cudaGraph_t graph) {
    const std::vector<cudaGraphNode_t> nodes = nodesOf(graph);
    const std::vector<std::size_t> ends =
        isInOrder(graph, nodes) ? endsOfParts(nodes.size()) : std::vector{nodes.size()};
    m_parts.reserve(ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        m_parts.emplace_back(instantiatePart(graph, nodes, begin, end), &cudaGraphExecDestroy);
        begin = end;
    }
}

void GraphParts::upload(cudaStream_t stream) const noexcept {
    bool refused = false;
    for (const Part& part : m_parts)
        refused = cudaGraphUpload(part.get(), stream) != cudaSuccess || refused;
    if (cudaStreamSynchronize(stream) != cudaSuccess || refused)
        cudaGetLastError();
}

void GraphParts::launch(cudaStream_t stream) const {
    for (const Part& part : m_parts)
        C10_CUDA_CHECK(cudaGraphLaunch(part.get(), stream));
}

}  // namespace warpglass
