#include "engine/query/memory/weight_copies.h"

#include <string>
#include <unordered_map>

#include "engine/plan/parameters.h"
#include "engine/plan/saturating.h"
#include "engine/plan/valid_config.h"

namespace warpglass {

namespace {

/// By module.
std::unordered_map<std::string, std::int64_t> copySizes(const Snapshot& snapshot) {
    std::unordered_map<std::string, std::int64_t> sizes;
    const Result<RunConfig> config = configFromPairs(snapshot.info().pairs());
    if (!config || !validate(*config).empty() || !isMixed(config->precision))
        return sizes;
    for (ParameterTensor& weight : parameterTensors(config->shape)) {
        if (weight.rows != config->tokensPerStep() && weight.columns != config->tokensPerStep())
            sizes.emplace(std::move(weight.module), (Saturating(weight.count()) * 2).value());
    }
    return sizes;
}

}  // namespace

WeightCopies::WeightCopies(const MemoryTimeline& memory) : m_memory(memory), m_ops(*memory.snapshot()) {
    const Snapshot& snapshot = *memory.snapshot();
    const auto sizes = copySizes(snapshot);
    if (sizes.empty())
        return;
    m_bytes.resize(snapshot.nameCount());
    for (std::size_t i = 0; i < m_bytes.size(); ++i) {
        const auto size = sizes.find(std::string(snapshot.name(NameId(i))));
        m_bytes[i] = size == sizes.end() ? 0 : size->second;
    }
}

bool WeightCopies::has(AllocationId id, const AllocationRow& row) {
    if (m_bytes.empty() || row.category != Category::kActivations || row.requested <= 0)
        return false;
    const Snapshot& snapshot = *m_memory.snapshot();
    const NameId module = snapshot.place(row.place).module;
    return module.index() < m_bytes.size() && m_bytes[module.index()] == row.requested &&
           snapshot.name(m_ops.of(m_memory, id, row)) == "aten::_to_copy";
}

std::vector<AllocationId> weightCopiesAmong(const MemoryTimeline& memory,
                                            const std::vector<AllocationId>& ids) {
    std::vector<AllocationId> found;
    if (!memory.snapshot())
        return found;
    WeightCopies copies(memory);
    for (const AllocationId id : ids) {
        const auto row = memory.snapshot()->allocation(id);
        if (row && copies.has(id, *row))
            found.push_back(id);
    }
    return found;
}

}  // namespace warpglass
