#include "engine/plan/memory_prediction.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <set>

#include "engine/base/format.h"
#include "engine/plan/memory_walk.h"
#include "engine/plan/parameters.h"
#include "engine/plan/valid_config.h"
#include "engine/trace/ids.h"

namespace warpglass::test::memory_prediction_test {

using testing::HasSubstr;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

RunConfig configOf(std::string_view model, Mode mode = Mode::kStep,
                   AttentionVariant attention = AttentionVariant::kNaive,
                   Precision precision = Precision::kFp32) {
    return {.model = std::string(model),
            .shape = *presetShape(model),
            .precision = precision,
            .attention = attention,
            .mode = mode};
}

std::vector<RunConfig> everyVariant(std::string_view model) {
    std::vector<RunConfig> all;
    for (std::size_t mode = 0; mode < kModeNames.size(); ++mode)
        for (std::size_t attention = 0; attention < kCountOf<AttentionVariant>; ++attention)
            for (std::size_t precision = 0; precision < kPrecisionNames.size(); ++precision)
                all.push_back(configOf(model, static_cast<Mode>(mode),
                                       static_cast<AttentionVariant>(attention),
                                       static_cast<Precision>(precision)));
    return all;
}

const MemoryMoment& momentOf(const MemoryPrediction& prediction, std::string_view phase,
                             std::string_view name) {
    for (const MemoryMoment& moment : prediction.moments)
        if (moment.phase == phase && moment.name == name)
            return moment;
    ADD_FAILURE() << "no moment " << phase << ", " << name;
    return prediction.peak();
}

TEST(MemoryWalk, KeepsTheFullestPointOfEachMoment) {
    const MemoryWalk::Kind kept{PlanCategory::kActivations, "kept"};
    const MemoryWalk::Kind passing{PlanCategory::kTemporaries, "passing"};
    MemoryWalk walk;
    walk.begin("forward", "first");
    PaperTensor a(walk, kept, 100);
    {
        const PaperTensor b(walk, passing, 50);
        const PaperTensor copy = b;
    }
    const PaperTensor small(walk, passing, 20);
    walk.begin("forward", "second");
    a.reset();
    const std::vector<MemoryMoment> moments = walk.moments();
    ASSERT_EQ(moments.size(), 2u);
    EXPECT_EQ(moments[0].total(), Bytes(150));
    EXPECT_EQ(moments[0].of(PlanCategory::kTemporaries), Bytes(50));
    EXPECT_EQ(moments[1].total(), Bytes(120)) << "what is alive when a moment begins counts";
    EXPECT_EQ(moments[1].phase, "forward");
}

TEST(MemoryWalk, FreesWhenTheLastHandleGoes) {
    const MemoryWalk::Kind kind{PlanCategory::kActivations, "x"};
    MemoryWalk walk;
    walk.begin("forward", "only");
    PaperTensor a(walk, kind, 100);
    PaperTensor b = a;
    a.reset();
    EXPECT_EQ(walk.live()[0].bytes, Saturating(100));
    b = PaperTensor(walk, kind, 30);  // made before the old one goes
    EXPECT_EQ(walk.live()[0].bytes, Saturating(30));
    EXPECT_EQ(walk.moments()[0].total(), Bytes(130));
}

TEST(MemoryWalk, RepeatsWhatALayerChanged) {
    const MemoryWalk::Kind grows{PlanCategory::kGradients, "grows"};
    const MemoryWalk::Kind shrinks{PlanCategory::kActivations, "shrinks"};
    MemoryWalk walk;
    walk.begin("backward", "only");
    walk.add(shrinks, 1000);
    const std::vector<MemoryWalk::Live> before = walk.live();
    walk.add(grows, 7);
    walk.remove(shrinks, 100);
    walk.repeatSince(before, 3);
    EXPECT_EQ(walk.live()[0].bytes, Saturating(1000 - 4 * 100));
    EXPECT_EQ(walk.live()[1].bytes, Saturating(4 * 7));
    walk.begin("backward", "next");
    EXPECT_EQ(walk.moments()[0].total(), Bytes(1007)) << "what is repeated is not looked at";
    EXPECT_EQ(walk.moments()[1].total(), Bytes(1000 - 4 * 100 + 4 * 7));
}

TEST(MemoryPrediction, UsesTheTracesWords) {
    const std::set<std::string_view> categories(kCategoryNames.begin(), kCategoryNames.end());
    for (const std::string_view name : kPlanCategoryNames)
        EXPECT_TRUE(categories.contains(name)) << name;
    const std::set<std::string_view> phases(kPhaseNames.begin(), kPhaseNames.end());
    for (const RunConfig& config : everyVariant("tiny"))
        for (const MemoryMoment& moment : predictMemory(config).moments)
            EXPECT_TRUE(phases.contains(moment.phase)) << moment.phase;
}

TEST(MemoryPrediction, PeaksAtTheFullestMoment) {
    for (const RunConfig& config : everyVariant("small")) {
        const MemoryPrediction prediction = predictMemory(config);
        Bytes byCategory;
        for (const Bytes bytes : prediction.atPeak())
            byCategory += bytes;
        EXPECT_EQ(byCategory, prediction.total());
        for (const MemoryMoment& moment : prediction.moments) {
            EXPECT_LE(moment.total(), prediction.total()) << moment.name;
            EXPECT_FALSE(moment.terms.empty());
            for (const MemoryTerm& term : moment.terms)
                EXPECT_GT(term.bytes, Bytes(0)) << term.name;
        }
        EXPECT_EQ(prediction.peakPhase(), prediction.moments[prediction.peakMoment].phase);
        EXPECT_GE(prediction.leftOut.size(), 3u);
        for (const LeftOutTerm& term : prediction.leftOut)
            EXPECT_TRUE(term.sentence.ends_with('.')) << term.sentence;
    }
}

TEST(MemoryPrediction, HoldsWeightsGradientsAndMomentsExactly) {
    for (const RunConfig& config : everyVariant("small")) {
        const Bytes weights(128'625'408 * 4);
        const MemoryPrediction prediction = predictMemory(config);
        for (const MemoryMoment& moment : prediction.moments)
            EXPECT_EQ(moment.of(PlanCategory::kWeights), weights);
        if (config.mode == Mode::kForward)
            continue;
        // Every parameter has its gradient when the backward pass ends, and none before it begins.
        EXPECT_EQ(momentOf(prediction, "backward", "the embedding's gradient").of(PlanCategory::kGradients),
                  weights);
        EXPECT_EQ(momentOf(prediction, "loss", "the log-probabilities").of(PlanCategory::kGradients),
                  Bytes(0));
        if (config.mode == Mode::kStep)
            EXPECT_EQ(momentOf(prediction, "optimizer", "the update of the last weight")
                          .of(PlanCategory::kOptimizerState),
                      weights * 2);
        else
            EXPECT_EQ(prediction.peak().of(PlanCategory::kOptimizerState), Bytes(0));
    }
}

TEST(MemoryPrediction, KeepsNothingForABackwardPassThatDoesNotCome) {
    for (const RunConfig& config : everyVariant("tiny")) {
        if (config.mode != Mode::kForward)
            continue;
        // The logits alone outlive the forward pass.
        const std::int64_t number = isMixed(config.precision) ? 2 : 4;
        const Bytes logits(config.tokensPerStep() * config.shape.vocabulary * number);
        for (const MemoryMoment& moment : predictMemory(config).moments) {
            const bool haveLogits = moment.phase == "loss" || moment.name == "the logits";
            EXPECT_EQ(moment.of(PlanCategory::kActivations), haveLogits ? logits : Bytes(0)) << moment.name;
            EXPECT_EQ(moment.of(PlanCategory::kGradients), Bytes(0)) << moment.name;
        }
    }
}

TEST(MemoryPrediction, HasTheMomentsOnlyFromTheSecondStepOn) {
    RunConfig config = configOf("tiny");
    config.warmup = 0;
    config.steps = 1;
    const MemoryPrediction one = predictMemory(config);
    config.steps = 2;
    const MemoryPrediction two = predictMemory(config);
    const auto optimizerIn = [](const MemoryPrediction& p) {
        return momentOf(p, "backward", "the loss").of(PlanCategory::kOptimizerState);
    };
    EXPECT_EQ(optimizerIn(one), Bytes(0));
    EXPECT_EQ(optimizerIn(two), Bytes(9'316'608 * 8));
    config.steps = 5;
    EXPECT_EQ(predictMemory(config).total(), two.total());
}

TEST(MemoryPrediction, SeesTheScoresOfTheVariantsThatKeepThem) {
    // Doubling the context doubles what is linear in it; only S × S matrices grow faster.
    const auto grows = [](AttentionVariant attention) {
        RunConfig config = configOf("tiny", Mode::kForwardBackward, attention);
        config.shape.vocabulary = 10;
        std::array<std::int64_t, 3> bytes{};
        for (std::size_t i = 0; i < 3; ++i) {
            config.context = std::int64_t{1024} << i;
            const MemoryPrediction p = predictMemory(config);
            bytes[i] = momentOf(p, "forward", "the logits").of(PlanCategory::kActivations).value;
        }
        return static_cast<double>(bytes[2] - bytes[1]) / static_cast<double>(bytes[1] - bytes[0]);
    };
    EXPECT_GT(grows(AttentionVariant::kNaive), 3.0);
    EXPECT_GT(grows(AttentionVariant::kSdpaMath), 3.0);
    EXPECT_DOUBLE_EQ(grows(AttentionVariant::kSdpaFlash), 2.0);
    EXPECT_DOUBLE_EQ(grows(AttentionVariant::kFlash), 2.0);
}

/// Layers between the first and the last are added as sums. A model of n layers must cost what a straight
/// line through models of fewer layers says, in every moment.
TEST(MemoryPrediction, IsLinearInTheLayers) {
    for (RunConfig config : everyVariant("tiny")) {
        config.model = "custom";
        std::array<MemoryPrediction, 4> byLayers;
        const std::array<std::int64_t, 4> layers = {3, 4, 5, 50};
        for (std::size_t i = 0; i < 4; ++i) {
            config.shape.layers = layers[i];
            byLayers[i] = predictMemory(config);
        }
        for (std::size_t m = 0; m < byLayers[0].moments.size(); ++m) {
            const auto total = [&](std::size_t i) { return byLayers[i].moments[m].total().value; };
            const std::int64_t layer = total(1) - total(0);
            // Weights and activations do not shrink with depth.
            EXPECT_GT(layer, 0) << byLayers[0].moments[m].name;
            EXPECT_EQ(total(2) - total(1), layer) << byLayers[0].moments[m].name;
            EXPECT_EQ(total(3) - total(2), 45 * layer) << byLayers[0].moments[m].name;
        }
    }
}

TEST(MemoryPrediction, NeverShrinksWhenASizeGrows) {
    std::mt19937_64 random(6);
    for (int i = 0; i < 500; ++i) {
        const auto upTo = [&random](std::uint64_t n) { return static_cast<std::int64_t>(1 + random() % n); };
        RunConfig config{.model = "custom", .shape = {.heads = upTo(8)}};
        config.shape.dModel = config.shape.heads * 2 * upTo(64);
        config.shape = {upTo(20000), config.shape.dModel, upTo(4096), upTo(8), config.shape.heads};
        config.context = upTo(2048);
        config.batch = upTo(16);
        config.mode = static_cast<Mode>(random() % 3);
        config.attention = static_cast<AttentionVariant>(random() % kCountOf<AttentionVariant>);
        config.precision = static_cast<Precision>(random() % 2);
        const Bytes before = predictMemory(config).total();
        RunConfig larger = config;
        const std::pair<std::int64_t*, std::uint64_t> grown[] = {{&larger.shape.vocabulary, 1000},
                                                                 {&larger.shape.dFf, 1000},
                                                                 {&larger.shape.layers, 10},
                                                                 {&larger.context, 1000},
                                                                 {&larger.batch, 10}};
        const auto& [size, most] = grown[random() % std::size(grown)];
        *size += upTo(most);
        EXPECT_GE(predictMemory(larger).total(), before);
    }
}

TEST(MemoryPrediction, NeverWraps) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 5000; ++i) {
        const auto size = [&random] {
            const auto magnitude = static_cast<std::int64_t>(random() >> (1 + random() % 63));
            return random() % 16 == 0 ? -magnitude : magnitude;
        };
        RunConfig config{.shape = {size(), size(), size(), size(), size()},
                         .context = size(),
                         .batch = size(),
                         .precision = static_cast<Precision>(random() % 2),
                         .attention = static_cast<AttentionVariant>(random() % kCountOf<AttentionVariant>),
                         .mode = static_cast<Mode>(random() % 3),
                         .warmup = size(),
                         .steps = size()};
        const MemoryPrediction prediction = predictMemory(config);
        EXPECT_GE(prediction.total().value, 0);
        for (const MemoryMoment& moment : prediction.moments)
            for (const MemoryTerm& term : moment.terms)
                EXPECT_GT(term.bytes.value, 0);
        // A lower bound that takes no walk: the weights alone.
        const std::int64_t parameters = parameterCount(config.shape);
        EXPECT_GE(prediction.total().value, parameters > kMax / 4 ? kMax : parameters * 4);
    }
}

