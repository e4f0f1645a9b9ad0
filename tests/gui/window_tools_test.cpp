// What the window does with its views: figures, the command palette, the sheet of shortcuts, layouts, one
// view alone.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDataStream>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QSettings>
#include <QSplitter>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>

#include "app/window/command_palette.h"
#include "app/window/commands.h"
#include "app/window/figure_dialog.h"
#include "app/window/recent_runs.h"
#include "app/window/run_figure.h"
#include "app/window/shortcut_sheet.h"
#include "app/window/window_layout.h"
#include "engine/query/findings/finding.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/synthetic_trace.h"
#include "ui/compare/comparison_view.h"
#include "ui/models/run_filter.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {
namespace {

class WindowToolsTest : public WindowTest {
protected:
    WindowToolsTest() {
        QSettings().clear();
        m_controller.showSnapshot(QStringLiteral("a.wgrun"), {test::makeSyntheticRun(), {}});
        m_window->workspace().setPage(Workspace::Page::kViews);
        QCoreApplication::processEvents();
    }
    ~WindowToolsTest() override { QSettings().clear(); }

    QAction* action(const QString& title) {
        for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
            if (command.title == title)
                return command.action;
        }
        ADD_FAILURE() << title.toStdString() << " is in no menu";
        return nullptr;
    }
    /// In the dialog that comes next.
    void inFigureDialog(const std::function<void(FigureDialog&)>& act) {
        QTimer::singleShot(0, m_window.get(), [act] {
            auto* dialog = qobject_cast<FigureDialog*>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            act(*dialog);
            dialog->reject();
        });
    }
    static void chooseTheme(const FigureDialog& dialog, ui::ThemeKind kind) {
        auto* choice = dialog.findChild<ui::SegmentedControl*>(QStringLiteral("figureTheme"));
        QTest::mouseClick(choice->button(kind == ui::ThemeKind::kLight ? 0 : 1), Qt::LeftButton);
    }
    template <class Widget>
    Widget* child(const char* name) {
        auto* found = m_window->findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
};

TEST_F(WindowToolsTest, TheViewInFrontIsExportedInEveryFormatAtTheSizeTyped) {
    QTemporaryDir folder;
    m_window->workspace().view(QStringLiteral("timeline"))->setFocus();
    bool acted = false;
    inFigureDialog([&](FigureDialog& dialog) {
        acted = true;
        EXPECT_EQ(dialog.findChild<QComboBox*>(QStringLiteral("figureView"))->currentText(),
                  QStringLiteral("Timeline"));
        chooseTheme(dialog, ui::Theme::instance().kind());
        auto* width = dialog.findChild<QLineEdit*>(QStringLiteral("figureWidth"));
        width->selectAll();
        QTest::keyClicks(width, QStringLiteral("100"));
        for (const char* format : {"png", "svg", "pdf"}) {
            const QString path = folder.filePath(QStringLiteral("f.") + QString::fromLatin1(format));
            EXPECT_TRUE(dialog.save(path));
            EXPECT_GT(QFileInfo(path).size(), 1000);
        }
        EXPECT_FALSE(dialog.save(QStringLiteral("/nowhere/f.png")));
        EXPECT_TRUE(dialog.findChild<QLabel*>(QStringLiteral("figureMessage"))
                        ->text()
                        .contains(QStringLiteral("/nowhere/f.png")));
    });
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
    ASSERT_TRUE(acted);
    const QImage image(folder.filePath(QStringLiteral("f.png")));
    EXPECT_NEAR(image.width() / (image.dotsPerMeterX() / 1000.0), 100, 0.5) << "millimetres";
    EXPECT_EQ(QSettings().value(QStringLiteral("figure/width")).toInt(), 100) << "remembered";
}

TEST_F(WindowToolsTest, AFigureOfTheOtherThemeLeavesTheWindowsAsItIs) {
    const ui::ThemeKind before = ui::Theme::instance().kind();
    const auto panelAt = [](const QImage& image) {
        return image.pixelColor(image.width() - 1, image.height() - 1);
    };
    QTemporaryDir folder;
    for (const ui::ThemeKind theme : {ui::ThemeKind::kLight, ui::ThemeKind::kDark}) {
        inFigureDialog([&](FigureDialog& dialog) {
            chooseTheme(dialog, theme);
            EXPECT_TRUE(dialog.save(folder.filePath(
                theme == ui::ThemeKind::kLight ? QStringLiteral("0.png") : QStringLiteral("1.png"))));
        });
        m_window->exportFigure();
        EXPECT_EQ(ui::Theme::instance().kind(), before);
        EXPECT_TRUE(m_window->updatesEnabled());
    }
    EXPECT_EQ(panelAt(QImage(folder.filePath(QStringLiteral("0.png")))),
              ui::Theme::colorsOf(ui::ThemeKind::kLight).panel);
    EXPECT_EQ(panelAt(QImage(folder.filePath(QStringLiteral("1.png")))),
              ui::Theme::colorsOf(ui::ThemeKind::kDark).panel);
}

/// How many colours every 5th pixel of the upper three quarters has: one for nothing drawn.
int coloursOf(const QImage& image) {
    QSet<QRgb> colours;
    for (int y = 0; y < image.height() * 3 / 4; y += 5) {
        for (int x = 0; x < image.width(); x += 5)
            colours.insert(image.pixel(x, y));
    }
    return static_cast<int>(colours.size());
}

TEST_F(WindowToolsTest, ViewsOfSeveralPartsAreDrawnInTheOtherThemeToo) {
    QTemporaryDir folder;
    const bool dark = ui::Theme::instance().kind() == ui::ThemeKind::kDark;
    inFigureDialog([&](FigureDialog& dialog) {
        chooseTheme(dialog, dark ? ui::ThemeKind::kLight : ui::ThemeKind::kDark);
        for (const QString& view : {QStringLiteral("ops"), QStringLiteral("memory-map"),
                                    QStringLiteral("treemap"), QStringLiteral("layers")}) {
            SCOPED_TRACE(view.toStdString());
            const QString path = folder.filePath(view + QStringLiteral(".png"));
            auto* views = dialog.findChild<QComboBox*>(QStringLiteral("figureView"));
            views->setCurrentIndex(views->findData(view));
            EXPECT_TRUE(dialog.save(path));
            EXPECT_GT(coloursOf(QImage(path)), 6);
        }
    });
    m_window->exportFigure();
}

TEST_F(WindowToolsTest, AFigureInTheOtherThemeIsWhatTheProgramDrawsInThatTheme) {
    QTemporaryDir folder;
    const ui::ThemeKind before = ui::Theme::instance().kind();
    const ui::ThemeKind other = before == ui::ThemeKind::kDark ? ui::ThemeKind::kLight : ui::ThemeKind::kDark;
    const QStringList views{QStringLiteral("summary"), QStringLiteral("inspector"),
                            QStringLiteral("ops"),     QStringLiteral("phases"),
                            QStringLiteral("layers"),  QStringLiteral("treemap")};
    const auto saveAll = [&](const QString& under) {
        inFigureDialog([&](FigureDialog& dialog) {
            chooseTheme(dialog, other);
            for (const QString& view : views) {
                auto* choice = dialog.findChild<QComboBox*>(QStringLiteral("figureView"));
                choice->setCurrentIndex(choice->findData(view));
                EXPECT_TRUE(dialog.save(folder.filePath(under + view + QStringLiteral(".png"))));
            }
        });
        m_window->exportFigure();
    };
    saveAll(QStringLiteral("as-other-"));
    ui::Theme::instance().setKind(other);
    ui::Theme::instance().apply(*qApp);
    saveAll(QStringLiteral("as-own-"));
    ui::Theme::instance().setKind(before);
    ui::Theme::instance().apply(*qApp);
    for (const QString& view : views) {
        const QImage drawn(folder.filePath(QStringLiteral("as-other-") + view + QStringLiteral(".png")));
        const QImage own(folder.filePath(QStringLiteral("as-own-") + view + QStringLiteral(".png")));
        ASSERT_EQ(drawn.size(), own.size()) << view.toStdString();
        qsizetype differs = 0;
        for (int y = 0; y < own.height(); ++y) {
            for (int x = 0; x < own.width(); ++x)
                differs += drawn.pixel(x, y) != own.pixel(x, y);
        }
        // A label in the other theme's colour is a hundredth of a page.
        EXPECT_LT(static_cast<double>(differs), 0.003 * own.width() * own.height()) << view.toStdString();
    }
}

TEST_F(WindowToolsTest, SizesThatMakeNoFigureAreRefusedInWords) {
    inFigureDialog([&](FigureDialog& dialog) {
        auto* width = dialog.findChild<QLineEdit*>(QStringLiteral("figureWidth"));
        width->selectAll();
        QTest::keyClicks(width, QStringLiteral("5"));
        EXPECT_FALSE(dialog.findChild<QPushButton*>(QStringLiteral("figureSave"))->isEnabled());
        EXPECT_TRUE(dialog.findChild<QLabel*>(QStringLiteral("figureMessage"))
                        ->text()
                        .contains(QStringLiteral("20")));
        width->selectAll();
        QTest::keyClicks(width, QStringLiteral("85"));
        EXPECT_TRUE(dialog.findChild<QPushButton*>(QStringLiteral("figureSave"))->isEnabled());
    });
    m_window->exportFigure();
}

TEST_F(WindowToolsTest, AViewIsCopiedAsAPictureAndAsDrawing) {
    m_window->workspace().view(QStringLiteral("memory"))->setFocus();
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    const QMimeData* data = QApplication::clipboard()->mimeData();
    ASSERT_NE(data, nullptr);
    EXPECT_TRUE(data->hasImage());
    EXPECT_TRUE(data->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    EXPECT_TRUE(message().contains(QStringLiteral("clipboard"))) << message().toStdString();
}

TEST_F(WindowToolsTest, WithoutARunThereIsNoFigureAndThatIsSaid) {
    m_controller.closeRun(0);
    m_window->exportFigure();
    EXPECT_TRUE(message().contains(QStringLiteral("no run"))) << message().toStdString();
    m_window->copyFigure();
    EXPECT_TRUE(message().contains(QStringLiteral("no run"))) << message().toStdString();
}

TEST_F(WindowToolsTest, ThePaletteFindsACommandByAnyWordsAndDoesIt) {
    QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* query = child<QLineEdit>("commandQuery");
    auto* list = child<QListWidget>("commandList");
    ASSERT_TRUE(query && list);
    const int all = list->count();
    EXPECT_GT(all, 15);
    QTest::keyClicks(query, QStringLiteral("summ"));
    ASSERT_GE(list->count(), 1);
    EXPECT_LT(list->count(), all);
    EXPECT_TRUE(list->item(0)->text().endsWith(QStringLiteral("Summary")))
        << list->item(0)->text().toStdString();
    QTest::keyClick(query, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_window->workspace().page() == Workspace::Page::kSummary; }));
    EXPECT_TRUE(waitFor([&] { return !m_window->findChild<QLineEdit*>(QStringLiteral("commandQuery")); }));

