#include "tests/support/synthetic_trace.h"

#include <algorithm>
#include <cmath>

#include "tests/support/allocator_model.h"

namespace warpglass::test {

namespace {

constexpr std::int64_t kFloatBytes = 4;

double asDouble(std::int64_t value) {
    return static_cast<double>(value);
}

std::string_view backwardName(std::string_view forward) {
    if (forward == "aten::mm")
        return "MmBackward0";
    if (forward == "aten::bmm")
        return "BmmBackward0";
    if (forward == "aten::_softmax")
        return "SoftmaxBackward0";
    if (forward == "aten::silu")
        return "SiluBackward0";
    if (forward == "aten::embedding")
        return "EmbeddingBackward0";
    if (forward == "aten::add")
        return "AddBackward0";
    if (forward == "aten::pow")
        return "PowBackward0";
    return "MulBackward0";
}

}  // namespace

SyntheticRecorder::SyntheticRecorder(TraceWriter& writer, const RunConfig& config,
                                     std::function<bool(Nanoseconds)> proceed)
    : m_writer(writer), m_config(config), m_proceed(std::move(proceed)), m_random(config.seed * 2 + 1) {
    m_steps = m_writer.addTrack(TrackKind::kStep, "steps");
    m_phases = m_writer.addTrack(TrackKind::kPhase, "phases");
    m_modules = m_writer.addTrack(TrackKind::kModule, "modules");
    m_main = m_writer.addTrack(TrackKind::kCpuThread, "main");
    m_autograd = m_writer.addTrack(TrackKind::kCpuThread, "autograd 1");
    m_writer.setInfo("state", run_state::kRecording);
    for (const auto& [key, value] : toPairs(config))
        m_writer.setInfo(key, value);
    m_writer.setInfo("device.name", "Synthetic CPU");
}

PlaceId SyntheticRecorder::here() {
    Place place{.phase = m_phase};
    if (!m_modulePath.empty())
        place.module = m_writer.internName(m_modulePath.back());
    place.part = m_part;
    return m_writer.internPlace(place);
}

void SyntheticRecorder::beginPhase(Phase phase) {
    m_phase = phase;
    m_writer.beginSpan(m_phases, now(), m_writer.internName(phaseName(phase)), here(), m_step);
    tick(1000);
}

void SyntheticRecorder::endPhase() {
    tick(1000);
    m_writer.endSpan(m_phases, now());
    m_phase = Phase::kNone;
}

void SyntheticRecorder::beginModule(const std::string& path) {
    m_modulePath.push_back(path);
    m_writer.beginSpan(m_modules, now(), m_writer.internName(path), here(), m_step);
    tick(300);
}

void SyntheticRecorder::endModule() {
    tick(200);
    m_writer.endSpan(m_modules, now());
    m_modulePath.pop_back();
}

void SyntheticRecorder::beginPart(std::string_view part) {
    m_part = m_writer.internName(part);
    m_writer.beginSpan(m_modules, now(), m_part, here(), m_step);
    tick(100);
}

void SyntheticRecorder::endPart() {
    tick(100);
    m_writer.endSpan(m_modules, now());
    m_part = NameId();
}

// 50 GFLOP/s and 10 GB/s, a floor of 2 µs, ± 10%.
std::int64_t SyntheticRecorder::duration(double flops, std::int64_t bytes) {
    const double ideal = std::max({flops / 50.0, asDouble(bytes) / 10.0, 2000.0});
    const double noise = 0.9 + 0.2 * static_cast<double>(nextRandom(m_random) >> 11) * 0x1p-53;
    return static_cast<std::int64_t>(ideal * noise);
}

SyntheticRecorder::Made SyntheticRecorder::allocate(std::int64_t requested, Category category, NameId op) {
    AllocationRow row{.address = 0x7f0000000000u + (nextRandom(m_random) & 0xfffffffu) * 64,
                      .requested = requested,
                      .bytes = (requested + 63) / 64 * 64,
                      .place = here(),
                      .step = m_step,
                      .op = op,
                      .category = category};
    m_alive[static_cast<std::size_t>(category)] += row.bytes;
    return {m_writer.appendAllocation(now(), row), category, row.bytes};
}

void SyntheticRecorder::free(const Made& made) {
    m_alive[static_cast<std::size_t>(made.category)] -= made.bytes;
    m_writer.appendFree(now(), made.id);
}

void SyntheticRecorder::afterOp() {
    tick(400);
    if (m_proceed && !m_stopped)
        m_stopped = !m_proceed(now());
}

void SyntheticRecorder::op(const std::vector<std::string_view>& names, double flops,
                           std::int64_t outputBytes) {
    if (m_stopped)
        return;
    const PlaceId place = here();
    const bool recorded = m_phase == Phase::kForward && m_config.mode != Mode::kForward;
    const std::uint64_t link = recorded ? ++m_sequence : 0;
    for (const std::string_view name : names) {
        m_writer.beginSpan(m_main, now(), m_writer.internName(name), place, m_step, link);
        tick(500);
    }
    const NameId innermost = m_writer.internName(names.back());
    if (outputBytes > 0) {
        // As the real observer does: a forward allocation is a temporary until forward ends, if it lives.
        const Made scratch = allocate(outputBytes / 8 + 1, Category::kTemporaries, innermost);
        const Made output = allocate(outputBytes, Category::kTemporaries, innermost);
        tick(duration(flops, outputBytes));
        free(scratch);
        if (recorded)
            m_activations.push_back(output);
        else
            free(output);
    } else {
        tick(duration(flops, 0));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        tick(300);
        m_writer.endSpan(m_main, now());
    }
    if (recorded)
        m_tape.push_back({names.back(), m_writer.internName(m_modulePath.empty() ? "" : m_modulePath.back()),
                          m_part, link, flops, outputBytes});
    afterOp();
}

void SyntheticRecorder::linear(const std::string& path, std::int64_t in, std::int64_t out) {
    beginModule(path);
    const std::int64_t tokens = m_config.tokensPerStep();
    op({"aten::linear", "aten::matmul", "aten::mm"}, 2.0 * asDouble(tokens) * asDouble(in) * asDouble(out),
       tokens * out * kFloatBytes);
    endModule();
}

void SyntheticRecorder::norm(const std::string& path) {
    beginModule(path);
    const std::int64_t bytes = m_config.tokensPerStep() * m_config.shape.dModel * kFloatBytes;
    op({"aten::pow"}, 0, bytes);
    op({"aten::mean", "aten::sum"}, 0, bytes / m_config.shape.dModel);
    op({"aten::rsqrt"}, 0, bytes / m_config.shape.dModel);
    op({"aten::mul"}, 0, bytes);
    endModule();
}

void SyntheticRecorder::attention(const std::string& path) {
    beginModule(path);
    const ModelShape& shape = m_config.shape;
    const std::int64_t tokens = m_config.tokensPerStep();
    const std::int64_t scores = m_config.batch * shape.heads * m_config.context * m_config.context;
    for (const char* name : {".q", ".k", ".v"})
        linear(path + name, shape.dModel, shape.dModel);
    beginPart("rope");
    op({"aten::mul"}, 0, tokens * shape.dModel * kFloatBytes);
    endPart();
    const double flops = 2.0 * asDouble(scores) * asDouble(shape.headDimension());
    if (m_config.attention == AttentionVariant::kNaive) {
        beginPart("scores");
        op({"aten::matmul", "aten::bmm"}, flops, scores * kFloatBytes);
        endPart();
        beginPart("softmax");
        op({"aten::softmax", "aten::_softmax"}, 0, scores * kFloatBytes);
        endPart();
        beginPart("values");
        op({"aten::matmul", "aten::bmm"}, flops, tokens * shape.dModel * kFloatBytes);
        endPart();
    } else {
        op({"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention_for_cpu"},
           2 * flops, tokens * shape.dModel * kFloatBytes);
    }
    linear(path + ".out", shape.dModel, shape.dModel);
    endModule();
}

void SyntheticRecorder::feedForward(const std::string& path) {
    beginModule(path);
    const ModelShape& shape = m_config.shape;
    linear(path + ".w1", shape.dModel, shape.dFf);
    linear(path + ".w3", shape.dModel, shape.dFf);
    op({"aten::silu"}, 0, m_config.tokensPerStep() * shape.dFf * kFloatBytes);
    op({"aten::mul"}, 0, m_config.tokensPerStep() * shape.dFf * kFloatBytes);
    linear(path + ".w2", shape.dFf, shape.dModel);
    endModule();
}

void SyntheticRecorder::forward() {
    beginPhase(Phase::kForward);
    const std::int64_t residual = m_config.tokensPerStep() * m_config.shape.dModel * kFloatBytes;
    beginModule("embedding");
    op({"aten::embedding"}, 0, residual);
    endModule();
    for (std::int64_t layer = 0; layer < m_config.shape.layers && !m_stopped; ++layer) {
        const std::string block = "blocks." + std::to_string(layer);
        beginModule(block);
        norm(block + ".norm1");
        attention(block + ".attn");
        op({"aten::add"}, 0, residual);
        norm(block + ".norm2");
        feedForward(block + ".ffn");
        op({"aten::add"}, 0, residual);
        endModule();
    }
    norm("norm");
    linear("head", m_config.shape.dModel, m_config.shape.vocabulary);
    for (Made& made : m_activations) {
        m_alive[static_cast<std::size_t>(made.category)] -= made.bytes;
        made.category = Category::kActivations;
        m_alive[static_cast<std::size_t>(made.category)] += made.bytes;
        m_writer.setCategory(made.id, made.category);
    }
    endPhase();
}

void SyntheticRecorder::lossPhase() {
    beginPhase(Phase::kLoss);
    op({"aten::cross_entropy_loss", "aten::log_softmax", "aten::_log_softmax"}, 0,
       m_config.tokensPerStep() * m_config.shape.vocabulary * kFloatBytes);
    const double loss = 9.2 * std::exp(-0.1 * asDouble(m_step)) + 0.01 * asDouble(m_step % 3);
    m_losses.push_back(loss);
    m_writer.appendCounter(now(), m_writer.internName("loss"), loss);
    endPhase();
}

void SyntheticRecorder::backwardOp(const Recorded& forward) {
    if (m_stopped)
        return;
    const PlaceId place = m_writer.internPlace({Phase::kBackward, forward.module, forward.part});
    const std::string_view name = backwardName(forward.name);
    const std::string wrapper = "autograd::engine::evaluate_function: " + std::string(name);
    m_writer.beginSpan(m_autograd, now(), m_writer.internName(wrapper), place, m_step, forward.link);
    tick(400);
    m_writer.beginSpan(m_autograd, now(), m_writer.internName(name), place, m_step, forward.link);
    const int products = forward.flops > 0 ? 2 : 1;
    for (int i = 0; i < products; ++i) {
        tick(300);
        const NameId inner = m_writer.internName(forward.name);
        m_writer.beginSpan(m_autograd, now(), inner, place, m_step);
        const Made gradient = allocate(forward.bytes, Category::kTemporaries, inner);
        tick(duration(forward.flops, forward.bytes));
        free(gradient);
        m_writer.endSpan(m_autograd, now());
    }
    tick(200);
    m_writer.endSpan(m_autograd, now());
    tick(200);
    m_writer.endSpan(m_autograd, now());
    afterOp();
}

void SyntheticRecorder::backward() {
    beginPhase(Phase::kBackward);
    if (m_gradients.empty()) {
        for (const Made& weight : m_weights)
            m_gradients.push_back(
                allocate(weight.bytes, Category::kGradients, m_writer.internName("aten::mm")));
    }
    for (std::size_t i = m_tape.size(); i-- > 0 && !m_stopped;) {
        backwardOp(m_tape[i]);
        if (i < m_activations.size() && !m_stopped) {
            free(m_activations[i]);
            m_activations.pop_back();
        }
    }
    endPhase();
}

void SyntheticRecorder::optimizer() {
    beginPhase(Phase::kOptimizer);
    const NameId zeros = m_writer.internName("aten::zeros_like");
    if (m_optimizerState.empty()) {
        for (const Made& weight : m_weights)
            m_optimizerState.push_back(allocate(2 * weight.bytes, Category::kOptimizerState, zeros));
    }
    for (const Made& weight : m_weights) {
        op({"aten::lerp_"}, 0, 0);
        op({"aten::addcmul_"}, 0, weight.bytes);
        op({"aten::addcdiv_"}, 0, 0);
    }
    endPhase();
}

void SyntheticRecorder::zeroGrad() {
    beginPhase(Phase::kZeroGrad);
    for (const Made& gradient : m_gradients)
        free(gradient);
    m_gradients.clear();
    endPhase();
}

void SyntheticRecorder::setup() {
    beginPhase(Phase::kSetup);
    const ModelShape& shape = m_config.shape;
    const NameId empty = m_writer.internName("aten::empty");
    const auto weight = [&](const std::string& path, std::int64_t elements) {
        m_modulePath.push_back(path);
        tick(2000);
        m_weights.push_back(allocate(elements * kFloatBytes, Category::kWeights, empty));
        m_modulePath.pop_back();
    };
    weight("embedding", shape.vocabulary * shape.dModel);
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
        const std::string block = "blocks." + std::to_string(layer);
        for (const char* name : {".attn.q", ".attn.k", ".attn.v", ".attn.out"})
            weight(block + name, shape.dModel * shape.dModel);
        for (const char* name : {".ffn.w1", ".ffn.w2", ".ffn.w3"})
            weight(block + name, shape.dModel * shape.dFf);
        for (const char* name : {".norm1", ".norm2"})
            weight(block + name, shape.dModel);
    }
    weight("norm", shape.dModel);
    weight("head", shape.dModel * shape.vocabulary);
    m_inputs.push_back(allocate(2 * m_config.tokensPerStep() * 8, Category::kInput, empty));
    endPhase();
    m_writer.settle();
    m_writer.commit(now());
}

