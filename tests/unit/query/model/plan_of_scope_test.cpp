// FLOPs and bytes of the ops that a name or a text takes, against every kernel of a real run.
#include "engine/query/model/plan_of_scope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "engine/plan/parts.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/query/model/matrix_products.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "tests/support/every_span.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/grouped_spans.h"

namespace warpglass::test::plan_of_scope_test {

struct Kernel {
    Phase phase;
    std::string module, part, op, name;
    bool copy;
    std::int64_t start;
    std::int32_t step;

    bool isTaken(const std::string& text) const {
        const std::string path = part.empty() ? module : module + "/" + part;
        return holds(name, text) || holds(op, text) || holds(path, text);
    }
    bool computes() const { return !copy && opFamily(op, phase) != OpFamily::kCopy; }
};

std::vector<Kernel> measuredKernels(const Snapshot& run) {
    const std::int64_t first = *run.info().getInteger("config.warmup");
    const std::int64_t last = *run.info().getInteger("steps.completed") - 1;
    std::vector<Kernel> kernels;
    for (const auto& [ref, row, kind, track, depth] : everySpan(run)) {
        if (!isGpuTrack(kind) || row.step < first || row.step > last)
            continue;
        const Place place = run.place(row.place);
        const auto detail = run.detail(row.detail);
        kernels.push_back(
            {place.phase, std::string(run.name(place.module)), std::string(run.name(place.part)),
             detail ? std::string(run.name(detail->op)) : std::string(), std::string(run.name(row.name)),
             kind == TrackKind::kGpuCopies, row.start, row.step});
    }
    return kernels;
}

/// Whether a kernel is one of those that do what is planned there, of naive or fused attention.
bool isOf(const Kernel& kernel, const FlopsEntry& entry, bool fused) {
    if (kernel.phase != tracePhase(entry.phase) || kernel.module != entry.module)
        return false;
    if (!entry.module.ends_with(".attn"))
        return true;
    const OpFamily family = opFamily(kernel.op, kernel.phase);
    if (entry.part != "rope")
        return fused ? family == OpFamily::kAttention : kernel.part == entry.part;
    return kernel.part != "scores" && kernel.part != "softmax" && kernel.part != "values" &&
           family != OpFamily::kMatmul && family != OpFamily::kAttention;
}

constexpr double kUnknown = -1;

/// What of an entry of the plan the kernels do that a text takes.
double naiveShare(const std::vector<Kernel>& kernels, const FlopsEntry& entry, bool fused,
                  const std::string& text, std::int64_t steps) {
    const bool own = std::ranges::any_of(kernels, [&](const Kernel& k) { return isOf(k, entry, fused); });
    std::int64_t all = 0, taken = 0, products = 0, takenProducts = 0;
    for (const Kernel& kernel : kernels) {
        const bool atOnce = !own && entry.phase == PlanPhase::kOptimizer &&
                            kernel.phase == Phase::kOptimizer && kernel.module.empty();
        if (!(isOf(kernel, entry, fused) || atOnce) || !kernel.computes())
            continue;
        const int takes = kernel.isTaken(text) ? 1 : 0;
        const int product = isProductOp(kernel.name) ? 1 : 0;
        ++all;
        taken += takes;
        products += product;
        takenProducts += takes * product;
    }
    if (all == 0)
        return holds(entry.module, text) ? 1 : 0;
    if (taken == 0 || taken == all)
        return taken == 0 ? 0 : 1;
    const bool fusedHere = fused && entry.module.ends_with(".attn") && entry.part != "rope";
    if ((entry.matmul.value == 0 && !fusedHere) || products == 0)
        return kUnknown;
    const std::int64_t planned = entry.phase == PlanPhase::kForward ? 1 : fusedHere ? 0 : 2;
    if (takenProducts > 0 && takenProducts < products && products != planned * steps)
        return kUnknown;
    return static_cast<double>(takenProducts) / static_cast<double>(products);
}

struct Sum {
    std::int64_t flops = 0, moved = 0;
    bool known = true;
    /// Something under the module itself: an update is that of all.
    bool ran = false;
};

std::string layerOf(const std::string& module) {
    const std::size_t dot = module.find('.');
    return module.empty()             ? "loss"
           : dot == std::string::npos ? module
                                      : module.substr(0, module.find('.', dot + 1));
}

std::optional<std::pair<PlanPhase, AttentionPart>> attentionKey(const FlopsEntry& entry, bool fused) {
    if (entry.phase == PlanPhase::kOptimizer || entry.module.find(".attn") == std::string::npos)
        return std::nullopt;
    const AttentionPart part = entry.module.ends_with(".output_proj") ? AttentionPart::kOutput
                               : !entry.module.ends_with(".attn")     ? AttentionPart::kProjections
                               : entry.part == "rope"                 ? AttentionPart::kRotation
                               : fused                                ? AttentionPart::kFused
                               : entry.part == "scores"               ? AttentionPart::kScores
                               : entry.part == "softmax"              ? AttentionPart::kSoftmax
                                                                      : AttentionPart::kValues;
    return std::pair(entry.phase, part);
}

/// How often each was met, so that no case goes untested.
struct Seen {
    int whole = 0, part = 0, unknown = 0;
};

void expectAsTaken(const Snapshot& run, const std::vector<Kernel>& kernels, const std::string& text,
                   Seen& seen) {
    SCOPED_TRACE(text);
    const RunConfig config = *configOfRun(run);
    const bool fused = attentionPlan(config).record == AttentionRecord::kOneKernel;
    std::map<std::string, Sum> byLayer;
    std::map<std::pair<PlanPhase, AttentionPart>, Sum> byPart;
    const std::vector<MatrixProduct> products = matrixProducts(config);
    for (const FlopsEntry& entry : countFlops(config).entries) {
        const double share = naiveShare(kernels, entry, fused, text, config.steps);
        seen.unknown += share == kUnknown ? 1 : 0;
        seen.whole += share == 1 ? 1 : 0;
        seen.part += share > 0 && share < 1 ? 1 : 0;
        Sum one{.known = share != kUnknown};
        const auto ofShare = [&](std::int64_t planned) {
            return std::llround(static_cast<double>(planned) * std::max(share, 0.0));
        };
        one.flops = ofShare(entry.matmul.value) + ofShare(entry.elementwise.value);
        for (const MatrixProduct& product : products) {
            if (product.phase == entry.phase && product.module == entry.module && product.part == entry.part)
                one.moved = ofShare(product.bytes.value);
        }
        const auto add = [&](Sum& sum) {
            sum.flops += one.flops;
            sum.moved += one.moved;
            sum.known = sum.known && one.known;
            sum.ran = sum.ran || (share != 0 && entry.phase != PlanPhase::kOptimizer);
        };
        add(byLayer[layerOf(entry.module)]);
        if (const auto key = attentionKey(entry, fused))
            add(byPart[*key]);
    }
    WorkScope scope;
    scope.text = text;
    const Layers layers = layersOf(run, {}, scope);
    EXPECT_TRUE(layers.rates);
    for (const LayerRow& row : layers.rows) {
        const Sum sum = byLayer[row.name];
        byLayer.erase(row.name);
        EXPECT_EQ(row.flopsKnown, sum.known) << row.name;
        EXPECT_EQ(row.flops().value, sum.known ? sum.flops : 0) << row.name;
        EXPECT_EQ(row.moved.value, sum.known ? sum.moved : 0) << row.name;
    }
    for (const auto& [name, sum] : byLayer)
        EXPECT_TRUE((sum.known || !sum.ran) && sum.flops == 0) << name << " is not shown";
    for (const AttentionPartRow& row : attentionParts(run, scope).rows) {
        const Sum sum = byPart[{row.phase, row.part}];
        const std::string_view name = kAttentionPartNames[static_cast<std::size_t>(row.part)];
        EXPECT_EQ(row.flopsKnown, sum.known) << name;
        EXPECT_EQ(row.flops.value, sum.known ? sum.flops : 0) << name;
        EXPECT_EQ(row.moved.value, sum.known ? sum.moved : 0) << name;
    }
}

TEST(PlanOfScope, OfATextIsWhatTheKernelsDoThatItTakes) {
    for (const char* name : {"small-bf16-naive", "small-bf16-flash"}) {
        SCOPED_TRACE(name);
        const auto run = openSampleRun(name);
        const std::vector<Kernel> kernels = measuredKernels(*run);
        Seen seen;
        for (const char* text : {"softmax", "bmm", "nvjet", "96x128_64x6", "mul", "blocks.3", "/scores",
                                 "Attn", "elementwise", "_to_copy", "log_softmax", "dot_do_o", "no such op"})
            expectAsTaken(*run, kernels, text, seen);
        EXPECT_GT(seen.whole, 0);
        EXPECT_GT(seen.part, 0);
        EXPECT_GT(seen.unknown, 0);
    }
}

/// GEMMs are those of the table of kernels, which knows each of them by itself.
TEST(PlanOfScope, OfMatrixProductsIsWhatTheTableOfKernelsSays) {
    const auto run = openSampleRun("small-bf16-naive");
    const std::int64_t steps = configOfRun(*run)->steps;
    SpanFilter measured{.measuredOnly = true};
    for (const char* text : {"nvjet", "96x128_64x6", "aten::bmm", "aten::mm"}) {
        SCOPED_TRACE(text);
        std::int64_t flops = 0, bytes = 0;
        const auto table =
            groupedStatistics(*run, measured, TrackKind::kGpuStream, SpanGrouping::kFlat, text);
        for (const GroupedRow& row : table.rows) {
            flops += row.flops ? row.flops->value : 0;
            bytes += row.bytes ? row.bytes->value : 0;
        }
        EXPECT_GT(flops, 0);
        WorkScope scope;
        scope.text = text;
        std::int64_t ofLayers = 0, moved = 0;
        for (const LayerRow& row : layersOf(*run, {}, scope).rows) {
            EXPECT_TRUE(row.flopsKnown) << row.name;
            ofLayers += row.flops().value;
            moved += row.moved.value;
        }
        // Each figure is rounded.
        EXPECT_NEAR(static_cast<double>(ofLayers), static_cast<double>(flops) / static_cast<double>(steps),
                    1000);
        EXPECT_NEAR(static_cast<double>(moved), static_cast<double>(bytes) / static_cast<double>(steps),
                    1000);
    }
}

/// From the first kernel of a step on to that of another: the kernels of the steps between, and no other.
TimeRange rangeOfSteps(const std::vector<Kernel>& kernels, std::int32_t first, std::int32_t last) {
    std::map<std::int32_t, std::int64_t> begins;
    for (const Kernel& kernel : kernels) {
        if (kernel.copy)
            continue;  // of another stream, it may come earlier
        const auto begin = begins.try_emplace(kernel.step, kernel.start).first;
        begin->second = std::min(begin->second, kernel.start);
    }
    return {Nanoseconds(begins.at(first)), Nanoseconds(begins.at(last))};
}

const LayerRow* rowOf(const Layers& layers, const std::string& name) {
    const auto found =
        std::ranges::find_if(layers.rows, [&](const LayerRow& row) { return row.name == name; });
    return found == layers.rows.end() ? nullptr : &*found;
}

TEST(PlanOfScope, OfANameIsThatOfTheTextAndOfARangeAsOftenAsItsStepsRan) {
    const auto run = openSampleRun("small-bf16-naive");
    WorkScope written, named, within;
    written.text = "aten::bmm";
    named.filter.name = "aten::bmm";
    within = written;
    within.filter.ranges = {rangeOfSteps(measuredKernels(*run), 1, 3)};
    const Layers ofText = layersOf(*run, {}, written);
    EXPECT_TRUE(ofText.rates);
    std::int64_t flops = 0;
    for (const WorkScope& other : {named, within}) {
        const int times = other.filter.ranges.empty() ? 1 : 2;
        const Layers layers = layersOf(*run, {}, other);
        EXPECT_TRUE(layers.rates);
        ASSERT_EQ(layers.rows.size(), ofText.rows.size());
        for (std::size_t i = 0; i < layers.rows.size(); ++i) {
            EXPECT_NEAR(static_cast<double>(layers.rows[i].flops().value),
                        static_cast<double>(times * ofText.rows[i].flops().value), 100)
                << layers.rows[i].name;
            EXPECT_NEAR(static_cast<double>(layers.rows[i].moved.value),
                        static_cast<double>(times * ofText.rows[i].moved.value), 100)
                << layers.rows[i].name;
            flops += layers.rows[i].flops().value;
        }
    }
    EXPECT_GT(flops, 0);
}

TEST(PlanOfScope, OfARangeIsWhatBeganInIt) {
    for (const char* name : {"small-bf16-naive", "small-bf16-flash"}) {
        SCOPED_TRACE(name);
        const auto run = openSampleRun(name);
        const std::vector<Kernel> kernels = measuredKernels(*run);
        const TimeRange steps = rangeOfSteps(kernels, 1, 3);
        const auto within = [&](Nanoseconds begin, Nanoseconds end) {
            WorkScope scope;
            scope.filter.ranges = {{begin, end}};
            return scope;
        };
        const Layers aStep = layersOf(*run, {}), two = layersOf(*run, {}, within(steps.begin, steps.end));
        EXPECT_TRUE(two.rates);
        for (const LayerRow& row : two.rows) {
            ASSERT_TRUE(rowOf(aStep, row.name)) << row.name;
            EXPECT_TRUE(row.flopsKnown) << row.name;
            EXPECT_EQ(row.flops().value, 2 * rowOf(aStep, row.name)->flops().value) << row.name;
            EXPECT_EQ(row.moved.value, 2 * rowOf(aStep, row.name)->moved.value) << row.name;
        }
        // Cut anywhere, both pieces together are the whole, but where a piece is not known.
        std::size_t unknown = 0, pieces = 0;
        for (int cut = 1; cut < 24; ++cut) {
            const Nanoseconds at = steps.begin + Nanoseconds(steps.duration().value * cut / 24);
            const Layers before = layersOf(*run, {}, within(steps.begin, at)),
                         after = layersOf(*run, {}, within(at, steps.end));
            for (const LayerRow& row : two.rows) {
                double flops = 0, moved = 0;
                bool known = true;
                for (const Layers* piece : {&before, &after}) {
                    if (const LayerRow* part = rowOf(*piece, row.name)) {
                        known = known && part->flopsKnown;
                        flops += static_cast<double>(part->flops().value);
                        moved += static_cast<double>(part->moved.value);
                    }
                }
                ++pieces;
                unknown += known ? 0 : 1;
                if (known) {
                    EXPECT_NEAR(flops, static_cast<double>(row.flops().value), 100) << row.name << cut;
                    EXPECT_NEAR(moved, static_cast<double>(row.moved.value), 100) << row.name << cut;
                }
            }
            std::map<std::string, int> blocks;
            for (const Kernel& kernel : kernels) {
                if (kernel.start >= steps.begin.value && kernel.start < at.value &&
                    (kernel.phase == Phase::kForward || kernel.phase == Phase::kBackward) &&
                    kernel.module.find(".attn") != std::string::npos)
                    ++blocks[layerOf(kernel.module)];
            }
            EXPECT_EQ(attentionParts(*run, within(steps.begin, at)).blocks, std::ssize(blocks)) << cut;
        }
        EXPECT_LT(unknown * 5, pieces) << "only what a cut goes through";
    }
}

Layers layersWithin(const Snapshot& run, std::vector<TimeRange> ranges) {
    WorkScope scope;
    scope.filter.ranges = std::move(ranges);
    return layersOf(run, {}, scope);
}

TEST(PlanOfScope, OfSeveralRangesIsKnownWhereTheyTakeEachKernelAsOften) {
    RunByHand made;
    made.stepLengths = {50 * kMs, 50 * kMs, 50 * kMs};
    made.kernels = {{.begin = 1 * kMs, .end = 2 * kMs, .op = "aten::silu"},
                    {.begin = 3 * kMs, .end = 4 * kMs, .op = "aten::mul"}};
    const auto run = made.snapshot();
    const auto within = [](std::int64_t step, std::int64_t begin, std::int64_t end) {
        return TimeRange{Nanoseconds((step * 50 + begin) * kMs), Nanoseconds((step * 50 + end) * kMs)};
    };
    const auto blockOf = [&](std::vector<TimeRange> ranges) {
        const Layers layers = layersWithin(*run, std::move(ranges));
        const LayerRow* row = rowOf(layers, "blocks.0");
        EXPECT_TRUE(row);
        return row ? *row : LayerRow();
    };
    const LayerRow aStep = blockOf({within(1, 0, 5)});
    EXPECT_TRUE(aStep.flopsKnown);
    EXPECT_GT(aStep.flops().value, 0);
    const LayerRow two = blockOf({within(1, 0, 5), within(2, 0, 5)});
    EXPECT_TRUE(two.flopsKnown);
    EXPECT_EQ(two.flops().value, 2 * aStep.flops().value);
    const LayerRow pieces = blockOf({within(1, 3, 5), within(2, 0, 3)});
    EXPECT_TRUE(pieces.flopsKnown);
    EXPECT_EQ(pieces.flops(), aStep.flops()) << "the second half of a step and the first of another";
    const LayerRow halves = blockOf({within(1, 0, 3), within(2, 0, 3)});
    EXPECT_FALSE(halves.flopsKnown) << "as many kernels as a step has, but no step";
    EXPECT_EQ(halves.flops().value, 0);

    const auto sample = openSampleRun("small-bf16-naive");
    const std::vector<Kernel> kernels = measuredKernels(*sample);
    const Layers each = layersOf(*sample, {}),
                 both = layersWithin(*sample, {rangeOfSteps(kernels, 1, 2), rangeOfSteps(kernels, 2, 3)});
    for (const LayerRow& row : both.rows) {
        ASSERT_TRUE(rowOf(each, row.name)) << row.name;
        EXPECT_TRUE(row.flopsKnown) << row.name;
        EXPECT_EQ(row.flops().value, 2 * rowOf(each, row.name)->flops().value) << row.name;
    }
}

TEST(PlanOfScope, WhatAnOptimizerDoesOfAllModulesAtOnceIsWhereItsTimeIs) {
    const auto run = openSampleRun("small-bf16-naive");
    std::map<std::string, std::int64_t> updates;
    for (const FlopsEntry& entry : countFlops(*configOfRun(*run)).entries) {
        if (entry.phase == PlanPhase::kOptimizer)
            updates[layerOf(entry.module)] += entry.elementwise.value + entry.matmul.value;
    }
    ASSERT_EQ(updates.size(), 15u);
    const Layers layers = layersOf(*run, {});
    for (const LayerRow& row : layers.rows) {
        EXPECT_EQ(row.optimizerFlops.value, updates[row.name]) << row.name;
        // The count of steps is no module's.
        EXPECT_EQ(row.optimizer > 0, row.optimizerFlops.value > 0 || row.name == "rest") << row.name;
    }
    WorkScope block;
    block.filter.modulePath = "blocks.3";
    const Layers one = layersOf(*run, {}, block);
    ASSERT_EQ(one.rows.size(), 1u);
    EXPECT_EQ(one.rows.front().flops(), rowOf(layers, "blocks.3")->flops());
}

/// On the CPU the product is the innermost op: those around it would count it again.
TEST(PlanOfScope, OnTheCpuTheInnermostOpDoesTheProduct) {
    RunConfig config{.model = "small",
                     .shape = *presetShape("small"),
                     .attention = AttentionVariant::kNaive,
                     .device = "cpu",
                     .warmup = 0,
                     .steps = 2};
    const auto run = traceOf(R"(
        info state finished
        repeat 2 every 1000
          step 0 0-900 | in phase forward module blocks.0.attn.q_proj
            op aten::linear 0-900 | op aten::mm 50-850
        end 2000
    )",
                             toPairs(config));
    std::int64_t planned = 0;
    for (const FlopsEntry& entry : countFlops(*configOfRun(*run)).entries) {
        if (entry.phase == PlanPhase::kForward && entry.module == "blocks.0.attn.q_proj")
            planned += entry.matmul.value;
    }
    ASSERT_GT(planned, 0);
    const auto flopsOf = [&](const char* text) {
        WorkScope scope;
        scope.text = text;
        const Layers layers = layersOf(*run, {}, scope);
        EXPECT_EQ(layers.rows.size(), 1u);
        return layers.rows.empty() ? -1 : layers.rows.front().flops().value;
    };
    EXPECT_EQ(flopsOf("aten::mm"), planned);
    EXPECT_EQ(flopsOf("aten::linear"), 0);
    EXPECT_EQ(flopsOf("aten::"), planned);
}

}  // namespace warpglass::test::plan_of_scope_test