    m_window->openCommandPalette();
    query = child<QLineEdit>("commandQuery");
    QTest::keyClicks(query, QStringLiteral("no such thing at all"));
    list = child<QListWidget>("commandList");
    EXPECT_EQ(list->count(), 1);
    QTest::keyClick(query, Qt::Key_Return);  // nothing to do
    QTest::keyClick(query, Qt::Key_Escape);
    EXPECT_TRUE(waitFor([&] { return !m_window->findChild<QLineEdit*>(QStringLiteral("commandQuery")); }));
}

TEST(Commands, WordsAtTheBeginningOfWordsCountMost) {
    const auto score = [](const char* title, const char* query) {
        return commandScore(QString::fromUtf8(title), QString::fromUtf8(query));
    };
    EXPECT_GT(score("View › Theme › Dark", "dark"), score("Edit › Endarken", "dark"));
    EXPECT_GT(score("View › Theme › Dark", "dark theme"), score("View › Theme › Dark", "dark"));
    EXPECT_GT(score("File › Export Figure…", "fig"), score("File › Of Inner Gears", "fig"));
    EXPECT_TRUE(score("File › Export Figure…", "exfi")) << "letters in order";
    EXPECT_FALSE(score("File › Export Figure…", "zebra"));
    EXPECT_FALSE(score("View › Theme › Dark", "dark zebra"));
    EXPECT_EQ(score("anything", ""), 0);
}

