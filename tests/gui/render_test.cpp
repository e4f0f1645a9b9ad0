// `warpglass --render`: the program itself, its files and its exit statuses.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <tuple>

#include "engine/base/format.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/step_spans.h"
#include "engine/session/save_run.h"
#include "tests/support/made_experiment.h"
#include "tests/support/made_sweep.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass {
namespace {

struct Outcome {
    int status = -1;
    QString errors;
    QStringList output;  ///< the lines on standard output
};

Outcome warpglassApp(const QStringList& arguments,
                     const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    // Whatever theme the person has chosen.
    const QTemporaryDir settings;
    QProcessEnvironment own = environment;
    own.insert(QStringLiteral("XDG_CONFIG_HOME"), settings.path());
    QProcess process;
    process.setProcessEnvironment(own);
    process.start(QStringLiteral(WARPGLASS_APP), arguments);
    EXPECT_TRUE(process.waitForFinished(90'000));
    EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError()),
            QString::fromUtf8(process.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts)};
}

class RenderTest : public ::testing::Test {
protected:
    RenderTest() {
        const Status saved = saveRun(*test::makeSyntheticRun(), run().toStdString());
        EXPECT_TRUE(saved) << saved.message();
    }
    QString run() const { return m_folder.filePath(QStringLiteral("run.wgrun")); }
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
};

int distinctColors(const QImage& image, int pace = 3) {
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += pace) {
        for (int x = 0; x < image.width(); x += pace)
            colors.insert(image.pixel(x, y));
    }
    return static_cast<int>(colors.size());
}

TEST_F(RenderTest, DrawsEveryViewAtTheSizeAsked) {
    for (const char* view : {"window", "window-summary", "window-charts", "flame", "flame-memory", "roofline",
                             "attention", "phase-dots", "layers", "summary", "timeline", "memory", "ops",
                             "phases", "breakdown", "allocations", "inspector"}) {
        SCOPED_TRACE(view);
        const QString figure = m_folder.filePath(QString::fromLatin1(view) + QStringLiteral(".png"));
        const Outcome outcome =
            warpglassApp({QStringLiteral("--render"), QString::fromLatin1(view), QStringLiteral("--size"),
                          QStringLiteral("800x500"), QStringLiteral("--scale"), QStringLiteral("2"),
                          QStringLiteral("--output"), figure, run()});
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        const QImage image(figure);
        EXPECT_EQ(image.size(), QSize(1600, 1000));
        EXPECT_GT(distinctColors(image), 8) << "an empty picture";
    }
}

TEST_F(RenderTest, IconsAreOfTheFiguresScaleWhateverTheScreensIs) {
    const auto drawn = [this](const char* screen) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::fromLatin1(screen));
        const QString figure = file("window.png");
        const Outcome outcome =
            warpglassApp({QStringLiteral("--render"), QStringLiteral("window"), QStringLiteral("--size"),
                          QStringLiteral("1280x720"), QStringLiteral("--scale"), QStringLiteral("2"),
                          QStringLiteral("--output"), figure, run()},
                         environment);
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        return QImage(figure);
    };
    const QImage picture = drawn("2");
    EXPECT_EQ(picture.size(), QSize(2560, 1440));
    EXPECT_EQ(drawn("1"), picture);
}

TEST_F(RenderTest, DrawsTwoRunsOverEachOther) {
    const QStringList wanted = {QStringLiteral("--render"), QStringLiteral("comparison"),
                                QStringLiteral("--output"), file("comparison.png")};
    const Outcome both = warpglassApp(wanted + QStringList{run(), run()});
    EXPECT_EQ(both.status, 0) << both.errors.toStdString();
    EXPECT_GT(distinctColors(QImage(file("comparison.png"))), 8);
    const Outcome one = warpglassApp(wanted + QStringList{run()});
    EXPECT_EQ(one.status, 2);
    EXPECT_TRUE(one.errors.contains(QStringLiteral("name both"))) << one.errors.toStdString();
}

TEST_F(RenderTest, DrawsSvgAndPdf) {
    for (const char* name : {"memory.svg", "timeline.pdf"}) {
        const QString view = QString::fromLatin1(name).section(QLatin1Char('.'), 0, 0);
        const Outcome outcome =
            warpglassApp({QStringLiteral("--render"), view, QStringLiteral("--output"), file(name), run()});
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        EXPECT_GT(QFileInfo(file(name)).size(), 2000);
    }
}