bool SyntheticRecorder::step(std::int64_t index) {
    m_step = static_cast<std::int32_t>(index);
    m_writer.beginSpan(m_steps, now(), m_writer.internName("step " + std::to_string(index)), here(), m_step);
    tick(500);
    forward();
    lossPhase();
    if (m_config.mode != Mode::kForward)
        backward();
    if (m_config.mode == Mode::kStep)
        optimizer();
    if (m_config.mode != Mode::kForward)
        zeroGrad();
    m_tape.clear();
    tick(500);
    m_writer.endSpan(m_steps, now());
    m_step = kNoStep;
    if (!m_stopped)
        m_writer.settle();
    m_writer.commit(now());
    return !m_stopped;
}

void SyntheticRecorder::teardown() {
    beginPhase(Phase::kTeardown);
    for (auto* list : {&m_activations, &m_gradients, &m_optimizerState, &m_inputs, &m_weights}) {
        for (const Made& made : *list) {
            tick(1000);
            free(made);
        }
        list->clear();
    }
    endPhase();
    m_writer.settle();
}

void SyntheticRecorder::finish(std::string_view state, std::string_view message) {
    m_writer.endAllSpans(now());
    m_writer.setInfo("state", state);
    if (!message.empty())
        m_writer.setInfo("state.message", message);
    m_writer.commit(now());
}

