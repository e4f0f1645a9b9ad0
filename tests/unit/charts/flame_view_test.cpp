// The flame charts over real runs.
#include <QBuffer>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/base/format.h"
#include "tests/support/has_text.h"
#include "tests/support/trace_text.h"
#include "tests/unit/charts/shown_view.h"
#include "ui/charts/flame_chart.h"
#include "ui/charts/flame_view.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/legend.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::flame_view_test {

TEST(FlameView, AClickZoomsAndBackspaceEscAndThePathGoUp) {
    Shown<FlameView> shown(openSampleRun("small-bf16-naive"), FlameTree::Subject::kTime);
    shown.choose("flameBlocks", 0);
    shown.view.refreshNow();
    FlameChart& chart = shown.view.chart();
    const FlameTree& tree = chart.tree();
    const auto markOf = [&](const std::string& path) {
        for (int mark = 0; mark < chart.markCount(); ++mark) {
            const FlameBlock& block = chart.blocks()[static_cast<std::size_t>(mark)];
            if (!block.merged() && tree.pathOf(block.node) == path)
                return mark;
        }
        return -1;
    };
    const auto zoomed = [&] { return tree.pathOf(chart.zoomed()); };
    const auto* finding = shown.view.findChild<QLabel*>("chartFinding");
    EXPECT_TRUE(finding->isVisible() && finding->text().startsWith("Backward takes "))
        << "of the whole, what it shows";
    EXPECT_TRUE(shown.view.path().isEmpty());
    const int top = chart.y();
    shown.click(chart, markOf("backward"));
    EXPECT_EQ(zoomed(), "backward");
    EXPECT_FALSE(finding->isVisible());
    EXPECT_EQ(chart.y(), top) << "the path has the place of what was found";
    shown.click(chart, markOf("backward › blocks.3"));
    EXPECT_EQ(zoomed(), "backward › blocks.3");
    EXPECT_THAT(shown.view.path(), test::BeginsWith("GPU time per step › backward › blocks.3"));
    const int mark = markOf("backward › blocks.3");
    EXPECT_EQ(chart.chosen(), mark);
    EXPECT_GT(chart.markRect(mark).width(), 1100) << "across the whole width";
    QTest::keyClick(&chart, Qt::Key_Backspace);
    EXPECT_EQ(zoomed(), "backward");
    QTest::keyClick(&chart, Qt::Key_Down);
    const std::string below = tree.pathOf(chart.blocks()[static_cast<std::size_t>(chart.chosen())].node);
    EXPECT_TRUE(below.starts_with("backward › blocks.")) << below;
    QTest::keyClick(&chart, Qt::Key_Return);
    EXPECT_EQ(zoomed(), below);
    QTest::keyClick(&chart, Qt::Key_Escape);
    EXPECT_EQ(chart.zoomed(), 0u);
    // An ancestor's block leads back to it.
    shown.click(chart, markOf("forward"));
    shown.click(chart, 0);
    EXPECT_EQ(chart.zoomed(), 0u);
}

TEST(FlameView, OnATallScreenRowsAreTaller) {
    Shown<FlameView> shown(openSampleRun("small-bf16-naive"), FlameTree::Subject::kTime);
    FlameChart& chart = shown.view.chart();
    for (const int height : {700, 2100}) {
        chart.resize(1200, height);
        const int rows = static_cast<int>(chart.tree().depth) + 1;
        const double filled = chart.markRect(chart.markCount() - 1).bottom() + 1 - chart.markRect(0).top();
        EXPECT_LE(filled, height);
        if (height == 2100) {
            EXPECT_GE(filled, 0.9 * height * std::min(1.0, rows / 10.0));
        }
    }
}

TEST(FlameView, BlocksSayWhatTheyAreAndHowMuchInRowsThatFillTheHeight) {
    for (const auto subject : {FlameTree::Subject::kTime, FlameTree::Subject::kMemory}) {
        Shown<FlameView> shown(openSampleRun("xl-bf16-step"), subject);
        FlameChart& chart = shown.view.chart();
        chart.resize(1120, 600);
        QBuffer svg;
        QSvgGenerator generator;
        generator.setOutputDevice(&svg);
        generator.setSize(chart.size());
        chart.render(&generator);
        const QString drawn = QString::fromUtf8(svg.data());
        std::map<QString, int> figures;
        double bottom = 0, lowest = 1000, highest = 0;
        for (int mark = 0; mark < chart.markCount(); ++mark) {
            const FlameBlock& block = chart.blocks()[static_cast<std::size_t>(mark)];
            const QRectF rect = chart.markRect(mark);
            bottom = std::max(bottom, rect.bottom());
            lowest = std::min(lowest, rect.height());
            highest = std::max(highest, rect.height());
            if (!block.merged() && block.width >= FlamePainter::kNarrowestUpward)
                ++figures[chart.text(chart.tree().nodes[block.node].value)];
        }
        EXPECT_GT(figures.size(), 10U);
        for (const auto& [figure, blocks] : figures)
            EXPECT_GE(drawn.count(QRegularExpression("(?<![0-9.])" + QRegularExpression::escape(figure))),
                      blocks)
                << figure.toStdString();
        EXPECT_EQ(drawn.contains("gemm + copy"), subject == FlameTree::Subject::kTime)
            << "both kernels that are too narrow";
        EXPECT_TRUE(drawn.contains(QRegularExpression("[23] more<(?:(?!<text).)*<text[^>]*>\\s*· [0-9.]+",
                                                      QRegularExpression::DotMatchesEverythingOption)));
        EXPECT_NEAR(bottom, 600 - 12, 10);
        EXPECT_GT(highest, 3 * lowest) << "names across take a line, and names upward their length";
    }
}

