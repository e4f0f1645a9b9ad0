// The head of a figure: title, finding and settings over the view, and what becomes of them in little room.
#include "ui/figures/figure_head.h"

#include <gtest/gtest.h>

#include <QImageReader>

#include "tests/unit/figures/figure_fixture.h"

namespace warpglass::ui::figure_head_test {

const Heading kHeading{"Timeline", "The GPU was busy for 58% of step 1; it waited for the host for 38%."};
const QString kWords = QStringLiteral("Kernels · measured steps"),
              kCaption = QStringLiteral("small · bf16 · NVIDIA H200");

class PlainWithFinding : public Plain, public Headed {
public:
    using Plain::Plain;
    Heading heading() const override { return {{}, kHeading.finding}; }
};

TEST(FigureHead, HasTitleFindingAndChipsThatDoNotOverlap) {
    const FigureHead head = layFigureHead(kHeading, kWords, kCaption, QSize(900, 600));
    EXPECT_TRUE(head.saysCaption);
    ASSERT_EQ(head.chips.size(), 5);
    EXPECT_GT(head.finding.place.top(), head.title.place.bottom());
    for (qsizetype i = 0; i < head.chips.size(); ++i) {
        const FigureHead::Text& chip = head.chips[i];
        EXPECT_EQ(chip.ofView, i < 2) << "the view's settings stand beside its title";
        EXPECT_LT(chip.place.right(), 900);
        EXPECT_LT(chip.place.bottom(), head.height);
        EXPECT_FALSE(chip.place.intersects(head.title.place) || chip.place.intersects(head.finding.place));
        for (qsizetype other = 0; other < i; ++other)
            EXPECT_FALSE(chip.place.intersects(head.chips[other].place));
    }
}

TEST(FigureHead, InAFewPixelsKeepsTheTitle) {
    const FigureHead narrow = layFigureHead(kHeading, kWords, kCaption.repeated(12), QSize(300, 600));
    EXPECT_FALSE(narrow.saysCaption) << "many rows of chips are a caption's text";
    EXPECT_GT(narrow.finding.place.height(), 30) << "the finding wraps";
    const FigureHead named = layFigureHead({kCaption.repeated(3), {}}, {}, {}, QSize(300, 600));
    EXPECT_GT(named.title.place.height(), 30) << "and so does a title of names";
    const FigureHead low = layFigureHead(kHeading, kWords, kCaption, QSize(300, 120));
    EXPECT_FALSE(low.title.text.isEmpty());
    EXPECT_TRUE(low.finding.text.isEmpty());
    EXPECT_LT(low.height, 60);
    // A setting that is wider than the figure is no chip.
    const FigureHead words =
        layFigureHead(kHeading, QStringLiteral("many words in one part ").repeated(9), {}, QSize(300, 600));
    EXPECT_TRUE(words.chips.isEmpty());
    EXPECT_GT(words.words.text.count(QLatin1Char('\n')), 1);
}

TEST(FigureHead, ANarrowAndHighFigureHasChipsToo) {
    EXPECT_FALSE(layFigureHead(kHeading, {}, kCaption.repeated(4), QSize(300, 600)).saysCaption);
    EXPECT_TRUE(layFigureHead(kHeading, {}, kCaption.repeated(4), QSize(300, 900)).saysCaption);
}

TEST(FigureHead, WhatBecameOfASettingIsSaidOnce) {
    const FigureHead head =
        layFigureHead(kHeading, "precision fp32 → bf16 · batch 2 → 4 · warm-up 2 → 4 · layers 1 → 2",
                      "small, context 1 → 256, batch 2 → 4 · fp32 → bf16", QSize(900, 600));
    QStringList chips;
    for (const FigureHead::Text& chip : head.chips)
        chips << chip.text;
    EXPECT_EQ(chips, QStringList({"warm-up 2 → 4", "layers 1 → 2", "small, context 1 → 256, batch 2 → 4",
                                  "fp32 → bf16"}));
}

TEST_F(FigureTest, AHeadSaysWhatTheFigureShows) {
    PlainWithFinding view(Qt::red);
    const FigureSize size{QSize(900, 600), 96};
    const FigureSource without{&view, nullptr, kCaption},
        with{&view, nullptr, kCaption, false, kHeading.title};
    EXPECT_FALSE(figureSvg(without, size).contains("The GPU was busy"));
    const QString svg = QString::fromUtf8(figureSvg(with, size));
    EXPECT_TRUE(svg.contains("<title>Timeline</title>"));
    EXPECT_TRUE(svg.contains(QStringLiteral("<desc>") + kHeading.finding));
    for (const QString& text : {kHeading.title, kHeading.finding, QStringLiteral("bf16")})
        EXPECT_TRUE(svg.contains(QLatin1Char('>') + text + QStringLiteral("</text>"))) << text.toStdString();

    ASSERT_TRUE(saveFigure(with, size, 1, file("a.png")));
    EXPECT_EQ(QImageReader(file("a.png")).text("Description"),
              kHeading.finding + QLatin1Char(' ') + kCaption);
}

}  // namespace warpglass::ui::figure_head_test