RunConfig syntheticConfig(std::int64_t steps) {
    return {.model = "custom",
            .shape = {1000, 64, 256, 2, 4},
            .context = 32,
            .batch = 2,
            .warmup = 1,
            .steps = steps};
}

std::shared_ptr<const Snapshot> makeSyntheticRun(const SyntheticOptions& options) {
    TraceWriter writer;
    if (options.allocatorEvents > 0)
        AllocatorModel(writer, 7).append(options.allocatorEvents);
    const bool cut = options.state == run_state::kRecording;
    const std::int64_t steps = options.config.warmup + options.config.steps;
    std::shared_ptr<const Snapshot> amidst;
    std::int64_t ops = 0;
    bool inLastStep = false;
    SyntheticRecorder recorder(writer, options.config, [&](Nanoseconds now) {
        // 40 ops into the last step's forward: the step, the phase and a module are open there.
        if (cut && inLastStep && ++ops == 40) {
            writer.commit(now);
            amidst = writer.feed()->latest();
        }
        return amidst == nullptr;
    });
    recorder.setup();
    for (std::int64_t i = 0; i < steps && !amidst; ++i) {
        inLastStep = i + 1 == steps;
        recorder.step(i);
    }
    if (amidst)
        return amidst;
    recorder.teardown();
    recorder.finish(options.state);
    return writer.feed()->latest();
}

}  // namespace warpglass::test
