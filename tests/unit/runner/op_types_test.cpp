// The types and shapes of ops' inputs and outputs, as LibTorch shows them in a real run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/unit/runner/runner_test_support.h"

namespace warpglass {
namespace {

using ::testing::Contains;
using ::testing::StartsWith;

/// The types of every op of a name, one text for each that differs.
std::map<std::string, std::set<std::string>> typesByOp(const Snapshot& run) {
    std::map<std::string, std::set<std::string>> types;
    for (const TrackId track : run.tracksOfKind(TrackKind::kCpuThread)) {
        for (const SpanLane& lane : run.lanesOf(track)) {
            for (std::uint64_t i = 0; i < lane.rows(); ++i) {
                const std::optional<SpanRow> row = lane.row(i);
                const auto detail = run.detail(row->detail);
                if (detail && detail->kind == DetailKind::kOp)
                    types[std::string(run.name(row->name))].emplace(run.name(detail->fullName));
            }
        }
    }
    return types;
}

RunConfig withShapes(Precision precision) {
    RunConfig config = smallestConfig();
    config.precision = precision;
    config.recorded.set(Feature::kShapes, true);
    return config;
}

std::string tensor(const std::string& type, std::initializer_list<std::int64_t> sizes) {
    std::string text;
    for (const std::int64_t size : sizes)
        text += (text.empty() ? "" : ",") + std::to_string(size);
    return type + "[" + text + "]";
}

TEST(OpTypes, OfALinearLayerAreItsInputsWeightAndOutput) {
    for (const auto& [precision, type] :
         {std::pair{Precision::kFp32, "fp32"}, std::pair{Precision::kBf16, "bf16"}}) {
        const RunConfig config = withShapes(precision);
        const auto types = typesByOp(*record(config).trace);
        const std::int64_t tokens = config.batch * config.context, width = config.shape.dModel;
        // The rows are the tokens, and the weight is turned.
        EXPECT_THAT(types.at("aten::mm"),
                    Contains(tensor(type, {tokens, width}) + ", " + tensor(type, {width, config.shape.dFf}) +
                             " → " + tensor(type, {tokens, config.shape.dFf})))
            << type;
    }
}

TEST(OpTypes, UnderAutocastParametersAndTheLossStayInFp32) {
    const auto types = typesByOp(*record(withShapes(Precision::kBf16)).trace);
    // The loss and its gradient, and the sums of gradients of parameters.
    for (const std::string& text : types.at("aten::nll_loss_forward"))
        EXPECT_THAT(text, StartsWith("fp32["));
    for (const std::string& text : types.at("torch::autograd::AccumulateGrad"))
        EXPECT_THAT(text, StartsWith("fp32["));
}

TEST(OpTypes, EveryOpHasThemAndNoneWithoutBeingAsked) {
    const RecordedRun with = record(withShapes(Precision::kFp32));
    std::uint64_t ops = 0, typed = 0;
    for (const TrackId track : with.trace->tracksOfKind(TrackKind::kCpuThread)) {
        for (const SpanLane& lane : with.trace->lanesOf(track)) {
            for (std::uint64_t i = 0; i < lane.rows(); ++i, ++ops)
                typed += lane.row(i)->detail.valid() ? 1 : 0;
        }
    }
    EXPECT_GT(ops, 100u);
    EXPECT_EQ(typed, ops);
    EXPECT_TRUE(typesByOp(*record(smallestConfig()).trace).empty());
}

TEST(OpTypes, ChangeNothingOfWhatIsComputed) {
    EXPECT_EQ(record(withShapes(Precision::kFp32)).outcome.losses, record(smallestConfig()).outcome.losses);
}

}  // namespace
}  // namespace warpglass
