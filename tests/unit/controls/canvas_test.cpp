#include "ui/controls/canvas.h"

#include <gtest/gtest.h>

#include <QPainter>
#include <QSignalSpy>

#include "tests/support/gestures.h"

namespace warpglass::ui::canvas_test {

/// Three bars side by side, and one that lies in the second.
class Bars : public Canvas {
public:
    Bars() { resize(300, 50); }
    int markCount() const override { return count; }
    QRectF markRect(int mark) const override {
        return mark == 3 ? QRectF(120, 10, 20, 20) : QRectF(100 * mark, 0, 99, 50);
    }
    QString toolTipOf(int mark) const override { return QStringLiteral("<b>%1</b> %2").arg(name).arg(mark); }
    using Canvas::invalidate, Canvas::redraw;

    int count = 4, pictures = 0;
    int selected = -1;
    QString name = QStringLiteral("bar");

protected:
    void paintPicture(QPainter& painter) override {
        ++pictures;
        painter.fillRect(markRect(0), Qt::red);
    }
    void paintHighlight(QPainter& painter, int mark, bool chosen) override {
        painter.fillRect(markRect(mark), chosen ? Qt::green : Qt::blue);
    }
    bool isSelected(int mark) const override { return mark == selected; }
};

QColor at(Bars& bars, QPoint point) {
    return bars.grab().toImage().pixelColor(point);
}

TEST(Canvas, ThePictureIsKeptWhileThePointerMovesOverIt) {
    Bars bars;
    EXPECT_EQ(at(bars, {50, 25}), QColor(Qt::red));
    test::movePointer(bars, {50, 25});
    EXPECT_EQ(bars.hovered(), 0);
    EXPECT_EQ(at(bars, {50, 25}), QColor(Qt::blue));
    test::movePointer(bars, {130, 20});
    EXPECT_EQ(bars.hovered(), 3) << "the smallest that is there";
    EXPECT_EQ(at(bars, {50, 25}), QColor(Qt::red));
    EXPECT_EQ(bars.pictures, 1);
    bars.redraw();
    at(bars, {50, 25});
    EXPECT_EQ(bars.pictures, 2);
    EXPECT_EQ(bars.hovered(), 3) << "the marks are the same";
    bars.resize(310, 50);
    at(bars, {50, 25});
    EXPECT_EQ(bars.pictures, 3);
    bars.setChosen(3);
    bars.count = 3;
    bars.invalidate();
    EXPECT_EQ(bars.hovered(), -1);
    EXPECT_EQ(bars.chosen(), -1) << "it is gone";
}

TEST(Canvas, WhatIsSelectedIsSeenBesideWhatIsChosen) {
    Bars bars;
    bars.setChosen(1);
    bars.selected = 2;
    EXPECT_EQ(at(bars, {150, 40}), QColor(Qt::green));
    EXPECT_EQ(at(bars, {250, 25}), QColor(Qt::green));
    EXPECT_EQ(at(bars, {50, 25}), QColor(Qt::red));
    EXPECT_EQ(bars.accessibleDescription(), QStringLiteral("bar 1")) << "without its markup";
    bars.name = QStringLiteral("column");
    bars.invalidate();
    EXPECT_EQ(bars.accessibleDescription(), QStringLiteral("column 1")) << "as the tool tip";
    bars.count = 1;
    bars.invalidate();
    EXPECT_EQ(bars.accessibleDescription(), QString());
}

TEST(Canvas, KeysWalkActAndLetGo) {
    Bars bars;
    const auto press = [](Bars& in, Qt::Key key) { return test::takesKey(in, key); };
    QSignalSpy activated(&bars, &Canvas::markActivated);
    EXPECT_FALSE(press(bars, Qt::Key_Escape)) << "there is nothing to let go of";
    EXPECT_FALSE(press(bars, Qt::Key_Backspace));
    EXPECT_TRUE(press(bars, Qt::Key_Right));
    EXPECT_EQ(bars.chosen(), 0);
    EXPECT_TRUE(press(bars, Qt::Key_End));
    EXPECT_TRUE(press(bars, Qt::Key_Right));
    EXPECT_EQ(bars.chosen(), 3);
    EXPECT_TRUE(press(bars, Qt::Key_Return));
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated.front().front().toInt(), 3);
    EXPECT_TRUE(press(bars, Qt::Key_Escape));
    EXPECT_EQ(bars.chosen(), -1);
    bars.setEmptyText(QStringLiteral("Nothing is here"));
    EXPECT_FALSE(press(bars, Qt::Key_Right));
    EXPECT_FALSE(press(bars, Qt::Key_Return));
}

TEST(Canvas, AToolTipIsOfWhatIsUnderThePointer) {
    Bars bars;
    EXPECT_EQ(test::toolTipAt(bars, {250, 25}), QStringLiteral("<b>bar</b> 2"));
    bars.setEmptyText(QStringLiteral("Nothing is here"));
    EXPECT_NE(test::toolTipAt(bars, {150, 25}), QStringLiteral("<b>bar</b> 1")) << "no bar is drawn";
}

TEST(Canvas, SaysWhetherItIsSeen) {
    Bars bars;
    QSignalSpy seen(&bars, &Canvas::seen);
    bars.show();
    bars.hide();
    ASSERT_EQ(seen.count(), 2);
    EXPECT_TRUE(seen[0][0].toBool());
    EXPECT_FALSE(seen[1][0].toBool());
}

}  // namespace warpglass::ui::canvas_test
