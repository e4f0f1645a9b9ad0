#include "engine/runner/training_run.h"

#include <stdexcept>

#include "engine/plan/parts.h"
#include "engine/runner/kernel_clocks.h"
#include "engine/runner/safe_point.h"

namespace warpglass {
namespace {

/// In eager execution, the first measured step, or the last of a run that has none.
std::int64_t clockedStep(const RunConfig& config) {
    return config.steps > 0 ? config.warmup : config.warmup - 1;
}

}  // namespace

void StepPhases::markWorkspaces() {
    if (!m_gpu)
        return;
    for (const void* workspace : m_gpu->workspaces()) {
        if (m_workspaces.insert(workspace).second)
            markMemory(workspace, Category::kWorkspace);
    }
}

TrainingRun::TrainingRun(const RunConfig& config, Gpu* gpu) : m_config(config), m_phases(gpu) {}

TrainingRun::~TrainingRun() {
    if (m_work)
        tearDown();
}

void TrainingRun::setUp() {
    const PhaseScope phase(Phase::kSetup);
    if (m_phases.gpu() && m_config.execution == Execution::kGraph)
        m_stream = m_phases.gpu()->useOwnStream();
    m_work = m_config.isAttention() ? makeAttentionWork(m_config, m_phases)
                                    : makeTransformerWork(m_config, m_phases);
}

std::optional<double> TrainingRun::step(std::int64_t index) {
    safePoint();
    if (m_config.execution == Execution::kGraph && m_warm && !m_graph)
        captureStep();
    if (m_config.execution == Execution::kEager && index == clockedStep(m_config))
        wantKernelClocks();
    const StepScope step(index);
    if (Gpu* gpu = m_phases.gpu()) {
        gpu->tryOutProducts(index < m_config.warmup && planOf(productsOf(m_config)).triesOut);
        gpu->beginPhases();
    }
    if (m_graph)
        replayStep();
    else
        runPhases();
    m_warm = true;
    const std::optional<double> loss = m_work->loss(m_graph != nullptr);
    if (m_phases.gpu())
        finishOnDevice(index);
    return loss;
}

void TrainingRun::runPhases() {
    m_work->runPhases();
    if (Gpu* gpu = m_phases.gpu())
        gpu->endPhases();
}

void TrainingRun::captureStep() {
    const CaptureScope capture;
    m_phases.gpu()->releaseUnused();  // the graph has memory of its own
    m_graph = m_phases.gpu()->makeGraph();
    wantKernelClocks();
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
    Gpu& gpu = *m_phases.gpu();
    if (const Status done = gpu.synchronize(); !done)
        throw std::runtime_error(done.message());
    for (const GpuPhaseTime& time : gpu.phaseTimes())
        recordGpuPhase(time.phase, index, time.begin, time.end);
    if (m_config.execution == Execution::kGraph ? m_graph != nullptr : index == clockedStep(m_config))
        keepKernelClocks(index);
}

void TrainingRun::tearDown() {
    const PhaseScope phase(Phase::kTeardown);
    m_graph.reset();
    m_work.reset();
}

std::int64_t TrainingRun::parameterCount() const {
    return m_work->parameterCount();
}

}  // namespace warpglass