TEST(FitSentence, SaysWhetherTheRunFits) {
    const MemoryPrediction prediction = predictMemory(configOf("tiny"));
    const std::int64_t needed = prediction.total().value;
    EXPECT_EQ(fitOf(prediction, Bytes(needed * 2)), Fit::kFits);
    EXPECT_EQ(fitOf(prediction, Bytes(needed)), Fit::kTight);
    EXPECT_EQ(fitOf(prediction, Bytes(needed - 1)), Fit::kTooLarge);
    EXPECT_EQ(fitOf(prediction, Bytes(0)), Fit::kUnknown);
    EXPECT_EQ(fitOf(prediction, Bytes(-1)), Fit::kUnknown);
    EXPECT_THAT(fitSentence(prediction, Bytes(needed * 2)), HasSubstr(" fits the "));
    EXPECT_THAT(fitSentence(prediction, Bytes(needed)), HasSubstr("only just"));
    EXPECT_THAT(fitSentence(prediction, Bytes(1 << 20)), HasSubstr("larger than the 1.00\u202FMiB"));
    EXPECT_THAT(fitSentence(prediction, Bytes(0)), HasSubstr("not known"));
    EXPECT_THAT(unknownFitSentence(prediction, "cuda:0", false), HasSubstr("no such device"));
    EXPECT_THAT(unknownFitSentence(prediction, "cuda:0", true), HasSubstr("driver does not say"));
    EXPECT_EQ(
        fitSentence(prediction, Bytes(needed * 2), Bytes(std::int64_t{3} << 30)),
        fitSentence(prediction, Bytes(needed * 2)) + " 3.00\u202FGiB of the device are in use already.");
}

