// The run panel as a person uses it: what it says, what it holds back, what it sends.
#include "ui/panels/run_panel.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "engine/base/format.h"
#include "engine/plan/estimate.h"
#include "ui/panels/estimate_card.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/number_field.h"
#include "ui/theme/refresh.h"
#include "ui/theme/segmented_control.h"

namespace warpglass::ui {
namespace {

RunConfig configOf(const char* model) {
    RunConfig config;
    config.model = model;
    config.shape = presetShape(model).value();
    return config;
}

class RunPanelTest : public testing::Test {
protected:
    RunPanelTest() {
        qRegisterMetaType<RunConfig>("warpglass::RunConfig");
        panel.setDevices(
            {{"cpu", "Test CPU", Bytes(std::int64_t{64} << 30), Bytes(std::int64_t{60} << 30), 2}});
    }
    template <class T>
    T& child(const char* name) {
        T* found = panel.findChild<T*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return *found;
    }
    QString text(const char* name) { return child<QLabel>(name).text(); }
    QString problem(const char* field) {
        QLabel& label = child<QLabel>((std::string("problem-") + field).c_str());
        return label.isHidden() ? QString() : label.text();
    }
    void type(const char* field, const char* number) {
        auto& edit = child<NumberField>(field);
        edit.selectAll();
        QTest::keyClicks(&edit, QString::fromLatin1(number));
    }
    bool canClickRun() { return child<QPushButton>("runButton").isEnabled(); }