TEST(Commands, LettersAreWordsThatBeginWithThemOrNearlyAWord) {
    const auto answers = [](const char* title, const char* query) {
        return commandScore(QString::fromUtf8(title), QString::fromUtf8(query)).has_value();
    };
    EXPECT_TRUE(answers("File › Export Figure…", "ef")) << "initials";
    EXPECT_TRUE(answers("View › Comparison › Align at the Selected Span", "algn"));
    EXPECT_FALSE(answers("File › Open Recent › small-fp32-naive", "align"))
        << "letters that are far apart are no word";
    EXPECT_FALSE(answers("View › Find Next in Another Window", "new run"));
    EXPECT_FALSE(answers("File › Export Figure…", "fief")) << "of the action's own name only";
}

TEST(RecentRunsTest, AreCalledAsTheirTabsAre) {
    QSettings().clear();
    RecentRuns recent;
    const QTemporaryDir folder;
    const QString titled = folder.filePath(QStringLiteral("20261122-tiny.wgrun"));
    const QString other = folder.filePath(QStringLiteral("other.wgrun"));
    recent.add(other, {});
    recent.add(titled, QStringLiteral("tiny · cpu"));
    EXPECT_EQ(recent.titleOf(titled), QStringLiteral("tiny · cpu"));
    EXPECT_EQ(recent.titleOf(other), QStringLiteral("other"));
    for (int i = 0; i < RecentRuns::kMost; ++i)
        recent.add(folder.filePath(QStringLiteral("%1.wgrun").arg(i)), QStringLiteral("one more"));
    EXPECT_EQ(recent.titleOf(titled), QStringLiteral("20261122-tiny")) << "forgotten with its file";
    recent.clear();
    EXPECT_EQ(recent.titleOf(folder.filePath(QStringLiteral("1.wgrun"))), QStringLiteral("1"));
}