/// Attention alone, 65,536 long, on a GPU.
RunConfig longAttention(std::int64_t headDimension, AttentionVariant variant = AttentionVariant::kNaive) {
    return {.workload = Workload::kAttention,
            .shape = {.heads = 8},
            .headDim = headDimension,
            .context = 65'536,
            .batch = 1,
            .precision = Precision::kBf16,
            .attention = variant,
            .mode = Mode::kForwardBackward,
            .device = "cuda:0"};
}

TEST(FitSentence, OffersFlashAttentionWhereOnlyStoredScoresAreTooLarge) {
    constexpr Bytes kH100(std::int64_t{80} << 30);
    const auto sentence = [](const RunConfig& config, Bytes available) {
        EXPECT_TRUE(validate(config).empty());
        return fitSentence(predictMemory(config), available);
    };
    for (const AttentionVariant variant : {AttentionVariant::kNaive, AttentionVariant::kSdpaMath}) {
        for (const Precision precision : {Precision::kBf16, Precision::kFp32, Precision::kTf32}) {
            RunConfig config = longAttention(64, variant),
                      flash = longAttention(64, AttentionVariant::kFlash);
            config.precision = flash.precision = precision;
            const MemoryPrediction ofFlash = predictMemory(flash);
            EXPECT_THAT(
                sentence(config, kH100),
                testing::EndsWith("available: choose a smaller batch, context or model, or --attention "
                                  "flash, whose predicted peak of " +
                                  formatBytes(ofFlash.given) + " fits."));
            EXPECT_THAT(sentence(config, Bytes(ofFlash.given.value - 1)),
                        testing::EndsWith(": choose a smaller batch, context or model."))
                << "flash is too large as well";
        }
    }
    constexpr const char* kSmaller = ": choose a smaller batch, context or model.";
    EXPECT_THAT(sentence(longAttention(48), kH100), testing::EndsWith(kSmaller))
        << "flash has no such kernel";
    EXPECT_THAT(sentence(longAttention(64, AttentionVariant::kFlash), Bytes(1 << 20)),
                testing::EndsWith(kSmaller));
    RunConfig onCpu = longAttention(64);
    onCpu.device = "cpu";
    EXPECT_THAT(sentence(onCpu, kH100), testing::EndsWith(kSmaller));
    RunConfig withSoftmax = configOf("small");
    withSoftmax.device = "cuda:0";
    withSoftmax.softmax = SoftmaxVariant::kFused;
    EXPECT_THAT(sentence(withSoftmax, Bytes(std::int64_t{6} << 30)), testing::Not(HasSubstr("flash")))
        << "the softmax kernel is part of naive attention alone";
}

