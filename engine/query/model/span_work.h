// What is known about the FLOPs and bytes of ops and kernels: for GEMMs and fused attention, from the plan of
// the run (matrix_products.h); for the kernels of the library's update of all parameters, from their number
// (engine/plan/parts.h); for copies, from the GPU's records. Beside these kernels of ours are known
// (own_kernel_work.h) and the library's casts and elementwise kernels (library_work.h), and nothing is
// guessed.
//
// A place (phase, module, part) computes the same in every step, so its GEMMs are counted over the complete
// steps: always n per step. If one GEMM is planned (forward) and one kernel runs, or two of the same size are
// planned (backward) and two run, each of them is known. If more or fewer run (the backward pass of a fused
// attention has three kernels), only all of them together are known: nothing is stated for a single name
// unless it is the only one, and nothing at all for a part of a step. If no step was completed, the step in
// which the run ended is used, and only places where as many ran as are planned count.
//
// Internal to engine/query. Linear in the spans of the kind's tracks for a snapshot's first, which keeps what
// is found for the next.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/run_config.h"
#include "engine/query/spans/filtered_spans.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class SpanWork {
public:
    /// `kind`: ops of the CPU or kernels of the GPU's streams; of any other kind no product is known.
    SpanWork(const Snapshot& snapshot, TrackKind kind);

    /// Whether a row is one of the products that its place plans.
    bool isProduct(const SpanChunk& chunk, std::uint32_t i) const { return isProduct(NameId(chunk.name[i])); }
    /// Whether the name of an op or a kernel is that of a GEMM.
    bool isProduct(NameId name) const { return m_plan->isProduct(name); }
    /// Whether a kernel is one of the library's update of all parameters, of which all in a step are known
    /// together.
    bool isUpdate(const SpanChunk& chunk, std::uint32_t i) const {
        return m_plan->isUpdate(m_snapshot, chunk, i);
    }
    /// No product is known of the run.
    bool empty() const { return m_plan->places.empty(); }

    struct Known {
        double flops = 0, bytes = 0;
        /// It is an update: no product, and bound by memory.
        bool update = false;
    };
    /// What `products` of a place did. `all`: these are all that ran there in the steps that they belong to,
    /// not those of one name among several.
    std::optional<Known> of(std::uint32_t place, std::int64_t products, bool all) const;
    /// M×N×K of the forward product of a place (MatrixProduct::shape); "" where it is not known.
    std::string_view shapeAt(std::uint32_t place) const {
        return place < m_plan->places.size() ? std::string_view(m_plan->places[place].shape)
                                             : std::string_view();
    }

private:
    struct AtPlace {
        double flops = 0, bytes = 0;  // of one step
        std::int64_t planned = 0;     // products of equal size; 0 for a fused backward pass
        std::int64_t perStep = 0;     // products that ran in each step; 0 when it is not the same in all
        std::string shape{};
        bool update = false;
    };

    /// What is known of all kernels or all ops of a snapshot, which keeps it (Snapshot::derived()).
    struct Plan {
        Plan(const Snapshot& snapshot, TrackKind kind);
        bool isProduct(NameId name) const {
            return !places.empty() && products[std::min<std::size_t>(name.value, products.size() - 1)];
        }
        bool isUpdate(const Snapshot& snapshot, const SpanChunk& chunk, std::uint32_t i) const;

        std::vector<std::uint8_t> products;  // by name
        std::vector<AtPlace> places;         // by place
        NameId update;                       // the op; not valid where the library has none

    private:
        void planProducts(const Snapshot& snapshot, const RunConfig& config);
        void planUpdate(const Snapshot& snapshot, const RunConfig& config);
    };

    const Snapshot& m_snapshot;
    std::shared_ptr<const Plan> m_plan;
};

}  // namespace warpglass
