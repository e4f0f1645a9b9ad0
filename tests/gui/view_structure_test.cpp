// Every view of two runs, painted and compared by structure with tests/golden/views: labels, rectangles,
// lines and pictures with their colors and places. The made run in the dark theme, the recorded one in the
// light.
#include <QDir>

#include "app/window/run_figure.h"
#include "tests/gui/golden_runs.h"
#include "tests/gui/opened_made_experiment.h"
#include "tests/gui/painted_structure.h"
#include "tests/support/show_unseen.h"
#include "tests/support/trace_text.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/heading.h"
#include "ui/experiments/experiment_page.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::view_structure_test {

constexpr QSize kSize(960, 600);

QString goldenPath(const QString& name) {
    return QStringLiteral(WARPGLASS_GOLDEN_DIR "/views/%1.txt").arg(name);
}

void expectGolden(const QString& name, const std::string& painted) {
    QFile file(goldenPath(name));
    if (updatesGoldens()) {
        ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate)) << file.fileName().toStdString();
        file.write(painted.data(), static_cast<qint64>(painted.size()));
        return;
    }
    ASSERT_TRUE(file.open(QIODevice::ReadOnly))
        << file.fileName().toStdString() << " is not there" << kHowToUpdate;
    const std::string difference = test::structureDifference(file.readAll().toStdString(), painted);
    EXPECT_EQ(difference, "") << name.toStdString() << " is painted otherwise" << kHowToUpdate;
}

std::string structureOf(QWidget& widget, QSize size) {
    return test::structureText(
        test::paintedBy(size, [&](QPainter& painter) { paintAt(widget, size, painter); }));
}

void expectEveryView(UnseenRun& shown, const char* run) {
    for (const QString& name : Workspace::viewNames()) {
        QWidget* view = shown.bring(name);
        const std::string painted = structureOf(*view, kSize);
        EXPECT_NE(painted.find("text "), std::string::npos) << name.toStdString() << " has no word";
        expectGolden(QString::fromLatin1(run) + QLatin1Char('-') + name, painted);
    }
}

TEST(ViewStructure, EveryViewOfAMadeRun) {
    useTheme(ui::ThemeKind::kDark);
    UnseenRun shown;
    showMade(shown);
    expectEveryView(shown, "made");
}

TEST(ViewStructure, EveryViewOfARecordedRunWithASelection) {
    useTheme(ui::ThemeKind::kLight);
    UnseenRun shown;
    showRecorded(shown);
    expectEveryView(shown, "recorded");
}

TEST(ViewHeadings, EveryViewOfARecordedRunHasATitleAndAFinding) {
    const QStringList without = {"kernel-clocks"};  // what this run was not recorded with
    UnseenRun shown;
    showRecorded(shown);
    for (const QString& name : Workspace::viewNames()) {
        QWidget* view = shown.bring(name);
        const RunFigure figure(view, shown.controller().axis(), "a run");
        EXPECT_FALSE(figure.source().title.isEmpty()) << name.toStdString();
        EXPECT_TRUE(RunFigure(view, shown.controller().axis(), {}).source().title.isEmpty());
        const auto* headed = dynamic_cast<const ui::Headed*>(view);
        const QString finding = headed ? headed->heading().finding : QString();
        EXPECT_EQ(finding.isEmpty(), without.contains(name)) << name.toStdString();
        EXPECT_TRUE(finding.isEmpty() || finding.endsWith(QLatin1Char('.'))) << finding.toStdString();
    }
}

TEST(ViewHeadings, TheWindowSaysThemAndAFigureOnce) {
    UnseenRun shown;
    showRecorded(shown);
    shown.controller().axis().setSelectedRange(std::nullopt);
    for (const QString name : {"timeline", "ops", "allocations", "phases", "roofline", "attention", "layers",
                               "phase-dots", "flame", "flame-memory"}) {
        QWidget* view = shown.bring(name);
        const QString finding = dynamic_cast<const ui::Headed*>(view)->heading().finding;
        const std::string beginning = finding.left(20).toStdString();
        const std::string window = structureOf(*view, {1240, 600});
        // The room beside a column's title may be that of a shorter wording, but the sentence is not cut.
        const bool beside = name == "ops" || name == "allocations";
        const std::string said = beside ? finding.toStdString() : beginning;
        EXPECT_TRUE(window.find(said) != std::string::npos ||
                    (beside && window.find(beginning) == std::string::npos))
            << name.toStdString() << ": " << beginning;
        const RunFigure figure(view, shown.controller().axis(), "a run");
        const std::string drawn = test::structureText(test::paintedBy({1000, 600}, [&](QPainter& painter) {
            ui::paintOnPage(painter, figure.source(), {QSize(1000, 600), 96});
        }));
        const auto first = drawn.find(beginning);
        EXPECT_NE(first, std::string::npos) << name.toStdString();
        EXPECT_EQ(drawn.find(beginning, first + 1), std::string::npos) << name.toStdString();
    }
}

