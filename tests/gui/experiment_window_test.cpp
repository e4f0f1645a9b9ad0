// An experiment in the window: opened, read, its figures and tables walked through and taken elsewhere, its
// sweep and run opened; and folders that hold none.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTimer>
#include <random>

#include "app/window/figure_dialog.h"
#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "engine/experiments/experiment_folder.h"
#include "engine/experiments/experiment_json.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/files.h"
#include "tests/support/made_experiment.h"
#include "tests/support/must.h"
#include "tests/support/show_unseen.h"
#include "ui/charts/data_chart.h"
#include "ui/experiments/contents_list.h"
#include "ui/experiments/experiment_page.h"
#include "ui/experiments/report_table_view.h"
#include "ui/experiments/table_export.h"
#include "ui/sweep/sweep_page.h"

namespace warpglass::app::experiment_window_test {

struct ExperimentWindow : WindowTest {
    ExperimentWindow() { EXPECT_TRUE(m_folder.isValid()); }

    QString made(bool withRun = false) {
        const QString folder = m_folder.filePath("made");
        const Status written = test::writeMadeExperiment(
            folder.toStdString(),
            withRun ? std::string(WARPGLASS_SAMPLE_RUNS "/small-fp32-naive.wgrun") : std::string());
        EXPECT_TRUE(written) << (written ? "" : written.message());
        return folder;
    }
    ui::ExperimentPage* page() { return m_window->pages().experimentInFront(); }
    OpenExperiments& experiments() { return m_window->pages().experiments(); }
    ui::ExperimentPage* open(const QString& path) {
        m_controller.openFiles({path});
        EXPECT_TRUE(waitFor([&] { return !experiments().isReading(); }));
        QCoreApplication::processEvents();
        return test::must(page());
    }
    /// As the table in front shows it.
    QString cell(int row, int column) {
        return page()->table().model()->index(row, column).data(Qt::DisplayRole).toString();
    }
    /// Why it is not opened.
    QString refusal(const QString& path) {
        QSignalSpy failed(&experiments(), &OpenExperiments::failed);
        m_controller.openFiles({path});
        EXPECT_TRUE(waitFor([&] { return !experiments().isReading(); }));
        EXPECT_EQ(page(), nullptr);
        return failed.isEmpty() ? QString() : failed[0][0].toString();
    }
    QString refusalOf(const std::string& text) {
        const QString folder = m_folder.filePath("damaged");
        test::writeContent(folder.toStdString() + "/result.json", text);
        return refusal(folder);
    }

