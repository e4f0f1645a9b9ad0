// `warpglass --render` of what is no run: reports, experiments, lessons and sweeps.
#include <QFile>
#include <QRegularExpression>
#include <algorithm>
#include <tuple>

#include "tests/gui/render_program.h"
#include "tests/support/made_experiment.h"
#include "tests/support/made_sweep.h"

namespace warpglass::render_inputs_test {

TEST_F(RenderTest, AReportTakesNoOptionOfAFigureAndIsAmongTheViews) {
    const QString out = file("x.html");
    refused(2, {"report", "--size", "800x500", "--output", out, run()}, "--size is for a figure");
    EXPECT_FALSE(QFile::exists(out));
    const Outcome slip = warpglassApp({"--render", "reprot", "--output", out, run()});
    EXPECT_TRUE(slip.errors.contains("Did you mean report?")) << slip.errors.toStdString();
}

TEST(Render, DrawsTheFiguresOfAnExperimentAndItsPage) {
    const QTemporaryDir folder;
    const QString made = folder.filePath("made");
    ASSERT_TRUE(test::writeMadeExperiment(made.toStdString()));
    EXPECT_EQ(drawn({"experiment", "--output", folder.filePath("f"), made}).output.size(), 6)
        << "three charts, each as SVG and as PNG";
    for (const char* name : {"made-lines", "made-bars", "made-heat"})
        expectPicture(folder.filePath(QStringLiteral("f/%1.png").arg(QLatin1String(name))));
    const QString page = folder.filePath("page.png");
    const QStringList wanted = {"window-experiment", "--size", "1280x720", "--output", page};
    drawn(wanted + QStringList{made});
    EXPECT_EQ(QImage(page).size(), QSize(1280, 720));
    expectPicture(page);
    refused(1, wanted + QStringList{folder.path()}, "no result.json");
    refused(2, wanted + QStringList{made, made}, "draws one experiment");
}

QStringList lessonPicture(const QString& picture) {
    return {"window-lesson", "--size", "1280x720", "--output", picture};
}

TEST_F(RenderTest, DrawsAStepOfALesson) {
    const QTemporaryDir folder;
    const QString lesson = folder.filePath("own.md"), picture = folder.filePath("step.png");
    ASSERT_TRUE(QFile::copy(run(), folder.filePath("own.wgrun")));
    test::writeContent(
        lesson.toStdString(),
        "---\nlesson: Own\nsummary: S.\n---\n## One\n- run: own.wgrun\n- view: timeline\n\nText.\n"
        "## Two\n- view: ops\n\nText.\n");
    const auto of = [&](const QStringList& options, const QString& path) {
        return lessonPicture(picture) + options + QStringList{path};
    };
    for (const QStringList& options :
         {QStringList{}, QStringList{"--lesson-step", "2"}, QStringList{"--presentation"}}) {
        QFile::remove(picture);
        drawn(of(options, lesson));
        EXPECT_EQ(QImage(picture).size(), QSize(1280, 720));
        expectPicture(picture);
    }
    refused(1, of({"--lesson-step", "3"}, lesson), "2 steps, and no step 3.");
    const std::string bad = refused(1, of({}, run()));
    EXPECT_TRUE(bad.find("A lesson begins") != bad.npos || bad.find("a lesson has at most") != bad.npos)
        << bad;
    refused(2, of({"--lesson-step", "x"}, lesson));
}

/// A lesson of one step over a sample, with these lines under its view.
QString writtenLesson(const QTemporaryDir& folder, const std::string& keys) {
    const QString path = folder.filePath("lesson.md");
    test::writeContent(path.toStdString(),
                       "---\nlesson: L\nsummary: S.\n---\n## One\n- run: small-bf16-naive\n- view: ops\n" +
                           keys + "\nText.\n");
    return path;
}

/// As in the window: the rest is shown, and what is not there is said.
TEST(RenderLesson, AStepWhosePlaceIsNotAllThereIsDrawnAndItIsSaid) {
    const QTemporaryDir folder;
    const QString picture = folder.filePath("step.png");
    for (const auto& [keys, said] :
         {std::pair{"- range: step 99\n", "line 8: No range of small-bf16-naive is called \"step 99\"."},
          {"- point: row nothing\n", "line 8: There is no \"nothing\" in the view"},
          {"- only: blocks.99\n", "line 8: small-bf16-naive has neither a phase nor a module"}}) {
        SCOPED_TRACE(keys);
        QFile::remove(picture);
        const std::string all =
            refused(1, lessonPicture(picture) + QStringList{writtenLesson(folder, keys)}, said);
        EXPECT_EQ(std::ranges::count(all, '\n'), 1) << all;
        expectPicture(picture);
    }
}

TEST(RenderLesson, IsNamedByItsOptionOrAfterTheOptions) {
    const QTemporaryDir folder;
    const QString picture = folder.filePath("step.png"), lesson = writtenLesson(folder, "");
    const QStringList option{"--lesson", lesson};
    drawn(lessonPicture(picture) + option);
    expectPicture(picture);
    EXPECT_EQ(refused(2, lessonPicture(picture) + option + QStringList{lesson}),
              "warpglass: --render window-lesson draws one lesson, and 2 files were named.\n");
    EXPECT_EQ(refused(2, lessonPicture(picture)),
              "warpglass: --render window-lesson needs a lesson: name its file after the options.\n");
    EXPECT_EQ(refused(2, QStringList{"ops", "--output", picture} + option),
              "warpglass: --lesson goes with the window, or with --render window-lesson.\n");
}

TEST(RenderLesson, WhatIsWrongWithALessonForTheWindowIsSaidOnTheTerminalToo) {
    const QTemporaryDir folder;
    const QString lesson = writtenLesson(folder, "- pont: view\n");
    QProcessEnvironment offscreen = QProcessEnvironment::systemEnvironment();
    offscreen.insert("QT_QPA_PLATFORM", "offscreen");
    const Outcome window = warpglassApp({"--exit-after-first-paint", "--lesson", lesson}, offscreen);
    EXPECT_EQ(window.status, 0) << "the window is there, and says it too";
    EXPECT_TRUE(
        window.errors.startsWith(QStringLiteral("warpglass: ") + lesson + QStringLiteral(", line 8: ")))
        << window.errors.toStdString();
}

TEST(Render, DrawsASweepInEveryFormat) {
    const QTemporaryDir folder;
    const QString sweep = folder.filePath("made.wgsweep");
    ASSERT_TRUE(test::writeSweep(test::madeSweep(), sweep.toStdString()));
    for (const char* name : {"sweep.png", "sweep.svg", "sweep.pdf"}) {
        const QString figure = folder.filePath(QString::fromLatin1(name));
        drawn({"sweep", "--output", figure, sweep});
        EXPECT_GT(QFileInfo(figure).size(), 1000) << name;
    }
    const QByteArray text = textOf(folder.filePath("sweep.svg"));
    EXPECT_TRUE(text.contains("sdpa-flash")) << "words are words, not pictures";
    EXPECT_FALSE(text.contains("<image"));
    // As bars of another measure, against one of its series.
    const QString bars = folder.filePath("bars.svg");
    const auto with = [&](const QStringList& options) {
        return QStringList{"sweep", "--output", bars} + options + QStringList{sweep};
    };
    drawn(with({"--chart", "bars", "--measure", "peak_bytes", "--x", "precision", "--series", "attention",
                "--against", "naive"}));
    const QByteArray words = textOf(bars);
    EXPECT_TRUE(words.contains("Times better than naive")) << words.left(4000).toStdString();
    drawn(with({"--chart", "heat-map"}));
    drawn(with({"--x", "context", "--series", "attention", "--fixed", "precision=bf16"}));
    EXPECT_TRUE(textOf(bars).contains("bf16")) << "the values that are held are in the title";
    for (const auto& [option, value, said] :
         {std::tuple{"--chart", "pie", "--chart takes lines, bars"},
          {"--measure", "step_mean", "Did you mean"},
          {"--x", "batch", "the sweep does not vary \"batch\""},
          {"--against", "math", "--against takes a value of"},
          {"--fixed", "precision=fp23", "--fixed takes precision= and one of"},
          {"--fixed", "batch=4", "the sweep does not vary \"batch\""},
          {"--fixed", "context=128", "context varies in this chart"},
          {"--log", "z", "--log takes x, y, xy or none"}}) {
        const Outcome wrong = warpglassApp(QStringList{"--render"} +
                                           with({QString::fromLatin1(option), QString::fromLatin1(value)}));
        EXPECT_NE(wrong.status, 0) << option;
        EXPECT_TRUE(wrong.errors.contains(QString::fromLatin1(said))) << wrong.errors.toStdString();
    }
    const Outcome noSweep = warpglassApp(
        {"--render", "sweep", "--output", folder.filePath("x.png"), folder.filePath("none.wgsweep")});
    EXPECT_NE(noSweep.status, 0);
    EXPECT_TRUE(noSweep.errors.contains("none.wgsweep"));
}

/// SVG has no clipping here: what lies beyond a chart's axes would be seen.
TEST_F(RenderTest, PointsThatRanOutOfMemoryLeaveNothingInTheCornerOfAFigure) {
    drawn({"experiment", "--output", file("figures"), QStringLiteral(WARPGLASS_SAMPLE_RUNS "/attention")});
    const QString text = QString::fromUtf8(textOf(file("figures/attention-forward.svg")));
    int points = 0;
    static const QRegularExpression kCircle("<circle cx=\"([0-9.]+)\"");
    for (auto found = kCircle.globalMatch(text); found.hasNext();) {
        EXPECT_GT(found.next().captured(1).toDouble(), 40);
        ++points;
    }
    EXPECT_GT(points, 3);
}

}  // namespace warpglass::render_inputs_test
