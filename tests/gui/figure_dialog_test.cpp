// Figures out of the window: their dialog, the clipboard, captions, and what the views are like afterwards.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "app/window/figure_commands.h"
#include "app/window/figure_dialog.h"
#include "app/window/focus_mode.h"
#include "app/window/run_figure.h"
#include "tests/gui/window_tools_fixture.h"
#include "tests/support/files.h"
#include "tests/support/held_workers.h"
#include "tests/support/must.h"
#include "tests/support/pixels.h"
#include "tests/support/synthetic_trace.h"
#include "ui/controls/segmented_control.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_page.h"
#include "ui/memory/memory_plot.h"
#include "ui/theme/theme.h"

namespace warpglass::app::figure_dialog_test {

struct FigureDialogTest : WindowToolsTest {
    /// In the dialog that comes next.
    void inFigureDialog(const std::function<void(FigureDialog&)>& act) {
        QTimer::singleShot(0, m_window.get(), [act] {
            auto* dialog = qobject_cast<FigureDialog*>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            act(*dialog);
            dialog->reject();
        });
    }
    void exporting(const std::function<void(FigureDialog&)>& act) {
        inFigureDialog(act);
        m_window->figures().exportFigure();
    }
    static void type(FigureDialog& dialog, const char* field, const char* text) {
        auto* edit = dialog.findChild<QLineEdit*>(QString::fromLatin1(field));
        edit->selectAll();
        QTest::keyClicks(edit, QString::fromLatin1(text));
    }
    /// As the dialog does it, on a worker.
    static bool saveTo(FigureDialog& dialog, const QString& path) {
        QSignalSpy ended(&dialog, &FigureDialog::saved);
        dialog.save(path);
        return (!ended.isEmpty() || ended.wait(kPatience)) && ended.last()[0].toBool();
    }
    static void chooseTheme(const FigureDialog& dialog, ui::ThemeKind kind) {
        auto* choice = dialog.findChild<ui::SegmentedControl*>("figureTheme");
        QTest::mouseClick(choice->button(kind == ui::ThemeKind::kLight ? 0 : 1), Qt::LeftButton);
    }

    static void chooseView(const FigureDialog& dialog, const QString& view) {
        auto* views = dialog.findChild<QComboBox*>("figureView");
        views->setCurrentIndex(views->findData(view));
    }

    QTemporaryDir folder;
};

TEST_F(FigureDialogTest, TheViewInFrontIsExportedInEveryFormatAtTheSizeTyped) {
    workspace().view("timeline")->setFocus();
    bool acted = false;
    inFigureDialog([&](FigureDialog& dialog) {
        acted = true;
        EXPECT_EQ(dialog.findChild<QComboBox*>("figureView")->currentText(), "Timeline");
        chooseTheme(dialog, ui::Theme::instance().kind());
        type(dialog, "figureWidth", "100");
        for (const char* format : {"png", "svg", "pdf"}) {
            const QString path = folder.filePath(QStringLiteral("f.") + QString::fromLatin1(format));
            EXPECT_TRUE(saveTo(dialog, path));
            EXPECT_GT(QFileInfo(path).size(), 1000);
        }
        EXPECT_FALSE(saveTo(dialog, "/dev/null/f.png"));
        EXPECT_TRUE(dialog.findChild<QLabel*>("figureMessage")->text().contains("/dev/null/f.png"));
    });
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
    ASSERT_TRUE(acted);
    const QImage image(folder.filePath("f.png"));
    EXPECT_NEAR(image.width() / (image.dotsPerMeterX() / 1000.0), 100, 0.5) << "millimeters";
    EXPECT_EQ(QSettings().value("figure/width").toInt(), 100) << "remembered";
}

TEST_F(FigureDialogTest, TheChartOfTheMemoryPageIsMemoryOverTime) {
    ui::MemoryChart& chart = workspace().memoryPage().chart();
    const auto offered = [this] {
        QString title;
        inFigureDialog([&title](FigureDialog& dialog) {
            title = dialog.findChild<QComboBox*>("figureView")->currentText();
            EXPECT_TRUE(dialog.copy().isEmpty());
        });
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
        activate();
        return title;
    };
    activate();
    QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
    ASSERT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_EQ(offered(), "Allocation map") << "which has the keyboard";
    QTest::mouseClick(&chart.plot(), Qt::LeftButton);
    ASSERT_EQ(workspace().focusedView(), "memory");
    EXPECT_EQ(offered(), "Memory over time");
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory) << "it was drawn as it stands there";
    EXPECT_EQ(workspace().viewHere("memory"), &chart);
    // So is what is shown alone.
    chart.plot().setFocus();
    m_window->focusMode().set(true);
    EXPECT_TRUE(chart.isVisible());
    EXPECT_FALSE(workspace().memoryPage().map().isVisible());
    m_window->focusMode().set(false);
    workspace().setPage(Workspace::Page::kViews);
    EXPECT_EQ(workspace().viewHere("memory"), workspace().view("memory"));
}

