// `warpglass --render`: the program itself, its files and its exit statuses.
#include <QFile>
#include <QRegularExpression>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/step_spans.h"
#include "tests/gui/render_program.h"
#include "tests/support/trace_text.h"

namespace warpglass::render_test {

TEST_F(RenderTest, DrawsEveryViewAtTheSizeAsked) {
    for (const char* view : {"window", "window-summary", "window-charts", "flame", "flame-memory", "roofline",
                             "attention", "phase-dots", "layers", "summary", "timeline", "memory", "ops",
                             "phases", "breakdown", "allocations", "inspector"}) {
        SCOPED_TRACE(view);
        const QString figure = m_folder.filePath(QString::fromLatin1(view) + QStringLiteral(".png"));
        drawn({QString::fromLatin1(view), "--size", "800x500", "--scale", "2", "--output", figure, run()});
        EXPECT_EQ(QImage(figure).size(), QSize(1600, 1000));
        expectPicture(figure);
    }
}

TEST_F(RenderTest, IconsAreOfTheFiguresScaleWhateverTheScreensIs) {
    const auto windowOn = [this](const char* screen) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_SCALE_FACTOR", QString::fromLatin1(screen));
        const QString figure = file("window.png");
        drawn({"window", "--size", "1280x720", "--scale", "2", "--output", figure, run()}, environment);
        return QImage(figure);
    };
    const QImage picture = windowOn("2");
    EXPECT_EQ(picture.size(), QSize(2560, 1440));
    EXPECT_EQ(windowOn("1"), picture);
}

TEST_F(RenderTest, DrawsTwoRunsOverEachOther) {
    const QStringList wanted = {"comparison", "--output", file("comparison.png")};
    drawn(wanted + QStringList{run(), run()});
    expectPicture(file("comparison.png"));
    refused(2, wanted + QStringList{run()}, "name both");
}

TEST_F(RenderTest, DrawsSvgAndPdf) {
    for (const char* name : {"memory.svg", "timeline.pdf"}) {
        const QString view = QString::fromLatin1(name).section(QLatin1Char('.'), 0, 0);
        drawn({view, "--output", file(name), run()});
        EXPECT_GT(QFileInfo(file(name)).size(), 2000);
    }
}

TEST_F(RenderTest, DrawsEveryViewIntoAFolderAtAWidthOnPaper) {
    const QString folder = file("figures");
    drawn({"all", "--width-mm", "120", "--format", "svg", "--output", folder, run()});
    const QStringList files = QDir(folder).entryList(QDir::Files);
    EXPECT_GE(files.size(), 8);
    EXPECT_TRUE(files.contains("timeline.svg"));
    for (const QString& name : files) {
        const QByteArray figure = textOf(QDir(folder).filePath(name)), head = figure.left(400);
        EXPECT_TRUE(head.contains("width=\"119.") || head.contains("width=\"120.")) << head.constData();
        EXPECT_LT(figure.size(), 2'000'000) << name.toStdString() << ": vector figures stay small";
    }
}

TEST_F(RenderTest, OfTwoRunsTheFolderHoldsTheirComparisonToo) {
    const QString folder = file("figures");
    const QStringList wanted = {"all", "--width-mm", "84", "--output", folder};
    const Outcome both = drawn(wanted + QStringList{run(), run()});
    EXPECT_EQ(both.errors.count(" is left out: "), both.errors.count(QLatin1Char('\n')))
        << "how far it is, is for a terminal";
    QStringList inFolder;
    for (const QString& name : QDir(folder).entryList(QDir::Files, QDir::Name))
        inFolder << QDir(folder).filePath(name);
    QStringList printed = both.output;
    printed.sort();
    EXPECT_EQ(printed, inFolder) << "what was written is printed, once each";
    for (const char* name : {"comparison.png", "timeline.png"})
        expectPicture(QDir(folder).filePath(QString::fromLatin1(name)));
    refused(2, wanted + QStringList{run(), run(), run()});
    refused(2, wanted);
}

