// The prediction against what an H200 measured, with no GPU at hand: tests/golden/gpu_peaks_h200.csv.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/plan/memory_prediction.h"

namespace warpglass {
namespace {

struct MeasuredPeak {
    RunConfig config;
    std::int64_t bytes = 0;
};

std::vector<MeasuredPeak> measuredPeaks() {
    std::ifstream file(WARPGLASS_GPU_PEAKS);
    std::vector<MeasuredPeak> peaks;
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with('#') || line.starts_with("model,"))
            continue;
        std::istringstream cells(line);
        std::string model, context, precision, attention, mode, execution, bytes;
        for (std::string* cell : {&model, &context, &precision, &attention, &mode, &execution, &bytes})
            std::getline(cells, *cell, ',');
        MeasuredPeak peak;
        peak.config.model = model;
        peak.config.shape = *presetShape(model);
        peak.config.context = std::atoll(context.c_str());
        peak.config.batch = 4;
        peak.config.precision = *parsePrecision(precision);
        peak.config.attention = *parseAttention(attention);
        peak.config.mode = *parseMode(mode);
        peak.config.execution = *parseExecution(execution);
        peak.config.device = "cuda:0";
        peak.config.warmup = peak.config.steps = 1;
        peak.bytes = std::atoll(bytes.c_str());
        peaks.push_back(std::move(peak));
    }
    return peaks;
}

TEST(GpuPrediction, IsWithinFivePercentOfEveryPeakThatWasMeasured) {
    const std::vector<MeasuredPeak> peaks = measuredPeaks();
    ASSERT_EQ(peaks.size(), 178u);
    for (const MeasuredPeak& peak : peaks) {
        const auto predicted = static_cast<double>(predictMemory(peak.config).total().value);
        EXPECT_NEAR(predicted / static_cast<double>(peak.bytes), 1, 0.05)
            << shortTitle(peak.config) << ", " << modeName(peak.config.mode);
    }
}

TEST(GpuPrediction, NamesTheScratchMemoryOfCuBlas) {
    RunConfig config;
    config.device = "cuda:0";
    EXPECT_EQ(predictMemory(config).peak().of(PlanCategory::kWorkspace), Bytes(64 << 20));
    config.mode = Mode::kForward;
    EXPECT_EQ(predictMemory(config).peak().of(PlanCategory::kWorkspace), Bytes(32 << 20));
    config.device = "cpu";
    EXPECT_EQ(predictMemory(config).peak().of(PlanCategory::kWorkspace), Bytes(0));
}

}  // namespace
}  // namespace warpglass
