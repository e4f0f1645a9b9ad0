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

WeightCopies::WeightCopies(const Snapshot& snapshot) : m_snapshot(snapshot) {
    const auto sizes = copySizes(snapshot);
    if (sizes.empty())
        return;
    m_ops.emplace(snapshot);
    m_bytes.resize(snapshot.placeCount());
    for (std::size_t i = 0; i < m_bytes.size(); ++i) {
        const auto size = sizes.find(std::string(snapshot.name(snapshot.place(PlaceId(i)).module)));
        m_bytes[i] = size == sizes.end() ? 0 : size->second;
    }
}

bool WeightCopies::isCopy(AllocationId id, Nanoseconds made) {
    const auto row = m_snapshot.allocation(id);
    if (!row)
        return false;
    Kind& kind = m_kinds[{row->place, row->op}];
    if (kind.judged && !kind.mixed && row->step != kind.step)
        return kind.copy;
    const NameId op = m_ops->of(id, *row, made);
    if (m_ops->changes(op))
        return false;  // the op that called it is not known here, and may be in the next step
    const bool copy = m_snapshot.name(op) == "aten::_to_copy";
    kind.mixed = kind.mixed || (kind.judged && copy != kind.copy);
    if (!std::exchange(kind.judged, true)) {
        kind.copy = copy;
        kind.step = row->step;
    }
    return copy;
}

}  // namespace warpglass
