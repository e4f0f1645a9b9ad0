// `warpglass --render` of what is no run: reports, experiments, lessons and sweeps.
#include <QFile>
#include <QRegularExpression>
#include <tuple>

#include "tests/gui/render_program.h"
#include "tests/support/made_experiment.h"
#include "tests/support/made_sweep.h"

namespace warpglass::render_inputs_test {

TEST_F(RenderTest, AReportTakesNoOptionOfAFigureAndIsAmongTheViews) {
    const QString out = file("x.html");
    const Outcome sized = warpglassApp({"--render", "report", "--size", "800x500", "--output", out, run()});
    EXPECT_EQ(sized.status, 2);
    EXPECT_TRUE(sized.errors.contains("--size is for a figure")) << sized.errors.toStdString();
    EXPECT_FALSE(QFile::exists(out));
    const Outcome slip = warpglassApp({"--render", "reprot", "--output", out, run()});
    EXPECT_TRUE(slip.errors.contains("Did you mean report?")) << slip.errors.toStdString();
}

TEST(Render, DrawsTheFiguresOfAnExperimentAndItsPage) {
    const QTemporaryDir folder;
    const QString made = folder.filePath("made");
    ASSERT_TRUE(test::writeMadeExperiment(made.toStdString()));
    const Outcome figures = warpglassApp({"--render", "experiment", "--output", folder.filePath("f"), made});
    EXPECT_EQ(figures.status, 0) << figures.errors.toStdString();
    EXPECT_EQ(figures.output.size(), 6) << "three charts, each as SVG and as PNG";
    for (const char* name : {"made-lines", "made-bars", "made-heat"})
        EXPECT_GT(
            distinctColors(QImage(folder.filePath(QStringLiteral("f/%1.png").arg(QLatin1String(name))))), 8)
            << name;
    const QString page = folder.filePath("page.png");
    const QStringList wanted = {"--render", "window-experiment", "--size", "1280x720", "--output", page};
    const Outcome drawn = warpglassApp(wanted + QStringList{made});
    EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
    EXPECT_EQ(QImage(page).size(), QSize(1280, 720));
    EXPECT_GT(distinctColors(QImage(page)), 8);
    const Outcome none = warpglassApp(wanted + QStringList{folder.path()});
    EXPECT_EQ(none.status, 1);
    EXPECT_TRUE(none.errors.contains("no result.json")) << none.errors.toStdString();
    const Outcome two = warpglassApp(wanted + QStringList{made, made});
    EXPECT_EQ(two.status, 2);
    EXPECT_TRUE(two.errors.contains("draws one experiment"));
}

TEST_F(RenderTest, DrawsAStepOfALesson) {
    const QTemporaryDir folder;
    const QString lesson = folder.filePath("own.md"), picture = folder.filePath("step.png");
    ASSERT_TRUE(QFile::copy(run(), folder.filePath("own.wgrun")));
    QFile file(lesson);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(
        "---\nlesson: Own\nsummary: S.\n---\n## One\n- run: own.wgrun\n- view: timeline\n\nText.\n"
        "## Two\n- view: ops\n\nText.\n");
    file.close();
    const auto draw = [&](const QStringList& options, const QString& path) {
        return warpglassApp(
            QStringList{"--render", "window-lesson", "--size", "1280x720", "--output", picture} + options +
            QStringList{path});
    };
    for (const QStringList& options :
         {QStringList{}, QStringList{"--lesson-step", "2"}, QStringList{"--presentation"}}) {
        QFile::remove(picture);
        const Outcome drawn = draw(options, lesson);
        EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
        EXPECT_EQ(QImage(picture).size(), QSize(1280, 720));
        EXPECT_GT(distinctColors(QImage(picture)), 8);
    }
    const Outcome beyond = draw({"--lesson-step", "3"}, lesson);
    EXPECT_EQ(beyond.status, 1);
    EXPECT_TRUE(beyond.errors.contains("2 steps, and no step 3.")) << beyond.errors.toStdString();
    const Outcome bad = draw({}, run());
    EXPECT_EQ(bad.status, 1);
    EXPECT_TRUE(bad.errors.contains("A lesson begins") || bad.errors.contains("a lesson has at most"))
        << bad.errors.toStdString();
    EXPECT_EQ(draw({"--lesson-step", "x"}, lesson).status, 2);
}

/// A lesson of one step over a sample, with these lines under its view.
QString writtenLesson(const QTemporaryDir& folder, const QByteArray& keys) {
    const QString path = folder.filePath("lesson.md");
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("---\nlesson: L\nsummary: S.\n---\n## One\n- run: small-bf16-naive\n- view: ops\n" + keys +
               "\nText.\n");
    return path;
}

QStringList lessonPicture(const QString& picture) {
    return {"--render", "window-lesson", "--size", "1280x720", "--output", picture};
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
        const Outcome drawn = warpglassApp(lessonPicture(picture) + QStringList{writtenLesson(folder, keys)});
        EXPECT_EQ(drawn.status, 1);
        EXPECT_TRUE(drawn.errors.contains(QString::fromLatin1(said))) << drawn.errors.toStdString();
        EXPECT_EQ(drawn.errors.count(QLatin1Char('\n')), 1) << drawn.errors.toStdString();
        EXPECT_GT(distinctColors(QImage(picture)), 8);
    }
}