TEST_F(WindowToolsTest, EveryActionHasATitleOfItsOwnAndNoShortcutTwice) {
    QStringList titles, shortcuts;
    for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
        EXPECT_FALSE(titles.contains(command.title)) << command.title.toStdString();
        titles << command.title;
        if (!command.shortcut.isEmpty()) {
            EXPECT_FALSE(shortcuts.contains(command.shortcut)) << command.shortcut.toStdString();
        }
        shortcuts << command.shortcut;
    }
}

TEST_F(WindowToolsTest, TheSheetHoldsEveryMenusShortcutAndNarrows) {
    QTest::keyClick(m_window.get(), Qt::Key_Question);
    auto* sheet = m_window->findChild<ShortcutSheet*>();
    ASSERT_NE(sheet, nullptr);
    auto* text = sheet->findChild<QTextBrowser*>(QStringLiteral("shortcutText"));
    for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
        if (!command.shortcut.isEmpty()) {
            EXPECT_TRUE(text->toPlainText().contains(command.shortcut)) << command.shortcut.toStdString();
        }
    }
    EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("zoom at the cursor")));
    QTest::keyClicks(sheet->findChild<QLineEdit*>(), QStringLiteral("figure"));
    EXPECT_FALSE(text->toPlainText().contains(QStringLiteral("zoom at the cursor")));
    EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("Export Figure")));
}

TEST_F(WindowToolsTest, AQuestionMarkInAFieldIsTyped) {
    auto* field = m_window->workspace().view(QStringLiteral("ops"))->findChild<QLineEdit*>();
    ASSERT_NE(field, nullptr);
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("?"));
    EXPECT_EQ(field->text(), QStringLiteral("?"));
    EXPECT_EQ(m_window->findChild<ShortcutSheet*>(), nullptr);
}