TEST(FlameView, WidthsAreInProportionAndTipsExact) {
    Shown<FlameView> shown(openSampleRun("small-bf16-naive"), FlameTree::Subject::kTime);
    const FlameChart& chart = shown.view.chart();
    const FlameTree& tree = chart.tree();
    const double whole = chart.markRect(0).width();
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        const FlameBlock& block = chart.blocks()[static_cast<std::size_t>(mark)];
        if (!block.merged()) {
            EXPECT_NEAR(chart.markRect(mark).width(), whole * tree.shareOfAll(block.node), 2);
        }
    }
    int backward = 0;
    while (tree.nodes[chart.blocks()[static_cast<std::size_t>(backward)].node].name != "backward")
        ++backward;
    const auto ns =
        static_cast<double>(tree.nodes[chart.blocks()[static_cast<std::size_t>(backward)].node].value) / 3;
    EXPECT_THAT(chart.toolTipOf(backward),
                test::HasText(QString::fromStdString(formatGrouped(std::llround(ns)))));
}

TEST(FlameView, NothingStandsBesideTheChart) {
    for (const char* run : {"xl-bf16-step", "small-bf16-naive"}) {
        Shown<FlameView> shown(openSampleRun(run), FlameTree::Subject::kTime);
        FlameChart& chart = shown.view.chart();
        for (int width = 600; width < 1400; width += 13) {
            chart.resize(width, 600);
            ASSERT_GT(chart.markCount(), 10);
            // The first is across the whole width.
            const QRectF whole = chart.markRect(0);
            for (int mark = 0; mark < chart.markCount(); ++mark) {
                const QRectF rect = chart.markRect(mark);
                EXPECT_GE(rect.left(), whole.left());
                EXPECT_LE(rect.right(), whole.right() + 1) << mark << " at " << width;
            }
        }
    }
}

TEST(FlameView, SearchSaysHowMuchIsFoundAndKeepsTheZoomWhenBlocksAreMerged) {
    Shown<FlameView> shown(openSampleRun("small-bf16-naive"), FlameTree::Subject::kTime);
    FlameChart& chart = shown.view.chart();
    auto* search = shown.view.findChild<QLineEdit*>("flameSearch");
    QTest::keyClicks(search, "SOFTMAX");
    std::int64_t expected = 0;
    for (std::uint32_t i = 0; i < chart.tree().nodes.size(); ++i) {
        bool above = false;
        for (std::uint32_t up = chart.tree().nodes[i].parent; up != 0; up = chart.tree().nodes[up].parent)
            above =
                above ||
                QString::fromStdString(chart.tree().nodes[up].name).contains("softmax", Qt::CaseInsensitive);
        if (!above && i != 0 &&
            QString::fromStdString(chart.tree().nodes[i].name).contains("softmax", Qt::CaseInsensitive))
            expected += chart.tree().nodes[i].value;
    }
    EXPECT_GT(expected, 0);
    EXPECT_EQ(chart.foundValue(), expected);
    // Esc in the search takes it away and goes to the chart.
    QTest::keyClick(search, Qt::Key_Escape);
    EXPECT_TRUE(search->text().isEmpty());

    shown.click(chart, 2);
    const std::string path = chart.tree().pathOf(chart.zoomed());
    ASSERT_FALSE(path.empty());
    shown.choose("flameBlocks", 0);
    shown.view.refreshNow();
    EXPECT_EQ(chart.tree().pathOf(chart.zoomed()), path) << "a phase is in either tree";
}

