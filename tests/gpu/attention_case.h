// What the tests of our attention kernels share: a problem, its inputs, and the calls that compute it.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/capture/torch_headers.h"
#include "engine/kernels/kernels.h"

namespace warpglass::kernels {

struct AttentionCase {
    int batch, heads, length, headDimension;
    bool causal;
    at::ScalarType type;
    double magnitude = 1;
    /// Products of fp32 are in tf32.
    bool tf32 = false;
    bool deterministic = false;

    std::string name() const {
        return std::to_string(batch) + " × " + std::to_string(heads) + " × " + std::to_string(length) +
               " × " + std::to_string(headDimension) + (causal ? ", causal, " : ", ") +
               (tf32 ? "tf32" : c10::toString(type)) + ", magnitude " + std::to_string(magnitude) +
               (deterministic ? ", deterministic" : "");
    }
    AttentionShape shape() const {
        using enum AttentionType;
        return {batch,
                heads,
                length,
                headDimension,
                causal,
                static_cast<float>(1 / std::sqrt(headDimension)),
                type == at::kHalf       ? kFp16
                : type == at::kBFloat16 ? kBf16
                : tf32                  ? kTf32
                                        : kFp32};
    }
};

/// (B, H, S, d).
struct AttentionInputs {
    at::Tensor q, k, v, gradient;
};

inline HeadTensor headTensor(const at::Tensor& x) {
    return {x.data_ptr(), x.stride(0), x.stride(1), x.stride(2)};
}

/// A forward and a backward pass. What is to be written begins as NaN; the gradients lie in one tensor, as a
/// joined projection leaves its inputs.
class AttentionPasses {
public:
    AttentionPasses(const AttentionCase& c, const AttentionInputs& in)
        : m_case(c), m_in(in), m_output(at::full_like(in.q, kNothing)) {
        const auto fp32 = m_output.options().dtype(at::kFloat);
        m_logSumExp = at::full({c.batch, c.heads, c.length}, kNothing, fp32);
        m_delta = at::full_like(m_logSumExp, kNothing);
        m_sums = at::full({c.batch, c.heads, c.length, c.headDimension}, kNothing, fp32);
        const at::Tensor joined =
            at::full({c.batch, c.length, 3, c.heads, c.headDimension}, kNothing, m_output.options());
        for (const int index : {0, 1, 2})
            m_gradients.push_back(joined.select(2, index).transpose(1, 2));
    }

    /// By the kernel itself, or by its twin, with its clock.
    template <class Function, class... Clock>
    void forward(Function function, Clock&... clock) const {
        EXPECT_EQ(function(m_case.shape(), headTensor(m_in.q), headTensor(m_in.k), headTensor(m_in.v),
                           headTensor(m_output), m_logSumExp.data_ptr<float>(), nullptr, clock...),
                  0);
    }
    template <class Function, class... Clock>
    void backward(Function function, Clock&... clock) const {
        const BackwardScratch scratch{m_delta.data_ptr<float>(), m_sums.data_ptr<float>(),
                                      m_case.deterministic};
        EXPECT_EQ(function(m_case.shape(), headTensor(m_in.q), headTensor(m_in.k), headTensor(m_in.v),
                           headTensor(m_output), headTensor(m_in.gradient), m_logSumExp.data_ptr<float>(),
                           headTensor(m_gradients[0]), headTensor(m_gradients[1]), headTensor(m_gradients[2]),
                           scratch, nullptr, clock...),
                  0);
    }
    /// The output, the gradients of q, k and v, and the log-sum-exp.
    std::vector<at::Tensor> results() const {
        return {m_output, m_gradients[0], m_gradients[1], m_gradients[2], m_logSumExp};
    }

private:
    static constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    const AttentionCase& m_case;
    const AttentionInputs& m_in;
    at::Tensor m_output, m_logSumExp, m_delta, m_sums;
    std::vector<at::Tensor> m_gradients;
};

/// Skips its tests where there is no GPU.
struct KernelsTest : ::testing::Test {
    void SetUp() override {
        if (!at::globalContext().hasCUDA())
            GTEST_SKIP() << "there is no NVIDIA GPU on this machine";
        m_kernels = warpglassKernels(kKernelsAbi);
        ASSERT_TRUE(m_kernels);
    }

    const Kernels* m_kernels = nullptr;
};

}  // namespace warpglass::kernels
