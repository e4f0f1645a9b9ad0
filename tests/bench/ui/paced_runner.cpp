#include "tests/bench/ui/paced_runner.h"

#include <array>
#include <chrono>
#include <ctime>
#include <string_view>
#include <thread>

#include "engine/trace/trace_writer.h"

namespace warpglass::test {
namespace {

using namespace std::chrono_literals;

// As engine/capture/recorder.cpp has them.
constexpr std::int64_t kCommitInterval = 16'000'000, kGpuInterval = 50'000'000;
constexpr auto kIdle = 4ms;

/// A part of a layer, as a Transformer's are, becomes a module range with an op in it, and one in that.
struct Part {
    std::string_view name, op, inner, kernel;
};
constexpr std::string_view kGemm = "sm90_xmma_gemm", kGemms = "sm90_xmma_gemm_batched";
constexpr std::array<Part, 12> kParts = {
    Part{"norm1", "aten::rsqrt", "aten::rsqrt", "vectorized_elementwise_kernel"},
    {"attn.q", "aten::linear", "aten::mm", kGemm},
    {"attn.k", "aten::linear", "aten::mm", kGemm},
    {"attn.v", "aten::linear", "aten::mm", kGemm},
    {"attn.scores", "aten::matmul", "aten::bmm", kGemms},
    {"attn.softmax", "aten::softmax", "aten::_softmax", "softmax_warp_forward"},
    {"attn.values", "aten::matmul", "aten::bmm", kGemms},
    {"attn.out", "aten::linear", "aten::mm", kGemm},
    {"norm2", "aten::rsqrt", "aten::mul", "reduce_kernel"},
    {"ffn.w1", "aten::linear", "aten::mm", kGemm},
    {"ffn.w3", "aten::linear", "aten::mm", kGemm},
    {"ffn.w2", "aten::linear", "aten::mm", kGemm}};

class PacedTrace {
public:
    PacedTrace(TraceWriter& writer, const RunConfig& config, double rowsPerSecond)
        : m_writer(writer), m_layers(config.shape.layers), m_rowTime(1e9 / rowsPerSecond) {
        m_steps = writer.addTrack(TrackKind::kStep, "steps");
        m_phases = writer.addTrack(TrackKind::kPhase, "phases");
        m_modules = writer.addTrack(TrackKind::kModule, "modules");
        m_main = writer.addTrack(TrackKind::kCpuThread, "main");
        m_calls = writer.addTrack(TrackKind::kApiThread, "CUDA calls · main");
        m_autograd = writer.addTrack(TrackKind::kCpuThread, "thread 1");
        m_autogradCalls = writer.addTrack(TrackKind::kApiThread, "CUDA calls · thread 1");
        m_stream = writer.addTrack(TrackKind::kGpuStream, "GPU 0 · stream 7");
        m_reserved = writer.internName("memory reserved");
        m_launch = writer.internName("cuLaunchKernel");
        for (std::int64_t layer = 0; layer < m_layers; ++layer)
            m_blocks.push_back(writer.internName("blocks." + std::to_string(layer)));
        // What stays: weights.
        for (std::size_t i = 0; i < 200; ++i)
            allocate(std::int64_t{8} << 20, Category::kWeights, {});
        writer.appendCounter(now(), m_reserved, 8e9);
        writer.settle();
    }

    std::uint64_t rows() const { return m_rows; }
    Nanoseconds now() const { return Nanoseconds(static_cast<std::int64_t>(m_now)); }
    std::int64_t step() const { return m_step; }

    /// One more op, and the ranges around it: a step is every layer forward, then every layer backward.
    void advance() {
        const std::uint64_t before = m_rows;
        const auto parts = static_cast<std::int64_t>(kParts.size());
        if (m_at == 0)
            beginStep();
        const bool backward = m_at >= m_layers * parts;
        const std::int64_t i = backward ? 2 * m_layers * parts - 1 - m_at : m_at;
        const std::int64_t layer = i / parts;
        const auto part = static_cast<std::size_t>(i % parts);
        if (i % parts == (backward ? parts - 1 : 0))
            m_writer.beginSpan(m_modules, now(), m_blocks[static_cast<std::size_t>(layer)],
                               placeOf(layer, part, backward), m_step);
        op(layer, part, backward);
        if (i % parts == (backward ? 0 : parts - 1))
            end(m_modules);
        ++m_at;
        if (m_at == m_layers * parts)
            turnBack();
        if (m_at == 2 * m_layers * parts)
            endStep();
        // What was appended takes the time that its rows have.
        m_now = m_opStart + m_rowTime * static_cast<double>(m_rows - before);
        m_opStart = m_now;
    }

