// One filter for every view: a chip set in one of them is seen in each, in figures and in words, and Back
// brings each back.
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QTimer>
#include <QToolButton>
#include <map>

#include "app/window/workspace.h"
#include "engine/base/format.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/gestures.h"
#include "tests/support/span_of.h"
#include "ui/charts/attention_view.h"
#include "ui/charts/charts_page.h"
#include "ui/charts/flame_chart.h"
#include "ui/charts/flame_view.h"
#include "ui/charts/layers_view.h"
#include "ui/charts/phases_view.h"
#include "ui/charts/roofline_view.h"
#include "ui/controls/data_table.h"
#include "ui/controls/refresh.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_page.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/panels/find_panel.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::filter_test {

struct FilterInTheWindow : WindowTest {
    FilterInTheWindow() {
        open({sample("small-bf16-naive")});
        m_window->activateWindow();
    }
    ui::RunFilter& filter() { return workspace().filter(); }
    template <class View>
    View& view(const char* name) {
        auto* found = dynamic_cast<View*>(workspace().view(QLatin1String(name)));
        EXPECT_NE(found, nullptr) << name;
        return *found;
    }
    /// The filter's controls on the page in front.
    template <class Widget>
    Widget* control(const char* name) {
        for (Widget* found : m_window->findChildren<Widget*>(QLatin1String(name))) {
            if (found->isVisible())
                return found;
        }
        ADD_FAILURE() << "not visible: " << name;
        return nullptr;
    }
    QToolButton* chip(ui::RunFilter::Condition condition) {
        return control<QToolButton>(qPrintable(QStringLiteral("chip%1").arg(static_cast<int>(condition))));
    }
    /// Opens the menu of conditions by a click and walks it by keys.
    void choose(const QStringList& titles) {
        QTimer::singleShot(0, m_window.get(), [titles] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            for (const QString& title : titles) {
                ASSERT_NE(menu, nullptr);
                QAction* wanted = nullptr;  // not test::firstOf, which throws: not through an event loop
                for (QAction* action : menu->actions())
                    wanted = action->text() == title ? action : wanted;
                ASSERT_NE(wanted, nullptr) << title.toStdString();
                menu->setActiveAction(wanted);
                QMenu* const into = wanted->menu();
                QTest::keyClick(menu, into ? Qt::Key_Right : Qt::Key_Return);
                menu = into;
            }
        });
        QTest::mouseClick(control<QToolButton>("filterAdd"), Qt::LeftButton);
        QCoreApplication::processEvents();
    }
    void back() { QTest::mouseClick(control<QToolButton>("filterBack"), Qt::LeftButton); }

    /// What each chart shows: a figure and its words.
    struct Shown {
        double figure = 0;
        QString words;
        bool operator==(const Shown&) const = default;
    };
    std::map<std::string, Shown> charts() {
        std::map<std::string, Shown> all;
        for (const auto& entry : ui::ChartsPage::views()) {
            workspace().showView(workspace().view(entry.name));
            ui::refreshAll(*workspace().view(entry.name));
        }
        const auto flame = [&](const char* name) {
            auto& shown = view<ui::FlameView>(name);
            const auto& tree = shown.chart().tree();
            all[name] = {tree.empty() ? 0 : static_cast<double>(tree.nodes[0].value), shown.summary()};
        };
        flame("flame");
        flame("flame-memory");
        auto& roofline = view<ui::RooflineView>("roofline");
        all["roofline"] = {static_cast<double>(roofline.chart().markCount()), roofline.summary()};
        auto& attention = view<ui::AttentionView>("attention");
        all["attention"] = {static_cast<double>(attention.chart().markCount()), attention.summary()};
        auto& phases = view<ui::PhasesView>("phase-dots");
        all["phase-dots"] = {static_cast<double>(phases.chart().markCount()), phases.summary()};
        auto& layers = view<ui::LayersView>("layers");
        all["layers"] = {static_cast<double>(layers.chart().markCount()), layers.summary()};
        return all;
    }
};