    RunPanel panel;
};

TEST_F(RunPanelTest, GivesBackEveryConfigurationThatItIsGiven) {
    for (const ModelPreset& preset : modelPresets()) {
        for (std::size_t attention = 0; attention < kAttentionNames.size(); ++attention) {
            for (std::size_t mode = 0; mode < kModeNames.size(); ++mode) {
                RunConfig config = configOf(std::string(preset.name).c_str());
                config.attention = static_cast<AttentionVariant>(attention);
                config.mode = static_cast<Mode>(mode);
                config.precision = attention % 2 ? Precision::kBf16 : Precision::kFp32;
                config.context = 384;
                config.batch = 7;
                config.warmup = 5;
                config.steps = 11;
                config.seed = 18446744073709551615u;
                panel.setConfig(config);
                EXPECT_EQ(panel.config(), config) << shortTitle(config);
            }
        }
    }
    RunConfig custom = configOf("small");
    custom.model = "custom";
    custom.shape.layers = 3;
    custom.shape.vocabulary = 500;
    panel.setConfig(custom);
    EXPECT_EQ(panel.config(), custom);
}

TEST_F(RunPanelTest, APresetsNameOverOtherSizesIsCustom) {
    RunConfig config = configOf("small");
    config.shape.heads = 6;
    panel.setConfig(config);
    EXPECT_EQ(panel.config().model, "custom");
    EXPECT_EQ(panel.config().shape, config.shape);
}

TEST_F(RunPanelTest, PresetsAreASegmentOrInTheMenu) {
    auto& presets = child<SegmentedControl>("preset");
    QTest::mouseClick(presets.button(1), Qt::LeftButton);
    EXPECT_EQ(panel.config().model, "small");
    EXPECT_EQ(panel.config().shape, presetShape("small").value());
    QStringList names;
    for (QAction* action : child<QMenu>("presetMenu").actions()) {
        if (action->isSeparator())
            continue;
        names << action->text();
        if (action->text() == QLatin1String("xl"))
            action->trigger();
    }
    EXPECT_EQ(names, QStringList({QStringLiteral("xl"), QStringLiteral("2.7B"), QStringLiteral("10B"),
                                  QStringLiteral("custom sizes")}));
    EXPECT_EQ(panel.config().model, "xl");
    EXPECT_EQ(presets.button(4)->text(), QStringLiteral("xl"));
    EXPECT_TRUE(child<QWidget>("sizes").isHidden());
    child<QMenu>("presetMenu").actions().last()->trigger();
    EXPECT_FALSE(child<QWidget>("sizes").isHidden());
    EXPECT_EQ(panel.config().model, "custom");
    EXPECT_EQ(panel.config().shape, presetShape("xl").value()) << "custom starts from what was there";
}

TEST_F(RunPanelTest, TheEstimateIsThePlans) {
    const RunConfig config = configOf("small");
    panel.setConfig(config);
    const Estimate estimate = estimateRun(config);
    EXPECT_EQ(text("estimateParameters").toStdString(), formatCount(128'625'408));
    EXPECT_EQ(child<QLabel>("estimateParameters").toolTip(), QStringLiteral("128,625,408"));
    EXPECT_EQ(text("estimateWork").toStdString(), formatFlops(estimate.flops.total()));
    EXPECT_TRUE(child<QLabel>("estimatePeak")
                    .toolTip()
                    .startsWith(QString::fromStdString(formatBytesExact(estimate.memory.total()))));
    const QString before = text("estimatePeak");
    type("context", "1024");
    EXPECT_EQ(panel.config().context, 1024);
    EXPECT_NE(text("estimatePeak"), before) << "it follows every key";
}

TEST_F(RunPanelTest, AProblemStandsBelowItsFieldAndHoldsRunBack) {
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
    EXPECT_EQ(text("estimatePeak"), QStringLiteral("–"));
    panel.requestRun();
    EXPECT_EQ(requested.count(), 0);
    type("heads", "12");
    EXPECT_TRUE(problem("heads").isEmpty());
    EXPECT_TRUE(canClickRun());
}

TEST_F(RunPanelTest, EveryProblemIsShownSomewhere) {
    RunConfig config;
    config.model = "custom";
    config.shape = {0, 0, 0, 0, 0};
    config.context = config.batch = config.steps = 0;
    config.device = "cuda:9";
    panel.setConfig(config);
    QString shown;
    for (QLabel* label : panel.findChildren<QLabel*>()) {
        if (label->objectName().startsWith(QLatin1String("problem-")) && !label->isHidden())
            shown += label->text() + QLatin1Char('\n');
    }
    const auto problems = validate(panel.config());
    ASSERT_GT(problems.size(), 4u);
    for (const ConfigProblem& p : problems)
        EXPECT_TRUE(shown.contains(QString::fromStdString(p.sentence))) << p.field << ": " << p.sentence;
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
    panel.setDevices({{"cpu", "Small CPU", Bytes(std::int64_t{2} << 30), Bytes(std::int64_t{1} << 30), 2}});
    panel.setConfig(configOf("medium"));
    auto& card = child<EstimateCard>("estimateCard");
    EXPECT_EQ(card.fit(), Fit::kTooLarge);
    EXPECT_EQ(card.warning().toStdString(),
              fitSentence(estimateRun(configOf("medium")).memory, Bytes(std::int64_t{1} << 30)));
    EXPECT_TRUE(text("estimateFits").startsWith(QStringLiteral("no")));
    EXPECT_TRUE(canClickRun());
    panel.setDevices(
        {{"cpu", "Large CPU", Bytes(std::int64_t{512} << 30), Bytes(std::int64_t{500} << 30), 2}});
    EXPECT_TRUE(card.warning().isEmpty());
    EXPECT_EQ(card.fit(), Fit::kFits);
}

TEST_F(RunPanelTest, WhatOthersHoldOfAGpuIsSaidAndDoesNotCountAsFree) {
    constexpr std::int64_t kGiB = std::int64_t{1} << 30;
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
    EXPECT_TRUE(child<QLabel>("estimateInUse").isHidden());
    EXPECT_TRUE(text("estimateFits").endsWith(QStringLiteral("of the device")));

    panel.setLastResult(QStringLiteral("Finished: 3 steps."));
    panel.setDevices({cpu, gpu(2 * kGiB)});  // asked again: somebody else has taken most of it
    EXPECT_EQ(panel.config().device, "cuda:0");
    EXPECT_FALSE(child<QLabel>("lastResult").isHidden()) << "nobody has edited anything";
    EXPECT_EQ(card.fit(), Fit::kTooLarge);
    EXPECT_EQ(text("estimateInUse"), QStringLiteral("138\u202FGiB"));
    EXPECT_TRUE(text("estimateFits").endsWith(QStringLiteral("× free")));
    EXPECT_TRUE(card.warning().endsWith(QStringLiteral("138\u202FGiB of the device are in use already.")));
    renderWidget(panel, {272, 900}, 1);
    EXPECT_LE(panel.minimumSizeHint().width(), 272);

    panel.setDevices({cpu});  // it has gone, and the choice stays as it was made
    EXPECT_EQ(panel.config().device, "cuda:0");
    EXPECT_EQ(card.fit(), Fit::kUnknown);
    EXPECT_TRUE(child<QLabel>("estimateInUse").isHidden());
}

TEST_F(RunPanelTest, RunSendsTheConfigurationAndThenStops) {
    panel.setConfig(configOf("tiny"));
    QSignalSpy requested(&panel, &RunPanel::runRequested), stopped(&panel, &RunPanel::stopRequested);
    auto& button = child<QPushButton>("runButton");
    QTest::mouseClick(&button, Qt::LeftButton);
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].value<RunConfig>(), configOf("tiny"));
    EXPECT_FALSE(panel.isRunning()) << "whoever runs it says so";

