// What is predicted of every preset, attention, precision, kind of device and mode, against numbers that were
// written down. A change of them is to be meant: WARPGLASS_UPDATE_GOLDENS=1 writes them anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"

namespace warpglass::test::prediction_golden_test {

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

}  // namespace warpglass::test::prediction_golden_test