TEST_F(FilterInTheWindow, ChipsChosenOnTheChartsPageReachEveryChartAndBackBringsEachBack) {
    workspace().setPage(Workspace::Page::kCharts);
    const auto before = charts();
    choose({"Only in Phase", "backward"});
    ASSERT_EQ(filter().state().phase, Phase::kBackward);
    const auto phase = charts();
    for (const auto& [name, shown] : phase) {
        EXPECT_LT(shown.figure, before.at(name).figure) << name;
        EXPECT_GT(shown.figure, 0) << name;
        EXPECT_TRUE(shown.words.contains("only in backward")) << name << ": " << shown.words.toStdString();
    }
    choose({"Only in Module", "blocks", "blocks.3", "blocks.3.attn", "All of blocks.3.attn"});
    ASSERT_EQ(filter().state().module, "blocks.3.attn");
    const auto module = charts();
    for (const auto& [name, shown] : module) {
        if (name == "phase-dots") {
            EXPECT_EQ(shown.figure, phase.at(name).figure);
            EXPECT_TRUE(shown.words.contains("not restricted to blocks.3.attn: a phase covers every module"))
                << shown.words.toStdString();
            continue;
        }
        EXPECT_TRUE(shown.words.contains("only in blocks.3.attn, backward"))
            << name << ": " << shown.words.toStdString();
        if (name != "attention") {
            EXPECT_LT(shown.figure, phase.at(name).figure) << name;
        }
    }
    EXPECT_EQ(view<ui::LayersView>("layers").chart().layers().rows.front().name, "blocks.3");
    back();
    EXPECT_EQ(charts(), phase);
    // By the keyboard, too.
    control<QToolButton>("filterBack")->setFocus();
    QTest::keyClick(control<QToolButton>("filterBack"), Qt::Key_Space);
    EXPECT_EQ(charts(), before);
}

TEST_F(FilterInTheWindow, WhatIsChosenInAChartIsLookedAtAndRestrictsNothing) {
    workspace().setPage(Workspace::Page::kCharts);
    auto& layers = view<ui::LayersView>("layers");
    workspace().showView(&layers);
    ui::refreshAll(layers);
    const double all = layers.chart().layers().time();
    const ui::RunFilter::State state = filter().state();
    QTest::mouseClick(&layers.chart(), Qt::LeftButton, {}, layers.chart().markRect(4).center().toPoint());
    EXPECT_TRUE(axis().selectedSpan());
    EXPECT_EQ(filter().state(), state);
    ui::refreshAll(layers);
    EXPECT_EQ(layers.chart().layers().time(), all);
    EXPECT_FALSE(filter().canGoBack());
}

TEST_F(FilterInTheWindow, MeasuredStepsAreAChipThatChartsFollow) {
    workspace().setPage(Workspace::Page::kCharts);
    auto& flame = view<ui::FlameView>("flame");
    ui::refreshAll(flame);
    EXPECT_TRUE(flame.summary().contains("measured steps")) << flame.summary().toStdString();
    const std::int64_t measured = flame.chart().tree().nodes[0].value;
    QTest::mouseClick(chip(ui::RunFilter::Condition::kSteps), Qt::LeftButton);
    ui::refreshAll(flame);
    EXPECT_TRUE(flame.summary().contains("including warm-up")) << flame.summary().toStdString();
    EXPECT_GT(flame.chart().tree().nodes[0].value, measured);
    back();
    ui::refreshAll(flame);
    EXPECT_EQ(flame.chart().tree().nodes[0].value, measured);
}

TEST_F(FilterInTheWindow, TheMemoryPageShowsWhatPassesAndHowMuchOfAllItIs) {
    workspace().setPage(Workspace::Page::kMemory);
    ui::MemoryPage& page = workspace().memoryPage();
    ui::refreshAll(page);
    const std::size_t blocks = page.map().view().map().size();
    auto* summary = page.findChild<QLabel*>("aliveSummary");
    const QString before = summary->text();
    choose({"Only Memory of", "activations"});
    ui::refreshAll(page);
    ASSERT_EQ(filter().state().category, Category::kActivations);
    const std::size_t activations = page.map().view().map().size();
    EXPECT_LT(activations, blocks);
    EXPECT_GT(activations, 0u);
    const MemoryTimeline& memory = m_controller.document().memory();
    const std::int64_t alive = memory.peak()->bytes[static_cast<std::size_t>(Category::kActivations)];
    EXPECT_TRUE(summary->text().contains(
        QStringLiteral("only activations: %1 of %2 shown")
            .arg(QString::fromStdString(formatBytes(Bytes(alive))),
                 QString::fromStdString(formatBytes(Bytes(sumOf(memory.peak()->bytes)))))))
        << summary->text().toStdString();
    EXPECT_TRUE(page.map().view().words().summary().contains("only activations"));
    EXPECT_TRUE(page.restriction().contains("only activations"));

    choose({"Only in Module", "blocks", "blocks.3", "All of blocks.3"});
    ui::refreshAll(page);
    EXPECT_LT(page.map().view().map().size(), activations);
    for (int row = 0; row < page.alive().model().rowCount(); ++row)
        EXPECT_TRUE(page.alive().model().rowAt(row).module.starts_with("blocks.3"));
    back();
    back();
    ui::refreshAll(page);
    EXPECT_EQ(page.map().view().map().size(), blocks);
    EXPECT_EQ(summary->text(), before);
    EXPECT_TRUE(page.restriction().isEmpty());
}

