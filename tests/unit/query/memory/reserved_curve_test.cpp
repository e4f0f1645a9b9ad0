#include "engine/query/memory/reserved_curve.h"

#include <gtest/gtest.h>

#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::reserved_curve_test {

struct Sample {
    std::int64_t time;
    std::int64_t bytes;
};

std::int64_t naiveAt(const std::vector<Sample>& samples, std::int64_t t) {
    std::int64_t bytes = 0;
    for (const Sample& sample : samples)
        bytes = sample.time <= t ? sample.bytes : bytes;
    return bytes;
}

TEST(ReservedCurve, AgreesWithEverySampleWhileARunGrows) {
    TraceText run;
    std::vector<Sample> samples;
    ReservedCurve curve;
    std::uint64_t random = 3;
    std::int64_t time = 50;
    for (int burst = 0; burst < 5; ++burst) {
        std::string text;
        for (int i = 0; i < 60; ++i) {
            time += static_cast<std::int64_t>(nextRandom(random) % 40);
            const auto bytes = static_cast<std::int64_t>(nextRandom(random) % 1000000);
            text += filled("counter loss 1e9 % ; counter \"memory reserved\" % %\n", time, bytes, time);
            samples.push_back({time, bytes});
        }
        curve.update(run.add(text + filled("end %", time)));
        std::int64_t peak = 0;
        for (const Sample& sample : samples)
            peak = std::max(peak, sample.bytes);
        EXPECT_EQ(curve.peak().value, peak);
        for (std::int64_t t = 0; t < time + 20; t += 7)
            ASSERT_EQ(curve.at(Nanoseconds(t)).value, naiveAt(samples, t));
        for (const std::int64_t begin : {std::int64_t{0}, time / 3, time}) {
            const std::int64_t duration = time - begin + 13;
            for (const std::int64_t width : {1, 10, 97}) {
                const auto columns = curve.columns({Nanoseconds(begin), Nanoseconds(begin + duration)},
                                                   static_cast<std::size_t>(width));
                ASSERT_EQ(columns.size(), static_cast<std::size_t>(width));
                for (std::int64_t i = 0; i < width; ++i) {
                    const std::int64_t from = begin + duration * i / width;
                    const std::int64_t to = begin + duration * (i + 1) / width;
                    std::int64_t highest = naiveAt(samples, from - 1);
                    for (std::int64_t t = from; t < to; ++t) {
                        for (const Sample& sample : samples)
                            highest = sample.time == t ? std::max(highest, sample.bytes) : highest;
                    }
                    ASSERT_EQ(columns[static_cast<std::size_t>(i)], highest) << i << " of " << width;
                }
            }
        }
    }
}

TEST(ReservedCurve, IsEmptyWithoutTheCounterAndPassesOverNonsense) {
    ReservedCurve curve;
    curve.update(makeSyntheticRun());
    EXPECT_TRUE(curve.empty());
    EXPECT_TRUE(curve.columns({Nanoseconds(0), Nanoseconds(10)}, 5).empty());
    curve.update(traceOf(R"(
        counter "memory reserved" nan 5 ; counter "memory reserved" -1 5
        counter "memory reserved" 1e300 5 ; counter "memory reserved" 7 5
        counter "memory reserved" 9 3  # out of order
    )"));
    EXPECT_EQ(curve.peak().value, 9);
    EXPECT_EQ(curve.at(Nanoseconds(4)).value, 0);
    EXPECT_EQ(curve.at(Nanoseconds(5)).value, 9);
    curve.update(nullptr);
    EXPECT_TRUE(curve.empty());
}

}  // namespace warpglass::test::reserved_curve_test
