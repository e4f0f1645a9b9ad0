// The run panel as a person uses it: what it says, what it holds back, what it sends.
#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <random>

#include "tests/support/random_config.h"
#include "tests/support/valid.h"
#include "tests/unit/panels/run_panel_fixture.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/number_field.h"
#include "ui/controls/refresh.h"
#include "ui/controls/segmented_control.h"
#include "ui/panels/estimate_card.h"
#include "ui/panels/run_panel.h"

namespace warpglass::ui::run_panel_test {

TEST_F(RunPanelTest, GivesBackEveryConfigurationThatItIsGiven) {
    for (const ModelPreset& preset : modelPresets()) {
        for (std::size_t attention = 0; attention < kCountOf<AttentionVariant>; ++attention) {
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

TEST_F(RunPanelTest, LosesNoSettingOfAnyConfiguration) {
    std::mt19937_64 random(20251122);
    for (int i = 0; i < 300; ++i) {
        const RunConfig config = test::randomConfig(random);
        panel.setConfig(config);
        ASSERT_EQ(toPairs(panel.config()), toPairs(config));
    }
}

/// Every setting has a field of its key, in the table's order from the top, and so is the order of Tab.
TEST_F(RunPanelTest, HasAFieldForEverySettingInTheTablesOrder) {
    RunConfig custom;
    custom.model = "custom";
    for (const Workload workload : {Workload::kTransformer, Workload::kAttention}) {
        custom.workload = workload;
        panel.setConfig(custom);
        panel.show();
        if (!child<QToolButton>("moreSettings").isChecked())
            QTest::mouseClick(&child<QToolButton>("moreSettings"), Qt::LeftButton);
        settle();
        std::vector<std::string_view> keys, byTab;
        std::vector<QWidget*> fields;
        for (const Setting& setting : settings()) {
            const std::string name = setting.key == "model" ? "preset" : std::string(setting.key);
            if (!setting.applies(custom)) {
                EXPECT_FALSE(child<QWidget>(name.c_str()).isVisible()) << name;
                continue;
            }
            fields.push_back(&child<QWidget>(name.c_str()));
            keys.push_back(setting.key);
            ASSERT_TRUE(fields.back()->isVisible()) << name;
            const auto top = [this](const QWidget& field) { return field.mapTo(&panel, QPoint()).y(); };
            if (fields.size() > 1) {
                EXPECT_GT(top(*fields.back()), top(**(fields.end() - 2))) << name;
            }
        }
        QWidget* first = child<SegmentedControl>("workload").button(0);
        QWidget* widget = first;
        do {
            for (std::size_t i = 0; i < fields.size(); ++i) {
                const bool isOf = widget == fields[i] || fields[i]->isAncestorOf(widget);
                if (isOf && widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus) &&
                    (byTab.empty() || byTab.back() != keys[i]))
                    byTab.push_back(keys[i]);
            }
            widget = widget->nextInFocusChain();
        } while (widget != first);
        EXPECT_EQ(byTab, keys);
    }
}

TEST_F(RunPanelTest, OffersAttentionAloneWithItsOwnSizes) {
    RunConfig config = configOf("small");
    config.mode = Mode::kStep;
    panel.setConfig(config);
    panel.show();
    QTest::mouseClick(child<SegmentedControl>("workload").button(1), Qt::LeftButton);
    settle();
    EXPECT_EQ(panel.config().workload, Workload::kAttention);
    EXPECT_EQ(panel.config().mode, Mode::kForwardBackward) << "it has no optimizer";
    EXPECT_TRUE(canClickRun());
    EXPECT_EQ(text("estimateParameters"), "–");
    type("heads", "1");
    type("head-dim", "16");
    EXPECT_EQ(panel.config().shape.heads, 1);
    EXPECT_EQ(panel.config().headDim, 16);
    EXPECT_TRUE(canClickRun());
    QTest::mouseClick(child<SegmentedControl>("mode").button(2), Qt::LeftButton);
    EXPECT_FALSE(canClickRun());
    EXPECT_TRUE(problem("mode").contains("optimizer"));
    QTest::mouseClick(child<SegmentedControl>("workload").button(0), Qt::LeftButton);
    settle();
    EXPECT_EQ(panel.config(), config) << "as it was before";
    EXPECT_FALSE(child<QWidget>("heads").isVisible());
}

TEST_F(RunPanelTest, WhatIsRecordedIsChosenKindByKind) {
    panel.show();
    panel.setConfig(configOf("tiny"));
    EXPECT_FALSE(child<QWidget>("extras").isVisible());
    QTest::mouseClick(&child<QToolButton>("moreSettings"), Qt::LeftButton);
    EXPECT_TRUE(child<QWidget>("extras").isVisible());
    auto& kinds = child<SegmentedControl>("record");
    EXPECT_EQ(recordedText(panel.config().recorded), "ops,memory,kernels,calls,waits");
    QTest::mouseClick(kinds.button(1), Qt::LeftButton);
    QTest::mouseClick(kinds.button(4), Qt::LeftButton);
    EXPECT_EQ(recordedText(panel.config().recorded), "ops,kernels,calls");
    QTest::mouseClick(&child<QToolButton>("record-none"), Qt::LeftButton);
    EXPECT_EQ(recordedText(panel.config().recorded), "none");
    QTest::mouseClick(kinds.button(0), Qt::LeftButton);
    EXPECT_EQ(recordedText(panel.config().recorded), "ops");
    QTest::mouseClick(&child<QToolButton>("record-all"), Qt::LeftButton);
    EXPECT_EQ(panel.config(), configOf("tiny"));
    // What is not as usual is in sight.
    QTest::mouseClick(&child<QToolButton>("moreSettings"), Qt::LeftButton);
    EXPECT_FALSE(child<QWidget>("extras").isVisible());
    RunConfig config = configOf("tiny");
    config.recorded.set(Feature::kMemory, false);
    panel.setConfig(config);
    EXPECT_TRUE(child<QWidget>("extras").isVisible());
}

TEST_F(RunPanelTest, NothingMovesAsProblemsWarningsAndResultsComeAndGo) {
    const auto devices = [](std::int64_t available) {
        return std::vector<DeviceInfo>{{"cpu", "Test CPU", Bytes(64 * kGiB), Bytes(available), 2},
                                       {"cuda:0", "Test GPU", Bytes(64 * kGiB), Bytes(available), 2}};
    };
    RunConfig custom = configOf("medium");
    custom.model = "custom";
    custom.memoryLimit = Bytes(40 * kGiB);
    custom.device = "cuda:0";
    panel.show();
    for (const int height : {560, 684, 2000}) {
        panel.resize(284, height);
        panel.setDevices(devices(60 * kGiB));
        panel.setConfig(custom);
        settle();
        auto* scroll = panel.findChild<QScrollArea*>("runFieldsScroll")->verticalScrollBar();
        for (const int position : {0, scroll->maximum()}) {
            scroll->setValue(position);
            settle();
            const auto before = placesIn(panel);
            ASSERT_GT(before.size(), 10);
            const auto expectStill = [&](const char* what) {
                settle();
                const auto now = placesIn(panel);
                for (auto it = before.begin(); it != before.end(); ++it)
                    EXPECT_EQ(now.value(it.key()), it.value()) << it.key().toStdString() << ": " << what;
            };
            type("heads", "13");
            ASSERT_FALSE(problem("heads").isEmpty());
            scroll->setValue(position);  // typed into by code, it has been scrolled to
            expectStill("a problem has come");
            type("batch", "0");
            type("layers", "0");
            scroll->setValue(position);
            expectStill("more have come");
            panel.setConfig(custom);
            expectStill("they have gone");
            panel.setDevices(devices(kGiB));
            ASSERT_FALSE(child<EstimateCard>("estimateCard").warning().isEmpty());
            expectStill("it does not fit any more");
            panel.setDevices(devices(60 * kGiB));
            panel.setRunning(true);
            expectStill("a run has begun");
            panel.setProgress(1, 3);
            panel.setRunning(false);
            panel.setLastResult("Stopped after 21 of 301 steps; what was recorded is kept.");
            expectStill("it has ended");
            panel.setLastResult({});
            expectStill("that is not said any more");
        }
    }
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
    EXPECT_EQ(names, QStringList({"xl", "2.7B", "10B", "custom sizes"}));
    EXPECT_EQ(panel.config().model, "xl");
    EXPECT_EQ(presets.button(4)->text(), "xl");
    EXPECT_TRUE(child<QWidget>("sizes").isHidden());
    child<QMenu>("presetMenu").actions().last()->trigger();
    EXPECT_FALSE(child<QWidget>("sizes").isHidden());
    EXPECT_EQ(panel.config().model, "custom");
    EXPECT_EQ(panel.config().shape, presetShape("xl").value()) << "custom starts from what was there";
}

TEST_F(RunPanelTest, RunSendsTheConfigurationAndThenStops) {
    panel.setConfig(configOf("tiny"));
    QSignalSpy requested(&panel, &RunPanel::runRequested), stopped(&panel, &RunPanel::stopRequested);
    auto& button = child<QPushButton>("runButton");
    QTest::mouseClick(&button, Qt::LeftButton);
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].value<ValidConfig>(), test::valid(configOf("tiny")));
    EXPECT_FALSE(panel.isRunning()) << "whoever runs it says so";

    panel.setRunning(true);
    EXPECT_EQ(button.text(), "Stop");
    panel.requestRun();
    EXPECT_EQ(requested.count(), 1) << "one run at a time";
    panel.setProgress(2, 8);
    EXPECT_EQ(child<QProgressBar>("runProgress").value(), 2);
    EXPECT_EQ(text("runProgressText"), "2 of 8 steps done");
    QTest::mouseClick(&button, Qt::LeftButton);
    EXPECT_EQ(stopped.count(), 1);
    EXPECT_FALSE(button.isEnabled()) << "it is stopping";
    panel.setRunning(false);
    panel.setLastResult("Stopped in step 3.");
    EXPECT_TRUE(button.isEnabled());
    EXPECT_EQ(button.text(), "Run");
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
    const auto endOf = [this](const char* name) {
        const auto& widget = child<QWidget>(name);
        return widget.mapTo(&panel, widget.rect().bottomRight());
    };
    const auto bottomOf = [&](const char* name) { return endOf(name).y(); };
    panel.show();
    for (const int height : {560, 2000}) {
        panel.resize(284, height);
        settle();
        const int before = bottomOf("runButton");
        panel.setRunning(true);
        settle();
        EXPECT_EQ(bottomOf("runButton"), before) << height;
        panel.setRunning(false);
        panel.setLastResult("Stopped in step 21 of 301; what was recorded is kept.");
        settle();
        EXPECT_EQ(bottomOf("runButton"), before) << height;
        EXPECT_TRUE(child<QLabel>("lastResult").isVisible());
        panel.setLastResult({});
        settle();
        EXPECT_EQ(endOf("steps").x(), endOf("estimateCard").x())
            << "one right edge, with a scroll bar and without";
    }
    EXPECT_LT(bottomOf("runButton") - bottomOf("steps"), 330) << "no gap between them";
}

TEST_F(RunPanelTest, FitsItsColumn) {
    constexpr int kColumn = kLeastWidth;
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

}  // namespace warpglass::ui::run_panel_test
