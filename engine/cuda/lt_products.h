// Products of matrices by cuBLASLt, each by the algorithm that was the fastest when some were tried out
// beside LibTorch's own product: once for each kind of product (product_choice.h), and kept for the life of
// the process. They are those that cuBLASLt proposes, the same with other tiles, and from Hopper on the
// fastest of all these in other clusters of multiprocessors.
//
// Only algorithms that add up in one order are tried, in one kernel and without scratch memory. They are
// tried on the real operands, with their results in the real output, so that trying takes no memory; while a
// graph is captured nothing is tried. Which one wins can differ from machine to machine, and from process to
// process where two are equally fast; their results may then differ in the last bit.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/cuda/product_choice.h"

namespace at {
class Tensor;
}

namespace warpglass {

/// A product with its algorithm, ready to be run.
class LtProduct;

/// Any thread.
class LtProducts {
public:
    LtProducts();
    ~LtProducts();

    /// Whether products that were not met yet are tried out; else they are LibTorch's until they are.
    void tryOut(bool on) { m_tryOut = on; }

    /// out = a b, on the calling thread's current stream. False, with nothing done, where that is LibTorch's
    /// to compute: it is the fastest, nothing was tried, or an operand lies as cuBLASLt does not take it. a
    /// (m, k) and b (k, n) are of one 16-bit type, out (m, n) of theirs or fp32. Throws c10::Error.
    bool multiply(const at::Tensor& a, const at::Tensor& b, const at::Tensor& out);

private:
    /// Null for LibTorch's own.
    using Choice = std::shared_ptr<const LtProduct>;
    Choice tried(const ProductKind& kind, const at::Tensor& a, const at::Tensor& b, const at::Tensor& out);

    std::atomic<bool> m_tryOut = false;
    std::mutex m_mutex;  // of what follows; held while products are tried out, so that none disturbs another
    std::map<ProductKind, Choice> m_kept;
    bool m_gatesAreUseful = true;
};

}  // namespace warpglass