TEST(FlameView, ColorsStandForFamiliesAloneAndTheLegendHasThem) {
    Shown<FlameView> shown(openSampleRun("small-bf16-naive"), FlameTree::Subject::kTime);
    const FlameChart& chart = shown.view.chart();
    std::set<OpFamily> families;
    std::map<std::uint32_t, std::set<QRgb>> groups;  // the colors of what groups, by depth
    for (std::uint32_t i = 0; i < chart.tree().nodes.size(); ++i) {
        const FlameNode& node = chart.tree().nodes[i];
        if (node.kind == FlameKind::kOp || node.kind == FlameKind::kKernel)
            families.insert(node.family);
        else if (node.kind != FlameKind::kAll)
            groups[node.depth].insert(chart.colorOf(i).rgb());
    }
    ASSERT_FALSE(groups.empty());
    for (const auto& [depth, colors] : groups)
        EXPECT_LE(colors.size(), 2U) << "two tones of one gray in all phases, at depth " << depth;
    const auto* legend = shown.view.findChild<LegendStrip*>();
    ASSERT_TRUE(legend);
    ASSERT_TRUE(chart.folds());
    ASSERT_EQ(legend->entries().size(), families.size() + 1) << "the last is what folded ones look like";
    std::size_t entry = 0;
    double whole = 0;
    for (const OpFamily family : families) {
        EXPECT_EQ(legend->entries()[entry].color, Theme::instance().familyColor(family));
        const QString share = legend->entries()[entry++].name.section(QLatin1Char(' '), -1);
        EXPECT_TRUE(share.endsWith(QLatin1Char('%'))) << share.toStdString();
        whole += share.chopped(1).toDouble();
    }
    EXPECT_NEAR(whole, 100, 3) << "all of the time is that of some family";
}

TEST(FlameView, NarrowBlocksAreFoldedAndAClickOpensTheirParent) {
    Shown<FlameView> shown(openSampleRun("xl-bf16-step"), FlameTree::Subject::kTime);
    FlameChart& chart = shown.view.chart();
    chart.resize(1096, 517);
    int folded = -1;
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        const FlameBlock& block = chart.blocks()[static_cast<std::size_t>(mark)];
        if (block.merged() && block.row > 2 && folded < 0)
            folded = mark;
        // Nothing but the root's own children is narrower than a name from bottom to top, or one alone.
        if (!block.merged() && block.row > 1 && block.width < FlamePainter::kNarrowestUpward) {
            const FlameNode& parent = chart.tree().nodes[chart.tree().nodes[block.node].parent];
            int narrow = 0;
            for (std::uint32_t c = parent.firstChild; c < parent.firstChild + parent.children; ++c)
                narrow += 1072 * chart.tree().shareOfAll(c) < FlamePainter::kNarrowestUpward ? 1 : 0;
            EXPECT_LE(narrow, 1) << chart.tree().pathOf(block.node);
        }
    }
    ASSERT_GE(folded, 0);
    const FlameBlock block = chart.blocks()[static_cast<std::size_t>(folded)];
    const QString tip = chart.toolTipOf(folded);
    EXPECT_THAT(tip, test::HasText(QStringLiteral("%1 narrow blocks").arg(block.folded.size())));
    EXPECT_THAT(tip,
                test::HasText(QString::fromStdString(chart.tree().nodes[block.node].name).toHtmlEscaped()));
    shown.click(chart, folded);
    EXPECT_EQ(chart.zoomed(), chart.tree().nodes[block.node].parent);
    EXPECT_GE(std::ranges::count_if(chart.blocks(),
                                    [&](const FlameBlock& each) {
                                        return !each.merged() &&
                                               chart.tree().nodes[each.node].parent == chart.zoomed();
                                    }),
              2);
}

TEST(FlameView, OfMemoryIsThePeakByPathAndCategory) {
    Shown<FlameView> shown(openSampleRun("small-bf16-naive"), FlameTree::Subject::kMemory);
    const FlameChart& chart = shown.view.chart();
    EXPECT_EQ(chart.tree().nodes.front().value, sumOf(shown.document.memory().peak()->bytes));
    for (std::uint32_t i = 0; i < chart.tree().nodes.size(); ++i) {
        if (chart.tree().nodes[i].kind == FlameKind::kCategory) {
            EXPECT_EQ(chart.colorOf(i), Theme::categoryColor(chart.tree().nodes[i].category));
        }
    }
    EXPECT_TRUE(shown.view.summary().contains("at the peak"));
}

TEST(FlameView, OfARunRecordedWithoutOpsItSaysSo) {
    const auto run = test::traceOf("info config.device cpu config.record memory state finished ; end 1");
    Shown<FlameView> shown(run, FlameTree::Subject::kTime);
    EXPECT_EQ(shown.view.chart().emptyText(), "The run was recorded without ops");
    shown.filter.setPhase(Phase::kBackward);
    shown.view.refreshNow();
    EXPECT_EQ(shown.view.chart().emptyText(), "The run was recorded without ops") << "no filter is why";
}

}  // namespace warpglass::ui::flame_view_test
