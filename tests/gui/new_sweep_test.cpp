// New Sweep, the dialog: values ticked or typed, what they come to, and what may be started.
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include "engine/sweep/grid.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/has_text.h"
#include "tests/support/must.h"
#include "ui/sweep/new_sweep_dialog.h"
#include "ui/sweep/setting_ticks.h"

namespace warpglass::app::new_sweep_test {

class NewSweep : public WindowTest {};

TEST_F(NewSweep, IsTickedTogetherAndSaysWhatItComesTo) {
    RunConfig base = tinyRun(2);
    ui::NewSweepDialog dialog(base, m_window.get());
    dialog.show();
    EXPECT_FALSE(dialog.plan());
    EXPECT_TRUE(dialog.forecastText().contains("second value"));
    auto* start = dialog.findChild<QPushButton*>("sweepStart");
    EXPECT_FALSE(start->isEnabled());
    dialog.ticksOf("context")->setValues({"16", "32", "64"});
    ui::SettingTicks* attention = dialog.ticksOf("attention");
    ASSERT_TRUE(attention->hasTicks());
    const auto boxes = attention->findChildren<QAbstractButton*>();
    ASSERT_GE(boxes.size(), 2);
    for (QAbstractButton* box : boxes.mid(0, 2)) {
        if (!box->isChecked())
            click(box);
    }
    dialog.showForecast();
    const auto plan = test::must(dialog.plan());
    ASSERT_EQ(plan.axes.size(), 2U);
    EXPECT_EQ(cellCount(plan), 3 * static_cast<int>(attention->values().size()));
    EXPECT_THAT(dialog.forecastText(),
                test::BeginsWith(QStringLiteral("%1 cells").arg(3 * attention->values().size())));
    EXPECT_TRUE(start->isEnabled());
    // Another model comes with its own sizes.
    dialog.ticksOf("model")->setValues({"small"});
    const auto other = test::must(dialog.plan());
    EXPECT_EQ(other.base.shape, *presetShape("small"));
    dialog.ticksOf("context")->setValues({"16", "sixteen"});
    dialog.showForecast();
    EXPECT_FALSE(dialog.plan());
    EXPECT_FALSE(start->isEnabled());
    dialog.ticksOf("context")->setValues({});
    EXPECT_EQ(dialog.plan().message(), "The context length needs a value.");
}

TEST_F(NewSweep, IsWeighedBesideTheTypingAndStartsOnceThatIsDone) {
    ui::NewSweepDialog dialog(tinyRun(2), m_window.get());
    dialog.show();
    auto* start = dialog.findChild<QPushButton*>("sweepStart");
    auto* context = dialog.ticksOf("context")->findChild<QLineEdit*>();
    auto* batch = dialog.ticksOf("batch")->findChild<QLineEdit*>();
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    const auto numbers = [](int count) {
        QStringList list;
        for (int i = 1; i <= count; ++i)
            list << QString::number(i);
        return list.join(QLatin1Char(','));
    };
    context->setText(numbers(100));
    batch->setText(numbers(100));
    EXPECT_FALSE(start->isEnabled()) << "what it comes to is not known yet";
    QTest::keyClick(batch, Qt::Key_Return);
    EXPECT_TRUE(accepted.isEmpty());
    ASSERT_TRUE(waitFor([&] { return dialog.forecastText().startsWith("10,000 cells · "); }));
    // What is typed meanwhile is what counts in the end.
    context->selectAll();
    QTest::keyClicks(context, "16,32");
    EXPECT_EQ(context->text(), "16,32");
    ASSERT_TRUE(waitFor([&] { return dialog.isSettled(); }));
    EXPECT_THAT(dialog.forecastText(), test::BeginsWith("200 cells · "));
    EXPECT_TRUE(start->isEnabled());
    QTest::keyClicks(context, ",x");
    QTest::keyClick(context, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return dialog.isSettled(); }));
    QTest::keyClick(context, Qt::Key_Return);
    EXPECT_TRUE(accepted.isEmpty()) << dialog.forecastText().toStdString();
    QTest::keyClick(context, Qt::Key_Backspace);
    QTest::keyClick(context, Qt::Key_Backspace);
    ASSERT_TRUE(waitFor([&] { return dialog.isSettled(); }));
    EXPECT_TRUE(start->isEnabled()) << dialog.forecastText().toStdString();
    EXPECT_TRUE(start->isDefault());
    QTest::keyClick(context, Qt::Key_Return);
    EXPECT_EQ(accepted.size(), 1);
    dialog.show();
    QTest::keyClick(context, Qt::Key_Escape);
    EXPECT_FALSE(dialog.isVisible());
}

