// `warpglass --render`: the program itself, its files and its exit statuses.
#include <QFile>
#include <QRegularExpression>

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
        const Outcome outcome = warpglassApp({"--render", QString::fromLatin1(view), "--size", "800x500",
                                              "--scale", "2", "--output", figure, run()});
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        const QImage image(figure);
        EXPECT_EQ(image.size(), QSize(1600, 1000));
        EXPECT_GT(distinctColors(image), 8) << "an empty picture";
    }
}

TEST_F(RenderTest, IconsAreOfTheFiguresScaleWhateverTheScreensIs) {
    const auto drawn = [this](const char* screen) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_SCALE_FACTOR", QString::fromLatin1(screen));
        const QString figure = file("window.png");
        const Outcome outcome = warpglassApp(
            {"--render", "window", "--size", "1280x720", "--scale", "2", "--output", figure, run()},
            environment);
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        return QImage(figure);
    };
    const QImage picture = drawn("2");
    EXPECT_EQ(picture.size(), QSize(2560, 1440));
    EXPECT_EQ(drawn("1"), picture);
}

TEST_F(RenderTest, DrawsTwoRunsOverEachOther) {
    const QStringList wanted = {"--render", "comparison", "--output", file("comparison.png")};
    const Outcome both = warpglassApp(wanted + QStringList{run(), run()});
    EXPECT_EQ(both.status, 0) << both.errors.toStdString();
    EXPECT_GT(distinctColors(QImage(file("comparison.png"))), 8);
    const Outcome one = warpglassApp(wanted + QStringList{run()});
    EXPECT_EQ(one.status, 2);
    EXPECT_TRUE(one.errors.contains("name both")) << one.errors.toStdString();
}

TEST_F(RenderTest, DrawsSvgAndPdf) {
    for (const char* name : {"memory.svg", "timeline.pdf"}) {
        const QString view = QString::fromLatin1(name).section(QLatin1Char('.'), 0, 0);
        const Outcome outcome = warpglassApp({"--render", view, "--output", file(name), run()});
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        EXPECT_GT(QFileInfo(file(name)).size(), 2000);
    }
}

