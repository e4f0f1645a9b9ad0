#include "engine/runner/adamw.h"

#include <deque>

namespace warpglass {
namespace {

/// Keeps the ranges of a path's modules open, and closes and opens only what differs between two paths.
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
          Transformer::TensorMade stateMade, AdamWUpdate update);

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
    AdamWUpdate m_update;
};

AdamW::AdamW(std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
             Transformer::TensorMade stateMade, AdamWUpdate update)
    : m_parameters(std::move(parameters)),
      m_states(m_parameters.size()),
      m_setting(setting),
      m_stateMade(std::move(stateMade)),
      m_update(update) {}

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
    AdamWTensors all;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        if (!m_parameters[i].tensor.grad().defined())
            continue;
        if (!m_states[i].firstMoment.defined()) {
            safePoint();
            walk.enter(m_parameters[i].modules);
            makeState(m_parameters[i], m_states[i]);
        }
        all.parameters.push_back(m_parameters[i].tensor);
        all.gradients.push_back(m_parameters[i].tensor.grad());
        all.firstMoments.push_back(m_states[i].firstMoment);
        all.secondMoments.push_back(m_states[i].secondMoment);
        all.copies.push_back(m_parameters[i].copy);
    }
    walk.enter({});
    if (scaler)
        m_stepCount.sub_(scaler->foundInfinity());  // a step that is left out does not count
    m_update(all, m_stepCount, m_setting, scaler);
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
    m_update({{parameter.tensor}, {gradient}, {state.firstMoment}, {state.secondMoment}, {parameter.copy}},
             m_stepCount, m_setting, nullptr);
}

void AdamW::makeState(const Transformer::Parameter& parameter, State& state) {
    for (at::Tensor* moment : {&state.firstMoment, &state.secondMoment}) {
        *moment = at::zeros_like(parameter.tensor);
        m_stateMade(*moment);
    }
}

}  // namespace

std::unique_ptr<Optimizer> makeAdamW(std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
                                     Transformer::TensorMade stateMade, AdamWUpdate update) {
    return std::make_unique<AdamW>(std::move(parameters), setting, std::move(stateMade), update);
}

}  // namespace warpglass
