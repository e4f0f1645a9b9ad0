#include <array>
#include <set>

#include "engine/plan/parts.h"
#include "engine/runner/attention.h"
#include "engine/runner/autocast_scope.h"
#include "engine/runner/safe_point.h"
#include "engine/runner/seeded_generator.h"
#include "engine/runner/step_work.h"
#include "engine/runner/tf32_scope.h"

namespace warpglass {
namespace {

class AttentionWork : public StepWork {
public:
    AttentionWork(const RunConfig& config, StepPhases& phases)
        : m_config(config),
          m_phases(phases),
          m_device(config.device),
          m_tf32(config.precision),
          m_sdpa(config.attention),
          m_path(std::string(kAttentionModule)) {
        at::Generator generator = seededGenerator(m_device, config.seed);
        const auto options = at::TensorOptions(productType(config.precision)).device(m_device);
        for (at::Tensor& each : m_heads) {
            safePoint();
            each = at::empty({config.batch, config.shape.heads, config.context, config.headDim}, options)
                       .normal_(0.0, 1.0, generator);
            markMemory(each.storage().data(), Category::kInput);
            each.set_requires_grad(keepsGradients());
        }
        m_setting.variant = config.attention;
        m_setting.deterministic = config.deterministic == Deterministic::kYes;
        m_setting.causal = config.isCausal();
        m_setting.scalesScores = true;
        if (makesMaskTable(config)) {
            m_setting.mask = makeCausalMask(config.context, config.precision, m_device);
            markMemory(m_setting.mask.storage().data(), Category::kInput);
        }
    }

    void runPhases() override {
        const at::AutoGradMode gradMode(keepsGradients());
        at::Tensor output = forward();
        if (keepsGradients())
            backward(std::move(output));
    }

    std::optional<double> loss(bool) override { return std::nullopt; }
    std::int64_t parameterCount() const override { return 0; }

private:
    bool keepsGradients() const { return m_config.mode != Mode::kForward; }

    /// Nothing where no backward pass follows: the output goes with the phase.
    at::Tensor forward() {
        const PhaseOfStep phase(m_phases, Phase::kForward, keepsGradients());
        const AutocastScope autocast(m_config.precision, m_device.type());
        const ModuleScope module(m_path);
        const auto& [q, k, v] = m_heads;
        at::Tensor output = attend(q, k, v, m_setting);
        if (!keepsGradients())
            output.reset();
        m_phases.markWorkspaces();
        return output;
    }

    void backward(at::Tensor output) {
        const PhaseOfStep phase(m_phases, Phase::kBackward);
        output.backward(at::ones_like(output));
        output.reset();
        for (const at::Tensor& each : m_heads) {
            if (const void* made = each.grad().storage().data(); m_gradients.insert(made).second)
                markMemory(made, Category::kGradients);
        }
        m_phases.markWorkspaces();
    }

    RunConfig m_config;
    StepPhases& m_phases;
    at::Device m_device;
    Tf32Scope m_tf32;
    SdpaBackendScope m_sdpa;
    ModulePath m_path;
    AttentionSetting m_setting;
    std::array<at::Tensor, 3> m_heads;  // q, k, v
    std::set<const void*> m_gradients;  // what is known for one
};

}  // namespace

std::unique_ptr<StepWork> makeAttentionWork(const RunConfig& config, StepPhases& phases) {
    return std::make_unique<AttentionWork>(config, phases);
}

}  // namespace warpglass