TEST_F(RenderTest, DrawsEveryViewIntoAFolderAtAWidthOnPaper) {
    const QString folder = file("figures");
    const Outcome outcome =
        warpglassApp({QStringLiteral("--render"), QStringLiteral("all"), QStringLiteral("--width-mm"),
                      QStringLiteral("120"), QStringLiteral("--format"), QStringLiteral("svg"),
                      QStringLiteral("--output"), folder, run()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
    const QStringList files = QDir(folder).entryList(QDir::Files);
    EXPECT_GE(files.size(), 8);
    EXPECT_TRUE(files.contains(QStringLiteral("timeline.svg")));
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
    const QStringList wanted = {QStringLiteral("--render"),   QStringLiteral("all"),
                                QStringLiteral("--width-mm"), QStringLiteral("84"),
                                QStringLiteral("--output"),   folder};
    const Outcome both = warpglassApp(wanted + QStringList{run(), run()});
    EXPECT_EQ(both.status, 0) << both.errors.toStdString();
    EXPECT_EQ(both.errors, QString()) << "how far it is, is for a terminal";
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

TEST_F(RenderTest, WithoutAHeightAFigureIsAsHighAsItsContent) {
    const auto heightOf = [&](const char* view, const char* width, const QStringList& runs) {
        const Outcome outcome = warpglassApp(
            QStringList{QStringLiteral("--render"), QString::fromLatin1(view), QStringLiteral("--width-mm"),
                        QString::fromLatin1(width), QStringLiteral("--text-pt"), QStringLiteral("7"),
                        QStringLiteral("--output"), file("a.png")} +
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
        const Outcome outcome = warpglassApp(QStringList{QStringLiteral("--render"), QStringLiteral("ops"),
                                                         QStringLiteral("--output"), file("ops.svg")} +
                                             size + QStringList{run()});
        EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
        QFile figure(file("ops.svg"));
        EXPECT_TRUE(figure.open(QIODevice::ReadOnly));
        QSet<QString> sizes;
        auto matches = QRegularExpression(QStringLiteral("font-size=\"([^\"]*)\""))
                           .globalMatch(QString::fromUtf8(figure.readAll()));
        while (matches.hasNext())
            sizes << matches.next().captured(1);
        return sizes;
    };
    QSet<QString> known = sizesAt({QStringLiteral("--size"), QStringLiteral("783x848")});
    EXPECT_TRUE(known.contains(QStringLiteral("11.5"))) << "names of ops";
    known << QStringLiteral("11");  // a caption of many lines
    for (const char* width : {"84", "170"}) {
        for (const char* points : {"6", "8", "12"}) {
            SCOPED_TRACE(points);
            const QSet<QString> sizes = sizesAt({QStringLiteral("--width-mm"), QString::fromLatin1(width),
                                                 QStringLiteral("--text-pt"), QString::fromLatin1(points)});
            EXPECT_TRUE(sizes.contains(QStringLiteral("11.5")));
            for (const QString& size : sizes)
                EXPECT_TRUE(known.contains(size)) << size.toStdString();
        }
    }
}

TEST_F(RenderTest, TheWindowFillsAFigureThatIsSmallerThanItCanBe) {
    for (const char* view : {"window", "window-summary"}) {
        for (const char* width : {"84", "170"}) {
            SCOPED_TRACE(view);
            const Outcome outcome = warpglassApp({QStringLiteral("--render"), QString::fromLatin1(view),
                                                  QStringLiteral("--width-mm"), QString::fromLatin1(width),
                                                  QStringLiteral("--scale"), QStringLiteral("4"),
                                                  QStringLiteral("--output"), file("window.png"), run()});
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
        const Outcome outcome = warpglassApp(
            {QStringLiteral("--render"), QString::fromLatin1(view), QStringLiteral("--width-mm"),
             QStringLiteral("174"), QStringLiteral("--output"), file("large.svg"), file("large.wgrun")});
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
        const Outcome outcome = warpglassApp(
            QStringList{QStringLiteral("--render"), QString::fromLatin1(view), QStringLiteral("--width-mm"),
                        QStringLiteral("84"), QStringLiteral("--height-mm"), QStringLiteral("60"),
                        QStringLiteral("--output"), file("small.svg")} +
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
    EXPECT_TRUE(svgOf("find", {QStringLiteral("--find"), QStringLiteral("softmax")}).contains("“softmax”"));
    EXPECT_FALSE(svgOf("between").contains("Shift-drag"));
    EXPECT_EQ(warpglassApp({QStringLiteral("--render"), QStringLiteral("memory"), QStringLiteral("--find"),
                            QStringLiteral("mm"), QStringLiteral("--output"), file("small.svg"), run()})
                  .status,
              2);
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
        warpglassApp({QStringLiteral("--render"), QStringLiteral("between"), QStringLiteral("--size"),
                      QStringLiteral("1600x600"), QStringLiteral("--output"), file("between.svg"), run()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
    QFile figure(file("between.svg"));
    ASSERT_TRUE(figure.open(QIODevice::ReadOnly));
    const std::string inUse = " to " + formatBytes(Bytes(sumOf(peak->bytes))) + " (";
    EXPECT_TRUE(figure.readAll().contains(inUse.c_str())) << inUse;
}

TEST_F(RenderTest, ARunThatEndedInItsWarmUpIsDrawnToo) {
    test::SyntheticOptions options;
    options.config.warmup = 2;
    options.config.steps = 0;
    options.state = "stopped";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(options), file("warmup.wgrun").toStdString()));
    const Outcome outcome =
        warpglassApp({QStringLiteral("--render"), QStringLiteral("between"), QStringLiteral("--output"),
                      file("between.png"), file("warmup.wgrun")});
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
}

TEST_F(RenderTest, WithNoDisplayTheWindowIsRefusedInASentenceAndFiguresAreDrawn) {
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"})
        bare.remove(QString::fromLatin1(variable));
    const Outcome window = warpglassApp({run()}, bare);
    EXPECT_EQ(window.status, 1);
    EXPECT_TRUE(window.errors.contains(QStringLiteral("There is no display"))) << window.errors.toStdString();
    EXPECT_EQ(window.errors.count(QLatin1Char('\n')), 1) << window.errors.toStdString();
    const Outcome figure = warpglassApp({QStringLiteral("--render"), QStringLiteral("window"),
                                         QStringLiteral("--output"), file("bare.png"), run()},
                                        bare);
    EXPECT_EQ(figure.status, 0);
    EXPECT_EQ(figure.errors, QString()) << "Qt's remarks about the missing desktop are no one's concern";
}

TEST_F(RenderTest, AWrongCommandLineIsTwoAndAFailureOne) {
    const QString out = file("x.png");
    EXPECT_EQ(warpglassApp({QStringLiteral("--render"), QStringLiteral("nonsense"),
                            QStringLiteral("--output"), out, run()})
                  .status,
              2);
    EXPECT_EQ(warpglassApp({QStringLiteral("--render"), QStringLiteral("ops"), run()}).status, 2);
    EXPECT_EQ(warpglassApp({QStringLiteral("--render"), QStringLiteral("ops"), QStringLiteral("--size"),
                            QStringLiteral("0x9"), QStringLiteral("--output"), out, run()})
                  .status,
              2);
    for (const QStringList& wrong : {QStringList{QStringLiteral("--width-mm"), QStringLiteral("2")},
                                     QStringList{QStringLiteral("--width-mm"), QStringLiteral("100"),
                                                 QStringLiteral("--size"), QStringLiteral("800x500")},
                                     QStringList{QStringLiteral("--text-pt"), QStringLiteral("8")},
                                     QStringList{QStringLiteral("--size"), QStringLiteral("16384x16384"),
                                                 QStringLiteral("--scale"), QStringLiteral("4")},
                                     QStringList{QStringLiteral("--only"), QStringLiteral("answers")},
                                     QStringList{QStringLiteral("--format"), QStringLiteral("svg")}}) {
        const Outcome refused = warpglassApp(
            QStringList{QStringLiteral("--render"), QStringLiteral("ops"), QStringLiteral("--output"), out} +
            wrong + QStringList{run()});
        EXPECT_EQ(refused.status, 2) << wrong.join(QLatin1Char(' ')).toStdString();
        EXPECT_EQ(refused.errors.count(QLatin1Char('\n')), 1) << refused.errors.toStdString();
    }
    for (const char* scale : {"0", "0.5", "5", "-2", "two"}) {
        const Outcome refused =
            warpglassApp({QStringLiteral("--render"), QStringLiteral("ops"), QStringLiteral("--output"), out,
                          QStringLiteral("--scale=%1").arg(QString::fromLatin1(scale)), run()});
        EXPECT_EQ(refused.status, 2) << scale;
        EXPECT_EQ(refused.errors, QStringLiteral("warpglass: --scale takes a number from 1 to 4.\n"))
            << scale;
        EXPECT_FALSE(QFile::exists(out)) << scale;
    }
    const Outcome missing = warpglassApp({QStringLiteral("--render"), QStringLiteral("ops"),
                                          QStringLiteral("--output"), out, file("absent.wgrun")});
    EXPECT_EQ(missing.status, 1);
    EXPECT_TRUE(missing.errors.contains(QStringLiteral("absent.wgrun")));
    const Outcome unwritable =
        warpglassApp({QStringLiteral("--render"), QStringLiteral("ops"), QStringLiteral("--output"),
                      QStringLiteral("/nowhere/x.png"), run()});
    EXPECT_EQ(unwritable.status, 1);
    EXPECT_TRUE(unwritable.errors.contains(QStringLiteral("/nowhere/x.png")));
}

TEST_F(RenderTest, AReportTakesNoOptionOfAFigureAndIsAmongTheViews) {
    const QString out = file("x.html");
    const Outcome sized =
        warpglassApp({QStringLiteral("--render"), QStringLiteral("report"), QStringLiteral("--size"),
                      QStringLiteral("800x500"), QStringLiteral("--output"), out, run()});
    EXPECT_EQ(sized.status, 2);
    EXPECT_TRUE(sized.errors.contains(QStringLiteral("--size is for a figure")))
        << sized.errors.toStdString();
    EXPECT_FALSE(QFile::exists(out));
    const Outcome slip = warpglassApp(
        {QStringLiteral("--render"), QStringLiteral("reprot"), QStringLiteral("--output"), out, run()});
    EXPECT_TRUE(slip.errors.contains(QStringLiteral("Did you mean report?"))) << slip.errors.toStdString();
}

TEST(Render, DrawsTheFiguresOfAnExperimentAndItsPage) {
    const QTemporaryDir folder;
    const QString made = folder.filePath(QStringLiteral("made"));
    ASSERT_TRUE(test::writeMadeExperiment(made.toStdString()));
    const Outcome figures =
        warpglassApp({QStringLiteral("--render"), QStringLiteral("experiment"), QStringLiteral("--output"),
                      folder.filePath(QStringLiteral("f")), made});
    EXPECT_EQ(figures.status, 0) << figures.errors.toStdString();
    EXPECT_EQ(figures.output.size(), 6) << "three charts, each as SVG and as PNG";
    for (const char* name : {"made-lines", "made-bars", "made-heat"})
        EXPECT_GT(
            distinctColors(QImage(folder.filePath(QStringLiteral("f/%1.png").arg(QLatin1String(name))))), 8)
            << name;
    const QString page = folder.filePath(QStringLiteral("page.png"));
    const QStringList wanted = {QStringLiteral("--render"), QStringLiteral("window-experiment"),
                                QStringLiteral("--size"),   QStringLiteral("1280x720"),
                                QStringLiteral("--output"), page};
    const Outcome drawn = warpglassApp(wanted + QStringList{made});
    EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
    EXPECT_EQ(QImage(page).size(), QSize(1280, 720));
    EXPECT_GT(distinctColors(QImage(page)), 8);
    const Outcome none = warpglassApp(wanted + QStringList{folder.path()});
    EXPECT_EQ(none.status, 1);
    EXPECT_TRUE(none.errors.contains(QStringLiteral("no result.json"))) << none.errors.toStdString();
    const Outcome two = warpglassApp(wanted + QStringList{made, made});
    EXPECT_EQ(two.status, 2);
    EXPECT_TRUE(two.errors.contains(QStringLiteral("draws one experiment")));
}

TEST_F(RenderTest, DrawsAStepOfALesson) {
    const QTemporaryDir folder;
    const QString lesson = folder.filePath(QStringLiteral("own.md")),
                  picture = folder.filePath(QStringLiteral("step.png"));
    ASSERT_TRUE(QFile::copy(run(), folder.filePath(QStringLiteral("own.wgrun"))));
    QFile file(lesson);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(
        "---\nlesson: Own\nsummary: S.\n---\n## One\n- run: own.wgrun\n- view: timeline\n\nText.\n"
        "## Two\n- view: ops\n\nText.\n");
    file.close();
    const auto draw = [&](const QStringList& options, const QString& path) {
        return warpglassApp(QStringList{QStringLiteral("--render"), QStringLiteral("window-lesson"),
                                        QStringLiteral("--size"), QStringLiteral("1280x720"),
                                        QStringLiteral("--output"), picture} +
                            options + QStringList{path});
    };
    for (const QStringList& options :
         {QStringList{}, QStringList{QStringLiteral("--lesson-step"), QStringLiteral("2")},
          QStringList{QStringLiteral("--presentation")}}) {
        QFile::remove(picture);
        const Outcome drawn = draw(options, lesson);
        EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
        EXPECT_EQ(QImage(picture).size(), QSize(1280, 720));
        EXPECT_GT(distinctColors(QImage(picture)), 8);
    }
    const Outcome beyond = draw({QStringLiteral("--lesson-step"), QStringLiteral("3")}, lesson);
    EXPECT_EQ(beyond.status, 1);
    EXPECT_TRUE(beyond.errors.contains(QStringLiteral("2 steps, and no step 3.")))
        << beyond.errors.toStdString();
    const Outcome bad = draw({}, run());
    EXPECT_EQ(bad.status, 1);
    EXPECT_TRUE(bad.errors.contains(QStringLiteral("A lesson begins")) ||
                bad.errors.contains(QStringLiteral("a lesson has at most")))
        << bad.errors.toStdString();
    EXPECT_EQ(draw({QStringLiteral("--lesson-step"), QStringLiteral("x")}, lesson).status, 2);
}

TEST(Render, DrawsASweepInEveryFormat) {
    const QTemporaryDir folder;
    const QString sweep = folder.filePath(QStringLiteral("made.wgsweep"));
    ASSERT_TRUE(test::writeSweep(test::madeSweep(), sweep.toStdString()));
    for (const char* name : {"sweep.png", "sweep.svg", "sweep.pdf"}) {
        const QString figure = folder.filePath(QString::fromLatin1(name));
        const Outcome drawn = warpglassApp(
            {QStringLiteral("--render"), QStringLiteral("sweep"), QStringLiteral("--output"), figure, sweep});
        EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
        EXPECT_GT(QFileInfo(figure).size(), 1000) << name;
    }
    QFile svg(folder.filePath(QStringLiteral("sweep.svg")));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    EXPECT_TRUE(text.contains("sdpa-flash")) << "words are words, not pictures";
    EXPECT_FALSE(text.contains("<image"));
    // As bars of another measure, against one of its series.
    const QString bars = folder.filePath(QStringLiteral("bars.svg"));
    const auto draw = [&](const QStringList& options) {
        return warpglassApp(QStringList{QStringLiteral("--render"), QStringLiteral("sweep"),
                                        QStringLiteral("--output"), bars} +
                            options + QStringList{sweep});
    };
    const Outcome drawn =
        draw({QStringLiteral("--chart"), QStringLiteral("bars"), QStringLiteral("--measure"),
              QStringLiteral("peak_bytes"), QStringLiteral("--x"), QStringLiteral("precision"),
              QStringLiteral("--series"), QStringLiteral("attention"), QStringLiteral("--against"),
              QStringLiteral("naive")});
    EXPECT_EQ(drawn.status, 0) << drawn.errors.toStdString();
    QFile other(bars);
    ASSERT_TRUE(other.open(QIODevice::ReadOnly));
    const QByteArray words = other.readAll();
    EXPECT_TRUE(words.contains("Times better than naive")) << words.left(4000).toStdString();
    EXPECT_EQ(draw({QStringLiteral("--chart"), QStringLiteral("heat-map")}).status, 0);
    const Outcome held =
        draw({QStringLiteral("--x"), QStringLiteral("context"), QStringLiteral("--series"),
              QStringLiteral("attention"), QStringLiteral("--fixed"), QStringLiteral("precision=bf16")});
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
        {QStringLiteral("--render"), QStringLiteral("sweep"), QStringLiteral("--output"),
         folder.filePath(QStringLiteral("x.png")), folder.filePath(QStringLiteral("none.wgsweep"))});
    EXPECT_NE(noSweep.status, 0);
    EXPECT_TRUE(noSweep.errors.contains(QStringLiteral("none.wgsweep")));
}

/// SVG has no clipping here: what lies beyond a chart's axes would be seen.
TEST_F(RenderTest, PointsThatRanOutOfMemoryLeaveNothingInTheCornerOfAFigure) {
    const Outcome drawn =
        warpglassApp({QStringLiteral("--render"), QStringLiteral("experiment"), QStringLiteral("--output"),
                      file("figures"), QStringLiteral(WARPGLASS_SAMPLE_RUNS "/attention")});
    ASSERT_EQ(drawn.status, 0) << drawn.errors.toStdString();
    QFile svg(m_folder.filePath(QStringLiteral("figures/attention-forward.svg")));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(svg.readAll());
    int points = 0;
    static const QRegularExpression kCircle(QStringLiteral("<circle cx=\"([0-9.]+)\""));
    for (auto found = kCircle.globalMatch(text); found.hasNext();) {
        EXPECT_GT(found.next().captured(1).toDouble(), 40);
        ++points;
    }
    EXPECT_GT(points, 3);
}

}  // namespace
}  // namespace warpglass
