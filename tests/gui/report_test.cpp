// A report with figures, made by the programs as people run them, and in the window.
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QEventLoop>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <algorithm>
#include <set>
#include <stdexcept>

#include "app/window/report_dialog.h"
#include "app/window/report_figures.h"
#include "engine/report/html_report.h"
#include "engine/report/report.h"
#include "tests/support/files.h"
#include "tests/support/first_of.h"
#include "tests/support/html_page.h"
#include "tests/support/made_experiment.h"
#include "tests/support/made_sweep.h"
#include "ui/report/report_pages.h"

namespace warpglass::app::report_test {

ReportInputs inputsOf(const std::vector<std::filesystem::path>& paths) {
    const Result<ReportInputs> inputs = openReportInputs(paths);
    if (!inputs)
        throw std::runtime_error(inputs.message());
    return *inputs;
}

std::filesystem::path sample(const char* name) {
    return std::filesystem::path(WARPGLASS_SAMPLE_RUNS) / name;
}

ReportDocument drawn(const ReportInputs& inputs, ReportFigures::Themes themes) {
    ReportDocument document = *makeReport(inputs, {});
    ReportFigures figures(inputs.inputs, themes);
    for (ReportFigure* figure : figuresOf(document))
        figures.draw(*figure);
    return document;
}

TEST(Report, EveryFigureHasADrawingACaptionAndAnAlternativeText) {
    const QTemporaryDir folder;
    const std::filesystem::path made = folder.filePath("made.wgsweep").toStdString();
    const std::filesystem::path experiment = folder.filePath("experiment").toStdString();
    ASSERT_TRUE(test::writeSweep(test::madeSweep(), made));
    ASSERT_TRUE(test::writeMadeExperiment(experiment));
    const ReportInputs inputs =
        inputsOf({sample("small-bf16-naive.wgrun"), sample("small-bf16-flash.wgrun"), made, experiment});
    const ReportDocument document = drawn(inputs, ReportFigures::Themes::kBoth);
    const std::size_t count = figuresOf(document).size();
    EXPECT_EQ(count, 8u + 8u + 1u + 2u + 3u);
    const test::HtmlElement page = test::readHtml(reportHtml(document));
    const auto figures = page.all("figure");
    ASSERT_EQ(figures.size(), count);  // every one was drawn
    std::set<std::string> ids;
    for (const test::HtmlElement* figure : figures) {
        const auto captions = figure->all("figcaption");
        ASSERT_EQ(captions.size(), 1u);
        EXPECT_FALSE(captions.front()->text.empty());
        for (const test::HtmlElement* svg : figure->all("svg")) {
            EXPECT_EQ(svg->attribute("role"), "img");
            EXPECT_GT(svg->attribute("aria-label").size(), 20u);
            EXPECT_GT(svg->all().size(), 10u);
        }
    }
    for (const test::HtmlElement* element : page.all()) {
        if (element->has("id")) {
            EXPECT_TRUE(ids.insert(element->attribute("id")).second) << element->attribute("id");
        }
        for (const char* key : {"href", "src"}) {
            const std::string target = element->attribute(key);
            EXPECT_TRUE(target.empty() || target[0] == '#' || target.starts_with("data:image/")) << target;
        }
    }
}

TEST(Report, ThemesDifferInColorsAloneNearlyAlways) {
    const ReportInputs inputs = inputsOf({sample("small-bf16-naive.wgrun")});
    const test::HtmlElement page = test::readHtml(reportHtml(drawn(inputs, ReportFigures::Themes::kBoth)));
    EXPECT_LE(page.all("svg").size(), page.all("figure").size() + 1);
    EXPECT_NE(page.all("style").front()->text.find("--f0:"), std::string::npos);
}

TEST(Report, AFigureSaysWhatTheViewSaysInTheWindow) {
    const ReportInputs inputs = inputsOf({sample("small-bf16-naive.wgrun")});
    const ReportDocument document = drawn(inputs, ReportFigures::Themes::kLight);
    const auto figures = figuresOf(document);
    const ReportFigure& timeline =
        *test::firstOf(figures, [](const ReportFigure* figure) { return figure->title == "Timeline"; });
    EXPECT_TRUE(timeline.sentence.starts_with("Launch-bound: the GPU was busy for ")) << timeline.sentence;
    EXPECT_NE(timeline.alternative.find(timeline.sentence), std::string::npos);
    // Where the view finds nothing, its caption says what is seen.
    for (const ReportFigure* figure : figures)
        EXPECT_FALSE(figure->sentence.empty()) << figure->title;
}

TEST(Report, PagesAreAPdfOfLetters) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("r.pdf");
    const ReportInputs inputs = inputsOf({sample("small-bf16-naive.wgrun")});
    ReportDocument document = drawn(inputs, ReportFigures::Themes::kLight);
    leaveOutUndrawn(document);
    ReportFigures figures(inputs.inputs, ReportFigures::Themes::kLight);
    // One that begins a page is begun on the page before, too, where it is covered.
    std::set<const ReportFigure*> painted;
    const Status written =
        ui::writeReportPages(document, path.toStdString(),
                             [&](const ReportFigure& figure, QPainter& painter, const QRectF& place) {
                                 painted.insert(&figure);
                                 EXPECT_GT(place.width(), 300);
                                 figures.paint(figure, painter, place);
                             });
    ASSERT_TRUE(written) << written.message();
    EXPECT_EQ(painted.size(), figuresOf(document).size());
    const std::string pdf = test::contentOf(path.toStdString());
    EXPECT_TRUE(pdf.starts_with("%PDF-"));
    EXPECT_NE(pdf.find("/FontFile2"), std::string::npos);
    EXPECT_LT(pdf.size(), 1u << 20);
    EXPECT_FALSE(ui::writeReportPages(document, "/no/such/folder/r.pdf", {}));
}

