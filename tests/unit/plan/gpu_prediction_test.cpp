// The prediction against what an H200 measured, with no GPU at hand: tests/golden/gpu_peaks_h200.csv and the
// sample runs.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/paper_step.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"
#include "tests/support/must.h"
#include "tests/support/random_config.h"
#include "tests/support/sample_run.h"

namespace warpglass::test::gpu_prediction_test {

using testing::HasSubstr;

struct MeasuredPeak {
    RunConfig config;
    std::int64_t bytes = 0;
    /// 0 where the file does not say.
    std::int64_t reserved = 0;
};

std::vector<std::string> cellsOf(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(stream, cell, ',');)
        cells.push_back(cell);
    return cells;
}

std::vector<MeasuredPeak> measuredPeaks() {
    std::ifstream file(WARPGLASS_GPU_PEAKS);
    std::vector<MeasuredPeak> peaks;
    std::size_t reservedAt = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#'))
            continue;
        const std::vector<std::string> cells = cellsOf(line);
        if (cells.at(0) == "model") {
            reservedAt = static_cast<std::size_t>(std::ranges::find(cells, "peak_reserved") - cells.begin());
            continue;
        }
        MeasuredPeak peak;
        peak.config.model = cells.at(0);
        peak.config.shape = *presetShape(cells[0]);
        peak.config.context = std::atoll(cells.at(1).c_str());
        peak.config.batch = 4;
        std::size_t cell = 2;
        for (const char* key : {"precision", "attention", "mode", "execution"})
            EXPECT_TRUE(takeSetting(key, cells.at(cell++), peak.config)) << key;
        peak.config.device = "cuda:0";
        peak.config.warmup = peak.config.steps = 1;
        peak.bytes = std::atoll(cells.at(6).c_str());
        if (reservedAt < cells.size())
            peak.reserved = std::atoll(cells[reservedAt].c_str());
        peaks.push_back(std::move(peak));
    }
    return peaks;
}

constexpr double kAllowed = 0.005;

void expectNear(Bytes predicted, std::int64_t measured, const std::string& what, double allowed = kAllowed) {
    EXPECT_NEAR(static_cast<double>(predicted.value) / static_cast<double>(measured), 1, allowed)
        << what << ": predicted " << predicted.value << ", measured " << measured;
}

TEST(GpuPrediction, IsWithinHalfAPercentOfEveryPeakThatWasMeasured) {
    const std::vector<MeasuredPeak> peaks = measuredPeaks();
    ASSERT_EQ(peaks.size(), 178u);
    for (const MeasuredPeak& peak : peaks) {
        const MemoryPrediction prediction = predictMemory(peak.config);
        const std::string what = shortTitle(peak.config) + ", " + std::string(modeName(peak.config.mode));
        expectNear(prediction.given, peak.bytes, what);
        if (peak.reserved > 0)
            expectNear(prediction.reserved, peak.reserved, what + ", reserved");
        // What is asked for is less, by what is rounded.
        EXPECT_LE(prediction.total(), prediction.given) << what;
        EXPECT_LE(prediction.given, prediction.reserved) << what;
    }
}

TEST(GpuPrediction, OfASampleRunIsThatOfTheRunItself) {
    for (const char* name : {"small-fp32-naive", "small-bf16-naive", "small-bf16-flash", "small-bf16-graph",
                             "small-no-warmup", "xl-bf16-forward", "xl-bf16-step"}) {
        const auto run = must(openSampleRun(name));
        const auto config = must(configFromPairs(run->info().pairs()));
        const MemoryPrediction prediction = predictMemory(config);
        expectNear(prediction.given, *run->info().getInteger("allocator.peak_allocated_bytes"), name);
        expectNear(prediction.reserved, *run->info().getInteger("allocator.peak_reserved_bytes"), name);
    }
}

TEST(GpuPrediction, OfARunThatRanOutSaysThatItWould) {
    const auto run = must(openSampleRun("large-fp32-out-of-memory"));
    const auto config = must(configFromPairs(run->info().pairs()));
    EXPECT_EQ(fitOf(predictMemory(config), config.memoryLimit), Fit::kTooLarge);
    // It comes as far as the run did, to where as much was alive.
    CachingAllocator allocator(config.memoryLimit);
    EXPECT_FALSE(walkRun(config, allocator));
    expectNear(allocator.peakGiven(), *run->info().getInteger("allocator.peak_allocated_bytes"), "given");
    expectNear(allocator.peakReserved(), *run->info().getInteger("allocator.peak_reserved_bytes"),
               "reserved");
}