TEST_F(WindowToolsTest, OneViewAloneAndEverythingBack) {
    auto* timeline = m_window->workspace().view(QStringLiteral("timeline"));
    auto* memory = m_window->workspace().view(QStringLiteral("memory"));
    timeline->setFocus();
    const QSize before = timeline->size();
    const bool status = m_window->statusBar()->isVisible();  // only with something to say
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    QCoreApplication::processEvents();
    EXPECT_TRUE(timeline->isVisible());
    EXPECT_FALSE(memory->isVisible());
    EXPECT_FALSE(m_window->runPanel().isVisible());
    EXPECT_FALSE(m_window->statusBar()->isVisible());
    EXPECT_GT(timeline->height(), before.height() * 3 / 2);
    EXPECT_GE(timeline->width(), m_window->width() - 8);
    click(button("leaveFocus"));
    QCoreApplication::processEvents();
    EXPECT_TRUE(memory->isVisible());
    EXPECT_TRUE(m_window->runPanel().isVisible());
    EXPECT_EQ(m_window->statusBar()->isVisible(), status);
    EXPECT_EQ(timeline->size(), before);

    // Of a table in the tabs; another page ends it.
    m_window->workspace().showView(m_window->workspace().view(QStringLiteral("phases")));
    for (auto* table : m_window->workspace().view(QStringLiteral("phases"))->findChildren<QTableView*>()) {
        if (table->isVisible())
            table->setFocus();
    }
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    EXPECT_FALSE(timeline->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
    EXPECT_TRUE(m_window->runPanel().isVisible());
    EXPECT_FALSE(button("leaveFocus")->isVisible());
}

Finding makeFinding() {
    Finding finding;
    finding.rule = "made-up";
    finding.sentence = "These ops cost much.";
    finding.evidence.view = EvidenceView::kOps;
    finding.evidence.names = "aten::mm";
    return finding;
}

TEST_F(WindowToolsTest, WhatIsSaidNoMoreDoesNotComeBackWithEverything) {
    auto* evidence = child<QWidget>("evidenceBar");
    auto* problems = child<QWidget>("openProblems");
    m_controller.showSnapshot(QStringLiteral("b.wgrun"), {test::makeSyntheticRun(), {}});
    m_window->workspace().showFinding(makeFinding());
    emit m_controller.filesNotOpened({QStringLiteral("One is damaged."), QStringLiteral("So is another.")});
    for (const bool visible : {true, false, true}) {
        EXPECT_EQ(evidence->isVisible(), visible);
        EXPECT_EQ(problems->isVisible(), visible);
        m_window->workspace().view(QStringLiteral("timeline"))->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F11);
    }
    EXPECT_FALSE(evidence->isVisible());
    emit m_controller.filesOpening();
    m_controller.showRun(0);
    QCoreApplication::processEvents();
    EXPECT_TRUE(m_window->runPanel().isVisible());
    EXPECT_EQ(m_window->workspace().page(), Workspace::Page::kViews);
    EXPECT_FALSE(evidence->isVisible());
    EXPECT_FALSE(problems->isVisible());
}

TEST_F(WindowToolsTest, AFindingIsTheEvidenceOnlyWhileItIsWhatCounts) {
    auto* evidence = child<QWidget>("evidenceBar");
    Workspace& workspace = m_window->workspace();
    ui::RunFilter& filter = workspace.filter();
    const std::function<void()> changes[] = {
        [&] {
            while (filter.canGoBack() && filter.state().name == "aten::mm")
                filter.back();
        },
        [&] { filter.remove(ui::RunFilter::Condition::kName); }, [&] { filter.reset(); },
        [&] { filter.setPhase(Phase::kBackward); }};
    for (const auto& change : changes) {
        workspace.showFinding(makeFinding());
        EXPECT_TRUE(evidence->isVisible());
        filter.setText(QStringLiteral("mm"));
        EXPECT_TRUE(evidence->isVisible()) << "it narrows the evidence";
        filter.setText({});
        EXPECT_TRUE(evidence->isVisible());
        change();
        EXPECT_FALSE(evidence->isVisible());
    }
    EXPECT_EQ(filter.state().name, "aten::mm") << "the filter is as it was left";
}

