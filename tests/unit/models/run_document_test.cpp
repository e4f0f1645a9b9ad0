#include "ui/models/run_document.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTest>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui::run_document_test {

/// Timers need an application; the test program may have made one already.
void ensureApplication() {
    if (QCoreApplication::instance())
        return;
    static int argc = 1;
    static char name[] = "run_document_test";
    static char* argv[] = {name, nullptr};
    static QCoreApplication application(argc, argv);
}

struct RunDocumentTest : testing::Test {
    RunDocumentTest() {
        ensureApplication();
        QObject::connect(&document, &RunDocument::runChanged, [this] { events += 'R'; });
        QObject::connect(&document, &RunDocument::snapshotChanged, [this] { events += 's'; });
        QObject::connect(&document, &RunDocument::warningsChanged, [this] { events += 'w'; });
    }

    AllocationId allocate(std::int64_t time, std::int64_t bytes) {
        AllocationRow row{.requested = bytes, .bytes = bytes, .category = Category::kWeights};
        return writer.appendAllocation(Nanoseconds(time), row);
    }

    RunDocument document;
    TraceWriter writer;
    std::string events;
};

TEST_F(RunDocumentTest, ShowsAFinishedRun) {
    const auto run = test::makeSyntheticRun();
    document.setSnapshot(run);
    EXPECT_EQ(document.snapshot(), run);
    EXPECT_FALSE(document.isLive());
    EXPECT_EQ(document.memory().eventCount(), run->memoryEventCount());
    EXPECT_EQ(events, "Rs");
    document.clear();
    EXPECT_EQ(document.snapshot(), nullptr);
    EXPECT_EQ(document.memory().eventCount(), 0u);
    EXPECT_EQ(events, "RsRs");
}

TEST_F(RunDocumentTest, FollowsARunThatHasNotBegun) {
    document.follow(writer.feed());
    EXPECT_TRUE(document.isLive());
    EXPECT_EQ(document.snapshot(), nullptr);
    EXPECT_EQ(events, "R");
    writer.commit(Nanoseconds(10));
    EXPECT_TRUE(QTest::qWaitFor([&] { return document.snapshot() != nullptr; }, 60'000));
    EXPECT_EQ(events, "Rs") << "the run's first snapshot is not another run";
}

TEST_F(RunDocumentTest, GrowsWithTheRunAndSoDoesItsMemory) {
    allocate(5, 100);
    writer.commit(Nanoseconds(10));
    document.follow(writer.feed());
    EXPECT_EQ(events, "Rs") << "what is there is shown at once";
    EXPECT_EQ(document.memory().eventCount(), 1u);
    allocate(15, 50);
    writer.commit(Nanoseconds(20));
    EXPECT_TRUE(QTest::qWaitFor([&] { return document.snapshot()->epoch() == 2; }, 60'000));
    EXPECT_EQ(document.memory().snapshot(), document.snapshot());
    EXPECT_EQ(sumOf(document.memory().at(Nanoseconds(20))), 150);
}

TEST_F(RunDocumentTest, SaysNothingWhileNothingIsRecorded) {
    writer.commit(Nanoseconds(10));
    document.follow(writer.feed());
    // Many polls' time: another document that does see a change marks its end.
    RunDocument other;
    TraceWriter otherWriter;
    for (int i = 1; i <= 5; ++i) {
        otherWriter.commit(Nanoseconds(i));
        if (i == 1)
            other.follow(otherWriter.feed());
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return other.snapshot() && other.snapshot()->epoch() == static_cast<unsigned>(i); },
            60'000));
    }
    EXPECT_EQ(events, "Rs");
}

TEST_F(RunDocumentTest, StopTakesTheLastSnapshotWithoutWaitingForThePoll) {
    writer.commit(Nanoseconds(10));
    document.follow(writer.feed());
    allocate(15, 50);
    writer.commit(Nanoseconds(20));
    document.stopFollowing();
    EXPECT_FALSE(document.isLive());
    EXPECT_EQ(document.snapshot()->epoch(), 2u);
    EXPECT_EQ(document.memory().eventCount(), 1u);
    const std::string before = events;
    document.stopFollowing();
    EXPECT_EQ(events, before);
}

TEST_F(RunDocumentTest, AnotherRunReplacesTheOneBeingFollowed) {
    writer.commit(Nanoseconds(10));
    document.follow(writer.feed());
    document.setWarnings({"One op was dropped."});
    const auto run = test::makeSyntheticRun();
    document.setSnapshot(run);
    EXPECT_TRUE(document.warnings().isEmpty()) << "warnings are of one run";
    writer.commit(Nanoseconds(30));
    TraceWriter next;
    document.follow(next.feed());
    EXPECT_EQ(document.snapshot(), nullptr);
    next.commit(Nanoseconds(1));
    EXPECT_TRUE(QTest::qWaitFor([&] { return document.snapshot() != nullptr; }, 60'000));
    EXPECT_EQ(document.snapshot(), next.feed()->latest());
}

TEST_F(RunDocumentTest, WithoutARunItSaysWhatToDoOrThatOneComes) {
    const auto words = [this] { return document.noRunWords("to see its ops"); };
    const QString nothing = "Open or record a run to see its ops";
    EXPECT_EQ(words(), nothing);
    QString told;
    QObject::connect(&document, &RunDocument::runChanged, [&] { told = words(); });
    document.awaitRun();
    EXPECT_EQ(told, "The run is being prepared");
    document.follow(writer.feed());
    EXPECT_EQ(words(), told) << "nothing of it is committed yet";
    document.stopFollowing();
    EXPECT_EQ(words(), nothing) << "it came to nothing";
    document.awaitRun();
    document.clear();
    EXPECT_EQ(words(), nothing);
}

TEST_F(RunDocumentTest, WarningsTellOnlyOfChanges) {
    document.setWarnings({"The run was cut off."});
    document.setWarnings({"The run was cut off."});
    EXPECT_EQ(events, "w");
}

}  // namespace warpglass::ui::run_document_test