std::vector<RunConfig> everyGpuRun(std::string_view model) {
    std::vector<RunConfig> all;
    for (std::size_t i = 0; i < kModeNames.size() * kCountOf<AttentionVariant> * kPrecisionNames.size();
         ++i) {
        RunConfig config{
            .model = std::string(model),
            .shape = *presetShape(model),
            .precision = static_cast<Precision>(i / (kModeNames.size() * kCountOf<AttentionVariant>)),
            .attention = static_cast<AttentionVariant>(i / kModeNames.size() % kCountOf<AttentionVariant>),
            .mode = static_cast<Mode>(i % kModeNames.size()),
            .device = "cuda:0"};
        if (validate(config).empty())
            all.push_back(config);
    }
    return all;
}

/// The moments are sums over the layers in the middle; the replay goes through each.
TEST(GpuPrediction, AsksInTheReplayForWhatTheMomentsSay) {
    std::size_t runs = 0;
    for (const RunConfig& config : everyGpuRun("small")) {
        CachingAllocator allocator;
        ASSERT_TRUE(walkRun(config, allocator));
        EXPECT_EQ(allocator.peakAsked(), predictMemory(config).total())
            << shortTitle(config) << ", " << modeName(config.mode);
        EXPECT_EQ(predictAsked(config), predictMemory(config).total());
        ++runs;
    }
    EXPECT_GT(runs, 30u);
}

TEST(GpuPrediction, OfAVeryDeepModelIsThatOfItsLayers) {
    for (RunConfig config : everyGpuRun("tiny")) {
        config.model = "custom";
        config.shape.layers = 300;
        config.steps = 2;
        CachingAllocator allocator;
        ASSERT_TRUE(walkRun(config, allocator));
        const MemoryPrediction prediction = predictMemory(config);
        expectNear(prediction.given, allocator.peakGiven().value, shortTitle(config), 0.02);
        expectNear(prediction.reserved, allocator.peakReserved().value, shortTitle(config), 0.02);
    }
}

TEST(GpuPrediction, FitsWhereWhatIsReservedDoes) {
    RunConfig config{.model = "small",
                     .shape = *presetShape("small"),
                     .context = 512,
                     .precision = Precision::kBf16,
                     .device = "cuda:0"};
    const MemoryPrediction prediction = predictMemory(config);
    ASSERT_GT(prediction.reserved, prediction.given);
    EXPECT_EQ(fitOf(prediction, Bytes(prediction.reserved.value * 2)), Fit::kFits);
    EXPECT_EQ(fitOf(prediction, prediction.reserved), Fit::kTight);
    EXPECT_EQ(fitOf(prediction, prediction.given - Bytes(1)), Fit::kTooLarge);
    // In between the allocator has to give back what it keeps, and may not manage: what the replay within
    // that limit says.
    for (int part = 0; part <= 4; ++part) {
        const Bytes available =
            prediction.given + Bytes((prediction.reserved - prediction.given).value * part / 5);
        CachingAllocator allocator(available);
        const bool runs = walkRun(config, allocator);
        EXPECT_LE(allocator.peakReserved(), available);
        EXPECT_EQ(fitOf(prediction, available), runs ? Fit::kTight : Fit::kTooLarge);
        const std::string sentence = fitSentence(prediction, available);
        EXPECT_THAT(sentence, HasSubstr(runs ? "has to give back" : "in pieces too small"));
    }
    EXPECT_THAT(fitSentence(prediction, prediction.reserved),
                HasSubstr(", for which the allocator reserves "));
}

TEST(GpuPrediction, OfTheCpuIsWhatIsAskedFor) {
    RunConfig config;
    const MemoryPrediction prediction = predictMemory(config);
    EXPECT_EQ(prediction.given, prediction.total());
    EXPECT_EQ(prediction.reserved, prediction.total());
}

TEST(GpuPrediction, NamesTheScratchMemoryOfCuBlas) {
    RunConfig config{.device = "cuda:0"};
    EXPECT_EQ(predictMemory(config).peak().of(PlanCategory::kWorkspace), Bytes(64 << 20));
    config.mode = Mode::kForward;
    EXPECT_EQ(predictMemory(config).peak().of(PlanCategory::kWorkspace), Bytes(32 << 20));
    config.device = "cpu";
    EXPECT_EQ(predictMemory(config).peak().of(PlanCategory::kWorkspace), Bytes(0));
}

/// Configurations of every kind that a GPU may be asked to run, small enough to be replayed by the hundred.
RunConfig randomGpuConfig(std::mt19937_64& random) {
    for (;;) {
        RunConfig config = randomValidConfig(random);
        config.device = "cuda:0";
        config.context = static_cast<std::int64_t>(1 + random() % (std::uint64_t{2} << random() % 12));
        config.batch = static_cast<std::int64_t>(1 + random() % (std::uint64_t{1} << random() % 7));
        if (!config.isAttention()) {
            config.shape.layers = 1 + static_cast<std::int64_t>(random() % 12);
            config.model = std::string(kCustomModel);
        }
        if (const auto valid = ValidConfig::of(config))
            return *valid;
    }
}