TEST(FitSentence, OfMoreLayersThanAreReplayedDoesNotSayThatItFitsWhereOnlyItsBytesWould) {
    RunConfig config = configOf("small");
    config.device = "cuda:0";
    for (const std::int64_t layers : {128, 129, 400}) {
        SCOPED_TRACE(layers);
        config.shape.layers = layers;
        const MemoryPrediction prediction = predictMemory(config);
        ASSERT_GT(prediction.reserved, prediction.given);
        const Bytes between = Bytes((prediction.given.value + prediction.reserved.value) / 2);
        const std::string sentence = fitSentence(prediction, between);
        const bool isReplayed = layers <= 128;
        EXPECT_EQ(sentence.find(" may not fit ") == std::string::npos, isReplayed) << sentence;
        if (!isReplayed) {
            EXPECT_EQ(fitOf(prediction, between), Fit::kTight);
            EXPECT_THAT(sentence, testing::Not(HasSubstr("only just")));
            EXPECT_THAT(sentence, HasSubstr("not predicted for more than 128 layers"));
        }
        EXPECT_THAT(fitSentence(prediction, prediction.reserved), HasSubstr(" only just fits "));
    }
}

TEST(NeedsOvercommit, IsOfRunsOnTheCpuThatDoNotFitAlone) {
    MemoryPrediction prediction = predictMemory(configOf("tiny"));
    const std::int64_t needed = prediction.total().value;
    EXPECT_FALSE(needsOvercommit(prediction, Bytes(needed * 2)));
    EXPECT_FALSE(needsOvercommit(prediction, Bytes(needed))) << "it is tight, and fits";
    EXPECT_TRUE(needsOvercommit(prediction, Bytes(needed - 1)));
    EXPECT_FALSE(needsOvercommit(prediction, Bytes(0))) << "what is available is not known";
    prediction.config.device = "cuda:0";
    EXPECT_FALSE(needsOvercommit(prediction, Bytes(1))) << "a GPU out of memory is a result";
}