TEST(ViewStructure, TwoRunsCompared) {
    const OpenedRun a = openSample("small-fp32-naive"), b = openSample("small-bf16-naive");
    for (const ui::ThemeKind kind : {ui::ThemeKind::kDark, ui::ThemeKind::kLight}) {
        useTheme(kind);
        ui::ComparisonView view;
        test::showUnseen(view, {1200, 800});
        view.setRuns({"fp32", a.snapshot, nullptr}, {"bf16", b.snapshot, nullptr});
        settle(view);
        expectGolden(
            kind == ui::ThemeKind::kDark ? QStringLiteral("compared-dark") : QStringLiteral("compared-light"),
            structureOf(view, {1200, 800}));
    }
}

TEST(ViewStructure, AnExperimentWithAFigureAndWithATableInFront) {
    for (const ui::ThemeKind kind : {ui::ThemeKind::kDark, ui::ThemeKind::kLight}) {
        const bool dark = kind == ui::ThemeKind::kDark;
        useTheme(kind);
        ui::ExperimentPage page("/made");
        page.setExperiment(test::madeOpenedExperiment());
        test::showUnseen(page, kSize);
        page.showEntry(dark ? 0 : 3);
        settle(page);
        expectGolden(
            dark ? QStringLiteral("experiment-figure-dark") : QStringLiteral("experiment-table-light"),
            structureOf(page, kSize));
    }
}

TEST(ViewStructure, APhaseIsSpelledAlikeInAllOfARow) {
    ui::RunDocument document;
    ui::TimeAxis axis;
    ui::TimelineView view(&document, &axis);
    const auto names = [&](std::string_view end) {
        document.setSnapshot(test::traceOf(test::filled(R"(
            step 0 0-1000us
              forward 0-400us
              backward 400-1000us
            step 1 1000-%
              forward 1000-1050us
              backward 1050-%
        )",
                                                        end, end)));
        QStringList found;
        for (const QString& text : test::textOf(
                 test::paintedBy(kSize, [&](QPainter& painter) { paintAt(view, kSize, painter); }))) {
            const QString name = text.section(QLatin1Char(' '), 0, 0);
            if (QStringList{"forward", "fwd", "backward", "bwd"}.contains(name))
                found << name;
        }
        return found;
    };
    EXPECT_EQ(names("1110us"), (QStringList{"fwd", "bwd", "fwd", "bwd"}));
    EXPECT_EQ(names("1200us"), (QStringList{"fwd", "backward", "fwd", "backward"}));
}

TEST(ViewStructure, EveryGoldenIsAViews) {
    QStringList known{"compared-dark.txt", "compared-light.txt", "experiment-figure-dark.txt",
                      "experiment-table-light.txt"};
    for (const QString& name : Workspace::viewNames()) {
        known << QStringLiteral("made-%1.txt").arg(name);
        known << QStringLiteral("recorded-%1.txt").arg(name);
    }
    QDir folder(QStringLiteral(WARPGLASS_GOLDEN_DIR "/views"));
    for (const QString& file : folder.entryList(QDir::Files)) {
        if (!known.contains(file) && updatesGoldens())
            folder.remove(file);
        else
            EXPECT_TRUE(known.contains(file)) << file.toStdString() << " is no view's";
    }
}

// The comparison tells of a label, a color, a place or a number of shapes, not of a pixel of a font.
TEST(PaintedStructure, TellsLabelsColorsPlacesAndCounts) {
    const auto paint = [](const QString& label, QColor color, int x, int bars) {
        return test::structureText(test::paintedBy({400, 200}, [&](QPainter& painter) {
            painter.setFont(ui::Theme::textFont());
            painter.setPen(QColor(10, 20, 30));
            painter.drawText(QPoint(20, 40), label);
            for (int i = 0; i < bars; ++i)
                painter.fillRect(x + 30 * i, 60, 20, 50, color);
            painter.drawLine(0, 150, 400, 150);
        }));
    };
    const std::string expected = paint("forward", Qt::red, 40, 3);
    EXPECT_NE(expected.find("text 20 40 #0a141e 13px 400 forward"), std::string::npos) << expected;
    EXPECT_NE(expected.find("fill #ff0000 × 3 within 40 60 80 50 area 3000"), std::string::npos) << expected;
    EXPECT_EQ(test::structureDifference(expected, expected), "");
    EXPECT_EQ(test::structureDifference(expected, paint("forward", Qt::red, 41, 3)), "");
    for (const std::string& other :
         {paint(QStringLiteral("Forward"), Qt::red, 40, 3),
          paint(QStringLiteral("forward"), QColor(255, 1, 0), 40, 3),
          paint(QStringLiteral("forward"), Qt::red, 48, 3), paint(QStringLiteral("forward"), Qt::red, 40, 4)})
        EXPECT_NE(test::structureDifference(expected, other), "") << other;
    EXPECT_EQ(test::structureDifference("text 1 2 #000000 12px 400 a long na…\n",
                                        "text 1 2 #000000 12px 400 a long nam…\n"),
              "");
    EXPECT_NE(test::structureDifference("text 1 2 #000000 12px 400 a long na…\n",
                                        "text 1 2 #000000 12px 400 a lonk nam…\n"),
              "");
}

}  // namespace warpglass::app::view_structure_test