    /// The kernels that have ended since the last time.
    void flushKernels() {
        for (const SpanRow& kernel : m_pending) {
            m_writer.appendSpan(m_stream, 0, kernel);
        }
        m_pending.clear();
    }

private:
    void tick() { m_now += m_rowTime * 0.4; }
    void end(TrackId track) {
        m_writer.endSpan(track, now());
        ++m_rows;
    }

    PlaceId placeOf(std::int64_t layer, std::size_t part, bool backward) {
        const std::size_t index =
            (static_cast<std::size_t>(layer) * kParts.size() + part) * 2 + (backward ? 1 : 0);
        if (m_places.size() <= index)
            m_places.resize(index + 1);
        if (!m_places[index].valid()) {
            const std::string path = "blocks." + std::to_string(layer) + "." + std::string(kParts[part].name);
            m_places[index] = m_writer.internPlace(
                {backward ? Phase::kBackward : Phase::kForward, m_writer.internName(path), {}});
        }
        return m_places[index];
    }

    void beginStep() {
        ++m_step;
        const PlaceId place = m_writer.internPlace({Phase::kForward, {}, {}});
        m_writer.beginSpan(m_steps, now(), m_writer.internName("step " + std::to_string(m_step)), place,
                           m_step);
        m_writer.beginSpan(m_phases, now(), m_writer.internName("forward"), place, m_step);
    }
    void turnBack() {
        end(m_phases);
        for (const AllocationId id : m_activations)
            m_writer.setCategory(id, Category::kActivations);
        m_writer.settle();
        m_writer.beginSpan(m_phases, now(), m_writer.internName("backward"),
                           m_writer.internPlace({Phase::kBackward, {}, {}}), m_step);
    }
    void endStep() {
        end(m_phases);
        end(m_steps);
        m_writer.settle();
        m_writer.appendCounter(now(), m_reserved, 8e9 + static_cast<double>(m_step % 7) * 2e7);
        ++m_rows;
        m_at = 0;
    }

    AllocationId allocate(std::int64_t bytes, Category category, NameId op) {
        AllocationRow row;
        row.bytes = row.requested = bytes;
        row.address = 0x7f0000000000u + m_rows * 512;
        row.place = m_place;
        row.step = m_step;
        row.op = op;
        row.category = category;
        ++m_rows;
        return m_writer.appendAllocation(now(), row);
    }
    void free(AllocationId id) {
        m_writer.appendFree(now(), id);
        ++m_rows;
    }

    void op(std::int64_t layer, std::size_t part, bool backward) {
        const TrackId thread = backward ? m_autograd : m_main;
        m_place = placeOf(layer, part, backward);
        const NameId module =
            m_writer.internName("blocks." + std::to_string(layer) + "." + std::string(kParts[part].name));
        if (!backward)
            m_writer.beginSpan(m_modules, now(), module, m_place, m_step);
        const std::uint64_t link = static_cast<std::uint64_t>(m_step) * 10'000 +
                                   static_cast<std::uint64_t>(layer) * kParts.size() + part + 1;
        const NameId inner = m_writer.internName(kParts[part].inner);
        m_writer.beginSpan(thread, now(), m_writer.internName(kParts[part].op), m_place, m_step, link);
        tick();
        m_writer.beginSpan(thread, now(), inner, m_place, m_step, link);
        tick();
        const AllocationId scratch = allocate(std::int64_t{1} << 20, Category::kTemporaries, inner);
        if (!backward)
            m_activations.push_back(allocate(std::int64_t{6} << 20, Category::kTemporaries, inner));
        launch(backward ? m_autogradCalls : m_calls, part);
        tick();
        free(scratch);
        end(thread);
        tick();
        end(thread);
        if (!backward) {
            end(m_modules);
        } else if (!m_activations.empty()) {
            free(m_activations.back());
            m_activations.pop_back();
        }
    }

