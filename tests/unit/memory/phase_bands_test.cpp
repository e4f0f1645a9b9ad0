#include "ui/memory/phase_bands.h"

#include <gtest/gtest.h>

#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"

namespace warpglass::ui::phase_bands_test {

/// Many phases, most of them short, some long; longer stretches of short ones than a block of the mip-map.
std::shared_ptr<const Snapshot> makePhases(std::vector<PhaseBand>& all) {
    std::string text;
    std::uint64_t random = 11;
    std::int64_t time = 100;
    for (int i = 0; i < 30'000; ++i) {
        const auto phase = static_cast<Phase>(1 + test::nextRandom(random) % (kPhaseCount - 1));
        const bool isLong = i % 7000 > 5500 && test::nextRandom(random) % 50 == 0;
        const auto duration = static_cast<std::int64_t>(isLong ? 40'000 : test::nextRandom(random) % 300);
        text += test::filled("% %-%\n", phaseName(phase), time, time + duration);
        all.push_back({{Nanoseconds(time), Nanoseconds(time + duration)}, phase});
        time += duration + static_cast<std::int64_t>(test::nextRandom(random) % 20);
    }
    return test::traceOf(text + test::filled("end %", time));
}

TEST(PhaseBands, AreThoseThatAreFoundOneByOne) {
    std::vector<PhaseBand> all;
    const auto run = makePhases(all);
    std::uint64_t random = 3;
    const auto end = static_cast<std::uint64_t>(run->range().end.value);
    for (int probe = 0; probe < 200; ++probe) {
        const auto a = static_cast<std::int64_t>(test::nextRandom(random) % end);
        const std::int64_t width =
            probe % 3 == 0 ? run->range().end.value : std::int64_t{100} << (probe % 14);
        const TimeRange range = probe == 0 ? run->range() : TimeRange{Nanoseconds(a), Nanoseconds(a + width)};
        const Nanoseconds shortest(probe % 4 == 0 ? 0 : std::int64_t{1} << (probe % 17));
        std::vector<PhaseBand> expected;
        for (const PhaseBand& band : all) {
            if (band.range.overlaps(range) && band.range.duration() >= shortest)
                expected.push_back(band);
        }
        const std::vector<PhaseBand> found = phaseBands(*run, range, shortest);
        ASSERT_EQ(found.size(), expected.size()) << probe;
        for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found[i].range, expected[i].range);
            ASSERT_EQ(found[i].phase, expected[i].phase);
        }
    }
}

}  // namespace warpglass::ui::phase_bands_test