TEST_F(FilterInTheWindow, FindLooksWithinTheFilterUnlessToldOtherwiseAndEnterPinsTheMatch) {
    filter().setModule("blocks.3.attn");
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    auto* field = m_window->findChild<QLineEdit*>("findField");
    QTest::keyClicks(field, "softmax");
    ui::FindPanel& find = workspace().findPanel();
    find.refreshNow();
    auto* within = m_window->findChild<QToolButton*>("findWithin");
    ASSERT_TRUE(within->isVisible() && within->isChecked());
    const int inside = find.model().rowCount();
    EXPECT_TRUE(
        find.summary().startsWith(QStringLiteral("within blocks.3.attn, measured steps: %1 of ").arg(inside)))
        << find.summary().toStdString();
    QTest::keyClick(field, Qt::Key_Return);
    const auto selected = axis().selectedSpan();
    ASSERT_TRUE(selected);
    const auto span = ui::describeSpan(*m_controller.document().snapshot(), *selected);
    EXPECT_EQ(axis().pinnedCursor(), span->start);
    EXPECT_TRUE(span->module.starts_with("blocks.3.attn"));
    EXPECT_EQ(filter().state().module, "blocks.3.attn");

    QTest::mouseClick(within, Qt::LeftButton);
    find.refreshNow();
    EXPECT_GT(find.model().rowCount(), inside);
    EXPECT_FALSE(find.summary().contains("within")) << find.summary().toStdString();
    QTest::mouseClick(within, Qt::LeftButton);
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    find.refreshNow();
    EXPECT_EQ(within->text(), "Measured steps only");
    EXPECT_TRUE(within->isChecked()) << "what the tables count";
    EXPECT_GT(find.model().rowCount(), inside);
}

TEST_F(FilterInTheWindow, TheFlameOfMemoryIsOfThePickedStepsHighestMoment) {
    auto& flame = view<ui::FlameView>("flame-memory");
    workspace().showView(&flame);
    const Snapshot& run = *m_controller.document().snapshot();
    axis().setSelectedSpan(test::spanOf(run, TrackKind::kStep));
    ASSERT_TRUE(filter().state().span);
    ui::refreshAll(flame);
    const QString step = filter().words().of({ui::RunFilter::Condition::kSelection});
    EXPECT_TRUE(flame.summary().contains(QStringLiteral("live at the peak of %1, ").arg(step)))
        << flame.summary().toStdString();
}

TEST_F(FilterInTheWindow, EnterOnARowKeepsTheSelectedRange) {
    workspace().setPage(Workspace::Page::kViews);
    const TimeRange run = m_controller.document().snapshot()->range();
    const TimeRange range{Nanoseconds(run.end.value / 2), Nanoseconds(run.end.value * 3 / 4)};
    for (const bool phasePicked : {false, true}) {
        axis().setSelectedRange(range);
        filter().setPhase(phasePicked ? std::optional(Phase::kBackward) : std::nullopt);
        const ui::RunFilter::State state = filter().state();
        const std::pair<const char*, const char*> tables[] = {
            {"phases", "phaseRows"}, {"ops", "opRows"}, {"find", "findRows"}};
        for (const auto& [name, rows] : tables) {
            axis().setSelectedSpan(std::nullopt);
            QWidget* tab = workspace().view(QLatin1String(name));
            workspace().showView(tab);
            if (auto* field = tab->findChild<QLineEdit*>("findField"))
                field->setText("mm");
            ui::refreshAll(*tab);
            auto* table = tab->findChild<ui::DataTable*>(QLatin1String(rows));
            ASSERT_GT(table->shownRows(), 0) << name;
            table->setFocus();
            table->selectRow(0);
            QTest::keyClick(table, Qt::Key_Return);
            ui::refreshAll(*tab);
            QCoreApplication::processEvents();
            EXPECT_TRUE(axis().selectedSpan()) << name;
            EXPECT_EQ(filter().state(), state) << name;
        }
        filter().back();
    }
}