TEST_F(NewSweep, GraysWhatDoesNotApplyAndSaysWhy) {
    ui::NewSweepDialog dialog(tinyRun(2), m_window.get());
    dialog.show();
    auto* layers = dialog.ticksOf("layers");
    auto* headDim = dialog.ticksOf("head-dim");
    ASSERT_TRUE(layers && headDim);
    EXPECT_TRUE(layers->applies());
    EXPECT_FALSE(headDim->applies());
    EXPECT_FALSE(headDim->findChild<QLineEdit*>()->isEnabled());
    EXPECT_THAT(headDim->toolTip(), test::HasText("workload"));
    EXPECT_FALSE(dialog.ticksOf("memory-limit")->applies()) << "on the CPU";
    EXPECT_TRUE(dialog.ticksOf("memory-limit")->toolTip().contains("LibTorch"));
    dialog.ticksOf("context")->setValues({"16", "32"});
    dialog.ticksOf("workload")->setValues({"attention"});
    EXPECT_FALSE(layers->applies());
    EXPECT_TRUE(headDim->applies());
    const auto plan = test::must(dialog.plan());
    EXPECT_TRUE(plan.base.isAttention());
    dialog.ticksOf("workload")->setValues({"transformer", "attention"});
    EXPECT_TRUE(layers->applies());
    EXPECT_TRUE(headDim->applies());
    // A shuffled order is told by its seed.
    auto* order = dialog.findChild<QComboBox*>("sweepOrder");
    auto* seed = dialog.findChild<QSpinBox*>("sweepSeed");
    EXPECT_FALSE(seed->isVisible());
    order->setFocus();
    QTest::keyClick(order, Qt::Key_End);
    EXPECT_TRUE(seed->isVisible());
    seed->setValue(7);
    dialog.ticksOf("workload")->setValues({"transformer"});
    ASSERT_TRUE(dialog.plan()) << dialog.plan().message();
    EXPECT_EQ(dialog.plan()->shuffleSeed, 7U);
    QTest::keyClick(order, Qt::Key_Home);
    EXPECT_EQ(dialog.plan()->shuffleSeed, 0U);
}

TEST_F(NewSweep, WhatIsOfNoUseOnTheDeviceForbidsNothing) {
    RunConfig base = tinyRun(2);
    base.device = "cuda:0";
    base.memoryLimit = Bytes(600 << 20);
    ui::NewSweepDialog dialog(base, m_window.get());
    dialog.show();
    dialog.ticksOf("context")->setValues({"16", "32"});
    EXPECT_TRUE(dialog.ticksOf("memory-limit")->applies());
    dialog.ticksOf("device")->setValues({"cpu"});
    EXPECT_FALSE(dialog.ticksOf("memory-limit")->applies());
    const auto plan = test::must(dialog.plan());
    EXPECT_EQ(plan.base.memoryLimit, RunConfig().memoryLimit);
}

TEST_F(NewSweep, KeepsMemorySnapshotsBesideTheRunsOfAGpu) {
    RunConfig base = tinyRun(2);
    base.device = "cuda:0";
    ui::NewSweepDialog dialog(base, m_window.get());
    dialog.show();
    dialog.ticksOf("context")->setValues({"16", "32"});
    auto* snapshots = dialog.findChild<QCheckBox*>("sweepSnapshots");
    ASSERT_TRUE(dialog.plan()) << dialog.plan().message();
    EXPECT_FALSE(dialog.plan()->memorySnapshots);
    ASSERT_TRUE(snapshots->isEnabled());
    click(snapshots);
    ASSERT_TRUE(dialog.plan()) << dialog.plan().message();
    EXPECT_TRUE(dialog.plan()->memorySnapshots);
    dialog.ticksOf("device")->setValues({"cpu"});
    EXPECT_FALSE(snapshots->isEnabled());
    EXPECT_FALSE(snapshots->toolTip().isEmpty());
    ASSERT_TRUE(dialog.plan()) << dialog.plan().message();
    EXPECT_FALSE(dialog.plan()->memorySnapshots);
}

}  // namespace warpglass::app::new_sweep_test