/// A picture of nothing but why there is nothing is of no use in a folder.
TEST_F(RenderTest, ViewsThatHaveNothingToShowAreLeftOutAndSaidSo) {
    const auto leftOutOf = [this](const QString& path) {
        const Outcome all = drawn({"all", "--size", "800x500", "--output", file("all"), path});
        QStringList names;
        for (const QString& line : all.errors.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
            EXPECT_TRUE(line.startsWith("warpglass: ") && line.endsWith(QLatin1Char('.')))
                << line.toStdString();
            names << line.section(QLatin1Char(' '), 1, 1);
            EXPECT_FALSE(all.output.join(QLatin1Char(' ')).contains(names.last() + QStringLiteral(".png")));
        }
        EXPECT_TRUE(all.output.contains(file("all/timeline.png")));
        return names;
    };
    const auto bare = test::traceOf(R"(
        info config.warmup 0 config.device cpu config.record none state finished
        step 0 0-1000
          forward 0-900
    )");
    ASSERT_TRUE(saveRun(*bare, file("bare.wgrun").toStdString()));
    EXPECT_EQ(leftOutOf(file("bare.wgrun")).join(QLatin1Char(' ')).toStdString(),
              "memory ops breakdown allocations find memory-map treemap between segments flame flame-memory "
              "roofline attention layers kernel-clocks");
    EXPECT_EQ(leftOutOf(QStringLiteral(WARPGLASS_SAMPLE_RUNS "/small-bf16-naive.wgrun")),
              QStringList{"kernel-clocks"});
}

TEST_F(RenderTest, WithoutAHeightAFigureIsAsHighAsItsContent) {
    const auto heightOf = [&](const char* view, const char* width, const QStringList& runs) {
        drawn(QStringList{QString::fromLatin1(view), "--width-mm", QString::fromLatin1(width), "--text-pt",
                          "7", "--output", file("a.png")} +
              runs);
        const QImage image(file("a.png"));
        return image.height() / (image.dotsPerMeterY() / 1000.0);
    };
    // In a column the cards of the summary stand under each other, and so are the parts of a comparison.
    EXPECT_GT(heightOf("summary", "84", {run()}), 1.2 * heightOf("summary", "170", {run()}));
    EXPECT_GT(heightOf("comparison", "84", {run(), run()}), 100);
    EXPECT_LT(heightOf("phases", "170", {run()}), 90) << "a few rows";
    EXPECT_LE(heightOf("summary", "84", {run()}), 258) << "no more than a page";
}

TEST_F(RenderTest, LettersHaveTheSizesOfTheWindowAtEveryWidthOnPaper) {
    const auto sizesAt = [&](const QStringList& size) {
        drawn(QStringList{"ops", "--output", file("ops.svg")} + size + QStringList{run()});
        QSet<QString> sizes;
        auto matches = QRegularExpression("font-size=\"([^\"]*)\"")
                           .globalMatch(QString::fromUtf8(textOf(file("ops.svg"))));
        while (matches.hasNext())
            sizes << matches.next().captured(1);
        return sizes;
    };
    QSet<QString> known = sizesAt({"--size", "783x848"});
    EXPECT_TRUE(known.contains("11.5")) << "names of ops";
    known << "11";  // a caption of many lines
    for (const char* width : {"84", "170"}) {
        for (const char* points : {"6", "8", "12"}) {
            SCOPED_TRACE(points);
            const QSet<QString> sizes =
                sizesAt({"--width-mm", QString::fromLatin1(width), "--text-pt", QString::fromLatin1(points)});
            EXPECT_TRUE(sizes.contains("11.5"));
            for (const QString& size : sizes)
                EXPECT_TRUE(known.contains(size)) << size.toStdString();
        }
    }
}

