// The run panel as a person uses it: what it says, what it holds back, what it sends.
#include "ui/panels/run_panel.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <random>

#include "engine/base/format.h"
#include "engine/plan/estimate.h"
#include "tests/support/random_config.h"
#include "tests/support/valid.h"
#include "ui/panels/estimate_card.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/number_field.h"
#include "ui/theme/refresh.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/size_field.h"

namespace warpglass::ui {
namespace {

RunConfig configOf(const char* model) {
    RunConfig config;
    config.model = model;
    config.shape = presetShape(model).value();
    return config;
}

/// The window gives it a little more.
constexpr int kLeastWidth = 272;

/// Where every control that can be seen is, in the panel.
QHash<QString, QRect> placesIn(const QWidget& panel) {
    QHash<QString, QRect> places;
    for (const QWidget* widget : panel.findChildren<QWidget*>()) {
        if (widget->isVisible() && !widget->objectName().isEmpty() &&
            !widget->objectName().startsWith(QLatin1String("estimate")))
            places.insert(widget->objectName(), QRect(widget->mapTo(&panel, QPoint()), widget->size()));
    }
    return places;
}

void settle() {
    for (int i = 0; i < 5; ++i)
        QCoreApplication::processEvents();
}

class RunPanelTest : public testing::Test {
protected:
    RunPanelTest() {
        qRegisterMetaType<ValidConfig>("warpglass::ValidConfig");
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
    /// What is said where the estimate stands, if the field is marked with a sentence of it.
    QString problem(const char* field) {
        auto& control = child<QWidget>(field);
        const QLabel& said = child<QLabel>("estimateProblem");
        const QString sentence = control.accessibleDescription();
        EXPECT_EQ(control.property("problem").toBool(), !sentence.isEmpty()) << field;
        EXPECT_TRUE(sentence.isEmpty() || control.toolTip().startsWith(sentence)) << field;
        return !said.isHidden() && said.text().contains(sentence) ? sentence : QString();
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
    EXPECT_EQ(text("estimateParameters"), QStringLiteral("–"));
    type("heads", "1");
    type("head-dim", "16");
    EXPECT_EQ(panel.config().shape.heads, 1);
    EXPECT_EQ(panel.config().headDim, 16);
    EXPECT_TRUE(canClickRun());
    QTest::mouseClick(child<SegmentedControl>("mode").button(2), Qt::LeftButton);
    EXPECT_FALSE(canClickRun());
    EXPECT_TRUE(problem("mode").contains(QStringLiteral("optimizer")));
    QTest::mouseClick(child<SegmentedControl>("workload").button(0), Qt::LeftButton);
    settle();
    EXPECT_EQ(panel.config(), config) << "as it was before";
    EXPECT_FALSE(child<QWidget>("heads").isVisible());
}

TEST_F(RunPanelTest, TheMemoryLimitIsASizeThatTheEstimateKeepsTo) {
    constexpr std::int64_t kGiB = std::int64_t{1} << 30;
    panel.setDevices({{"cuda:0", "Test GPU", Bytes(80 * kGiB), Bytes(79 * kGiB), 100}});
    RunConfig config = configOf("medium");
    config.device = "cuda:0";
    panel.setConfig(config);
    EXPECT_EQ(child<QToolButton>("moreSettings").isChecked(), false) << "it is as usual";
    auto& limit = child<SizeField>("memory-limit");
    EXPECT_EQ(limit.text(), QString());
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
        limit.clear();
        QTest::keyClicks(&limit, QString::fromLatin1(typed));
        emit limit.valueEdited();
        EXPECT_EQ(panel.config().memoryLimit, Bytes(bytes)) << typed;
        EXPECT_TRUE(canClickRun()) << typed;
    }
    limit.clear();
    QTest::keyClicks(&limit, QStringLiteral("1 GiB"));
    EXPECT_EQ(card.fit(), Fit::kTooLarge);
    EXPECT_TRUE(text("estimateFits").endsWith(QStringLiteral("the limit of 1.00\u202FGiB")))
        << text("estimateFits").toStdString();
    for (const char* nonsense : {"-1", "x", "16 apples", "99999999999 TiB", "1..5"}) {
        limit.clear();
        QTest::keyClicks(&limit, QString::fromLatin1(nonsense));
        EXPECT_FALSE(canClickRun()) << nonsense;
        EXPECT_TRUE(problem("memory-limit").contains(QStringLiteral("16 GiB"))) << nonsense;
    }
    QTest::keyClick(&limit, Qt::Key_Escape);
    limit.clear();
    emit limit.valueEdited();
    QTest::keyClick(&limit, Qt::Key_Up);
    QTest::keyClick(&limit, Qt::Key_Up);
    EXPECT_EQ(limit.text(), QStringLiteral("2 GiB"));
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

TEST_F(RunPanelTest, ADeviceThatIsNotHereHoldsRunBack) {
    RunConfig config = configOf("tiny");
    config.device = "cuda:0";
    panel.setConfig(config);
    EXPECT_FALSE(canClickRun());
    EXPECT_TRUE(child<QWidget>("device").accessibleDescription().contains(QStringLiteral("not here")));
    EXPECT_TRUE(text("estimateFits").contains(QStringLiteral("not here")));
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

TEST_F(RunPanelTest, NothingMovesAsProblemsWarningsAndResultsComeAndGo) {
    constexpr std::int64_t kGiB = std::int64_t{1} << 30;
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
        auto* scroll = panel.findChild<QScrollArea*>(QStringLiteral("runFieldsScroll"))->verticalScrollBar();
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
            panel.setLastResult(QStringLiteral("Stopped after 21 of 301 steps; what was recorded is kept."));
            expectStill("it has ended");
            panel.setLastResult({});
            expectStill("that is not said any more");
        }
    }
}

TEST_F(RunPanelTest, WhetherItFitsIsReadableAtTheLeastWidth) {
    constexpr std::int64_t kGiB = std::int64_t{1} << 30;
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
                EXPECT_TRUE(said.startsWith(begin)) << said.toStdString();
            }
        }
    }
    panel.setDevices({{"cpu", "Test CPU", Bytes(4 * kGiB), Bytes(2 * kGiB), 2}});
    config = configOf("tiny");
    config.model = "custom";
    config.shape.vocabulary = 10'000'000;
    config.batch = 256;
    panel.setConfig(config);
    EXPECT_TRUE(text("estimateFits").contains(QRegularExpression(QStringLiteral("needs [0-9],[0-9]{3} × "))))
        << text("estimateFits").toStdString();
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
    const Estimate estimate = estimateRun(test::valid(config));
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
    RunConfig config;
    config.model = "custom";
    config.shape = {0, 0, 0, 0, 0};
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
        EXPECT_TRUE(said.text().endsWith(QStringLiteral("marked at their fields.")));
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
    panel.setDevices({{"cpu", "Small CPU", Bytes(std::int64_t{2} << 30), Bytes(std::int64_t{1} << 30), 2}});
    panel.setConfig(configOf("medium"));
    auto& card = child<EstimateCard>("estimateCard");
    EXPECT_EQ(card.fit(), Fit::kTooLarge);
    EXPECT_EQ(card.warning().toStdString(),
              fitSentence(estimateRun(test::valid(configOf("medium"))).memory, Bytes(std::int64_t{1} << 30)));
    EXPECT_TRUE(text("estimateFits").startsWith(QStringLiteral("Does not fit: needs ")));
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
    EXPECT_TRUE(text("estimateFits").endsWith(QStringLiteral("of the 139\u202FGiB available")));

