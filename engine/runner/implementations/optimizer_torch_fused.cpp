// AdamW through LibTorch's fused kernels: one pass over parameter, gradient and both moments, with no
// temporary.
//
// On the CPU one call a parameter, each under its module's range, so that time and memory are seen where they
// belong; against one call for all parameters that costs some 10 µs each. On a GPU one call for all: there a
// launch a parameter would be most of the optimizer's time.
#include <deque>

#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

/// Keeps the ranges of a path's modules open, and closes and opens only what differs from one path to the
/// next.
class ModuleWalk {
public:
    ~ModuleWalk() {
        while (!m_scopes.empty())
            leave();
    }

    void enter(const std::vector<ModulePath>& modules) {
        std::size_t common = 0;
        while (common < m_paths.size() && common < modules.size() && m_paths[common] == modules[common])
            ++common;
        while (m_scopes.size() > common)
            leave();
        for (std::size_t i = common; i < modules.size(); ++i) {
            m_scopes.emplace_back(modules[i]);
            m_paths.push_back(modules[i]);
        }
    }

private:
    void leave() {
        m_scopes.pop_back();
        m_paths.pop_back();
    }

    std::deque<ModuleScope> m_scopes;  // scopes can't move; a deque builds them in place
    std::vector<ModulePath> m_paths;
};

class AdamW : public Optimizer {
public:
    AdamW(std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
          Transformer::TensorMade stateMade);

    void step(const LossScaler* scaler) override;

private:
    struct State {
        at::Tensor firstMoment, secondMoment;
    };

    void stepOneByOne();
    void stepTogether(const LossScaler* scaler);
    void update(const Transformer::Parameter& parameter, State& state);
    void makeState(const Transformer::Parameter& parameter, State& state);

    std::vector<Transformer::Parameter> m_parameters;
    std::vector<State> m_states;
    at::Tensor m_stepCount;  // one fp32 number, the same for all parameters
    AdamWSetting m_setting;
    Transformer::TensorMade m_stateMade;
};

AdamW::AdamW(std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
             Transformer::TensorMade stateMade)
    : m_parameters(std::move(parameters)),
      m_states(m_parameters.size()),
      m_setting(setting),
      m_stateMade(std::move(stateMade)) {}

void AdamW::step(const LossScaler* scaler) {
    const at::NoGradGuard noGrad;
    const at::Device device = m_parameters.front().tensor.device();
    if (!m_stepCount.defined()) {
        m_stepCount = at::zeros({}, device);
        m_stateMade(m_stepCount);
    }
    m_stepCount.add_(1);
    if (device.is_cpu())
        stepOneByOne();
    else
        stepTogether(scaler);
}

void AdamW::stepTogether(const LossScaler* scaler) {
    ModuleWalk walk;
    std::vector<at::Tensor> parameters, gradients, firstMoments, secondMoments;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        if (!m_parameters[i].tensor.grad().defined())
            continue;
        if (!m_states[i].firstMoment.defined()) {
            safePoint();
            walk.enter(m_parameters[i].modules);
            makeState(m_parameters[i], m_states[i]);
        }
        parameters.push_back(m_parameters[i].tensor);
        gradients.push_back(m_parameters[i].tensor.grad());
        firstMoments.push_back(m_states[i].firstMoment);
        secondMoments.push_back(m_states[i].secondMoment);
    }
    walk.enter({});
    if (scaler)
        m_stepCount.sub_(scaler->foundInfinity());  // a step that is left out does not count
    const std::vector<at::Tensor> counts(parameters.size(), m_stepCount);
    at::_fused_adamw_(parameters, gradients, firstMoments, secondMoments, {}, counts, m_setting.learningRate,
                      m_setting.beta1, m_setting.beta2, m_setting.weightDecay, m_setting.epsilon,
                      /*amsgrad=*/false, /*maximize=*/false,
                      scaler ? std::optional(scaler->scale()) : std::nullopt,
                      scaler ? std::optional(scaler->foundInfinity()) : std::nullopt);
}

void AdamW::stepOneByOne() {
    ModuleWalk walk;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        safePoint();
        walk.enter(m_parameters[i].modules);
        update(m_parameters[i], m_states[i]);
    }
}

void AdamW::update(const Transformer::Parameter& parameter, State& state) {
    const at::Tensor& gradient = parameter.tensor.grad();
    if (!gradient.defined())
        return;
    if (!state.firstMoment.defined())
        makeState(parameter, state);
    at::_fused_adamw_({parameter.tensor}, {gradient}, {state.firstMoment}, {state.secondMoment}, {},
                      {m_stepCount}, m_setting.learningRate, m_setting.beta1, m_setting.beta2,
                      m_setting.weightDecay, m_setting.epsilon, /*amsgrad=*/false, /*maximize=*/false);
}

void AdamW::makeState(const Transformer::Parameter& parameter, State& state) {
    for (at::Tensor* moment : {&state.firstMoment, &state.secondMoment}) {
        *moment = at::zeros_like(parameter.tensor);
        m_stateMade(*moment);
    }
}

}  // namespace

template <>
OptimizerArithmetic arithmetic<OptimizerVariant::kTorchFused>() {
    return {[](std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
               Transformer::TensorMade stateMade) -> std::unique_ptr<Optimizer> {
        return std::make_unique<AdamW>(std::move(parameters), setting, std::move(stateMade));
    }};
}

}  // namespace warpglass
