#include <gtest/gtest.h>

#include <QPainter>
#include <QSignalSpy>
#include <QStyleOptionButton>
#include <QTest>
#include <QToolButton>

#include "ui/controls/combo_box.h"
#include "ui/controls/number_field.h"
#include "ui/controls/segmented_control.h"
#include "ui/controls/stacked_bar.h"
#include "ui/theme/theme.h"
#include "ui/theme/warpglass_style.h"

namespace warpglass::ui::fields_test {

TEST(SegmentedControl, ClickChoosesOne) {
    SegmentedControl control({"fp32", "bf16"});
    EXPECT_EQ(control.current(), -1);
    control.setCurrent(0);
    QSignalSpy chosen(&control, &SegmentedControl::chosen);
    QTest::mouseClick(control.button(1), Qt::LeftButton);
    EXPECT_EQ(control.current(), 1);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toInt(), 1);
    EXPECT_FALSE(control.button(0)->isChecked());
    control.setCurrent(0);
    EXPECT_EQ(chosen.count(), 1) << "setCurrent() is not a person";
    control.setCurrent(-1);
    EXPECT_EQ(control.current(), -1);
    EXPECT_EQ(control.sizeHint().height(), Metrics::kControlHeight);
}

TEST(SegmentedControl, ArrowKeysMoveTheChoice) {
    SegmentedControl control({"a", "b", "c"});
    control.setCurrent(0);
    control.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&control, 60'000));
    control.button(0)->setFocus();
    QTest::keyClick(control.button(0), Qt::Key_Right);
    EXPECT_EQ(control.current(), 1);
}

TEST(NumberField, HoldsWhatIsTypedAndNothingElse) {
    NumberField field("tokens", NumberField::Steps::kByTwo);
    QSignalSpy edited(&field, &NumberField::valueEdited);
    QTest::keyClicks(&field, "5x1-2");
    EXPECT_EQ(field.value(), 512u);
    EXPECT_GT(edited.count(), 0);
    field.clear();
    EXPECT_FALSE(field.value().has_value());
    field.setText("99999999999999999999");
    EXPECT_FALSE(field.value().has_value()) << "more than 64 bits";
    field.setValue(18446744073709551615u);
    EXPECT_EQ(field.value(), 18446744073709551615u);
}

TEST(NumberField, UpAndDownStep) {
    NumberField sizes({}, NumberField::Steps::kByTwo);
    sizes.setValue(128);
    QTest::keyClick(&sizes, Qt::Key_Up);
    EXPECT_EQ(sizes.value(), 256u);
    sizes.setValue(1);
    QTest::keyClick(&sizes, Qt::Key_Down);
    EXPECT_EQ(sizes.value(), 1u);
    NumberField counts({}, NumberField::Steps::kByOne);
    counts.setValue(0);
    QTest::keyClick(&counts, Qt::Key_Down);
    EXPECT_EQ(counts.value(), 0u);
    QTest::keyClick(&counts, Qt::Key_Up);
    EXPECT_EQ(counts.value(), 1u);
    counts.setValue(18446744073709551615u);
    QTest::keyClick(&counts, Qt::Key_Up);
    EXPECT_EQ(counts.value(), 18446744073709551615u) << "does not wrap around";
}

TEST(NumberField, IsAsHighAsTheOtherControls) {
    NumberField field("steps", NumberField::Steps::kByOne);
    ComboBox box;
    field.ensurePolished();
    box.ensurePolished();
    EXPECT_EQ(field.sizeHint().height(), Metrics::kControlHeight);
    EXPECT_EQ(box.sizeHint().height(), Metrics::kControlHeight);
}

TEST(CheckBox, IsToldFromThePanelInEitherThemeTickedOrNot) {
    const ThemeKind before = Theme::instance().kind();
    WarpglassStyle style;
    for (const ThemeKind kind : {ThemeKind::kDark, ThemeKind::kLight}) {
        Theme::instance().setKind(kind);
        const QColor panel = Theme::instance().colors().panel;
        for (const QStyle::StateFlag ticked : {QStyle::State_Off, QStyle::State_On}) {
            QImage image(16, 16, QImage::Format_RGB32);
            image.fill(panel);
            QPainter painter(&image);
            QStyleOptionButton option;
            option.rect = QRect(0, 0, 16, 16);
            option.state = QStyle::State_Enabled | ticked;
            style.drawPrimitive(QStyle::PE_IndicatorCheckBox, &option, &painter);
            painter.end();
            EXPECT_GE(Theme::contrast(QColor(image.pixel(8, 0)), panel), 2.9) << "its upper edge";
        }
    }
    Theme::instance().setKind(before);
}

TEST(StackedBar, PartsTakeTheirShare) {
    StackedBar bar;
    bar.setParts({{Qt::red, 3, {}}, {Qt::blue, 0, {}}, {Qt::green, 1, {}}});
    bar.resize(200, 6);
    const QImage image = bar.grab().toImage();
    int red = 0, green = 0;
    for (int x = 0; x < image.width(); ++x) {
        const QColor pixel = image.pixelColor(x, image.height() / 2);
        red += pixel == QColor(Qt::red);
        green += pixel == QColor(Qt::green);
        EXPECT_NE(pixel, QColor(Qt::blue));
    }
    EXPECT_NEAR(static_cast<double>(red) / image.width(), 0.75, 0.02);
    EXPECT_NEAR(static_cast<double>(green) / image.width(), 0.25, 0.02);
}

}  // namespace warpglass::ui::fields_test