    QTemporaryDir m_folder;
};

TEST_F(ExperimentWindow, AFolderOpensAsATabWithItsAnswerAndItsFirstFigure) {
    ui::ExperimentPage* shown = open(made());
    EXPECT_EQ(m_window->windowTitle(), "Attention by length — Warpglass");
    EXPECT_EQ(tabs()->count(), 1);
    EXPECT_TRUE(tabs()->isVisible());
    const QString text = shown->answerText();
    const qsizetype answer = text.indexOf("At length 2,048 the fused kernel");
    EXPECT_GT(answer, 0) << text.toStdString();
    EXPECT_GT(text.indexOf("<and> not before"), answer) << "shown as it is written";
    EXPECT_GT(text.indexOf("1 cell ran out of memory."), answer);
    EXPECT_TRUE(text.contains("Made Device · LibTorch 2.11.0"));
    EXPECT_TRUE(text.contains(QString::number(QDate::currentDate().year())));
    EXPECT_TRUE(shown->chart().isVisible());
    EXPECT_EQ(shown->chartInFront(), 0);
    EXPECT_EQ(shown->contents().entryCount(), 6) << "three charts, two tables, the files";
    // The file in it is the same experiment, and is read anew.
    open(shown->folder() + QStringLiteral("/result.json"));
    EXPECT_EQ(experiments().count(), 1);
    action("Close Tab")->trigger();
    EXPECT_EQ(page(), nullptr);
    EXPECT_EQ(tabs()->count(), 0);
}

TEST_F(ExperimentWindow, AnswersInShortAreListedByGroupAndTheSentencesFollow) {
    ExperimentResult result = test::madeExperiment();
    result.entries = {{"Forward pass", "1.77×", "the speed of flash"},
                      {"Backward pass", "2.49×", "the time of <b>"},
                      {"Forward pass", "3.00×", "the speed of naive"}};
    const QString folder = m_folder.filePath("short");
    ASSERT_TRUE(writeExperiment(result, folder.toStdString()));
    ui::ExperimentPage* shown = open(folder);
    const QString text = shown->answerText();
    qsizetype last = -1;
    for (const char* part : {"Forward pass", "1.77×", "the speed of flash", "3.00×", "Backward pass", "2.49×",
                             "the time of <b>", "NOTES", "IN SENTENCES", "<and> not before"}) {
        const qsizetype at = text.indexOf(QString::fromUtf8(part));
        EXPECT_GT(at, last) << part << " in " << text.toStdString();
        last = at;
    }
}

TEST_F(ExperimentWindow, ItsTextIsSelectedAndCopied) {
    ui::ExperimentPage* shown = open(made());
    auto* text = shown->findChild<QTextBrowser*>("experimentText");
    text->setFocus();
    QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(QApplication::clipboard()->text().contains("1 cell ran out of memory."));
}

TEST_F(ExperimentWindow, FiguresAndTablesAreWalkedThroughWithTheKeyboardAndTheMouse) {
    ui::ExperimentPage* shown = open(made());
    ui::ContentsList& list = shown->contents();
    EXPECT_TRUE(list.hasFocus());
    const auto charts = test::madeExperiment().charts;
    for (int i = 1; i < 3; ++i) {
        QTest::keyClick(&list, Qt::Key_Down);
        EXPECT_EQ(shown->chartInFront(), i);
        EXPECT_EQ(shown->chart().title().toStdString(), charts[static_cast<std::size_t>(i)].title);
    }
    QTest::keyClick(&list, Qt::Key_Down);
    EXPECT_EQ(shown->chartInFront(), -1);
    EXPECT_EQ(shown->table().shownRows(), 24);
    EXPECT_FALSE(button("experimentFigure")->isVisible());
    // A click on the title sorts: times, the longest first, and what has none last.
    QHeaderView* header = shown->table().horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      {header->sectionViewportPosition(3) + 10, header->height() / 2});
    EXPECT_TRUE(cell(0, 3).endsWith("ms") || cell(0, 3).endsWith(" s")) << cell(0, 3).toStdString();
    EXPECT_EQ(cell(23, 3), "–");
    // Heads of the list cannot be chosen.
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
    EXPECT_EQ(shown->table().shownRows(), 24);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(1)).center());
    EXPECT_EQ(shown->chartInFront(), 0);
}

TEST_F(ExperimentWindow, WhatIsInFrontIsCopiedAndSavedAsText) {
    ui::ExperimentPage* shown = open(made());
    const auto copy = [&](int format) {
        auto* button = shown->findChild<QPushButton*>("experimentCopy");
        button->menu()->actions()[format]->trigger();
        return QApplication::clipboard()->text();
    };
    EXPECT_TRUE(copy(0).startsWith("series,x,y_ns")) << copy(0).toStdString();
    shown->showEntry(4);
    EXPECT_EQ(copy(0), "tensor,type\nlogits,bf16\nloss,fp32\n");
    EXPECT_TRUE(copy(1).contains("| logits | bf16 |"));
    EXPECT_TRUE(copy(2).contains("\\begin{tabular}"));
    QSignalSpy failed(shown, &ui::ExperimentPage::failed);
    for (const char* name : {"a.csv", "a.md", "a.tex"}) {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        shown->tableExport().saveAs(path);
        EXPECT_NE(test::contentOf(path.toStdString()).find("logits"), std::string::npos) << name;
    }
    EXPECT_TRUE(failed.isEmpty());
    shown->tableExport().saveAs(m_folder.filePath("a.png"));
    ASSERT_EQ(failed.size(), 1);
    EXPECT_TRUE(failed[0][0].toString().contains("names no format"));
    shown->tableExport().saveAs(m_folder.filePath("none/a.csv"));
    ASSERT_EQ(failed.size(), 2);
}

