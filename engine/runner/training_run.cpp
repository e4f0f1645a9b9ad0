#include "engine/runner/training_run.h"

#include "engine/runner/adamw.h"
#include "engine/runner/transformer.h"

namespace warpglass {
namespace {

/// Mixed precision, as PyTorch's autocast does it: matrix products in bf16, the bf16 copies of the weights
/// kept until the outermost scope ends.
class AutocastScope {
public:
    explicit AutocastScope(Precision precision) : m_enabled(precision == Precision::kBf16) {
        if (!m_enabled)
            return;
        at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
        at::autocast::set_autocast_enabled(at::kCPU, true);
        at::autocast::increment_nesting();
    }
    ~AutocastScope() {
        if (!m_enabled)
            return;
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(at::kCPU, false);
    }
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    bool m_enabled;
};

Transformer::TensorMade marker(Category category) {
    return [category](const at::Tensor& tensor) { markMemory(tensor.storage().data(), category); };
}

/// In fp32 whatever the logits' type. Keeps only the log-softmax for the backward pass, not the logits.
at::Tensor crossEntropy(at::Tensor logits, const at::Tensor& targets) {
    return at::cross_entropy_loss(logits.view({-1, logits.size(-1)}).to(at::kFloat), targets.view({-1}));
}

/// Apart from the model's stream of random numbers, so that the batch does not depend on the model's size.
constexpr std::uint64_t kBatchSeedOffset = 0x9e3779b97f4a7c15ull;

}  // namespace

struct TrainingRun::State {
    Transformer model;
    std::vector<Transformer::Parameter> parameters;
    AdamW optimizer;
    at::Tensor tokens, targets;  // (B, S) int64

    explicit State(const RunConfig& config)
        : model(config, marker(Category::kWeights), marker(Category::kInput)),
          parameters(model.parameters()),
          optimizer(parameters, AdamWSetting(), marker(Category::kOptimizerState)) {
        at::Generator generator = at::detail::createCPUGenerator(config.seed + kBatchSeedOffset);
        for (at::Tensor* ids : {&tokens, &targets}) {
            *ids = at::randint(config.shape.vocabulary, {config.batch, config.context}, generator,
                               at::TensorOptions(at::kLong));
            markMemory(ids->storage().data(), Category::kInput);
        }
    }
};

TrainingRun::TrainingRun(const RunConfig& config) : m_config(config) {}

TrainingRun::~TrainingRun() {
    if (m_state)
        tearDown();
}

void TrainingRun::setUp() {
    const PhaseScope phase(Phase::kSetup);
    m_state = std::make_unique<State>(m_config);
}

double TrainingRun::step(std::int64_t index) {
    safePoint();
    const StepScope step(index);
    const double loss = forwardAndBackward();
    if (m_config.mode == Mode::kForward)
        return loss;
    if (m_config.mode == Mode::kStep) {
        const PhaseScope phase(Phase::kOptimizer);
        m_state->optimizer.step();
    }
    const PhaseScope phase(Phase::kZeroGrad);
    for (const auto& parameter : m_state->parameters)
        parameter.tensor.mutable_grad().reset();
    return loss;
}

double TrainingRun::forwardAndBackward() {
    const bool gradients = m_config.mode != Mode::kForward;
    const at::AutoGradMode gradMode(gradients);
    at::Tensor logits, loss;
    double value = 0;
    {
        const PhaseScope phase(Phase::kForward, gradients);
        const AutocastScope autocast(m_config.precision);
        logits = m_state->model.forward(m_state->tokens);
    }
    {
        const PhaseScope phase(Phase::kLoss, gradients);
        loss = crossEntropy(std::move(logits), m_state->targets);
        value = loss.item<double>();
        if (!gradients)
            loss.reset();
    }
    if (!gradients)
        return value;
    const PhaseScope phase(Phase::kBackward);
    loss.backward();
    loss.reset();
    for (const auto& parameter : m_state->parameters) {
        if (parameter.tensor.grad().defined())
            markMemory(parameter.tensor.grad().storage().data(), Category::kGradients);
    }
    return value;
}

void TrainingRun::tearDown() {
    const PhaseScope phase(Phase::kTeardown);
    m_state.reset();
}

std::int64_t TrainingRun::parameterCount() const {
    return m_state->model.parameterCount();
}

}  // namespace warpglass