TEST_F(FigureDialogTest, AFigureOfTheOtherThemeLeavesTheWindowsAsItIs) {
    const ui::ThemeKind before = ui::Theme::instance().kind();
    const auto panelAt = [](const QImage& image) {
        return image.pixelColor(0, 0);  // of the head
    };
    for (const ui::ThemeKind theme : {ui::ThemeKind::kLight, ui::ThemeKind::kDark}) {
        exporting([&](FigureDialog& dialog) {
            chooseTheme(dialog, theme);
            EXPECT_TRUE(
                saveTo(dialog, folder.filePath(theme == ui::ThemeKind::kLight ? QStringLiteral("0.png")
                                                                              : QStringLiteral("1.png"))));
        });
        EXPECT_EQ(ui::Theme::instance().kind(), before);
        EXPECT_TRUE(m_window->updatesEnabled());
    }
    EXPECT_EQ(panelAt(QImage(folder.filePath("0.png"))), ui::Theme::colorsOf(ui::ThemeKind::kLight).panel);
    EXPECT_EQ(panelAt(QImage(folder.filePath("1.png"))), ui::Theme::colorsOf(ui::ThemeKind::kDark).panel);
}

TEST_F(FigureDialogTest, ViewsOfSeveralPartsAreDrawnInTheOtherThemeToo) {
    const bool dark = ui::Theme::instance().kind() == ui::ThemeKind::kDark;
    exporting([&](FigureDialog& dialog) {
        chooseTheme(dialog, dark ? ui::ThemeKind::kLight : ui::ThemeKind::kDark);
        for (const QString& view : {QStringLiteral("ops"), QStringLiteral("memory-map"),
                                    QStringLiteral("treemap"), QStringLiteral("layers")}) {
            SCOPED_TRACE(view.toStdString());
            const QString path = folder.filePath(view + QStringLiteral(".png"));
            chooseView(dialog, view);
            EXPECT_TRUE(saveTo(dialog, path));
            const QImage drawn(path);
            EXPECT_GT(test::distinctColors(drawn.copy(0, 0, drawn.width(), drawn.height() * 3 / 4), 5), 6);
        }
    });
}

TEST_F(FigureDialogTest, AFigureInTheOtherThemeIsWhatTheProgramDrawsInThatTheme) {
    const ui::ThemeKind before = ui::Theme::instance().kind();
    const ui::ThemeKind other = before == ui::ThemeKind::kDark ? ui::ThemeKind::kLight : ui::ThemeKind::kDark;
    const QStringList views{"summary", "inspector", "ops", "phases", "layers", "treemap"};
    const auto saveAll = [&](const QString& under) {
        exporting([&](FigureDialog& dialog) {
            chooseTheme(dialog, other);
            for (const QString& view : views) {
                chooseView(dialog, view);
                EXPECT_TRUE(saveTo(dialog, folder.filePath(under + view + QStringLiteral(".png"))));
            }
        });
    };
    saveAll("as-other-");
    ui::Theme::instance().setKind(other);
    ui::Theme::instance().apply(*qApp);
    saveAll("as-own-");
    ui::Theme::instance().setKind(before);
    ui::Theme::instance().apply(*qApp);
    for (const QString& view : views) {
        const QImage drawn(folder.filePath(QStringLiteral("as-other-") + view + QStringLiteral(".png")));
        const QImage own(folder.filePath(QStringLiteral("as-own-") + view + QStringLiteral(".png")));
        ASSERT_EQ(drawn.size(), own.size()) << view.toStdString();
        // A label in the other theme's color is a hundredth of a page.
        EXPECT_LT(test::differingPixels(drawn, own), 0.003 * own.width() * own.height())
            << view.toStdString();
    }
}

TEST_F(FigureDialogTest, SizesThatMakeNoFigureAreRefusedInWords) {
    exporting([&](FigureDialog& dialog) {
        type(dialog, "figureWidth", "5");
        EXPECT_FALSE(dialog.findChild<QPushButton*>("figureSave")->isEnabled());
        EXPECT_TRUE(dialog.findChild<QLabel*>("figureMessage")->text().contains("20"));
        type(dialog, "figureWidth", "85");
        EXPECT_TRUE(dialog.findChild<QPushButton*>("figureSave")->isEnabled());
    });
}

