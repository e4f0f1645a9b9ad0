// What is known of the library's kernels that memory bounds: casts, copies, and the elementwise, normalizing
// and reducing kernels between the GEMMs. Which of them run where, on tensors of which size and type, follows
// from the run's configuration and the model's code (engine/runner/transformer.cpp) where a part of the model
// is the library's; the types are also in the kernels' signatures.
//
// Bytes are the least: each operand read once and each result written once. What is much smaller than these
// (the gain of a norm, the causal mask, RoPE's table, a number a row) stays in the caches and counts nothing;
// of kernels that move nothing else nothing is known.
// FLOPs are counted as in engine/plan/flops.h; a cast or a copy has none.
//
// Nothing is guessed: at a place where in the measured steps not exactly as many kernels of one work ran as
// are planned, or where those of unlike sizes are of several kernels, none of them is known. LibTorch halves
// an elementwise kernel until no operand has more than 2³¹ − 1 bytes, and the plan does, too.
//
// Immutable; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/plan/flops.h"
#include "engine/plan/run_config.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// All kernels of one work at one place in one step.
struct LibraryPass {
    PlanPhase phase = PlanPhase::kForward;
    /// "blocks.*.ffn" (module_group.h); "scores", "softmax" and "values" within naive attention.
    std::string module, part;
    /// The op that launches them, without the "_" of one in place, and kernelTitle().
    std::string op, title;
    std::int64_t launches = 0, bytes = 0, flops = 0;
    /// Each launch is of the same size.
    bool alike = true;
};
/// Each once. Empty for a run on the CPU, and for attention alone. Precondition: validate() is empty.
std::vector<LibraryPass> libraryPasses(const RunConfig& config);

class LibraryWork {
public:
    /// Linear in the run's kernels for a snapshot's first, which keeps what is found for the next.
    explicit LibraryWork(const Snapshot& snapshot);

    /// Nothing is known of any.
    bool empty() const { return m_plan->known.empty(); }

    /// A place and what a kernel does there; 0 for what is not in the plan.
    std::uint64_t keyOf(PlaceId place, DetailId detail) const {
        const std::uint32_t work = detail.index() < m_plan->works.size() ? m_plan->works[detail.index()] : 0;
        return work == 0 ? 0 : (std::uint64_t{place.value} << 32) | work;
    }
    std::uint64_t keyOf(const SpanChunk& chunk, std::uint32_t i) const {
        return keyOf(PlaceId(chunk.place[i]), DetailId(chunk.detail[i]));
    }

    struct Known {
        double flops = 0, bytes = 0;
    };
    /// What so many launches of it did. Nothing is known of some of a step's launches where these differ.
    std::optional<Known> of(std::uint64_t key, std::int64_t launches) const;

private:
    struct AtPlace {
        double flops = 0, bytes = 0;  // of one step
        std::int64_t launches = 0;
        bool alike = true;
    };
    struct Plan {
        explicit Plan(const Snapshot& snapshot);

        std::vector<std::uint32_t> works;                  // by DetailId; 0 for none
        std::unordered_map<std::uint64_t, AtPlace> known;  // by key
    };

    std::shared_ptr<const Plan> m_plan;
};

}  // namespace warpglass