    panel.setLastResult(QStringLiteral("Finished: 3 steps."));
    panel.setDevices({cpu, gpu(2 * kGiB)});  // asked again: somebody else has taken most of it
    EXPECT_EQ(panel.config().device, "cuda:0");
    EXPECT_FALSE(child<QLabel>("lastResult").isHidden()) << "nobody has edited anything";
    EXPECT_EQ(card.fit(), Fit::kTooLarge);
    EXPECT_TRUE(text("estimateFits").endsWith(QStringLiteral("× the 2.00\u202FGiB others leave free")));
    EXPECT_TRUE(card.warning().endsWith(QStringLiteral("138\u202FGiB of the device are in use already.")));
    renderWidget(panel, {272, 900}, 1);
    EXPECT_LE(panel.minimumSizeHint().width(), 272);

    panel.setDevices({cpu});  // it has gone, and the choice stays as it was made
    EXPECT_EQ(panel.config().device, "cuda:0");
    EXPECT_EQ(card.fit(), Fit::kUnknown);
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
    const auto rightOf = [this](const char* name) {
        const auto& widget = child<QWidget>(name);
        return widget.mapTo(&panel, widget.rect().bottomRight()).x();
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
        EXPECT_EQ(rightOf("steps"), rightOf("estimateCard"))
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

}  // namespace
}  // namespace warpglass::ui