TEST_F(ExperimentWindow, ItsSweepAndItsRunOpenInTabsBesideIt) {
    ui::ExperimentPage* shown = open(made(true));
    shown->showEntry(5);
    ASSERT_EQ(shown->table().shownRows(), 2);
    EXPECT_EQ(cell(0, 0), "sweep");
    EXPECT_EQ(cell(0, 3), "times.wgsweep");
    EXPECT_TRUE(cell(0, 2).startsWith("24 cells: ")) << cell(0, 2).toStdString();
    EXPECT_FALSE(button("experimentOpen")->isEnabled());
    shown->table().selectRow(0);
    click(button("experimentOpen"));
    ASSERT_TRUE(waitFor([&] { return m_window->pages().sweepInFront() != nullptr; }));
    EXPECT_EQ(tabs()->count(), 2);
    // Its tab leads back to where it was.
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(1).center());
    ASSERT_EQ(page(), shown);
    EXPECT_EQ(shown->table().shownRows(), 2);
    shown->table().selectRow(1);
    QTest::keyClick(&shown->table(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_controller.runs().size() == 1; }));
    EXPECT_TRUE(m_window->pages().showsRun());
    EXPECT_EQ(tabs()->count(), 3);
    EXPECT_EQ(tabs()->currentIndex(), 0);
    m_window->pages().stepRun(-1);
    EXPECT_EQ(page(), shown) << "over all tabs, round the end";
    EXPECT_EQ(tabs()->currentIndex(), 2);
    m_window->pages().stepRun(1);
    EXPECT_TRUE(m_window->pages().showsRun());
    // The middle of three tabs is the sweep's, the last one the experiment's.
    QTest::mouseClick(tabs(), Qt::MiddleButton, {}, tabs()->tabRect(2).center());
    EXPECT_EQ(experiments().count(), 0);
    EXPECT_EQ(m_window->pages().sweeps().count(), 1);
}

TEST_F(ExperimentWindow, MemorySnapshotsAreListedWithHowTheyAreOpened) {
    const QString folder = made();
    ExperimentResult result = test::madeExperiment();
    result.memorySnapshots = {{"512 · naive", "runs/0.pickle"}, {"512 · sdpa-flash", "runs/1.pickle"}};
    ASSERT_TRUE(writeExperiment(result, folder.toStdString()));
    test::writeContent(folder.toStdString() + "/runs/0.pickle", "a snapshot");
    ui::ExperimentPage* shown = open(folder);
    shown->showEntry(5);
    ASSERT_EQ(shown->table().shownRows(), 4);
    EXPECT_EQ(cell(2, 0), "memory snapshot");
    EXPECT_EQ(cell(2, 1), "512 · naive");
    EXPECT_TRUE(cell(2, 2).contains("https://pytorch.org/memory_viz"));
    EXPECT_EQ(cell(2, 3), "runs/0.pickle");
    EXPECT_EQ(cell(3, 2), "Its file is not there any more.");
    QSignalSpy opened(shown, &ui::ExperimentPage::openRequested), said(shown, &ui::ExperimentPage::said),
        failed(shown, &ui::ExperimentPage::failed);
    shown->table().selectRow(2);
    click(button("experimentOpen"));
    shown->table().selectRow(3);
    click(button("experimentOpen"));
    EXPECT_TRUE(opened.isEmpty()) << "Warpglass does not open it";
    ASSERT_EQ(said.size(), 1);
    EXPECT_TRUE(said[0][0].toString().contains("https://pytorch.org/memory_viz"));
    ASSERT_EQ(failed.size(), 1);
    EXPECT_TRUE(failed[0][0].toString().startsWith("The memory snapshot 512 · sdpa-flash is not"));
}

TEST_F(ExperimentWindow, ARunThatHasGoneIsSaidSo) {
    ui::ExperimentPage* shown = open(made());
    shown->showEntry(5);
    shown->table().selectRow(1);
    QSignalSpy failed(shown, &ui::ExperimentPage::failed);
    click(button("experimentOpen"));
    ASSERT_EQ(failed.size(), 1);
    EXPECT_TRUE(failed[0][0].toString().contains("not there any more"));
}