TEST_F(FigureDialogTest, ASizeLeftWrongIsNotTheNextFigures) {
    QSettings().setValue("figure/width", 5);
    m_window->figures().copyFigure();
    EXPECT_TRUE(message().contains("on the clipboard, as last")) << message().toStdString();
    EXPECT_EQ(QSettings().value("figure/width").toInt(), qRound(ui::kLeastMm));
}

TEST_F(FigureDialogTest, AViewIsCopiedAsAPictureAndAsDrawing) {
    workspace().view("memory")->setFocus();
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    const QMimeData* data = test::must(QApplication::clipboard()->mimeData());
    EXPECT_TRUE(data->hasImage());
    EXPECT_TRUE(data->data("image/svg+xml").contains("<svg"));
    EXPECT_TRUE(message().contains("clipboard")) << message().toStdString();
}

TEST_F(FigureDialogTest, ATablesColumnsAreAsWideAfterAFigureAsBefore) {
    QWidget* ops = workspace().view("ops");
    workspace().showView(ops);
    auto* table = test::must(ops->findChild<QTableView*>());
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() > 0; }));
    const auto widths = [table] {
        QList<int> all;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            all << (table->isColumnHidden(column) ? -1 : table->columnWidth(column));
        return all;
    };
    m_window->figures().copyFigure();  // the name's column has left room for the scroll bar from here on
    // By hand, and not the name's, which takes what the others leave whenever the table is resized.
    const int column = table->horizontalHeader()->logicalIndex(2);
    ASSERT_FALSE(table->isColumnHidden(column));
    table->setColumnWidth(column, table->columnWidth(column) + 37);
    table->setFocus();
    const QList<int> before = widths();
    QSettings().setValue("figure/width", 84);  // many do not fit, and others are narrower
    m_window->figures().copyFigure();
    EXPECT_EQ(widths(), before);
}

TEST_F(FigureDialogTest, ADialogClosedDuringASaveWaitsForTheFile) {
    const QString path = folder.filePath("large.png");
    bool waited = false;
    QTimer::singleShot(0, m_window.get(), [&] {
        auto* dialog = qobject_cast<FigureDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        dialog->save(path);
        EXPECT_TRUE(dialog->isSaving());
        EXPECT_FALSE(dialog->findChild<QPushButton*>("figureSave")->isEnabled());
        dialog->reject();
        waited = dialog->isVisible();
    });
    m_window->figures().exportFigure();  // until it has closed
    EXPECT_TRUE(waited);
    EXPECT_FALSE(QImage(path).isNull());
}

TEST_F(FigureDialogTest, ASaveShowsThatItGoesOnAndIsCanceledByItsButton) {
    const QString path = folder.filePath("f.png");
    test::writeContent(path.toStdString(), "former");
    bool acted = false;
    exporting([&](FigureDialog& dialog) {
        auto* progress = dialog.findChild<QWidget*>("figureProgress");
        auto* cancel = dialog.findChild<QPushButton*>("figureCancel");
        QSignalSpy ended(&dialog, &FigureDialog::saved);
        EXPECT_FALSE(progress->isVisible());
        test::HeldWorkers held;
        dialog.save(path);
        ASSERT_TRUE(waitFor([&] { return progress->isVisible(); }));
        EXPECT_TRUE(dialog.isSaving());
        QTest::mouseClick(cancel, Qt::LeftButton);
        EXPECT_TRUE(ended.isEmpty()) << "the worker has not heard of it yet";
        held.release();
        ASSERT_TRUE(!ended.isEmpty() || ended.wait(kPatience));
        EXPECT_FALSE(ended.last()[0].toBool());
        EXPECT_FALSE(progress->isVisible());
        EXPECT_TRUE(dialog.findChild<QLabel*>("figureMessage")->text().contains("canceled"));
        EXPECT_TRUE(dialog.findChild<QPushButton*>("figureSave")->isEnabled());
        acted = true;
    });
    EXPECT_TRUE(acted);
    EXPECT_EQ(test::contentOf(path.toStdString()), "former");
}

TEST_F(FigureDialogTest, TheCaptionIsSeenWholeAndWhatIsWrittenIsTheFigures) {
    const QString given = folder.filePath("given.svg"), written = folder.filePath("written.svg");
    QString caption;
    exporting([&](FigureDialog& dialog) {
        auto* field = dialog.findChild<QPlainTextEdit*>("figureCaption");
        ASSERT_NE(field, nullptr);
        caption = field->toPlainText();
        EXPECT_FALSE(caption.isEmpty());
        EXPECT_EQ(field->verticalScrollBar()->maximum(), 0) << caption.toStdString();
        auto* format = dialog.findChild<ui::SegmentedControl*>("figureFormat");
        QTest::mouseClick(format->button(1), Qt::LeftButton);
        EXPECT_TRUE(saveTo(dialog, given));
        field->selectAll();
        QTest::keyClicks(field, "Figure 3");
        EXPECT_TRUE(saveTo(dialog, written));
        // Tab leaves it, as every other field.
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Tab);
        EXPECT_EQ(field->toPlainText(), "Figure 3");
    });
    const auto descriptionIn = [](const QString& path) {
        const QString svg = QString::fromStdString(test::contentOf(path.toStdString()));
        return svg.mid(svg.indexOf("<desc>") + 6).section("</desc>", 0, 0);
    };
    EXPECT_EQ(descriptionIn(given), caption.toHtmlEscaped());
    EXPECT_EQ(descriptionIn(written), "Figure 3");
}

