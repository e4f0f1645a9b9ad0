// A run with a GPU, written by hand: steps of one length, kernels with the place and the shape one likes,
// allocations that live for a while.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/findings/run_facts.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/trace/condition_counters.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test {

inline constexpr std::int64_t kUs = 1'000;
inline constexpr std::int64_t kMs = 1'000'000;

class RunByHand {
public:
    struct Kernel {
        std::int64_t begin = 0, end = 0;  // within a step
        /// Begins its launch so long before the kernel.
        std::int64_t lead = 10 * kUs;
        Phase phase = Phase::kForward;
        std::string module = "blocks.0.ffn", part = {}, op = "aten::mm", name = "kernel";
        /// The name of its template.
        std::string arguments = "float";
        std::uint32_t blocks = 1000;
        float occupancy = 0.5F;
        /// A copy of the driver's, no kernel.
        bool isCopy = false;
        /// In this step alone; kNoStep for every step.
        std::int32_t step = kNoStep;
    };
    struct Allocation {
        std::int64_t from = 0, to = 0;
        std::int64_t bytes = 0;
        Category category = Category::kActivations;
        std::string module = {}, part = {}, op = "aten::empty";
        std::int64_t count = 1;
    };

    RunConfig config;
    std::vector<std::int64_t> stepLengths = {100 * kMs, 100 * kMs, 100 * kMs};
    /// What the host's phase of each step takes.
    std::int64_t hostTime = 20 * kMs;
    /// In every step that they do not leave out. Waits begin and end within a step too.
    std::vector<Kernel> kernels;
    std::vector<TimeRange> waits;
    std::vector<Allocation> allocations;
    std::vector<SegmentEvent> segments;
    /// More lines of the trace's text.
    std::string more;
    /// By when, ns, the run's thread had waited for a core for so long in all, ns.
    std::vector<std::pair<std::int64_t, double>> waited;
    std::vector<std::pair<std::string, std::string>> info;
    std::string state = "finished";

    RunByHand() {
        config.model = "small";
        config.shape = *presetShape("small");
        config.context = 512;
        config.batch = 4;
        config.device = "cuda:0";
        config.precision = Precision::kBf16;
        config.attention = AttentionVariant::kSdpaFlash;
        config.warmup = 1;
        config.steps = 2;
        info = {{"device.name", "NVIDIA H200"}, {"device.multiprocessors", "132"}};
    }

    /// A kernel of every step, from the end of the one added before it.
    void add(std::int64_t time, Kernel kernel) {
        kernel.begin = kernels.empty() ? 0 : kernels.back().end;
        kernel.end = kernel.begin + time;
        kernels.push_back(std::move(kernel));
    }
    void add(std::int64_t time) { add(time, {}); }

    /// A step that one GEMM fills but for `idle` at its end.
    void fillStep(std::int64_t idle = 0) { kernels = {{0, stepLengths.back() - idle}}; }

    MemoryTimeline timeline() const { return timelineOf(snapshot()); }

    std::shared_ptr<const Snapshot> snapshot() const {
        std::string text = filled("info state %\n", state);
        std::int64_t begin = 0, launched = 0;
        for (std::size_t s = 0; s < stepLengths.size(); begin += stepLengths[s++]) {
            text += filled("step % %-%\n  forward %-% place none\n", s, begin, begin + stepLengths[s], begin,
                           begin + std::min(hostTime, stepLengths[s]));
            for (const TimeRange& wait : waits)
                text += filled("  call cuStreamSynchronize %-% on waits\n", begin + wait.begin.value,
                               begin + wait.end.value);
            for (const Kernel& kernel : kernels) {
                if (kernel.step == kNoStep || kernel.step == static_cast<std::int32_t>(s))
                    text += textOf(kernel, begin, launched);
            }
        }
        InfoPairs pairs = toPairs(config);
        pairs.insert(pairs.end(), info.begin(), info.end());
        TraceText trace(text + more + textOfMemory() + filled("end %", begin), pairs);
        for (const SegmentEvent& event : segments)
            trace.writer.appendSegmentEvent(event);
        const NameId name = trace.writer.internName(conditionCounterName(ConditionCounter::kWaited));
        for (const auto& [time, value] : waited)
            trace.writer.appendCounter(Nanoseconds(time), name, value);
        return trace.add("");
    }

private:
    static std::string textOf(const Kernel& kernel, std::int64_t base, std::int64_t& launched) {
        const std::int64_t launch = std::max(base + kernel.begin - kernel.lead, launched);
        launched = launch + 1;
        return filled(R"text(  launch %-% on calls
    % "%" %-% phase % module "%" part "%" op "%" full "void at::native::%<%>(int)" grid % block 128 occupancy %
)text",
                      launch, launched, kernel.isCopy ? "copy" : "kernel", kernel.name, base + kernel.begin,
                      base + kernel.end, phaseName(kernel.phase), kernel.module, kernel.part, kernel.op,
                      kernel.name, kernel.arguments, kernel.blocks, kernel.occupancy);
    }

    std::string textOfMemory() const {
        std::vector<Allocation> inOrder = allocations;
        std::ranges::stable_sort(inOrder,
                                 [](const Allocation& a, const Allocation& b) { return a.from < b.from; });
        std::string text;
        int address = 0;
        for (const Allocation& made : inOrder) {
            const std::string end = made.to < made.from ? "" : filled("-%", made.to);
            for (std::int64_t i = 0; i < made.count; ++i)
                text += filled("alloc % %% % address % phase forward module \"%\" part \"%\" op \"%\"\n",
                               made.bytes, made.from, end, categoryName(made.category), address += 4096,
                               made.module, made.part, made.op);
        }
        return text;
    }
};

/// The GPU has nothing for the first `late` of each step, since its launch came so late.
inline RunByHand lateBy(std::int64_t late) {
    RunByHand run;
    run.kernels = {{late, 100 * kMs}};
    return run;
}

/// A kernel takes so much of each step, a GEMM the rest.
inline RunByHand beginningWith(std::int64_t time, const RunByHand::Kernel& kernel) {
    RunByHand run;
    run.add(time, kernel);
    run.add(100 * kMs - time);
    return run;
}

/// What a rule says of a run.
template <class Rule>
std::optional<Finding> finding(Rule rule, const RunByHand& run) {
    const MemoryTimeline timeline = run.timeline();
    return rule(RunFacts(timeline));
}

}  // namespace warpglass::test