TEST_F(ExperimentWindow, ItsFiguresAreExportedAsAnyOther) {
    ui::ExperimentPage* shown = open(made());
    shown->showEntry(1);
    QStringList views;
    QString chosen;
    // The dialog is modal: it is looked at, and another figure is chosen in it, while it is open.
    QTimer::singleShot(0, [&] {
        auto* dialog = qobject_cast<FigureDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        auto* view = dialog->findChild<QComboBox*>("figureView");
        for (int i = 0; i < view->count(); ++i)
            views << view->itemText(i);
        chosen = view->currentText();
        view->setCurrentIndex(2);
        dialog->reject();
    });
    click(button("experimentFigure"));
    EXPECT_EQ(views.size(), 3);
    EXPECT_EQ(chosen.toStdString(), test::madeExperiment().charts[1].title);
    EXPECT_EQ(shown->chartInFront(), 1) << "as it was";
    // There is no figure of a table.
    shown->showEntry(3);
    action("Copy Figure")->trigger();
    EXPECT_EQ(shown->chartInFront(), -1) << "as it was";
}

TEST_F(ExperimentWindow, AFolderOrItsFileIsDropped) {
    drop({made() + QStringLiteral("/result.json")});
    ASSERT_TRUE(waitFor([&] { return page() != nullptr; }));
    EXPECT_EQ(m_controller.runs().size(), 0U);
}

TEST_F(ExperimentWindow, WhatIsNoExperimentIsOneSentence) {
    const QString empty = m_folder.filePath("empty");
    QDir().mkpath(empty);
    EXPECT_TRUE(refusal(empty).contains("no result.json")) << refusal(empty).toStdString();
    EXPECT_TRUE(refusalOf("{").contains("is no JSON"));
    EXPECT_TRUE(refusalOf("{\"version\": 1}").contains("not as this version writes it"));
    EXPECT_TRUE(refusalOf("{\"version\": 99}").contains("newer Warpglass"));
    EXPECT_TRUE(refusalOf(std::string(200'000, '[')).contains("is no JSON"));
    std::string wrong = toJson(test::madeExperiment());
    const std::string tables = "\"tables\": [";
    wrong.replace(wrong.find(tables), tables.size(), "\"tables\": 3, \"others\": [");
    EXPECT_FALSE(refusalOf(wrong).isEmpty()) << "no tables";
    // Nothing is read of a file of 100 MB.
    const std::string large = m_folder.filePath("damaged/result.json").toStdString();
    std::filesystem::resize_file(large, 100u << 20);
    EXPECT_TRUE(refusal(QString::fromStdString(large)).contains("too large"));
    EXPECT_EQ(tabs()->count(), 0);
}

TEST_F(ExperimentWindow, DamagedResultsAreDrawnAsFarAsTheyGo) {
    const std::string whole = toJson(test::madeExperiment());
    std::mt19937_64 random(5);
    const std::string values[] = {"0", "-1", "1e308", "-1e308", "1e-308", "999999999999", "2", "2147483647"};
    int drawn = 0;
    ui::ExperimentPage page(m_folder.path());
    test::showUnseen(page, {900, 600});
    for (int round = 0; round < 60; ++round) {
        // Other numbers in place of some that stand behind a colon.
        std::string text = whole;
        for (int i = 0; i < 6; ++i) {
            std::size_t at = text.find(": ", random() % text.size());
            if (at == std::string::npos)
                continue;
            at += 2;
            const std::size_t end = text.find_first_of(",\n", at);
            const char first = text[at];
            if (first == '"' || first == '[' || first == '{')
                continue;
            text.replace(at, end - at, values[random() % std::size(values)]);
        }
        auto result = experimentFromJson(text);
        if (!result)
            continue;
        ++drawn;
        if (round % 3 == 0) {  // axes without what they need
            for (Chart& chart : result->charts) {
                chart.x.categories.clear();
                chart.y.logarithmic = true;
            }
        }
        auto opened = std::make_shared<ui::OpenedExperiment>();
        opened->result = std::move(*result);
        opened->written = QDateTime::currentDateTime();
        page.setExperiment(std::move(opened));
        for (int entry = 0; entry < page.contents().entryCount(); ++entry) {
            page.showEntry(entry);
            EXPECT_FALSE(page.grab().isNull());
        }
    }
    EXPECT_GT(drawn, 5);
}

}  // namespace warpglass::app::experiment_window_test
