// What the run panel says before a run: its estimate, its problems, and what holds Run back.
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "engine/base/format.h"
#include "engine/plan/estimate.h"
#include "tests/support/has_text.h"
#include "tests/support/valid.h"
#include "tests/unit/panels/run_panel_fixture.h"
#include "ui/controls/number_field.h"
#include "ui/controls/refresh.h"
#include "ui/controls/size_field.h"
#include "ui/panels/estimate_card.h"
#include "ui/panels/run_panel.h"

namespace warpglass::ui::run_panel_estimate_test {

TEST_F(RunPanelTest, TheMemoryLimitIsASizeThatTheEstimateKeepsTo) {
    panel.setDevices({{"cuda:0", "Test GPU", Bytes(80 * kGiB), Bytes(79 * kGiB), 100}});
    RunConfig config = configOf("medium");
    config.device = "cuda:0";
    panel.setConfig(config);
    EXPECT_EQ(child<QToolButton>("moreSettings").isChecked(), false) << "it is as usual";
    auto& limit = child<SizeField>("memory-limit");
    EXPECT_EQ(limit.text(), QString());
    const auto type = [](SizeField& into, const char* size) {
        into.clear();
        QTest::keyClicks(&into, QString::fromLatin1(size));
    };
    auto& card = child<EstimateCard>("estimateCard");
    EXPECT_EQ(card.fit(), Fit::kFits);
    for (const auto& [typed, bytes] :
         std::initializer_list<std::pair<const char*, std::int64_t>>{{"16 GiB", 16 * kGiB},
                                                                     {"16", 16 * kGiB},
                                                                     {"1.5g", 3 * kGiB / 2},
                                                                     {"512 MB", kGiB / 2},
                                                                     {"17179869185 B", 17179869185},
                                                                     {"off", 0},
                                                                     {"none", 0},
                                                                     {"", 0}}) {
        type(limit, typed);
        emit limit.valueEdited();
        EXPECT_EQ(panel.config().memoryLimit, Bytes(bytes)) << typed;
        EXPECT_TRUE(canClickRun()) << typed;
    }
    type(limit, "1 GiB");
    EXPECT_EQ(card.fit(), Fit::kTooLarge);
    EXPECT_TRUE(text("estimateFits").endsWith("the limit of 1.00\u202FGiB"))
        << text("estimateFits").toStdString();
    for (const char* nonsense : {"-1", "x", "16 apples", "99999999999 TiB", "1..5"}) {
        type(limit, nonsense);
        EXPECT_FALSE(canClickRun()) << nonsense;
        EXPECT_TRUE(problem("memory-limit").contains("16 GiB")) << nonsense;
    }
    QTest::keyClick(&limit, Qt::Key_Escape);
    limit.clear();
    emit limit.valueEdited();
    QTest::keyClick(&limit, Qt::Key_Up);
    QTest::keyClick(&limit, Qt::Key_Up);
    EXPECT_EQ(limit.text(), "2 GiB");
    QTest::keyClick(&limit, Qt::Key_Down);
    EXPECT_EQ(panel.config().memoryLimit, Bytes(kGiB));

    // The CPU has none; one that was set before can be taken back.
    config.device = "cpu";
    panel.setConfig(config);
    EXPECT_FALSE(limit.isEnabled());
    config.memoryLimit = Bytes(kGiB);
    panel.setConfig(config);
    EXPECT_TRUE(limit.isEnabled());
    EXPECT_FALSE(problem("memory-limit").isEmpty());
}

TEST_F(RunPanelTest, ADeviceThatIsNotHereHoldsRunBack) {
    RunConfig config = configOf("tiny");
    config.device = "cuda:0";
    panel.setConfig(config);
    EXPECT_FALSE(canClickRun());
    EXPECT_TRUE(child<QWidget>("device").accessibleDescription().contains("not here"));
    EXPECT_TRUE(text("estimateFits").contains("not here"));
    EXPECT_FALSE(text("estimatePeak").isEmpty()) << "what it takes can be said all the same";
    QSignalSpy requested(&panel, &RunPanel::runRequested);
    panel.requestRun();
    panel.requestRunOf(config);
    EXPECT_EQ(requested.count(), 0);
    panel.setDevices({{"cuda:0", "Test GPU", Bytes(1 << 30), Bytes(1 << 30), 100}});
    EXPECT_TRUE(canClickRun());
    panel.requestRunOf(config);
    EXPECT_EQ(requested.count(), 1);
}

TEST_F(RunPanelTest, WhetherItFitsIsReadableAtTheLeastWidth) {
    RunConfig config = configOf("10B");
    config.context = 1 << 16;
    config.batch = 64;
    const std::initializer_list<Bytes> free = {Bytes(1 << 20), Bytes(1000 * kGiB), Bytes(100'000 * kGiB),
                                               Bytes(10'000'000 * kGiB)};
    for (const char* id : {"cpu", "cuda:0"}) {
        config.device = id;
        for (const Bytes available : free) {
            for (const std::int64_t limit : {std::int64_t{0}, kGiB - 1}) {
                config.memoryLimit = Bytes(config.onGpu() ? limit : 0);
                panel.setDevices({{id, "Test device", Bytes(20'000'000 * kGiB), available, 2}});
                panel.setConfig(config);
                renderWidget(panel, {kLeastWidth, 1100}, 1);
                const auto& fits = child<QLabel>("estimateFits");
                const QString said = fits.text();
                EXPECT_LE(fits.heightForWidth(fits.width()), fits.height()) << said.toStdString();
                const QString begin = child<EstimateCard>("estimateCard").fit() == Fit::kTooLarge
                                          ? QStringLiteral("Does not fit: needs ")
                                          : QStringLiteral("Fits: ");
                EXPECT_THAT(said, test::BeginsWith(begin));
            }
        }
    }
    panel.setDevices({{"cpu", "Test CPU", Bytes(4 * kGiB), Bytes(2 * kGiB), 2}});
    config = configOf("tiny");
    config.model = "custom";
    config.shape.vocabulary = 10'000'000;
    config.batch = 256;
    panel.setConfig(config);
    EXPECT_TRUE(text("estimateFits").contains(QRegularExpression("needs [0-9],[0-9]{3}× ")))
        << text("estimateFits").toStdString();
}

TEST_F(RunPanelTest, TheEstimateIsThePlans) {
    const RunConfig config = configOf("small");
    panel.setConfig(config);
    const Estimate estimate = estimateRun(test::valid(config));
    EXPECT_EQ(text("estimateParameters").toStdString(), formatCount(128'625'408));
    EXPECT_EQ(child<QLabel>("estimateParameters").toolTip(), "128,625,408");
    EXPECT_EQ(text("estimateWork").toStdString(), formatFlops(estimate.flops.total()));
    EXPECT_TRUE(child<QLabel>("estimatePeak")
                    .toolTip()
                    .startsWith(QString::fromStdString(formatBytesExact(estimate.memory.total()))));
    const QString before = text("estimatePeak");
    type("context", "1024");
    EXPECT_EQ(panel.config().context, 1024);
    EXPECT_NE(text("estimatePeak"), before) << "it follows every key";
}

TEST_F(RunPanelTest, AProblemStandsInTheEstimatesPlaceAndHoldsRunBack) {
    RunConfig config = configOf("small");
    config.model = "custom";
    panel.setConfig(config);
    EXPECT_TRUE(canClickRun());
    QSignalSpy requested(&panel, &RunPanel::runRequested);
    type("heads", "13");
    RunConfig broken = panel.config();
    EXPECT_EQ(broken.shape.heads, 13);
    const auto problems = validate(broken);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problem("heads").toStdString(), problems[0].sentence);
    EXPECT_FALSE(canClickRun());
    EXPECT_TRUE(child<QLabel>("estimatePeak").isHidden()) << "there is no estimate";
    panel.requestRun();
    EXPECT_EQ(requested.count(), 0);
    type("heads", "12");
    EXPECT_TRUE(problem("heads").isEmpty());
    EXPECT_TRUE(canClickRun());
}

TEST_F(RunPanelTest, EveryProblemIsShownSomewhere) {
    RunConfig config{.model = "custom", .shape = {0, 0, 0, 0, 0}};
    config.context = config.batch = config.steps = 0;
    config.device = "cuda:9";
    panel.setConfig(config);
    const auto problems = validate(panel.config());
    ASSERT_GT(problems.size(), 4u);
    for (const int width : {kLeastWidth, 500}) {
        panel.resize(width, 900);
        renderWidget(panel, {width, 900}, 1);
        for (const ConfigProblem& p : problems)
            EXPECT_EQ(child<QWidget>(p.field.c_str()).accessibleDescription().toStdString(), p.sentence);
        const QLabel& said = child<QLabel>("estimateProblem");
        EXPECT_TRUE(said.text().startsWith(QString::fromStdString(problems[0].sentence)));
        EXPECT_TRUE(said.text().endsWith("marked at their fields."));
        EXPECT_LE(said.heightForWidth(said.width()), said.height()) << "all of it is to be read";
        EXPECT_TRUE(said.toolTip().contains(QString::fromStdString(problems.back().sentence)));
    }
}

TEST_F(RunPanelTest, AnEmptyFieldIsAProblemNotAnOldValue) {
    panel.setConfig(configOf("tiny"));
    auto& batch = child<NumberField>("batch");
    batch.selectAll();
    QTest::keyClick(&batch, Qt::Key_Backspace);
    EXPECT_FALSE(canClickRun());
    EXPECT_FALSE(problem("batch").isEmpty());
}

TEST_F(RunPanelTest, TooLargeIsWarnedOfAndStillRuns) {
    panel.setDevices({{"cpu", "Small CPU", Bytes(2 * kGiB), Bytes(kGiB), 2}});
    panel.setConfig(configOf("medium"));
    auto& card = child<EstimateCard>("estimateCard");
    EXPECT_EQ(card.fit(), Fit::kTooLarge);
    EXPECT_EQ(card.warning().toStdString(),
              fitSentence(estimateRun(test::valid(configOf("medium"))).memory, Bytes(kGiB)));
    EXPECT_TRUE(text("estimateFits").startsWith("Does not fit: needs "));
    EXPECT_TRUE(canClickRun());
    panel.setDevices({{"cpu", "Large CPU", Bytes(512 * kGiB), Bytes(500 * kGiB), 2}});
    EXPECT_TRUE(card.warning().isEmpty());
    EXPECT_EQ(card.fit(), Fit::kFits);
}

TEST_F(RunPanelTest, WhatOthersHoldOfAGpuIsSaidAndDoesNotCountAsFree) {
    const DeviceInfo cpu{"cpu", "Test CPU", Bytes(64 * kGiB), Bytes(60 * kGiB), 2};
    RunConfig config = configOf("medium");
    config.device = "cuda:0";
    const auto gpu = [](std::int64_t available) {
        return DeviceInfo{"cuda:0", "Test GPU", Bytes(140 * kGiB), Bytes(available), 100};
    };
    panel.setDevices({cpu, gpu(139 * kGiB)});
    panel.setConfig(config);
    auto& card = child<EstimateCard>("estimateCard");
    EXPECT_EQ(card.fit(), Fit::kFits);
    EXPECT_TRUE(text("estimateFits").endsWith("of the 139\u202FGiB available"));

    panel.setLastResult("Finished: 3 steps.");
    panel.setDevices({cpu, gpu(2 * kGiB)});  // asked again: somebody else has taken most of it
    EXPECT_EQ(panel.config().device, "cuda:0");
    EXPECT_FALSE(child<QLabel>("lastResult").isHidden()) << "nobody has edited anything";
    EXPECT_EQ(card.fit(), Fit::kTooLarge);
    EXPECT_TRUE(text("estimateFits").endsWith("× the 2.00\u202FGiB others leave free"));
    EXPECT_TRUE(card.warning().endsWith("138\u202FGiB of the device are in use already."));
    renderWidget(panel, {272, 900}, 1);
    EXPECT_LE(panel.minimumSizeHint().width(), 272);

    panel.setDevices({cpu});  // it has gone, and the choice stays as it was made
    EXPECT_EQ(panel.config().device, "cuda:0");
    EXPECT_EQ(card.fit(), Fit::kUnknown);
}

}  // namespace warpglass::ui::run_panel_estimate_test
