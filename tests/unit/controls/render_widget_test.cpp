#include <gtest/gtest.h>

#include <QLabel>
#include <QVBoxLayout>

#include "ui/controls/refresh.h"

namespace warpglass::ui::render_widget_test {

class Counting : public QLabel, public Refreshable {
public:
    using QLabel::QLabel;
    void refreshNow() override {
        ++refreshed;
        setText("computed");
    }
    int refreshed = 0;
};

TEST(RenderWidget, HasTheSizeAndTheRatioAskedFor) {
    QLabel label("text");
    for (const qreal ratio : {1.0, 1.5, 2.0}) {
        const QImage image = renderWidget(label, {300, 120}, ratio);
        EXPECT_EQ(image.size(), QSize(300, 120) * ratio);
        EXPECT_EQ(image.devicePixelRatio(), ratio);
    }
    EXPECT_FALSE(label.isVisible());
}

TEST(RenderWidget, RefreshesWhatWasNeverShownAndLaysItOut) {
    QWidget outer;
    auto* layout = new QVBoxLayout(&outer);
    auto* inner = new Counting(&outer);
    layout->addWidget(inner);
    renderWidget(outer, {200, 80}, 1);
    EXPECT_GE(inner->refreshed, 1);
    EXPECT_GT(inner->width(), 150) << "the layout was done at the size asked for";
    const QSize before = outer.size();
    renderWidget(outer, {500, 80}, 1);
    EXPECT_EQ(outer.size(), before) << "put back";
}

}  // namespace warpglass::ui::render_widget_test
