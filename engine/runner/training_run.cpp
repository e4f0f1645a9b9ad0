#include "engine/runner/training_run.h"

#include <optional>
#include <stdexcept>

#include "engine/runner/arithmetic.h"
#include "engine/runner/autocast_scope.h"
#include "engine/runner/tf32_scope.h"

namespace warpglass {
namespace {

Transformer::TensorMade marker(Category category) {
    return [category](const at::Tensor& tensor) { markMemory(tensor.storage().data(), category); };
}

/// Apart from the model's stream of random numbers, so that the batch does not depend on the model's size.
constexpr std::uint64_t kBatchSeedOffset = 0x9e3779b97f4a7c15ull;

}  // namespace

struct TrainingRun::State {
    at::Device device;
    Tf32Scope tf32;
    SdpaBackendScope sdpa;
    Transformer model;
    std::vector<Transformer::Parameter> parameters;
    std::unique_ptr<Optimizer> optimizer;
    std::optional<LossScaler> scaler;  // fp16 only
    at::Tensor tokens, targets;        // (B, S) int64
    at::Tensor loss;                   // of the present step, until its number is read
    double lossValue = 0;

    explicit State(const RunConfig& config)
        : device(config.device),
          tf32(config.precision),
          sdpa(config.attention),
          model(config, marker(Category::kWeights), marker(Category::kInput), device),
          parameters(model.parameters()),
          optimizer(arithmeticOf(config.optimizer)
                        .make(parameters, AdamWSetting(), marker(Category::kOptimizerState))) {
        at::Generator generator = at::detail::createCPUGenerator(config.seed + kBatchSeedOffset);
        for (at::Tensor* ids : {&tokens, &targets}) {
            *ids = at::randint(config.shape.vocabulary, {config.batch, config.context}, generator,
                               at::TensorOptions(at::kLong))
                       .to(device);
            markMemory(ids->storage().data(), Category::kInput);
        }
        if (config.precision == Precision::kFp16) {
            scaler.emplace(device);
            for (const at::Tensor& number : scaler->state())
                markMemory(number.storage().data(), Category::kOptimizerState);
        }
    }
};

/// A phase as the host goes through it, and as the device does.
class TrainingRun::PhaseOfStep {
public:
    PhaseOfStep(Gpu* gpu, Phase phase, bool keepsForBackward = false) : m_scope(phase, keepsForBackward) {
        if (gpu)
            gpu->markPhase(phase);
    }

private:
    PhaseScope m_scope;
};

TrainingRun::TrainingRun(const RunConfig& config, Gpu* gpu) : m_config(config), m_gpu(gpu) {}

TrainingRun::~TrainingRun() {
    if (m_state)
        tearDown();
}

void TrainingRun::setUp() {
    const PhaseScope phase(Phase::kSetup);
    if (m_gpu && m_config.execution == Execution::kGraph)
        m_stream = m_gpu->useOwnStream();
    m_state = std::make_unique<State>(m_config);
}

double TrainingRun::step(std::int64_t index) {
    safePoint();
    if (m_config.execution == Execution::kGraph && m_warm && !m_graph)
        captureStep();
    const StepScope step(index);
    if (m_gpu)
        m_gpu->beginPhases();
    if (m_graph)
        replayStep();
    else
        runPhases();
    m_warm = true;
    if (m_gpu)
        finishOnDevice(index);
    return m_state->lossValue;
}

void TrainingRun::runPhases() {
    forwardAndBackward();
    if (m_config.mode == Mode::kStep)
        update();
    if (m_config.mode != Mode::kForward) {
        const PhaseOfStep phase(m_gpu, Phase::kZeroGrad);
        for (const auto& parameter : m_state->parameters)
            parameter.tensor.mutable_grad().reset();
    }
    if (m_gpu)
        m_gpu->endPhases();
}

void TrainingRun::captureStep() {
    const CaptureScope capture;
    m_gpu->releaseUnused();  // the graph has memory of its own
    m_graph = m_gpu->makeGraph();
    m_graph->begin();
    runPhases();
    m_graph->end();
}

void TrainingRun::replayStep() {
    const PhaseScope phase(Phase::kReplay);
    recordGraphLaunch();
    m_graph->replay();
}

void TrainingRun::finishOnDevice(std::int64_t index) {
    m_state->lossValue = m_state->loss.item<double>();
    if (!m_graph)
        m_state->loss.reset();  // a graph's stays where the replays write it
    if (const Status done = m_gpu->synchronize(); !done)
        throw std::runtime_error(done.message());
    for (const GpuPhaseTime& time : m_gpu->phaseTimes())
        recordGpuPhase(time.phase, index, time.begin, time.end);
}

void TrainingRun::forwardAndBackward() {
    const bool gradients = m_config.mode != Mode::kForward;
    const at::AutoGradMode gradMode(gradients);
    at::Tensor logits, loss;
    {
        const PhaseOfStep phase(m_gpu, Phase::kForward, gradients);
        const AutocastScope autocast(m_config.precision, m_state->device.type());
        logits = m_state->model.forward(m_state->tokens);
        markWorkspaces();
    }
    {
        const PhaseOfStep phase(m_gpu, Phase::kLoss, gradients);
        loss = arithmeticOf(m_config.loss).loss(std::move(logits), m_state->targets);
        // A GPU's is read when the step is over: reading waits for the device. Kept without its graph, so
        // that the graph goes with the backward pass.
        if (m_gpu)
            m_state->loss = loss.detach();
        else
            m_state->lossValue = loss.item<double>();
        if (m_state->scaler && gradients)
            loss = m_state->scaler->scaled(loss);
        if (!gradients)
            loss.reset();
        markWorkspaces();
    }
    if (!gradients)
        return;
    const PhaseOfStep phase(m_gpu, Phase::kBackward);
    try {
        loss.backward();
    } catch (...) {
        markGradients();  // those that a stop or a failure came after
        throw;
    }
    loss.reset();
    markGradients();
    markWorkspaces();
}

void TrainingRun::markGradients() {
    for (const auto& parameter : m_state->parameters) {
        if (parameter.tensor.grad().defined())
            markMemory(parameter.tensor.grad().storage().data(), Category::kGradients);
    }
}

void TrainingRun::update() {
    const PhaseOfStep phase(m_gpu, Phase::kOptimizer);
    LossScaler* scaler = m_state->scaler ? &*m_state->scaler : nullptr;
    if (scaler) {
        std::vector<at::Tensor> gradients;
        for (const auto& parameter : m_state->parameters) {
            if (parameter.tensor.grad().defined())
                gradients.push_back(parameter.tensor.grad());
        }
        scaler->check(gradients);
    }
    m_state->optimizer->step(scaler);
    if (scaler)
        scaler->update();
    markWorkspaces();
}

void TrainingRun::markWorkspaces() {
    if (!m_gpu)
        return;
    for (const void* workspace : m_gpu->workspaces()) {
        if (m_workspaces.insert(workspace).second)
            markMemory(workspace, Category::kWorkspace);
    }
}

void TrainingRun::tearDown() {
    const PhaseScope phase(Phase::kTeardown);
    m_graph.reset();
    m_state.reset();
}

std::int64_t TrainingRun::parameterCount() const {
    return m_state->model.parameterCount();
}

}  // namespace warpglass
