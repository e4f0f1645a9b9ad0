// What the inspector says of one span, with answers worked out by hand.
#include "engine/query/statistics/span_sentences.h"

#include <gtest/gtest.h>

namespace warpglass::test::span_sentences_test {

constexpr Nanoseconds us(std::int64_t microseconds) {
    return Nanoseconds(microseconds * 1000);
}

TEST(SubjectSentence, SaysWhatRanAndForHowLong) {
    SpanSubject span{TrackKind::kGpuStream, OpFamily::kMatmul, us(169), us(169)};
    EXPECT_EQ(subjectSentence(span), "A GEMM kernel of 169\u202fµs.");
    span.family = OpFamily::kOther;
    EXPECT_EQ(subjectSentence(span), "A kernel of 169\u202fµs.");
    EXPECT_EQ(subjectSentence({TrackKind::kCpuThread, OpFamily::kElementwise, us(200), us(50)}),
              "An elementwise op of 200\u202fµs on the host, 25% of it its own.");
    EXPECT_EQ(subjectSentence({TrackKind::kPhase, OpFamily::kOther, us(16), us(16)}),
              "The host spent 16.0\u202fµs in this phase.");
}

TEST(KindSentence, RanksOnlyWhatIsNotAsUsual) {
    AmongItsKind span{us(24), us(12), 1447, 2, 1444};
    EXPECT_EQ(kindSentence(span), "It takes 2× the median of 12.0\u202fµs, the third slowest of 1,447.");
    span.longer = 0;
    EXPECT_EQ(kindSentence(span), "It takes 2× the median of 12.0\u202fµs, the slowest of 1,447.");
    span.longer = 10;
    span.shorter = 1085;
    EXPECT_EQ(kindSentence(span), "It takes 2× the median of 12.0\u202fµs, slower than 75% of 1,447.");
    EXPECT_EQ(kindSentence({us(6), us(12), 100, 99, 0}),
              "It takes 0.5× the median of 12.0\u202fµs, the fastest of 100.");
    EXPECT_EQ(kindSentence({us(6), us(12), 101, 50, 30}),
              "It takes 0.5× the median of 12.0\u202fµs, faster than 50% of 101.");
    EXPECT_EQ(kindSentence({Nanoseconds(12'500), us(12), 100, 3, 96}),
              "It takes as long as usual: the median of 100 is 12.0\u202fµs.");
    EXPECT_EQ(kindSentence({us(12), us(6), 4, 0, 3}), "The median of the 4 in the run is 6.00\u202fµs.");
    EXPECT_EQ(kindSentence({us(6), us(6), 1, 0, 0}), "It is the only one in the run.");
}

TEST(StepShareSentence, NeedsAStep) {
    EXPECT_EQ(stepShareSentence(us(12), us(1000), 3), "It took 1.2% of the time of step 3.");
    EXPECT_EQ(stepShareSentence(us(12), us(1000), kNoStep), "");
    EXPECT_EQ(stepShareSentence(us(12), Nanoseconds(0), 3), "");
}

TEST(Verdicts, SayWhetherItIsSlowOverTheSentenceThatShowsIt) {
    const std::string sentence = "It reaches 94% of the peak.";
    EXPECT_EQ(roofVerdict(0.75, sentence), "Not slow: it reaches 94% of the peak.");
    EXPECT_EQ(roofVerdict(0.5, sentence), "Somewhat slow: it reaches 94% of the peak.");
    EXPECT_EQ(roofVerdict(0.28, sentence), "Slow: it reaches 94% of the peak.");
    EXPECT_EQ(kindVerdict({us(23), us(10), 1447, 2, 1444}),
              "Slow for its kind: it takes 2.3× the median of 10.0\u202fµs, the third slowest of 1,447.");
    EXPECT_EQ(kindVerdict({us(10), us(10), 96, 40, 50}),
              "It takes as long as usual: the median of 96 is 10.0\u202fµs.");
    EXPECT_EQ(kindVerdict({us(23), us(10), 4, 0, 3}), "The median of the 4 in the run is 10.0\u202fµs.")
        << "too few to tell";
}

TEST(WorkWaitSentence, SaysWhyTheGpuStoodIdleOrThatItWasBusy) {
    using Part = GpuBusy::Part;
    const auto after = [](Part part) { return WorkWait{us(9), GpuBusy::Stretch{1000, 36'200, {}, part}}; };
    EXPECT_EQ(workWaitSentence(after(Part::kHostLate)),
              "It started 9.00\u202fµs after its launch. The GPU was idle for 35.2\u202fµs before it: "
              "waiting for the host to launch it.");
    EXPECT_EQ(workWaitSentence(after(Part::kGap)),
              "It started 9.00\u202fµs after its launch. The GPU was idle for 35.2\u202fµs before it: a gap "
              "before work that had been launched already.");
    EXPECT_EQ(workWaitSentence(after(Part::kUnknown)),
              "It started 9.00\u202fµs after its launch. The GPU was idle for 35.2\u202fµs before it; why is "
              "not known.");
    EXPECT_EQ(workWaitSentence({std::nullopt, GpuBusy::Stretch{1000, 36'200, {}, Part::kUnknown}}),
              "The GPU was idle for 35.2\u202fµs before it; its launch was not recorded.");
    EXPECT_EQ(workWaitSentence(after(Part::kBusy)),
              "It started 9.00\u202fµs after its launch, as the GPU was busy with earlier work.");
    EXPECT_EQ(workWaitSentence(after(Part::kOutside)), "It started 9.00\u202fµs after its launch.");
    EXPECT_EQ(workWaitSentence({}), "");
    EXPECT_EQ(
        idleSentence({1000, 36'200, {}, Part::kSynchronization}),
        "The GPU was idle for 35.2\u202fµs: the host was waiting for the GPU and could launch nothing.");
}

TEST(HostSentences, AreOfAStretchOfTime) {
    EXPECT_EQ(hostWaitedSentence(us(49), us(50)), "The host waited for the GPU for 98% of it, 49.0\u202fµs.");
    EXPECT_EQ(hostWaitedSentence(Nanoseconds(0), us(50)), "");
    EXPECT_EQ(hostUseSentence(us(49), us(50)), "Ops ran for 98% of these 50.0\u202fµs.");
    EXPECT_EQ(hostUseSentence(us(49), Nanoseconds(0)), "");
}

}  // namespace warpglass::test::span_sentences_test