TEST_F(WindowToolsTest, LayoutsAreKeptByNameAndReset) {
    auto* tabs = m_window->workspace().tabs();
    auto* splitter = child<QSplitter>("timelineSplitter");
    ASSERT_NE(splitter, nullptr);
    WindowLayout layout(m_window->workspace(), m_window->runPanel());
    const QList<int> sizes = splitter->sizes();
    action(QStringLiteral("View › Run Panel"))->trigger();
    tabs->setCurrentIndex(2);
    splitter->setSizes({500, 100, 120});
    const QList<int> changed = splitter->sizes();
    ASSERT_NE(changed, sizes);
    layout.saveAs(QStringLiteral("Tables & all"));
    EXPECT_EQ(WindowLayout::names(), QStringList{QStringLiteral("Tables & all")});

    layout.reset();
    EXPECT_FALSE(m_window->runPanel().isHidden());
    EXPECT_EQ(tabs->currentIndex(), 0);
    EXPECT_EQ(splitter->sizes(), sizes);

    action(QStringLiteral("View › Layout › Tables & all"))->trigger();
    EXPECT_TRUE(m_window->runPanel().isHidden());
    EXPECT_EQ(tabs->currentIndex(), 2);
    EXPECT_EQ(splitter->sizes(), changed);

    action(QStringLiteral("View › Layout › Delete › Tables & all"))->trigger();
    EXPECT_TRUE(WindowLayout::names().isEmpty());
    EXPECT_FALSE(layout.load(QStringLiteral("Tables & all")));
    layout.apply({{QStringLiteral("page"), 77},
                  {QStringLiteral("splitters"), 3},
                  {QStringLiteral("tabs"), QVariant()}});
    EXPECT_EQ(m_window->workspace().page(), Workspace::Page::kViews) << "nonsense changes nothing";
}

TEST_F(WindowToolsTest, TheComparisonsPanesArePartOfTheLayout) {
    auto* comparison = m_window->findChild<ui::ComparisonView*>(QStringLiteral("comparison"));
    WindowLayout layout(m_window->workspace(), m_window->runPanel(), comparison);
    const QVariantMap arranged{{QStringLiteral("details"), true},
                               {QStringLiteral("low"), QVariantList{200, 100, 300}}};
    comparison->applyLayout(arranged);
    const QVariantMap kept = layout.state();
    layout.reset();
    EXPECT_TRUE(comparison->layoutState().isEmpty());
    layout.apply(kept);
    EXPECT_EQ(comparison->layoutState(), arranged);
    layout.apply({{QStringLiteral("comparison"), QVariantMap{{QStringLiteral("low"), 3}}}});
    EXPECT_TRUE(comparison->layoutState().isEmpty()) << "nonsense is no choice";
}

TEST_F(WindowToolsTest, HowTheTimelinesRowsAreArrangedIsPartOfTheLayout) {
    auto* timeline = m_window->workspace().timeline();
    WindowLayout layout(m_window->workspace(), m_window->runPanel());
    ui::RowArrangement arranged;
    arranged.setFolded("module:modules", true);
    arranged.setHidden("cpu-thread:main", true);
    arranged.setPinned("gpu-stream:GPU 0 stream 7", true);
    timeline->setArrangement(arranged);
    // As the settings keep it.
    QByteArray kept;
    QDataStream written(&kept, QIODevice::WriteOnly);
    written << layout.state();
    layout.reset();
    EXPECT_TRUE(timeline->arrangement().isDefault());
    QVariantMap state;
    QDataStream read(kept);
    read >> state;
    layout.apply(state);
    EXPECT_EQ(timeline->arrangement(), arranged);
    layout.apply({{QStringLiteral("rows"), 5}});
    EXPECT_TRUE(timeline->arrangement().isDefault()) << "nonsense arranges nothing";
}

TEST(FigureCaptionTest, OfARunThatIsNotAllThereSaysSo) {
    const auto run = test::makeSyntheticRun();
    const FigureCaption whole = captionOf(*run, false), part = captionOf(*run, true);
    EXPECT_EQ(part.full, whole.full + QStringLiteral(" · incomplete: part of what was recorded is not here"));
    EXPECT_EQ(part.brief, whole.brief + QStringLiteral(" · incomplete"));
    const FigureCaption both = captionOf(whole, part);
    EXPECT_EQ(both.brief, QStringLiteral("A: %1\nB: %2").arg(whole.brief, part.brief));
}

}  // namespace
}  // namespace warpglass::app