    void launch(TrackId calls, std::size_t part) {
        const std::uint64_t correlation = ++m_correlation;
        m_writer.beginSpan(calls, now(), m_launch, m_place, m_step, correlation);
        tick();
        end(calls);
        SpanRow kernel;
        kernel.start = std::max(m_kernelEnd, now().value + 2'000);
        kernel.duration = static_cast<std::int64_t>(m_rowTime * (part == 5 ? 6.0 : 3.0));
        kernel.self = kernel.duration;
        kernel.name = m_writer.internName(kParts[part].kernel);
        kernel.place = m_place;
        kernel.step = static_cast<std::int32_t>(m_step);
        kernel.link = correlation;
        SpanDetail detail{.fullName = kernel.name, .grid = {128, 8, 1}, .block = {256, 1, 1}};
        kernel.detail = m_writer.internDetail(detail);
        m_kernelEnd = kernel.end();
        m_pending.push_back(kernel);
        ++m_rows;
    }

    TraceWriter& m_writer;
    const std::int64_t m_layers;
    const double m_rowTime;  // ns
    TrackId m_steps, m_phases, m_modules, m_main, m_calls, m_autograd, m_autogradCalls, m_stream;
    NameId m_reserved, m_launch;
    std::vector<NameId> m_blocks;
    std::vector<PlaceId> m_places;
    PlaceId m_place;
    std::vector<AllocationId> m_activations;
    std::vector<SpanRow> m_pending;
    std::int64_t m_kernelEnd = 0;
    std::uint64_t m_correlation = 0;
    std::uint64_t m_rows = 0;
    double m_now = 0, m_opStart = 0;
    std::int64_t m_at = 0;
    std::int32_t m_step = -1;
};

std::uint64_t threadNanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

Result<RunOutcome> PacedRunner::run(const ValidConfig& config, RunControl& control,
                                    const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) {
    TraceWriter writer;
    onFeed(writer.feed());
    writer.setInfo("state", run_state::kRecording);
    for (const auto& [key, value] : toPairs(config))
        writer.setInfo(key, value);
    writer.setInfo("device.name", "Paced writer");
    PacedTrace trace(writer, config, m_rate);
    const auto began = std::chrono::steady_clock::now();
    std::int64_t committed = 0, flushed = 0;
    while (!control.stop) {
        const auto turn = std::chrono::steady_clock::now();
        const std::int64_t now = std::chrono::nanoseconds(turn - began).count();
        while (trace.now().value < now && !control.stop) {
            trace.advance();
            // A rate that is beyond the machine: it appends all it can, and still commits in time.
            if (std::chrono::steady_clock::now() - turn > 2 * kIdle)
                break;
        }
        if (now - flushed >= kGpuInterval) {
            trace.flushKernels();
            flushed = now;
        }
        if (now - committed >= kCommitInterval) {
            writer.commit(trace.now());
            committed = now;
        }
        control.step = trace.step();
        m_rows = trace.rows();
        m_cpu = threadNanoseconds();
        const std::int64_t took = std::chrono::nanoseconds(std::chrono::steady_clock::now() - turn).count();
        if (took > m_longestTurn.load())
            m_longestTurn = took;
        if (trace.now().value >= now)
            std::this_thread::sleep_for(kIdle);
    }
    trace.flushKernels();
    writer.endAllSpans(trace.now());
    writer.settle();
    writer.setInfo("state", run_state::kStopped);
    writer.commit(trace.now());
    return RunOutcome{std::string(run_state::kStopped), "", {}};
}

Result<RunOutcome> PacedRunner::runUnrecorded(const ValidConfig&, RunControl&) {
    return Error{"the paced writer has nothing to run"};
}

Result<DeviceCeilings> PacedRunner::measureCeilings(const std::string&, RunControl&) {
    return Error{"the paced writer has no device"};
}

}  // namespace warpglass::test
