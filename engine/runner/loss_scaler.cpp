#include "engine/runner/loss_scaler.h"

namespace warpglass {
namespace {

constexpr double kFirstScale = 65536;
constexpr double kGrowth = 2, kBackoff = 0.5;
constexpr std::int64_t kGrowthInterval = 2000;

}  // namespace

LossScaler::LossScaler(at::Device device) {
    const at::TensorOptions options = at::TensorOptions(at::kFloat).device(device);
    m_scale = at::full({}, kFirstScale, options);
    m_growthTracker = at::zeros({}, options.dtype(at::kInt));
    m_foundInfinity = at::zeros({}, options);
    m_one = at::ones({}, options);
}

void LossScaler::check(at::TensorList gradients) {
    m_foundInfinity.zero_();
    // Times one: the fused optimizer takes the scale out itself.
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, m_foundInfinity, m_one);
}

void LossScaler::update() {
    at::_amp_update_scale_(m_scale, m_growthTracker, m_foundInfinity, kGrowth, kBackoff, kGrowthInterval);
}

}  // namespace warpglass
