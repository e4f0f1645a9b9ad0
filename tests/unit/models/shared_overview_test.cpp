// One overview for all views that show it: when it is computed, and how often.
#include "ui/models/shared_overview.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "tests/support/synthetic_trace.h"
#include "ui/models/run_document.h"

namespace warpglass::ui::shared_overview_test {

constexpr int kShort = 60;  // ms, longer than it takes to start a query

struct SharedOverviewTest : testing::Test {
    RunDocument document;
    SharedOverview& overview = document.overview();
};

TEST_F(SharedOverviewTest, IsComputedOnceForAllWhoWantIt) {
    const QObject first, second;
    overview.setWanted(first, true);
    overview.setWanted(second, true);
    const int before = overview.query().runs();
    document.setSnapshot(test::makeSyntheticRun());
    ASSERT_TRUE(QTest::qWaitFor([&] { return overview.current().has_value(); }));
    overview.runNow();
    EXPECT_EQ(overview.query().runs(), before + 1);
    EXPECT_EQ(overview.current()->summary.measuredSteps, overviewOf(document.memory()).summary.measuredSteps);
    QSignalSpy changed(&overview, &SharedOverview::changed);
    document.clear();
    EXPECT_FALSE(overview.current()) << "nothing of a run is left beside another one";
    EXPECT_GE(changed.count(), 1);
}

TEST_F(SharedOverviewTest, IsNotComputedWhileNobodyWantsIt) {
    auto view = std::make_unique<QObject>();
    overview.setWanted(*view, true);
    overview.runNow();
    view.reset();  // what is destroyed wants nothing any more
    const int before = overview.query().runs();
    document.setSnapshot(test::makeSyntheticRun());
    QTest::qWait(kShort);
    EXPECT_EQ(overview.query().runs(), before);
    const QObject other;
    overview.setWanted(other, true);
    EXPECT_TRUE(QTest::qWaitFor([&] { return overview.current().has_value(); }));
}

}  // namespace warpglass::ui::shared_overview_test