TEST_F(FilterInTheWindow, AKernelIsClickedAndThePhaseGoesOnCounting) {
    workspace().setPage(Workspace::Page::kViews);
    auto& timeline = *workspace().timeline();
    const Snapshot& run = *m_controller.document().snapshot();
    const auto longest = [&](TrackKind kind, const char* name) {
        return *ui::longestSpan(run, kind, name ? std::optional(run.findName(name)) : std::nullopt, {}, 1);
    };
    // As a person does: zoomed to the phase, and what is in sight of it clicked.
    const ui::SpanRef phase = longest(TrackKind::kPhase, "backward");
    const TimeRange there = ui::describeSpan(run, phase)->range();
    axis().setVisibleRange({there.begin - Nanoseconds(there.duration().value / 8), there.end});
    QCoreApplication::processEvents();
    const auto pointAt = [&](TrackKind kind) {
        for (const ui::TimelineRow& row : timeline.rows().rows()) {
            const int y = timeline.plotArea().top() + timeline.viewport().shownTop(row.top) + row.height / 2;
            const bool wanted = row.kind == kind && !row.gpu;
            for (int x = timeline.plotArea().center().x(); wanted && x < timeline.width() - 20; ++x) {
                if (const auto hit = timeline.hitTest({x, y}); hit && !hit->rect.merged())
                    return QPoint(x, y);
            }
        }
        return QPoint();
    };
    const QPoint atPhase = pointAt(TrackKind::kPhase);
    ASSERT_FALSE(atPhase.isNull());
    const auto clickKernel = [&] {
        const QPoint atKernel = pointAt(TrackKind::kGpuStream);
        ASSERT_FALSE(atKernel.isNull());
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, atKernel);
        ASSERT_TRUE(axis().selectedSpan());
        EXPECT_EQ(ui::describeSpan(run, *axis().selectedSpan())->kind, TrackKind::kGpuStream);
    };
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, atPhase);
    ASSERT_EQ(filter().state().span, phase);
    const std::string words = filter().words().withoutText().toStdString();
    clickKernel();
    EXPECT_NE(axis().selectedSpan(), phase);
    EXPECT_EQ(filter().words().withoutText().toStdString(), words);
    EXPECT_NE(chip(ui::RunFilter::Condition::kSelection), nullptr);

    // Along its causes to the module and back: looked at, all of them.
    QTest::keyClick(&timeline, Qt::Key_BracketLeft);
    QTest::keyClick(&timeline, Qt::Key_BracketLeft);
    QTest::keyClick(&timeline, Qt::Key_BracketLeft);
    EXPECT_EQ(filter().words().withoutText().toStdString(), words);

    // Esc lets go of it first, of the phase second; nothing else does.
    clickKernel();
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_FALSE(axis().selectedSpan());
    EXPECT_EQ(filter().words().withoutText().toStdString(), words);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, {timeline.width() - 30, timeline.height() - 1});
    EXPECT_EQ(filter().words().withoutText().toStdString(), words) << "a click beside everything";
    QTest::keyClick(&timeline, Qt::Key_Escape);
    EXPECT_FALSE(filter().usesSelection());
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(filter().words().withoutText().toStdString(), words) << "Back brings it back";

    // A range likewise.
    test::drag(timeline, {300, atPhase.y()}, {500, atPhase.y()}, Qt::ShiftModifier);
    const auto range = filter().state().range;
    ASSERT_TRUE(range);
    clickKernel();
    EXPECT_EQ(filter().state().range, range);
    // Esc in a chart of the same time likewise; it takes no key that does nothing.
    auto* plot = &qobject_cast<ui::MemoryChart*>(workspace().view("memory"))->plot();
    QTest::keyClick(plot, Qt::Key_Escape);
    EXPECT_FALSE(axis().selectedSpan());
    EXPECT_EQ(filter().state().range, range);
    QTest::keyClick(plot, Qt::Key_Escape);
    EXPECT_FALSE(filter().usesSelection());
    EXPECT_FALSE(test::takesKey(*plot, Qt::Key_Escape));
    // And of a phase, from every view.
    for (const char* name : {"memory", "ops", "inspector", "memory-map", "flame", "roofline"}) {
        QWidget* here = workspace().view(QLatin1String(name));
        workspace().showView(here);
        filter().pick(phase);
        ASSERT_TRUE(filter().usesSelection());
        QTest::keyClick(here, Qt::Key_Escape);
        EXPECT_FALSE(filter().usesSelection()) << name;
    }
    workspace().showView(&timeline);
    axis().setSelectedRange(range);

    // Enter goes to what was selected last.
    clickKernel();
    QTest::keyClick(&timeline, Qt::Key_Return);
    EXPECT_NE(axis().visibleRange(), *range);
    axis().setSelectedRange(std::nullopt);
    axis().setSelectedRange(range);
    QTest::keyClick(&timeline, Qt::Key_Return);
    EXPECT_EQ(axis().visibleRange(), *range);
    filter().pick(*axis().selectedSpan());
    QTest::keyClick(&timeline, Qt::Key_F);
    EXPECT_NE(axis().visibleRange(), *range) << "the same kernel once more";
    QTest::mouseClick(chip(ui::RunFilter::Condition::kSelection), Qt::LeftButton);
    EXPECT_FALSE(axis().selectedRange());
    EXPECT_TRUE(axis().selectedSpan()) << "the kernel is still looked at";
}

}  // namespace warpglass::app::filter_test