TEST(RenderLesson, IsNamedByItsOptionOrAfterTheOptions) {
    const QTemporaryDir folder;
    const QString picture = folder.filePath("step.png"), lesson = writtenLesson(folder, "");
    const QStringList option{"--lesson", lesson};
    const Outcome drawn = warpglassApp(lessonPicture(picture) + option);
    EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
    EXPECT_GT(distinctColors(QImage(picture)), 8);
    const auto refused = [](const QStringList& arguments) {
        const Outcome outcome = warpglassApp(arguments);
        EXPECT_EQ(outcome.status, 2);
        return outcome.errors.toStdString();
    };
    EXPECT_EQ(refused(lessonPicture(picture) + option + QStringList{lesson}),
              "warpglass: --render window-lesson draws one lesson, and 2 files were named.\n");
    EXPECT_EQ(refused(lessonPicture(picture)),
              "warpglass: --render window-lesson needs a lesson: name its file after the options.\n");
    EXPECT_EQ(refused(QStringList{"--render", "ops", "--output", picture} + option),
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
        const Outcome drawn = warpglassApp({"--render", "sweep", "--output", figure, sweep});
        EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
        EXPECT_GT(QFileInfo(figure).size(), 1000) << name;
    }
    QFile svg(folder.filePath("sweep.svg"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    EXPECT_TRUE(text.contains("sdpa-flash")) << "words are words, not pictures";
    EXPECT_FALSE(text.contains("<image"));
    // As bars of another measure, against one of its series.
    const QString bars = folder.filePath("bars.svg");
    const auto draw = [&](const QStringList& options) {
        return warpglassApp(QStringList{"--render", "sweep", "--output", bars} + options +
                            QStringList{sweep});
    };
    const Outcome drawn = draw({"--chart", "bars", "--measure", "peak_bytes", "--x", "precision", "--series",
                                "attention", "--against", "naive"});
    EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
    QFile other(bars);
    ASSERT_TRUE(other.open(QIODevice::ReadOnly));
    const QByteArray words = other.readAll();
    EXPECT_TRUE(words.contains("Times better than naive")) << words.left(4000).toStdString();
    EXPECT_EQ(draw({"--chart", "heat-map"}).status, 0);
    const Outcome held = draw({"--x", "context", "--series", "attention", "--fixed", "precision=bf16"});
    EXPECT_EQ(held.status, 0) << held.errors.toStdString();
    QFile fixed(bars);
    ASSERT_TRUE(fixed.open(QIODevice::ReadOnly));
    EXPECT_TRUE(fixed.readAll().contains("bf16")) << "the values that are held are in the title";
    for (const auto& [option, value, said] :
         {std::tuple{"--chart", "pie", "--chart takes lines, bars"},
          {"--measure", "step_mean", "Did you mean"},
          {"--x", "batch", "the sweep does not vary \"batch\""},
          {"--against", "math", "--against takes a value of"},
          {"--fixed", "precision=fp23", "--fixed takes precision= and one of"},
          {"--fixed", "batch=4", "the sweep does not vary \"batch\""},
          {"--fixed", "context=128", "context varies in this chart"},
          {"--log", "z", "--log takes x, y, xy or none"}}) {
        const Outcome wrong = draw({QString::fromLatin1(option), QString::fromLatin1(value)});
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
    const Outcome drawn = warpglassApp({"--render", "experiment", "--output", file("figures"),
                                        QStringLiteral(WARPGLASS_SAMPLE_RUNS "/attention")});
    ASSERT_EQ(drawn.status, 0) << drawn.errors.toStdString();
    QFile svg(m_folder.filePath("figures/attention-forward.svg"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(svg.readAll());
    int points = 0;
    static const QRegularExpression kCircle("<circle cx=\"([0-9.]+)\"");
    for (auto found = kCircle.globalMatch(text); found.hasNext();) {
        EXPECT_GT(found.next().captured(1).toDouble(), 40);
        ++points;
    }
    EXPECT_GT(points, 3);
}

}  // namespace warpglass::render_inputs_test