TEST_F(RenderTest, TheWindowFillsAFigureThatIsSmallerThanItCanBe) {
    for (const char* view : {"window", "window-summary"}) {
        for (const char* width : {"84", "170"}) {
            SCOPED_TRACE(view);
            drawn({QString::fromLatin1(view), "--width-mm", QString::fromLatin1(width), "--scale", "4",
                   "--output", file("window.png"), run()});
            const QImage image(file("window.png"));
            EXPECT_NEAR(image.width() * 5.0 / 8, image.height(), 4);
            // The line between the rail of the run panel and what is beside it, down to the status bar.
            for (int y = image.height() * 18 / 20; y < image.height() * 19 / 20; ++y)
                EXPECT_GE(test::distinctColors(image.copy(QRect(0, y, image.width() / 20, 1)), 1), 2) << y;
        }
    }
}

TEST_F(RenderTest, VectorFiguresOfALargeRunHaveNoMoreShapesThanThePageCanShow) {
    test::SyntheticOptions large;
    large.config.steps = 260;
    large.config.shape.layers = 12;
    const auto snapshot = test::makeSyntheticRun(large);
    ASSERT_GT(snapshot->spanCount(), 500'000u);
    ASSERT_TRUE(saveRun(*snapshot, file("large.wgrun").toStdString()));
    for (const char* view : {"timeline", "memory", "memory-map", "treemap", "flame", "flame-memory"}) {
        SCOPED_TRACE(view);
        drawn({QString::fromLatin1(view), "--width-mm", "174", "--output", file("large.svg"),
               file("large.wgrun")});
        const QByteArray svg = textOf(file("large.svg"));
        const qsizetype shapes =
            svg.count("<path") + svg.count("<rect") + svg.count("<poly") + svg.count("<text");
        // Blocks of one color are one path, whatever their number, and a page holds some hundred words.
        EXPECT_LT(shapes, 2'000);
        EXPECT_LT(svg.size(), 300'000);
        EXPECT_FALSE(svg.contains("<image")) << "drawn, not pasted";
    }
}

TEST_F(RenderTest, FiguresHoldTheStateOfControlsInWordsAndNoControls) {
    const auto svgOf = [&](const char* view, const QStringList& more = {}) {
        drawn(QStringList{QString::fromLatin1(view), "--width-mm", "84", "--height-mm", "60", "--output",
                          file("small.svg")} +
              more + QStringList{run()});
        return textOf(file("small.svg"));
    };
    const QByteArray memory = svgOf("memory");
    EXPECT_TRUE(memory.contains("Stacked by category"));
    EXPECT_TRUE(memory.contains("over time"));
    EXPECT_FALSE(svgOf("flame").contains("Highlight"));
    const QByteArray found = svgOf("find");
    EXPECT_TRUE(found.contains("aten::")) << "the slowest op is looked for";
    EXPECT_FALSE(found.contains("Type a name"));
    EXPECT_TRUE(svgOf("find", {"--find", "softmax"}).contains("“softmax”"));
    EXPECT_FALSE(svgOf("between").contains("Shift-drag"));
    refused(2, {"memory", "--find", "mm", "--output", file("small.svg"), run()});
}

TEST_F(RenderTest, BetweenEndsWithThePeakInUse) {
    const auto snapshot = test::makeSyntheticRun();
    MemoryTimeline memory;
    memory.update(snapshot);
    const TimeRange measured{averagedSteps(*snapshot).front().range.begin,
                             snapshot->range().end + Nanoseconds(1)};
    const auto peak = memory.peakIn(measured);
    ASSERT_TRUE(peak);
    drawn({"between", "--size", "1600x600", "--output", file("between.svg"), run()});
    const std::string inUse = " to " + formatBytes(Bytes(sumOf(peak->bytes))) + ",";
    EXPECT_TRUE(textOf(file("between.svg")).contains(inUse.c_str())) << inUse;
}

TEST_F(RenderTest, ARunThatEndedInItsWarmUpIsDrawnToo) {
    test::SyntheticOptions options;
    options.config.warmup = 2;
    options.config.steps = 0;
    options.state = "stopped";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(options), file("warmup.wgrun").toStdString()));
    drawn({"between", "--output", file("between.png"), file("warmup.wgrun")});
}

TEST_F(RenderTest, WithNoDisplayTheWindowIsRefusedInASentenceAndFiguresAreDrawn) {
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"})
        bare.remove(QString::fromLatin1(variable));
    const Outcome window = warpglassApp({run()}, bare);
    EXPECT_EQ(window.status, 1);
    EXPECT_TRUE(window.errors.contains("There is no display")) << window.errors.toStdString();
    EXPECT_EQ(window.errors.count(QLatin1Char('\n')), 1) << window.errors.toStdString();
    EXPECT_EQ(drawn({"window", "--output", file("bare.png"), run()}, bare).errors, QString())
        << "Qt's remarks about the missing desktop are no one's concern";
}

/// Each view draws with it other than without, and says in a sentence what it does not have.
TEST_F(RenderTest, SelectsWhatAFigureIsAbout) {
    const QString sample = QStringLiteral(WARPGLASS_SAMPLE_RUNS "/small-bf16-naive.wgrun");
    const auto picture = [&](const QString& view, const QStringList& select) {
        QStringList runs{sample};
        if (view == QLatin1String("comparison"))
            runs << sample;
        drawn(QStringList{view, "--size", "1280x720", "--output", file("a.png")} + select + runs);
        return QImage(file("a.png"));
    };
    const QList<QPair<const char*, const char*>> chosen = {
        {"timeline", "aten::silu"}, {"window-memory", "blocks.7.ffn.w1"},
        {"treemap", "ffn.w1"},      {"flame", "attn"},
        {"layers", "blocks.7"},     {"ops", "softmax"},
        {"allocations", "scores"},  {"comparison", "backward"}};
    for (const auto& [name, text] : chosen) {
        const QString view = QString::fromLatin1(name);
        EXPECT_NE(picture(view, {}), picture(view, {"--select", QString::fromLatin1(text)})) << name;
    }
    for (const char* view : {"timeline", "treemap", "flame", "memory"})
        EXPECT_EQ(refused(1, {QString::fromLatin1(view), "--select", "no such thing", "--output",
                              file("none.png"), sample}),
                  "warpglass: --select: nothing that " + std::string(view) +
                      " shows has \"no such thing\" in its name.\n");
    EXPECT_FALSE(QFile::exists(file("none.png")));
    refused(2, {"all", "--select", "x", "--output", file("all"), sample});
}

TEST_F(RenderTest, AWrongCommandLineIsTwoAndAFailureOne) {
    const QString out = file("x.png");
    refused(2, {"nonsense", "--output", out, run()});
    refused(2, QStringList{QStringLiteral("ops"), run()});
    refused(2, {"ops", "--size", "0x9", "--output", out, run()});
    for (const QStringList& wrong :
         {QStringList{QStringLiteral("--width-mm"), QStringLiteral("2")},
          QStringList{"--width-mm", "100", "--size", "800x500"}, QStringList{"--text-pt", "8"},
          QStringList{"--size", "16384x16384", "--scale", "4"}, QStringList{"--only", "answers"},
          QStringList{"--format", "svg"}}) {
        const std::string said = refused(2, QStringList{"ops", "--output", out} + wrong + QStringList{run()});
        EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
    }
    for (const char* scale : {"0", "0.5", "5", "-2", "two"}) {
        EXPECT_EQ(refused(2, {"ops", "--output", out,
                              QStringLiteral("--scale=%1").arg(QString::fromLatin1(scale)), run()}),
                  "warpglass: --scale takes a number from 1 to 4.\n")
            << scale;
        EXPECT_FALSE(QFile::exists(out)) << scale;
    }
    refused(1, {"ops", "--output", out, file("absent.wgrun")}, "absent.wgrun");
    refused(1, {"ops", "--output", "/nowhere/x.png", run()}, "/nowhere/x.png");
}

}  // namespace warpglass::render_test
