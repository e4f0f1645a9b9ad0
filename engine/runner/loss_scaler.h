// Dynamic loss scaling, which keeps fp16 gradients from vanishing: Micikevicius et al., "Mixed Precision
// Training", section 3.2, with the constants and the operators of PyTorch's GradScaler.
#pragma once

#include <vector>

#include "engine/capture/torch_headers.h"

namespace warpglass {

class LossScaler {
public:
    explicit LossScaler(at::Device device);

    /// What to differentiate in place of the loss.
    at::Tensor scaled(const at::Tensor& loss) const { return loss * m_scale; }
    /// Looks for infinities among the gradients of a scaled loss; foundInfinity() is 1 after that if there
    /// are any, and the optimizer then leaves the parameters as they are.
    void check(at::TensorList gradients);
    /// Doubles the scale after 2,000 steps without an infinity, halves it at one. The loss is then not scaled
    /// out of range for long.
    void update();

    /// Every tensor that it keeps.
    std::vector<at::Tensor> state() const { return {m_scale, m_growthTracker, m_foundInfinity, m_one}; }
    const at::Tensor& scale() const { return m_scale; }                  // fp32, one number
    const at::Tensor& foundInfinity() const { return m_foundInfinity; }  // fp32, one number: 0 or 1

private:
    at::Tensor m_scale, m_growthTracker, m_foundInfinity, m_one;
};

}  // namespace warpglass
