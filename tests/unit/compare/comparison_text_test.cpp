#include "ui/compare/comparison_text.h"

#include <gtest/gtest.h>

namespace warpglass::ui::comparison_text_test {

ComparisonRow sizes(double a, double b, bool inA, bool inB) {
    return {.a = a, .b = b, .inA = inA, .inB = inB};
}

TEST(ComparisonText, ARatioThatIsNotNothingIsNotShownAsZero) {
    EXPECT_EQ(timesText(0), "0.00×");
    EXPECT_EQ(timesText(0.0049), "< 0.01×");
    EXPECT_EQ(timesText(0.0051), "0.01×");
    EXPECT_EQ(timesText(1.004), "1.00×");
    EXPECT_EQ(timesText(20.54), "20.5×");
    EXPECT_EQ(timesText(9.997), "10.0×");
    EXPECT_EQ(timesText(99.97), "100×");
    EXPECT_EQ(timesText(132.04), "132×");
    // The line of a selection says it as the table does.
    EXPECT_TRUE(durationsText(Nanoseconds(1000), Nanoseconds(20540)).endsWith("(20.5×)"));
    EXPECT_TRUE(durationsText(Nanoseconds(1'000'000), Nanoseconds(1)).endsWith("(< 0.01×)"));
}

TEST(ComparisonText, ARowsPlaceIsItsPhaseItsStepAndWhoseClock) {
    Landmark landmark;
    const QString step = "step 1";
    EXPECT_EQ(placeText(landmark, Phase::kNone, step, false, false), "step 1 on the host");
    landmark.kind = Landmark::Kind::kPhase;
    EXPECT_EQ(placeText(landmark, Phase::kForward, step, true, true), "step 1 on the GPU");
    landmark.kind = Landmark::Kind::kModule;
    EXPECT_EQ(placeText(landmark, Phase::kForward, step, true, true), "forward of step 1 on the GPU");
    EXPECT_EQ(placeText(landmark, Phase::kNone, step, true, false), "step 1, A on the GPU, B on the host");
    landmark.kind = Landmark::Kind::kOp;
    EXPECT_EQ(placeText(landmark, Phase::kBackward, step, false, false),
              "its first call in backward of step 1 on the host");
    landmark.kind = Landmark::Kind::kKernel;
    EXPECT_EQ(placeText(landmark, Phase::kBackward, step, false, true),
              "its first in backward of step 1, A on the host, B on the GPU");
}

TEST(ComparisonText, MemoryThatARunLacksIsNotNothing) {
    constexpr double kMiB = 1 << 20;
    EXPECT_EQ(memoryText(sizes(2 * kMiB, kMiB, true, true), true),
              "A 2.00\u202FMiB, B 1.00\u202FMiB, −1.00\u202FMiB (0.50×)");
    // A run that has none of it at its peak, and one of which nothing of memory is known.
    EXPECT_EQ(memoryText(sizes(2 * kMiB, 0, true, false), true),
              "A 2.00\u202FMiB, B 0\u202FB, −2.00\u202FMiB (0.00×)");
    EXPECT_EQ(memoryText(sizes(2 * kMiB, 0, true, false), false), "A 2.00\u202FMiB, B –");
    ComparisonRow ended = sizes(2 * kMiB, 0, true, false);
    ended.atLeastB = true;
    EXPECT_EQ(memoryText(ended, true), "A 2.00\u202FMiB, B –");
    ComparisonRow cut = sizes(2 * kMiB, kMiB, true, true);
    cut.atLeastB = true;
    EXPECT_EQ(memoryText(cut, true), "A 2.00\u202FMiB, B ≥ 1.00\u202FMiB");
    ComparisonRow lost = sizes(2 * kMiB, kMiB, true, true);
    lost.recordsLostA = true;
    EXPECT_EQ(memoryText(lost, true), "A 2.00\u202FMiB, B 1.00\u202FMiB");
}

}  // namespace warpglass::ui::comparison_text_test