TEST(FitSentence, OfASingleStepSaysWhatASecondWouldNeed) {
    RunConfig config = configOf("tiny");
    config.warmup = 0;
    config.steps = 1;
    const MemoryPrediction one = predictMemory(config);
    const StepPeaks peaks = predictStepPeaks(config);
    EXPECT_EQ(peaks.first, one.total());
    ASSERT_EQ(one.secondStep, peaks.later);
    const std::string second = " would need " + formatBytes(peaks.later) + ".";
    EXPECT_THAT(fitSentence(one, Bytes(std::int64_t{1} << 40)), HasSubstr(second));
    EXPECT_THAT(unknownFitSentence(one, "cuda:0", false), HasSubstr(second));
    config.steps = 2;
    EXPECT_FALSE(predictMemory(config).secondStep) << "its peak is that of the second already";
    EXPECT_EQ(predictStepPeaks(config).later, predictMemory(config).total());
    config.mode = Mode::kForward;
    config.steps = 1;
    EXPECT_FALSE(predictMemory(config).secondStep) << "there are no moments";
    EXPECT_EQ(stepPeaksInWords(predictStepPeaks(config)),
              "a step is predicted to need " + formatBytes(predictMemory(config).total()));
}

}  // namespace warpglass::test::memory_prediction_test
