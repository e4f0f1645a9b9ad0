// What the host did while the GPU waited for it, with answers worked out by hand.
#include "engine/query/activity/host_while_idle.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/trace_text.h"

namespace warpglass::test::host_while_idle_test {

// The GPU waits from 1000 to 1500 for main, and from 2000 to 2400 for the thread of the backward pass, while
// main is in an op too.
constexpr std::string_view kRun = R"(
    info config.warmup 0
    step 0 1000-3000
      op aten::mm 1000-1600
        op aten::to 1050-1250
          op aten::copy_ 1100-1200
        launch 1390-1410 | kernel gemm 1500-2000
      op aten::mul 2000-2900
      op aten::add 2100-2350 thread "autograd 1"
        launch 2300-2320 | kernel add 2400-3000
)";

std::int64_t timeOf(const HostWhileIdle& host, OpFamily family) {
    return host.ops[static_cast<std::size_t>(family)].value;
}

TEST(HostWhileIdle, IsWhatTheLaunchingThreadWasIn) {
    const HostWhileIdle host = hostWhileIdle(*traceOf(kRun));
    EXPECT_EQ(host.idle.value, 900);
    EXPECT_EQ(timeOf(host, OpFamily::kMatmul), 300);
    EXPECT_EQ(timeOf(host, OpFamily::kCopy), 200);
    EXPECT_EQ(timeOf(host, OpFamily::kElementwise), 250);
    EXPECT_EQ(host.outside.value, 150);
}

TEST(HostWhileIdle, IsOfTheStepsThatCount) {
    std::string text(kRun);
    text.replace(text.find("warmup 0"), 8, "warmup 1");
    text += R"(
    step 1 4000-5000
      op aten::mm 4000-4200 | launch 4100-4120 | kernel gemm 4150-5000
)";
    const HostWhileIdle host = hostWhileIdle(*traceOf(text));
    EXPECT_EQ(host.idle.value, 150);
    EXPECT_EQ(timeOf(host, OpFamily::kMatmul), 150);
    EXPECT_EQ(timeOf(host, OpFamily::kElementwise), 0);
}

TEST(HostWhileIdle, IsNothingWhereOpsOrCallsWereNotRecorded) {
    const HostWhileIdle noOps = hostWhileIdle(*traceOf(R"(
        step 0 1000-3000
          launch 1390-1410 | kernel gemm 1500-2000
    )"));
    EXPECT_EQ(noOps.idle.value, 0);
    EXPECT_EQ(noOps.outside.value, 0);
    const HostWhileIdle lost =
        hostWhileIdle(*traceOf(kRun, {{"missing.any", "yes"}, {"missing.ops", "1 of 6"}}));
    EXPECT_EQ(lost.idle.value, 0);
}

}  // namespace warpglass::test::host_while_idle_test
