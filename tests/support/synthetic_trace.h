// Deterministic traces for tests and benchmarks by the real TraceWriter: no LibTorch, no clock, no chance.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/run_config.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/trace_writer.h"

namespace warpglass::test {

/// Records a Transformer run as the real runner would: tracks "steps", "phases", "modules", "main" and (for
/// backward) "autograd 1"; module ranges and attention parts; nested ATen ops, forward and backward linked;
/// weights, gradients, optimizer state, input, activations and temporaries as allocations; a "loss" counter.
/// Times are simulated from FLOPs, the same for the same configuration. Use from one thread, in the order
/// setup, step…, teardown, finish.
class SyntheticRecorder {
public:
    /// `proceed` is called after every outermost op with the simulated time; false stops the run there.
    SyntheticRecorder(TraceWriter& writer, const RunConfig& config,
                      std::function<bool(Nanoseconds)> proceed = {});

    void setup();
    /// False when the run was stopped within it. Steps count from 0, warm-up steps first.
    bool step(std::int64_t index);
    void teardown();
    /// Ends all spans, sets the state and commits.
    void finish(std::string_view state, std::string_view message = {});

    Nanoseconds now() const { return Nanoseconds(m_now); }
    const std::vector<double>& losses() const { return m_losses; }
    /// Bytes alive by category, for checking queries against.
    const std::int64_t (&alive() const)[kCategoryCount] { return m_alive; }

private:
    struct Made {
        AllocationId id;
        Category category;
        std::int64_t bytes;
    };
    /// A forward op that backward will meet again.
    struct Recorded {
        std::string_view name;
        NameId module;
        NameId part;
        std::uint64_t link;
        double flops;
        std::int64_t bytes;
    };

    void beginPhase(Phase phase);
    void endPhase();
    void beginModule(const std::string& path);
    void endModule();
    void beginPart(std::string_view part);
    void endPart();
    PlaceId here();
    void tick(std::int64_t nanoseconds) { m_now += nanoseconds; }
    std::int64_t duration(double flops, std::int64_t bytes);
    Made allocate(std::int64_t requested, Category category, NameId op);
    void free(const Made& made);
    /// An op made of nested ones, `names` from the outermost in; its output is allocated in the innermost.
    void op(const std::vector<std::string_view>& names, double flops, std::int64_t outputBytes);
    void backwardOp(const Recorded& forward);
    void afterOp();
    void linear(const std::string& path, std::int64_t in, std::int64_t out);
    void norm(const std::string& path);
    void attention(const std::string& path);
    void feedForward(const std::string& path);
    void forward();
    void lossPhase();
    void backward();
    void optimizer();
    void zeroGrad();

    TraceWriter& m_writer;
    RunConfig m_config;
    std::function<bool(Nanoseconds)> m_proceed;
    TrackId m_steps, m_phases, m_modules, m_main, m_autograd;
    std::int64_t m_now = 0;
    std::int32_t m_step = kNoStep;
    Phase m_phase = Phase::kNone;
    std::vector<std::string> m_modulePath;
    NameId m_part;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_random;
    bool m_stopped = false;
    std::vector<Made> m_weights, m_gradients, m_optimizerState, m_inputs, m_activations;
    std::vector<Recorded> m_tape;
    std::vector<double> m_losses;
    std::int64_t m_alive[kCategoryCount] = {};
};

/// The tiny model with two layers on short sequences: some 3,000 spans.
RunConfig syntheticConfig(std::int64_t steps = 3);

struct SyntheticOptions {
    RunConfig config = syntheticConfig();
    /// A run_state value. "recording" leaves the run inside its last step, spans open, categories unsettled.
    std::string state = "finished";
    /// So many events of an AllocatorModel before it all: segments, and allocations that lie in them (the
    /// run's own lie anywhere).
    std::size_t allocatorEvents = 0;
};
std::shared_ptr<const Snapshot> makeSyntheticRun(const SyntheticOptions& options = {});

/// Appends `count` spans spread evenly over `lanes` lanes (one depth each of one CPU-thread track), about as
/// long and as varied as a real run's: 60 op names, 150 places, steps, self times, links on half of them, and
/// types where asked for.
void appendManySpans(TraceWriter& writer, std::uint64_t count, std::uint32_t lanes, std::uint64_t seed = 1,
                     bool types = false);
/// `count` allocate and free events over allocations of varied size, category and life.
void appendManyMemoryEvents(TraceWriter& writer, std::uint64_t count, std::uint64_t seed = 1);

std::shared_ptr<const Snapshot> makeManySpans(std::uint64_t count, std::uint32_t lanes,
                                              std::uint64_t seed = 1, bool types = false);
std::shared_ptr<const Snapshot> makeManyMemoryEvents(std::uint64_t count, std::uint64_t seed = 1);

/// The next number of a small generator (splitmix64): the same everywhere, unlike <random>'s distributions.
std::uint64_t nextRandom(std::uint64_t& state);

}  // namespace warpglass::test
