#include <optional>

#include "engine/runner/arithmetic.h"
#include "engine/runner/autocast_scope.h"
#include "engine/runner/step_work.h"
#include "engine/runner/tf32_scope.h"

namespace warpglass {
namespace {

Transformer::TensorMade marker(Category category) {
    return [category](const at::Tensor& tensor) { markMemory(tensor.storage().data(), category); };
}

/// Apart from the model's stream of random numbers, so that the batch does not depend on the model's size.
constexpr std::uint64_t kBatchSeedOffset = 0x9e3779b97f4a7c15ull;

class TransformerWork : public StepWork {
public:
    TransformerWork(const RunConfig& config, StepPhases& phases)
        : m_config(config),
          m_phases(phases),
          m_device(config.device),
          m_tf32(config.precision),
          m_sdpa(config.attention),
          m_model(config, marker(Category::kWeights), marker(Category::kInput), m_device),
          m_parameters(m_model.parameters()),
          m_optimizer(arithmeticOf(config.optimizer)
                          .make(m_parameters, AdamWSetting(), marker(Category::kOptimizerState))) {
        at::Generator generator = at::detail::createCPUGenerator(config.seed + kBatchSeedOffset);
        for (at::Tensor* ids : {&m_tokens, &m_targets}) {
            *ids = at::randint(config.shape.vocabulary, {config.batch, config.context}, generator,
                               at::TensorOptions(at::kLong))
                       .to(m_device);
            markMemory(ids->storage().data(), Category::kInput);
        }
        if (config.precision == Precision::kFp16) {
            m_scaler.emplace(m_device);
            for (const at::Tensor& number : m_scaler->state())
                markMemory(number.storage().data(), Category::kOptimizerState);
        }
    }

    void runPhases() override {
        forwardAndBackward();
        if (m_config.mode == Mode::kStep)
            update();
        if (m_config.mode != Mode::kForward) {
            const PhaseOfStep phase(m_phases, Phase::kZeroGrad);
            for (const auto& parameter : m_parameters)
                parameter.tensor.mutable_grad().reset();
        }
    }

    std::optional<double> loss(bool replayed) override {
        if (m_loss.defined()) {
            m_lossValue = m_loss.item<double>();
            if (!replayed)
                m_loss.reset();
        }
        return m_lossValue;
    }

    std::int64_t parameterCount() const override { return m_model.parameterCount(); }

private:
    void forwardAndBackward() {
        const bool gradients = m_config.mode != Mode::kForward;
        const at::AutoGradMode gradMode(gradients);
        at::Tensor logits, loss;
        {
            const PhaseOfStep phase(m_phases, Phase::kForward, gradients);
            const AutocastScope autocast(m_config.precision, m_device.type());
            logits = m_model.forward(m_tokens);
            m_phases.markWorkspaces();
        }
        {
            const PhaseOfStep phase(m_phases, Phase::kLoss, gradients);
            loss = arithmeticOf(m_config.loss).loss(std::move(logits), m_targets);
            // A GPU's is read when the step is over: reading waits for the device. Kept without its graph, so
            // that the graph goes with the backward pass.
            if (m_phases.gpu())
                m_loss = loss.detach();
            else
                m_lossValue = loss.item<double>();
            if (m_scaler && gradients)
                loss = m_scaler->scaled(loss);
            if (!gradients)
                loss.reset();
            m_phases.markWorkspaces();
        }
        if (!gradients)
            return;
        const PhaseOfStep phase(m_phases, Phase::kBackward);
        try {
            loss.backward();
        } catch (...) {
            markGradients();  // those that a stop or a failure came after
            throw;
        }
        loss.reset();
        markGradients();
        m_phases.markWorkspaces();
    }

    void markGradients() {
        for (const auto& parameter : m_parameters) {
            if (parameter.tensor.grad().defined())
                markMemory(parameter.tensor.grad().storage().data(), Category::kGradients);
        }
    }

    void update() {
        const PhaseOfStep phase(m_phases, Phase::kOptimizer);
        LossScaler* scaler = m_scaler ? &*m_scaler : nullptr;
        if (scaler) {
            std::vector<at::Tensor> gradients;
            for (const auto& parameter : m_parameters) {
                if (parameter.tensor.grad().defined())
                    gradients.push_back(parameter.tensor.grad());
            }
            scaler->check(gradients);
        }
        m_optimizer->step(scaler);
        if (scaler)
            scaler->update();
        m_phases.markWorkspaces();
    }

    RunConfig m_config;
    StepPhases& m_phases;
    at::Device m_device;
    Tf32Scope m_tf32;
    SdpaBackendScope m_sdpa;
    Transformer m_model;
    std::vector<Transformer::Parameter> m_parameters;
    std::unique_ptr<Optimizer> m_optimizer;
    std::optional<LossScaler> m_scaler;  // fp16 only
    at::Tensor m_tokens, m_targets;      // (B, S) int64
    at::Tensor m_loss;                   // a GPU's, of the present step, until its number is read
    double m_lossValue = 0;
};

}  // namespace

std::unique_ptr<StepWork> makeTransformerWork(const RunConfig& config, StepPhases& phases) {
    return std::make_unique<TransformerWork>(config, phases);
}

}  // namespace warpglass