struct ReportDialogTest : ::testing::Test {
    static std::vector<ReportChoice> choices() {
        std::vector<ReportChoice> all;
        for (const char* name : {"small-bf16-naive.wgrun", "small-bf16-flash.wgrun"})
            all.push_back({QString::fromLatin1(name), *openReportInput(sample(name)), all.empty()});
        return all;
    }
    static QCheckBox& part(ReportDialog& dialog, const char* name) {
        return *dialog.findChild<QCheckBox*>(QStringLiteral("report-") + QLatin1String(name));
    }
    static QTextBrowser& preview(ReportDialog& dialog) {
        return *dialog.findChild<QTextBrowser*>("reportPreview");
    }
    QTemporaryDir m_folder;
};

TEST_F(ReportDialogTest, PreviewsWhatIsTicked) {
    ReportDialog dialog(choices(), nullptr);
    QSignalSpy previewed(&dialog, &ReportDialog::previewed);
    ASSERT_TRUE(previewed.wait(20'000));
    const QString all = preview(dialog).toPlainText();
    EXPECT_TRUE(all.contains("Answers"));
    EXPECT_TRUE(all.contains("Tables"));
    EXPECT_EQ(all.count(QChar::ObjectReplacementCharacter), 8);
    part(dialog, "tables").setChecked(false);
    part(dialog, "figures").setChecked(false);
    ASSERT_TRUE(previewed.wait(20'000));
    const QString fewer = preview(dialog).toPlainText();
    EXPECT_TRUE(fewer.contains("Answers"));
    EXPECT_FALSE(fewer.contains("Tables"));
    EXPECT_EQ(fewer.count(QChar::ObjectReplacementCharacter), 0);
}

TEST_F(ReportDialogTest, AnotherTitleDrawsNothingAnew) {
    ReportDialog dialog(choices(), nullptr);
    QSignalSpy previewed(&dialog, &ReportDialog::previewed);
    ASSERT_TRUE(previewed.wait(20'000));
    auto* title = dialog.findChild<QLineEdit*>("reportTitle");
    title->setText("Two attentions");
    EXPECT_FALSE(previewed.wait(1000)) << "its figures are there";
    EXPECT_TRUE(preview(dialog).toPlainText().startsWith("Two attentions"));
    EXPECT_EQ(preview(dialog).toPlainText().count(QChar::ObjectReplacementCharacter), 8);
    title->clear();
    ASSERT_TRUE(previewed.wait(20'000)) << "what it is called without a title is worked out";
    EXPECT_FALSE(preview(dialog).toPlainText().startsWith("Two attentions"));
}

TEST_F(ReportDialogTest, SavesWhatThePreviewShows) {
    ReportDialog dialog(choices(), nullptr);
    QSignalSpy saved(&dialog, &ReportDialog::saved);
    for (const char* name : {"r.html", "r.md", "r.pdf"}) {
        const QString path = m_folder.filePath(QLatin1String(name));
        dialog.save(path);
        EXPECT_TRUE(dialog.isSaving());
        ASSERT_TRUE(saved.wait(30'000)) << name;
        EXPECT_TRUE(saved.takeFirst().first().toBool()) << name;
        EXPECT_GT(QFile(path).size(), 10'000) << name;
    }
    EXPECT_TRUE(QFile::exists(m_folder.filePath("r-figures/figure-timeline.svg")));
}

TEST_F(ReportDialogTest, SaysWhyNothingWasSaved) {
    ReportDialog dialog(choices(), nullptr);
    QSignalSpy saved(&dialog, &ReportDialog::saved);
    part(dialog, "figures").setChecked(false);
    dialog.save("/no/such/folder/r.html");
    ASSERT_TRUE(saved.wait(20'000));
    EXPECT_FALSE(saved.takeFirst().first().toBool());
    EXPECT_TRUE(dialog.findChild<QLabel*>("reportMessage")->text().contains("/no/such/folder/r.html"));
}

TEST_F(ReportDialogTest, NothingTickedIsSaidAndNotSaved) {
    ReportDialog dialog(choices(), nullptr);
    for (const std::string_view name : kReportPartNames)
        part(dialog, std::string(name).c_str()).setChecked(false);
    EXPECT_EQ(dialog.findChild<QLabel*>("reportMessage")->text(), "Tick what goes into the report.");
    dialog.save(m_folder.filePath("r.html"));
    EXPECT_FALSE(dialog.isSaving());
}

TEST_F(ReportDialogTest, ClosesWhileItWorks) {
    for (int i = 0; i < 3; ++i) {
        auto dialog = std::make_unique<ReportDialog>(choices(), nullptr);
        dialog->save(m_folder.filePath("r.html"));
        QEventLoop loop;
        QTimer::singleShot(50 + 150 * i, &loop, &QEventLoop::quit);
        loop.exec();
        dialog.reset();
        QApplication::processEvents();
        QFile file(m_folder.filePath("r.html"));
        const bool isThere = file.open(QIODevice::ReadOnly);
        EXPECT_TRUE(!isThere || file.readAll().trimmed().endsWith("</html>")) << "whole or not at all";
    }
}

}  // namespace warpglass::app::report_test