TEST(GpuPrediction, KeepsToWhatIsToldFromWhatIsAskedForAlone) {
    std::mt19937_64 random(23);
    std::size_t told = 0, untold = 0;
    for (int i = 0; i < 400; ++i) {
        const RunConfig config = randomGpuConfig(random);
        const Bytes asked = predictAsked(config);
        const MemoryPrediction memory = predictMemory(config);
        ASSERT_LE(asked, memory.given);
        ASSERT_LE(memory.given, mostGiven(config, asked)) << shortTitle(config);
        for (const double share : {0.5, 0.99, 1.0, 1.1, 1.4, 1.75, 2.0, 8.0}) {
            const Bytes available(
                static_cast<std::int64_t>(share * static_cast<double>(asked.value)) +
                (random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % (std::uint64_t{128} << 20))));
            const auto tooLarge = tooLargeByAsked(config, asked, available);
            if (tooLarge) {
                ASSERT_EQ(*tooLarge, fitOf(memory, available) == Fit::kTooLarge)
                    << shortTitle(config) << " " << asked.value << " of " << available.value;
            }
            ++(tooLarge ? told : untold);
        }
    }
    EXPECT_GT(told, 800u);
    EXPECT_GT(untold, 100u);
    EXPECT_EQ(tooLargeByAsked(RunConfig(), Bytes(5), Bytes(0)), false) << "it is not known";
}

// What is predicted of every preset, attention, precision, kind of device and mode, against numbers that were
// written down. A change of them is to be meant: WARPGLASS_UPDATE_GOLDENS=1 writes them anew.

/// FNV-1a over the lines of both breakdowns, so that a term that changes its name or moment is seen as well.
class Digest {
public:
    void add(std::string_view text) {
        for (const char c : text)
            m_value = (m_value ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    }
    void add(std::int64_t number) { add(std::to_string(number) + ";"); }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0xcbf29ce484222325ull;
};

std::string predictionLine(const RunConfig& config) {
    const MemoryPrediction memory = predictMemory(config);
    const FlopsEstimate flops = countFlops(config);
    Digest digest;
    for (const MemoryMoment& moment : memory.moments) {
        digest.add(moment.phase + moment.name);
        for (const MemoryTerm& term : moment.terms) {
            digest.add(term.name);
            digest.add(static_cast<std::int64_t>(term.category));
            digest.add(term.bytes.value);
        }
    }
    for (const FlopsEntry& entry : flops.entries) {
        digest.add(static_cast<std::int64_t>(entry.phase));
        digest.add(entry.module + "/" + entry.part);
        digest.add(entry.matmul.value);
        digest.add(entry.elementwise.value);
    }
    std::ostringstream line;
    line << memory.total().value << ' ' << memory.given.value << ' ' << memory.reserved.value << ' '
         << memory.secondStep.value_or(Bytes()).value << ' ' << flops.matmul().value << ' '
         << flops.elementwise().value << ' ' << std::hex << digest.value();
    return line.str();
}

/// Each of the choices of this setting in turn.
template <class Then>
void forEachChoice(std::string_view key, RunConfig config, Then then) {
    for (const Choice& choice : findSetting(key)->choices()) {
        ASSERT_TRUE(takeSetting(key, choice.word, config));
        then(config);
    }
}

TEST(PredictionGolden, EveryVariantIsPredictedAsBefore) {
    std::ostringstream written;
    written
        << "# model, device, attention, precision, mode: asked, given and reserved bytes at the peak, those "
           "of a second step,\n# FLOPs of products and elementwise, digest of both breakdowns\n";
    for (const ModelPreset& preset : modelPresets()) {
        for (const char* device : {"cpu", "cuda:0"}) {
            RunConfig start{.model = std::string(preset.name),
                            .shape = preset.shape,
                            .context = 512,
                            .device = device,
                            .warmup = 0,
                            .steps = 1};
            forEachChoice("attention", start, [&](const RunConfig& attention) {
                forEachChoice("precision", attention, [&](const RunConfig& precision) {
                    forEachChoice("mode", precision, [&](const RunConfig& config) {
                        if (!validate(config).empty())
                            return;
                        for (const char* key : {"model", "device", "attention", "precision", "mode"})
                            written << findSetting(key)->text(config) << ' ';
                        written << predictionLine(config) << '\n';
                    });
                });
            });
        }
    }
    if (std::getenv("WARPGLASS_UPDATE_GOLDENS"))
        std::ofstream(WARPGLASS_PREDICTIONS) << written.str();
    std::ifstream file(WARPGLASS_PREDICTIONS);
    std::istringstream now(written.str());
    std::string wanted, line;
    while (std::getline(file, wanted)) {
        ASSERT_TRUE(std::getline(now, line)) << "no longer predicted: " << wanted;
        EXPECT_EQ(line, wanted);
    }
    EXPECT_FALSE(std::getline(now, line)) << "not written down: " << line;
}

}  // namespace warpglass::test::gpu_prediction_test
