#include "ui/models/deferred_query.h"
#include "ui/models/worker_pool.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSemaphore>
#include <QTest>
#include <QThread>
#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

namespace warpglass::ui::deferred_query_test {

using Cause = DeferredQuery::Cause;

TEST(DeferredQuery, ComputesNothingWhileNotSeen) {
    int made = 0, applied = 0;
    DeferredQuery query([&] {
        ++made;
        return DeferredQuery::Job{[&] { return DeferredQuery::Apply([&] { ++applied; }); }};
    });
    query.invalidate(Cause::kOtherRun);
    query.invalidate(Cause::kPerson);
    QCoreApplication::processEvents();
    EXPECT_EQ(made, 0);
    query.setActive(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return applied == 1; }, 60'000));
    EXPECT_EQ(made, 1);
    query.setActive(false);
    query.invalidate(Cause::kOtherRun);
    QCoreApplication::processEvents();
    EXPECT_EQ(made, 1);
    query.runNow();
    EXPECT_EQ(applied, 2);
    query.runNow();
    EXPECT_EQ(applied, 2) << "nothing was missing";
}

TEST(DeferredQuery, ManyChangesAreOneComputation) {
    int applied = 0;
    DeferredQuery query(
        [&] { return DeferredQuery::Job{[&] { return DeferredQuery::Apply([&] { ++applied; }); }}; });
    query.setActive(true);
    query.invalidate(Cause::kOtherRun);
    ASSERT_TRUE(QTest::qWaitFor([&] { return applied == 1; }, 60'000));
    for (int i = 0; i < 1000; ++i)
        query.invalidate(Cause::kGrowth);
    ASSERT_TRUE(QTest::qWaitFor([&] { return query.isIdle(); }, 60'000));
    EXPECT_EQ(applied, 2);
}

TEST(DeferredQuery, HeavyWorkRunsElsewhereAndIsAppliedHere) {
    std::atomic<QThread*> worker{nullptr};
    QThread* applier = nullptr;
    DeferredQuery query([&] {
        return DeferredQuery::Job{
            [&] {
                worker = QThread::currentThread();
                return DeferredQuery::Apply([&] { applier = QThread::currentThread(); });
            },
            true};
    });
    query.setActive(true);
    query.invalidate(Cause::kPerson);
    ASSERT_TRUE(QTest::qWaitFor([&] { return applier != nullptr; }, 60'000));
    EXPECT_NE(worker.load(), QThread::currentThread());
    EXPECT_EQ(applier, QThread::currentThread());
}

TEST(DeferredQuery, AnAnswerAboutAnotherRunIsDropped) {
    QSemaphore begun, go;
    int question = 1;
    std::vector<int> answers;
    DeferredQuery query([&] {
        const int asked = question;
        return DeferredQuery::Job{[&, asked] {
                                      begun.release();
                                      go.acquire();
                                      return DeferredQuery::Apply([&, asked] { answers.push_back(asked); });
                                  },
                                  true};
    });
    query.setActive(true);
    query.invalidate(Cause::kOtherRun);
    ASSERT_TRUE(QTest::qWaitFor([&] { return begun.tryAcquire(); }, 60'000));
    question = 2;
    query.invalidate(Cause::kOtherRun);
    go.release(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return query.isIdle(); }, 60'000));
    EXPECT_EQ(answers, std::vector<int>{2});
}

TEST(DeferredQuery, MayBeDestroyedWhileAWorkerIsBusy) {
    auto go = std::make_shared<QSemaphore>();
    auto begun = std::make_shared<QSemaphore>();
    bool applied = false;
    {
        DeferredQuery query([=, &applied] {
            return DeferredQuery::Job{[=, &applied] {
                                          begun->release();
                                          go->acquire();
                                          return DeferredQuery::Apply([&applied] { applied = true; });
                                      },
                                      true};
        });
        query.setActive(true);
        query.invalidate(Cause::kPerson);
        ASSERT_TRUE(QTest::qWaitFor([&] { return begun->tryAcquire(); }, 60'000));
    }
    go->release();
    workerPool().waitForDone();
    QCoreApplication::processEvents();
    EXPECT_FALSE(applied);
}

TEST(DeferredQuery, RunNowWaitsForWhatIsUnderWay) {
    QSemaphore go;
    int applied = 0;
    DeferredQuery query([&] {
        return DeferredQuery::Job{[&] {
                                      go.acquire();
                                      return DeferredQuery::Apply([&] { ++applied; });
                                  },
                                  true};
    });
    query.setActive(true);
    query.invalidate(Cause::kPerson);
    ASSERT_TRUE(QTest::qWaitFor([&] { return query.runs() == 1; }, 60'000));
    go.release();
    query.runNow();
    EXPECT_EQ(applied, 1);
    QCoreApplication::processEvents();
    EXPECT_EQ(applied, 1) << "not applied twice";
}

TEST(DeferredQuery, WorkThatFailsLeavesTheViewAsItWas) {
    for (const bool heavy : {false, true}) {
        bool fails = false;
        int applied = 0;
        DeferredQuery query([&] {
            return DeferredQuery::Job{[&applied, fails]() -> DeferredQuery::Apply {
                                          if (fails)
                                              throw std::bad_alloc();
                                          return [&applied] { ++applied; };
                                      },
                                      heavy};
        });
        query.setActive(true);
        for (const bool failing : {false, true, false}) {
            fails = failing;
            query.invalidate(Cause::kOtherRun);
            const int runs = query.runs();
            ASSERT_TRUE(QTest::qWaitFor([&] { return query.runs() > runs && query.isIdle(); }, 60'000));
        }
        EXPECT_EQ(applied, 2);
        EXPECT_EQ(query.failure(), QString());
        std::vector<QString> said;
        QObject::connect(&query, &DeferredQuery::failureChanged,
                         [&said](const QString& sentence) { said.push_back(sentence); });
        for (const bool failing : {true, true, false}) {
            fails = failing;
            query.invalidate(Cause::kOtherRun);
            query.runNow();
        }
        EXPECT_EQ(applied, 3);
        const QString wanted = "This could not be computed: there is not enough memory for it.";
        EXPECT_EQ(said, (std::vector<QString>{wanted, QString(), wanted, QString()}))
            << "of each run, and taken back";
        said.clear();
        for (const bool failing : {true, true, false}) {
            fails = failing;
            query.invalidate(Cause::kPerson);
            query.runNow();
        }
        EXPECT_EQ(said, (std::vector<QString>{wanted, QString()})) << "of one run once";
    }
}

TEST(DeferredQuery, WhatFailsOnTheWindowsThreadIsAFailureToo) {
    for (const bool heavy : {false, true}) {
        DeferredQuery query([heavy] {
            return DeferredQuery::Job{
                [] { return DeferredQuery::Apply([] { throw std::runtime_error("too many rows"); }); },
                heavy};
        });
        query.setActive(true);
        query.invalidate(Cause::kPerson);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !query.failure().isEmpty(); }, 60'000));
        EXPECT_EQ(query.failure(), "This could not be computed: too many rows.");
    }
}

TEST(DeferredQuery, AGrowingRunIsLookedAtRarelyWhereALookTakesLong) {
    int runs = 0;
    DeferredQuery query([&] {
        return DeferredQuery::Job{[&] {
                                      ++runs;
                                      QThread::msleep(100);
                                      return DeferredQuery::Apply([] {});
                                  },
                                  true};
    });
    query.setActive(true);
    QElapsedTimer since;
    since.start();
    for (int look = 1; look <= 2; ++look) {
        query.invalidate(Cause::kGrowth);
        ASSERT_TRUE(QTest::qWaitFor([&] { return query.isIdle(); }, 60'000));
        EXPECT_EQ(runs, look);
    }
    // A look, a pause of four and a look take six times as long at least; timers may fire a twentieth early.
    EXPECT_GE(since.elapsed(), 5 * 100);
    // A person does not wait for that pause.
    query.invalidate(Cause::kGrowth);
    query.invalidate(Cause::kPerson);
    ASSERT_TRUE(QTest::qWaitFor([&] { return query.isIdle(); }, 60'000));
    EXPECT_EQ(runs, 3);
}

TEST(DeferredQuery, AJobKnowsTheMostPressingOfItsCauses) {
    std::vector<Cause> causes;
    DeferredQuery* asked = nullptr;
    DeferredQuery query([&] {
        causes.push_back(asked->cause());
        return DeferredQuery::Job{[] { return DeferredQuery::Apply([] {}); }};
    });
    asked = &query;
    for (const auto& several :
         {std::vector{Cause::kGrowth}, std::vector{Cause::kPerson, Cause::kGrowth},
          std::vector{Cause::kGrowth, Cause::kOtherRun, Cause::kPerson}, std::vector{Cause::kGrowth}}) {
        for (const Cause cause : several)
            query.invalidate(cause);
        query.runNow();
    }
    EXPECT_EQ(causes, (std::vector{Cause::kGrowth, Cause::kPerson, Cause::kOtherRun, Cause::kGrowth}));
}

}  // namespace warpglass::ui::deferred_query_test
