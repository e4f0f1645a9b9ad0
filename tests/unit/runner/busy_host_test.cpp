// A run beside programs that keep every core busy: what it records of them, and what is said of it.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "engine/base/host_load.h"
#include "engine/query/activity/conditions.h"
#include "tests/unit/runner/runner_test_support.h"

namespace warpglass::test::busy_host_test {

/// Processes that do nothing but count, while it lives.
class Burners {
public:
    explicit Burners(std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                ::alarm(120);  // should this process not live to end it
                volatile bool busy = true;
                while (busy) {
                }
            }
            if (child > 0)
                m_children.push_back(child);
        }
    }
    ~Burners() {
        for (const pid_t child : m_children) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
    Burners(const Burners&) = delete;
    Burners& operator=(const Burners&) = delete;
    std::size_t count() const { return m_children.size(); }

private:
    std::vector<pid_t> m_children;
};

TEST(BusyHost, IsRecordedAndSaid) {
    const HostLoadReader host;
    const std::int64_t cores = host.cores();
    ASSERT_GT(cores, 0);
    // The programs beside the run are held back with it, and the host's other cores stay idle.
    if (host.coresAllowed() < static_cast<double>(cores))
        GTEST_SKIP() << "A CPU quota or an affinity leaves this process " << host.coresAllowed() << " of "
                     << cores << " cores, so that it cannot keep the host busy.";
    runner();  // LibTorch's own start is not part of it
    RunConfig config = smallestConfig();
    config.steps = 300;
    const Burners burners(2 * cores);
    ASSERT_EQ(burners.count(), static_cast<std::size_t>(2 * cores));
    const RecordedRun run = record(config);
    const RunConditions conditions = conditionsOf(*run.trace);
    ASSERT_TRUE(conditions.steps.othersCores);
    // Every core is busy; this run has one of them at the most.
    EXPECT_GT(*conditions.steps.othersCores, 0.5 * static_cast<double>(cores - 1));
    ASSERT_TRUE(conditions.steps.waitedShare);
    EXPECT_GT(*conditions.steps.waitedShare, 0);
    EXPECT_TRUE(conditions.hostDisturbs()) << conditions.inWords();
    EXPECT_THAT(conditions.cautions(), testing::Contains(testing::StartsWith("The host was busy")));
}

}  // namespace warpglass::test::busy_host_test