    panel.setRunning(true);
    EXPECT_EQ(button.text(), QStringLiteral("Stop"));
    panel.requestRun();
    EXPECT_EQ(requested.count(), 1) << "one run at a time";
    panel.setProgress(2, 8);
    EXPECT_EQ(child<QProgressBar>("runProgress").value(), 2);
    EXPECT_EQ(text("runProgressText"), QStringLiteral("2 of 8 steps done"));
    QTest::mouseClick(&button, Qt::LeftButton);
    EXPECT_EQ(stopped.count(), 1);
    EXPECT_FALSE(button.isEnabled()) << "it is stopping";
    panel.setRunning(false);
    panel.setLastResult(QStringLiteral("Stopped in step 3."));
    EXPECT_TRUE(button.isEnabled());
    EXPECT_EQ(button.text(), QStringLiteral("Run"));
    EXPECT_FALSE(child<QLabel>("lastResult").isHidden());
    EXPECT_TRUE(child<QProgressBar>("runProgress").isHidden());
}

TEST_F(RunPanelTest, EveryControlHasANameAndAToolTip) {
    for (QWidget* widget : panel.findChildren<QWidget*>()) {
        const bool control = qobject_cast<NumberField*>(widget) || qobject_cast<ComboBox*>(widget) ||
                             qobject_cast<QPushButton*>(widget) || qobject_cast<QToolButton*>(widget);
        if (!control)
            continue;
        EXPECT_FALSE(widget->accessibleName().isEmpty()) << widget->objectName().toStdString();
        EXPECT_FALSE(widget->toolTip().isEmpty())
            << widget->objectName().toStdString() << widget->accessibleName().toStdString();
    }
}

TEST_F(RunPanelTest, RunStaysWhereItIsInALowWindowAndFollowsTheFieldsInAHighOne) {
    const auto bottomOf = [this](const char* name) {
        const auto& widget = child<QWidget>(name);
        return widget.mapTo(&panel, widget.rect().bottomLeft()).y();
    };
    const auto settle = [] {
        for (int i = 0; i < 5; ++i)
            QCoreApplication::processEvents();
    };
    panel.show();
    for (const int height : {560, 2000}) {
        panel.resize(284, height);
        settle();
        const int before = bottomOf("runButton");
        panel.setRunning(true);
        settle();
        EXPECT_EQ(bottomOf("runButton"), before) << height;
        panel.setRunning(false);
        panel.setLastResult(QStringLiteral("Stopped in step 21 of 301; what was recorded is kept."));
        settle();
        EXPECT_EQ(bottomOf("runButton"), before) << height;
        EXPECT_TRUE(child<QLabel>("lastResult").isVisible());
        panel.setLastResult({});
        settle();
        EXPECT_EQ(child<QWidget>("seed").geometry().right(),
                  child<QWidget>("estimateCard").geometry().right())
            << "one right edge, with a scroll bar and without";
    }
    EXPECT_LT(bottomOf("runButton") - bottomOf("seed"), 300) << "no gap between them";
}

TEST_F(RunPanelTest, FitsItsColumn) {
    constexpr int kColumn = 272;
    for (const char* model : {"tiny", "2.7B"}) {
        panel.setConfig(configOf(model));
        renderWidget(panel, {kColumn, 900}, 1);
        EXPECT_LE(panel.minimumSizeHint().width(), kColumn) << model;
    }
    RunConfig custom = configOf("2.7B");
    custom.model = "custom";
    custom.shape.layers += 1;
    custom.context = 1'000'000;
    panel.setConfig(custom);
    EXPECT_LE(panel.minimumSizeHint().width(), kColumn);
}

}  // namespace
}  // namespace warpglass::ui
