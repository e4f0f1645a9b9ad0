// The types and shapes of ops' inputs and outputs, for a run that was recorded with them (DetailKind::kOp).
//
// Made in one pass over the snapshot's details, some hundreds. Immutable; any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

class OpTypes {
public:
    /// Has the types of no run.
    OpTypes() = default;
    explicit OpTypes(const Snapshot& snapshot);

    /// Whether ops of the run have some.
    bool any() const { return !m_types.empty(); }
    /// "bf16[4,128,256], bf16[1024,256] → bf16[4,128,1024]", as a name; not valid for an op without.
    NameId of(const SpanChunk& chunk, std::uint32_t i) const {
        return chunk.detail[i] < m_types.size() ? m_types[chunk.detail[i]] : NameId();
    }

private:
    std::vector<NameId> m_types;  // by DetailId; empty where there are none
};

/// As tables show them: "→ fp32[256]" where no input is a tensor; "" for an op without.
std::string typesText(const Snapshot& snapshot, NameId types);

}  // namespace warpglass
