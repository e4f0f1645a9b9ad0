#include "engine/query/comparison_headline.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

TEST(ComparisonHeadline, SaysHowMuchFasterOrSlower) {
    ComparisonHeadline headline;
    headline.stepA = 80e6;
    headline.stepB = 40e6;
    EXPECT_EQ(headline.text(), "2.00 × faster: 40.0\u2009ms a step against 80.0\u2009ms");
    std::swap(headline.stepA, headline.stepB);
    EXPECT_EQ(headline.text(), "2.00 × slower: 80.0\u2009ms a step against 40.0\u2009ms");
}

TEST(ComparisonHeadline, LeavesOutWhatIsNotKnown) {
    ComparisonHeadline headline;
    EXPECT_EQ(headline.text(), "");
    headline.peakA = 4.0 * (1 << 30);
    headline.peakB = 1.0 * (1 << 30);
    headline.stepA = 1e6;  // and no step of B
    EXPECT_EQ(headline.text(), "peak memory 0.25 ×: 1.00\u2009GiB against 4.00\u2009GiB");
    headline.matmulShareA = 0.664;
    headline.matmulShareB = 0.473;
    EXPECT_TRUE(headline.text().ends_with(" · matrix products 66\u2009% → 47\u2009% of the time"))
        << headline.text();
}

}  // namespace
}  // namespace warpglass