TEST_F(FigureDialogTest, AHeightThatFollowsTheContentIsShown) {
    const QString path = folder.filePath("f.png");
    QString shown;
    exporting([&](FigureDialog& dialog) {
        auto* height = dialog.findChild<QLineEdit*>("figureHeight");
        chooseView(dialog, "summary");
        EXPECT_FALSE(height->isEnabled());
        // With the preview.
        EXPECT_TRUE(waitFor([&] {
            return dialog.findChild<QLabel*>("figureMessage")
                ->text()
                .contains(QStringLiteral("× %1 mm").arg(height->text()));
        }));
        shown = height->text();
        EXPECT_TRUE(saveTo(dialog, path));
    });
    const QImage image(path);
    EXPECT_NEAR(image.height() / (image.dotsPerMeterY() / 1000.0), shown.toDouble(), 0.7) << "millimeters";
}

TEST_F(FigureDialogTest, APictureThatIsTooLargeIsRefusedButNotADrawing) {
    exporting([&](FigureDialog& dialog) {
        const auto choose = [&](const char* choice, int segment) {
            auto* control = dialog.findChild<ui::SegmentedControl*>(QString::fromLatin1(choice));
            QTest::mouseClick(control->button(segment), Qt::LeftButton);
        };
        auto* save = dialog.findChild<QPushButton*>("figureSave");
        choose("figureScale", 3);
        dialog.findChild<QCheckBox*>("figureHeightFollows")->setChecked(false);
        type(dialog, "figureText", "5");
        type(dialog, "figureHeight", "1000");
        type(dialog, "figureWidth", "1000");
        EXPECT_FALSE(save->isEnabled());
        const auto* said = dialog.findChild<QLabel*>("figureMessage");
        EXPECT_TRUE(said->text().contains("2\u202fGiB"));
        const QString problem = dialog.copy();
        EXPECT_TRUE(problem.contains("2\u202fGiB")) << problem.toStdString();
        EXPECT_EQ(said->text(), problem);
        choose("figureFormat", 1);
        EXPECT_TRUE(save->isEnabled());
        // The picture beside the drawing then has the pixels that it can have.
        EXPECT_EQ(dialog.copy(), QString());
        const auto copied = qvariant_cast<QImage>(QApplication::clipboard()->mimeData()->imageData());
        EXPECT_GT(copied.width(), 4096);
        QApplication::clipboard()->clear();
        choose("figureFormat", 0);
        type(dialog, "figureWidth", "100");
        EXPECT_TRUE(save->isEnabled());
    });
}

TEST_F(FigureDialogTest, WithoutARunThereIsNoFigureAndThatIsSaid) {
    m_controller.closeRun(0);
    m_window->figures().exportFigure();
    EXPECT_TRUE(message().contains("no run")) << message().toStdString();
    m_window->figures().copyFigure();
    EXPECT_TRUE(message().contains("no run")) << message().toStdString();
}

TEST(FigureCaptionTest, OfARunThatIsNotAllThereSaysSo) {
    const auto run = test::makeSyntheticRun();
    const QString whole = captionOf(*run, false), part = captionOf(*run, true);
    EXPECT_EQ(part, whole + QStringLiteral(" · incomplete: part of the recording is missing"));
    EXPECT_EQ(captionOf(whole, part), QStringLiteral("A: %1\nB: %2").arg(whole, part));
}

TEST(FigureCaptionTest, OfTwoRunsSaysWhatBecameOfEachPart) {
    EXPECT_EQ(captionOf(QStringLiteral("small, context 512, batch 4 · fp32 · naive attention · cpu"),
                        QStringLiteral("small, context 1024, batch 4 · bf16 · flash attention · cpu")),
              "small, context 512 → 1024, batch 4 · fp32 → bf16 · naive → flash attention · cpu");
    EXPECT_EQ(captionOf(QStringLiteral("small, context 512, batch 2"),
                        QStringLiteral("medium, context 512, batch 4")),
              "small → medium, context 512, batch 2 → 4");
}

}  // namespace warpglass::app::figure_dialog_test
