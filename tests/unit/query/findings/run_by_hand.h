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
#include "engine/query/memory_timeline.h"
#include "engine/trace/condition_counters.h"
#include "engine/trace/trace_writer.h"

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
        std::uint32_t blocks = 1000;
        float occupancy = 0.5F;
        /// Of the driver: no kernel.
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
    /// Of every step that they do not leave out. Waits begin and end within a step too.
    std::vector<Kernel> kernels;
    std::vector<TimeRange> waits;
    std::vector<Allocation> allocations;
    std::vector<SegmentEvent> segments;
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

    /// A step that one matrix product fills but for `idle` at its end.
    void fillStep(std::int64_t idle = 0) { kernels = {{0, stepLengths.back() - idle}}; }

    MemoryTimeline timeline() const {
        MemoryTimeline timeline;
        timeline.update(snapshot());
        return timeline;
    }

    std::shared_ptr<const Snapshot> snapshot() const {
        TraceWriter writer;
        for (const auto& [key, value] : toPairs(config))
            writer.setInfo(key, value);
        for (const auto& [key, value] : info)
            writer.setInfo(key, value);
        writer.setInfo("state", state);
        const TrackId steps = writer.addTrack(TrackKind::kStep, "steps");
        const TrackId phases = writer.addTrack(TrackKind::kPhase, "phases");
        const TrackId calls = writer.addTrack(TrackKind::kApiThread, "calls");
        const TrackId waiting = writer.addTrack(TrackKind::kApiThread, "waits");
        const TrackId stream = writer.addTrack(TrackKind::kGpuStream, "stream");
        const TrackId copies = writer.addTrack(TrackKind::kGpuCopies, "copies");
        std::int64_t begin = 0, end = 0;
        std::uint64_t correlation = 0;
        for (std::size_t s = 0; s < stepLengths.size(); ++s) {
            SpanRow row;
            row.step = static_cast<std::int32_t>(s);
            row.start = begin;
            row.duration = row.self = stepLengths[s];
            row.name = writer.internName("step " + std::to_string(s));
            EXPECT_TRUE(writer.appendSpan(steps, 0, row));
            row.duration = row.self = std::min(hostTime, stepLengths[s]);
            row.name = writer.internName("forward");
            EXPECT_TRUE(writer.appendSpan(phases, 0, row));
            for (const TimeRange& wait : waits) {
                row.start = begin + wait.begin.value;
                row.duration = row.self = wait.duration().value;
                row.name = writer.internName("cuStreamSynchronize");
                row.link = ++correlation;
                EXPECT_TRUE(writer.appendSpan(waiting, 0, row));
            }
            for (const Kernel& kernel : kernels) {
                if (kernel.step == kNoStep || kernel.step == row.step)
                    append(writer, calls, kernel.isCopy ? copies : stream, kernel, row.step, begin,
                           ++correlation);
            }
            begin += stepLengths[s];
            end = begin;
        }
        appendMemory(writer);
        for (const auto& [time, value] : waited)
            writer.appendCounter(Nanoseconds(time),
                                 writer.internName(conditionCounterName(ConditionCounter::kWaited)), value);
        writer.settle();
        writer.commit(Nanoseconds(end));
        return writer.feed()->latest();
    }

private:
    static void append(TraceWriter& writer, TrackId calls, TrackId stream, const Kernel& kernel,
                       std::int32_t step, std::int64_t base, std::uint64_t correlation) {
        SpanRow row;
        row.step = step;
        row.link = correlation;
        row.start =
            std::max<std::int64_t>(base + kernel.begin - kernel.lead, writer.lastEnd(calls, 0).value_or(0));
        row.duration = row.self = 1;
        row.name = writer.internName("cuLaunchKernel");
        EXPECT_TRUE(writer.appendSpan(calls, 0, row));
        row.start = base + kernel.begin;
        row.duration = row.self = kernel.end - kernel.begin;
        row.name = writer.internName(kernel.name);
        row.place = writer.internPlace({kernel.phase, writer.internName(kernel.module),
                                        kernel.part.empty() ? NameId() : writer.internName(kernel.part)});
        SpanDetail detail;
        detail.fullName = writer.internName("void at::native::" + kernel.name + "<float>(int)");
        detail.kind = kernel.isCopy ? DetailKind::kCopy : DetailKind::kKernel;
        detail.op = writer.internName(kernel.op);
        detail.grid = {kernel.blocks, 1, 1};
        detail.block = {128, 1, 1};
        detail.occupancy = kernel.occupancy;
        row.detail = writer.internDetail(detail);
        EXPECT_TRUE(writer.appendSpan(stream, 0, row));
    }

    void appendMemory(TraceWriter& writer) const {
        struct Event {
            std::int64_t time;
            const Allocation* allocation;
            bool free;
        };
        std::vector<Event> events;
        for (const Allocation& allocation : allocations) {
            events.push_back({allocation.from, &allocation, false});
            events.push_back({allocation.to, &allocation, true});
        }
        std::stable_sort(events.begin(), events.end(),
                         [](const Event& a, const Event& b) { return a.time < b.time; });
        std::vector<std::pair<const Allocation*, AllocationId>> live;
        for (const Event& event : events) {
            if (event.free) {
                for (const auto& [allocation, id] : live) {
                    if (allocation == event.allocation)
                        writer.appendFree(Nanoseconds(event.time), id);
                }
                continue;
            }
            for (std::int64_t i = 0; i < event.allocation->count; ++i) {
                const Allocation& allocation = *event.allocation;
                AllocationRow row;
                row.requested = row.bytes = allocation.bytes;
                row.category = allocation.category;
                row.address = 4096 * (live.size() + 1);
                row.op = writer.internName(allocation.op);
                row.place = writer.internPlace(
                    {Phase::kForward,
                     allocation.module.empty() ? NameId() : writer.internName(allocation.module),
                     allocation.part.empty() ? NameId() : writer.internName(allocation.part)});
                const AllocationId id = writer.appendAllocation(Nanoseconds(event.time), row);
                writer.setCategory(id, allocation.category);
                live.emplace_back(&allocation, id);
            }
        }
        for (const SegmentEvent& event : segments)
            writer.appendSegmentEvent(event);
    }
};

/// What a rule says of a run.
template <class Rule>
std::optional<Finding> finding(Rule rule, const RunByHand& run) {
    const MemoryTimeline timeline = run.timeline();
    return rule(RunFacts(timeline));
}

}  // namespace warpglass::test
