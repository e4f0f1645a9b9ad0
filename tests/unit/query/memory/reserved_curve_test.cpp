#include "engine/query/memory/reserved_curve.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/trace/trace_writer.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::test {
namespace reserved_curve_test {

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
    TraceWriter writer;
    std::vector<Sample> samples;
    ReservedCurve curve;
    std::uint64_t random = 3;
    std::int64_t time = 50;
    for (int burst = 0; burst < 5; ++burst) {
        for (int i = 0; i < 60; ++i) {
            time += static_cast<std::int64_t>(nextRandom(random) % 40);
            writer.appendCounter(Nanoseconds(time), writer.internName("loss"), 1e9);
            const auto bytes = static_cast<std::int64_t>(nextRandom(random) % 1000000);
            writer.appendCounter(Nanoseconds(time), writer.internName("memory reserved"),
                                 static_cast<double>(bytes));
            samples.push_back({time, bytes});
        }
        writer.commit(Nanoseconds(time));
        curve.update(writer.feed()->latest());
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
    TraceWriter writer;
    const NameId name = writer.internName("memory reserved");
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), -1.0, 1e300, 7.0})
        writer.appendCounter(Nanoseconds(5), name, value);
    writer.appendCounter(Nanoseconds(3), name, 9);  // out of order
    writer.commit(Nanoseconds(5));
    curve.update(writer.feed()->latest());
    EXPECT_EQ(curve.peak().value, 9);
    EXPECT_EQ(curve.at(Nanoseconds(4)).value, 0);
    EXPECT_EQ(curve.at(Nanoseconds(5)).value, 9);
    curve.update(nullptr);
    EXPECT_TRUE(curve.empty());
}

}  // namespace reserved_curve_test
}  // namespace warpglass::test