TEST_F(RenderTest, DrawsEveryViewIntoAFolderAtAWidthOnPaper) {
    const QString folder = file("figures");
    const Outcome outcome =
        warpglassApp({"--render", "all", "--width-mm", "120", "--format", "svg", "--output", folder, run()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
    const QStringList files = QDir(folder).entryList(QDir::Files);
    EXPECT_GE(files.size(), 8);
    EXPECT_TRUE(files.contains("timeline.svg"));
    for (const QString& name : files) {
        QFile figure(QDir(folder).filePath(name));
        ASSERT_TRUE(figure.open(QIODevice::ReadOnly));
        const QByteArray head = figure.read(400);
        EXPECT_TRUE(head.contains("width=\"119.") || head.contains("width=\"120.")) << head.constData();
        EXPECT_LT(figure.size(), 2'000'000) << name.toStdString() << ": vector figures stay small";
    }
}

TEST_F(RenderTest, OfTwoRunsTheFolderHoldsTheirComparisonToo) {
    const QString folder = file("figures");
    const QStringList wanted = {"--render", "all", "--width-mm", "84", "--output", folder};
    const Outcome both = warpglassApp(wanted + QStringList{run(), run()});
    EXPECT_EQ(both.status, 0) << both.errors.toStdString();
    EXPECT_EQ(both.errors.count(" is left out: "), both.errors.count(QLatin1Char('\n')))
        << "how far it is, is for a terminal";
    QStringList inFolder;
    for (const QString& name : QDir(folder).entryList(QDir::Files, QDir::Name))
        inFolder << QDir(folder).filePath(name);
    QStringList printed = both.output;
    printed.sort();
    EXPECT_EQ(printed, inFolder) << "what was written is printed, once each";
    for (const char* name : {"comparison.png", "timeline.png"})
        EXPECT_GT(distinctColors(QImage(QDir(folder).filePath(QString::fromLatin1(name)))), 8) << name;
    EXPECT_EQ(warpglassApp(wanted + QStringList{run(), run(), run()}).status, 2);
    EXPECT_EQ(warpglassApp(wanted).status, 2);
}

/// A picture of nothing but why there is nothing is of no use in a folder.
TEST_F(RenderTest, ViewsThatHaveNothingToShowAreLeftOutAndSaidSo) {
    const auto leftOutOf = [this](const QString& path) {
        const Outcome drawn =
            warpglassApp({"--render", "all", "--size", "800x500", "--output", file("all"), path});
        EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
        QStringList names;
        for (const QString& line : drawn.errors.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
            EXPECT_TRUE(line.startsWith("warpglass: ") && line.endsWith(QLatin1Char('.')))
                << line.toStdString();
            names << line.section(QLatin1Char(' '), 1, 1);
            EXPECT_FALSE(drawn.output.join(QLatin1Char(' ')).contains(names.last() + QStringLiteral(".png")));
        }
        EXPECT_TRUE(drawn.output.contains(file("all/timeline.png")));
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
        const Outcome outcome = warpglassApp(QStringList{"--render", QString::fromLatin1(view), "--width-mm",
                                                         QString::fromLatin1(width), "--text-pt", "7",
                                                         "--output", file("a.png")} +
                                             runs);
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
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
        const Outcome outcome = warpglassApp(QStringList{"--render", "ops", "--output", file("ops.svg")} +
                                             size + QStringList{run()});
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        QFile figure(file("ops.svg"));
        EXPECT_TRUE(figure.open(QIODevice::ReadOnly));
        QSet<QString> sizes;
        auto matches =
            QRegularExpression("font-size=\"([^\"]*)\"").globalMatch(QString::fromUtf8(figure.readAll()));
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
            const Outcome outcome =
                warpglassApp({"--render", QString::fromLatin1(view), "--width-mm", QString::fromLatin1(width),
                              "--scale", "4", "--output", file("window.png"), run()});
            EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
            const QImage image(file("window.png"));
            EXPECT_NEAR(image.width() * 5.0 / 8, image.height(), 4);
            // The line between the rail of the run panel and what is beside it, down to the status bar.
            for (int y = image.height() * 18 / 20; y < image.height() * 19 / 20; ++y)
                EXPECT_GE(distinctColors(image.copy(QRect(0, y, image.width() / 20, 1)), 1), 2) << y;
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
        const Outcome outcome = warpglassApp({"--render", QString::fromLatin1(view), "--width-mm", "174",
                                              "--output", file("large.svg"), file("large.wgrun")});
        ASSERT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        QFile figure(file("large.svg"));
        ASSERT_TRUE(figure.open(QIODevice::ReadOnly));
        const QByteArray svg = figure.readAll();
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
        const Outcome outcome =
            warpglassApp(QStringList{"--render", QString::fromLatin1(view), "--width-mm", "84", "--height-mm",
                                     "60", "--output", file("small.svg")} +
                         more + QStringList{run()});
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        QFile figure(file("small.svg"));
        EXPECT_TRUE(figure.open(QIODevice::ReadOnly));
        return figure.readAll();
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
    EXPECT_EQ(
        warpglassApp({"--render", "memory", "--find", "mm", "--output", file("small.svg"), run()}).status, 2);
}

TEST_F(RenderTest, BetweenEndsWithThePeakInUse) {
    const auto snapshot = test::makeSyntheticRun();
    MemoryTimeline memory;
    memory.update(snapshot);
    const TimeRange measured{averagedSteps(*snapshot).front().range.begin,
                             snapshot->range().end + Nanoseconds(1)};
    const auto peak = memory.peakIn(measured);
    ASSERT_TRUE(peak);
    const Outcome outcome =
        warpglassApp({"--render", "between", "--size", "1600x600", "--output", file("between.svg"), run()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
    QFile figure(file("between.svg"));
    ASSERT_TRUE(figure.open(QIODevice::ReadOnly));
    const std::string inUse = " to " + formatBytes(Bytes(sumOf(peak->bytes))) + ",";
    EXPECT_TRUE(figure.readAll().contains(inUse.c_str())) << inUse;
}

TEST_F(RenderTest, ARunThatEndedInItsWarmUpIsDrawnToo) {
    test::SyntheticOptions options;
    options.config.warmup = 2;
    options.config.steps = 0;
    options.state = "stopped";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(options), file("warmup.wgrun").toStdString()));
    const Outcome outcome =
        warpglassApp({"--render", "between", "--output", file("between.png"), file("warmup.wgrun")});
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
}

TEST_F(RenderTest, WithNoDisplayTheWindowIsRefusedInASentenceAndFiguresAreDrawn) {
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"})
        bare.remove(QString::fromLatin1(variable));
    const Outcome window = warpglassApp({run()}, bare);
    EXPECT_EQ(window.status, 1);
    EXPECT_TRUE(window.errors.contains("There is no display")) << window.errors.toStdString();
    EXPECT_EQ(window.errors.count(QLatin1Char('\n')), 1) << window.errors.toStdString();
    const Outcome figure = warpglassApp({"--render", "window", "--output", file("bare.png"), run()}, bare);
    EXPECT_EQ(figure.status, 0);
    EXPECT_EQ(figure.errors, QString()) << "Qt's remarks about the missing desktop are no one's concern";
}

/// Each view draws with it other than without, and says in a sentence what it does not have.
TEST_F(RenderTest, SelectsWhatAFigureIsAbout) {
    const QString sample = QStringLiteral(WARPGLASS_SAMPLE_RUNS "/small-bf16-naive.wgrun");
    const auto drawn = [&](const QString& view, const QStringList& select) {
        QStringList runs{sample};
        if (view == QLatin1String("comparison"))
            runs << sample;
        const Outcome outcome = warpglassApp(
            QStringList{"--render", view, "--size", "1280x720", "--output", file("a.png")} + select + runs);
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        return QImage(file("a.png"));
    };
    const QList<QPair<const char*, const char*>> chosen = {
        {"timeline", "aten::silu"}, {"window-memory", "blocks.7.ffn.w1"},
        {"treemap", "ffn.w1"},      {"flame", "attn"},
        {"layers", "blocks.7"},     {"ops", "softmax"},
        {"allocations", "scores"},  {"comparison", "backward"}};
    for (const auto& [name, text] : chosen) {
        const QString view = QString::fromLatin1(name);
        EXPECT_NE(drawn(view, {}), drawn(view, {"--select", QString::fromLatin1(text)})) << name;
    }
    for (const char* view : {"timeline", "treemap", "flame", "memory"}) {
        const Outcome none = warpglassApp({"--render", QString::fromLatin1(view), "--select", "no such thing",
                                           "--output", file("none.png"), sample});
        EXPECT_EQ(none.status, 1) << view;
        EXPECT_EQ(none.errors.toStdString(), "warpglass: --select: nothing that " + std::string(view) +
                                                 " shows has \"no such thing\" in its name.\n");
    }
    EXPECT_FALSE(QFile::exists(file("none.png")));
    EXPECT_EQ(warpglassApp({"--render", "all", "--select", "x", "--output", file("all"), sample}).status, 2);
}

TEST_F(RenderTest, AWrongCommandLineIsTwoAndAFailureOne) {
    const QString out = file("x.png");
    EXPECT_EQ(warpglassApp({"--render", "nonsense", "--output", out, run()}).status, 2);
    EXPECT_EQ(warpglassApp({"--render", "ops", run()}).status, 2);
    EXPECT_EQ(warpglassApp({"--render", "ops", "--size", "0x9", "--output", out, run()}).status, 2);
    for (const QStringList& wrong :
         {QStringList{QStringLiteral("--width-mm"), QStringLiteral("2")},
          QStringList{"--width-mm", "100", "--size", "800x500"}, QStringList{"--text-pt", "8"},
          QStringList{"--size", "16384x16384", "--scale", "4"}, QStringList{"--only", "answers"},
          QStringList{"--format", "svg"}}) {
        const Outcome refused =
            warpglassApp(QStringList{"--render", "ops", "--output", out} + wrong + QStringList{run()});
        EXPECT_EQ(refused.status, 2) << wrong.join(QLatin1Char(' ')).toStdString();
        EXPECT_EQ(refused.errors.count(QLatin1Char('\n')), 1) << refused.errors.toStdString();
    }
    for (const char* scale : {"0", "0.5", "5", "-2", "two"}) {
        const Outcome refused =
            warpglassApp({"--render", "ops", "--output", out,
                          QStringLiteral("--scale=%1").arg(QString::fromLatin1(scale)), run()});
        EXPECT_EQ(refused.status, 2) << scale;
        EXPECT_EQ(refused.errors, "warpglass: --scale takes a number from 1 to 4.\n") << scale;
        EXPECT_FALSE(QFile::exists(out)) << scale;
    }
    const Outcome missing = warpglassApp({"--render", "ops", "--output", out, file("absent.wgrun")});
    EXPECT_EQ(missing.status, 1);
    EXPECT_TRUE(missing.errors.contains("absent.wgrun"));
    const Outcome unwritable = warpglassApp({"--render", "ops", "--output", "/nowhere/x.png", run()});
    EXPECT_EQ(unwritable.status, 1);
    EXPECT_TRUE(unwritable.errors.contains("/nowhere/x.png"));
}

}  // namespace warpglass::render_test
