// The types and shapes of ops' inputs and outputs, as LibTorch shows them in a real run.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/every_span.h"
#include "tests/unit/runner/runner_test_support.h"

namespace warpglass::test::op_types_test {

using ::testing::Contains;
using ::testing::StartsWith;

/// The types of every op of a name, one text for each that differs.
std::map<std::string, std::set<std::string>> typesByOp(const Snapshot& run) {
    std::map<std::string, std::set<std::string>> types;
    for (const FoundSpan& op : spansOfKind(run, TrackKind::kCpuThread)) {
        const auto detail = run.detail(op.row.detail);
        if (detail && detail->kind == DetailKind::kOp)
            types[std::string(run.name(op.row.name))].emplace(run.name(detail->fullName));
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
    const auto ops = spansOfKind(*with.trace, TrackKind::kCpuThread);
    EXPECT_GT(ops.size(), 100u);
    EXPECT_TRUE(std::ranges::all_of(ops, [](const FoundSpan& op) { return op.row.detail.valid(); }));
    EXPECT_TRUE(typesByOp(*record(smallestConfig()).trace).empty());
}

TEST(OpTypes, ChangeNothingOfWhatIsComputed) {
    EXPECT_EQ(record(withShapes(Precision::kFp32)).outcome.losses, record(smallestConfig()).outcome.losses);
}

}  // namespace warpglass::test::op_types_test
