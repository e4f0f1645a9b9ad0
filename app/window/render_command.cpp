#include "app/window/render_command.h"

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/render_report.h"
#include "app/window/render_view.h"
#include "engine/base/nearest_word.h"
#include "engine/lessons/lesson_parser.h"
#include "ui/figures/figure.h"

namespace warpglass::app {

namespace {

const QString kRender = QStringLiteral("render"), kSize = QStringLiteral("size"),
              kScale = QStringLiteral("scale"), kOutput = QStringLiteral("output"),
              kWidthMm = QStringLiteral("width-mm"), kHeightMm = QStringLiteral("height-mm"),
              kText = QStringLiteral("text-pt"), kNoCaption = QStringLiteral("no-caption"),
              kFormat = QStringLiteral("format"), kFind = QStringLiteral("find"),
              kSelect = QStringLiteral("select"), kLessonStep = QStringLiteral("lesson-step"),
              kPresentation = QStringLiteral("presentation"), kLessonWindow = QStringLiteral("window-lesson"),
              kLesson = QStringLiteral("lesson"), kReport = QStringLiteral("report");

/// Views of other things than runs.
const QStringList kOfNoRun = {QStringLiteral("sweep"), QStringLiteral("experiment"),
                              QStringLiteral("window-experiment"), kLessonWindow};

/// What --render takes.
QStringList viewNames() {
    return renderNames() << kReport;
}

/// "1600x1000"; an invalid size for anything else. Bounded, so that a typing slip takes no gigabytes.
QSize parseSize(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    bool okWidth = false, okHeight = false;
    const QSize size =
        parts.size() == 2 ? QSize(parts[0].toInt(&okWidth), parts[1].toInt(&okHeight)) : QSize();
    const bool ok = okWidth && okHeight && size.width() >= 16 && size.height() >= 16 &&
                    size.width() <= 16384 && size.height() <= 16384;
    return ok ? size : QSize();
}

/// The option's number within [least, most], `otherwise` when it is not given; nothing for any other text.
std::optional<double> number(const QCommandLineParser& parser, const QString& option, double otherwise,
                             double least, double most) {
    if (!parser.isSet(option))
        return otherwise;
    bool ok = false;
    const double value = parser.value(option).toDouble(&ok);
    return ok && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

/// A sentence when its pictures would take too much memory; the others are drawn, not painted.
QString readPicture(const RenderRequest& request) {
    const bool all = request.view == QLatin1String("all");
    const QString name = all ? QStringLiteral("x.") + request.format : request.outputPath;
    if (!name.endsWith(QLatin1String(".png"), Qt::CaseInsensitive) ||
        request.size.isWithinPicture(request.pixelRatio))
        return {};
    return QStringLiteral(
               "A picture of %1 × %2 pixels would take more than %3 GiB; choose a smaller size or --scale.")
        .arg(qRound(request.size.pixels.width() * request.pixelRatio))
        .arg(qRound(request.size.pixels.height() * request.pixelRatio))
        .arg(ui::kMostPictureGiB);
}

/// A sentence when it is not to be understood.
QString readSize(const QCommandLineParser& parser, RenderRequest& request) {
    const bool onPaper = parser.isSet(kWidthMm);
    if (onPaper && parser.isSet(kSize))
        return QStringLiteral("A figure has one size: give --size in pixels or --width-mm, not both.");
    if (!onPaper && (parser.isSet(kHeightMm) || parser.isSet(kText)))
        return QStringLiteral("--height-mm and --text-pt go with --width-mm.");
    if (parser.isSet(kSize)) {
        request.size.pixels = parseSize(parser.value(kSize));
        if (!request.size.pixels.isValid())
            return QStringLiteral("--size takes WIDTHxHEIGHT, each from 16 to 16384, as in 1600x1000.");
    }
    const auto scale = number(parser, kScale, 1, 1, ui::kMostPixelRatio);
    if (!scale)
        return QStringLiteral("--scale takes a number from 1 to %1.").arg(ui::kMostPixelRatio);
    request.pixelRatio = *scale;
    if (!onPaper)
        return readPicture(request);
    const auto width = number(parser, kWidthMm, 0, ui::kLeastMm, ui::kMostMm);
    const auto height = number(parser, kHeightMm, 0, ui::kLeastMm, ui::kMostMm);
    if (!width || !height)
        return QStringLiteral("--width-mm and --height-mm take millimeters from %1 to %2.")
            .arg(ui::kLeastMm)
            .arg(ui::kMostMm);
    const auto text = number(parser, kText, ui::kDefaultTextPt, ui::kLeastTextPt, ui::kMostTextPt);
    if (!text)
        return QStringLiteral("--text-pt takes points from %1 to %2.")
            .arg(ui::kLeastTextPt)
            .arg(ui::kMostTextPt);
    request.size = ui::FigureSize::onPaper(*width, *height, *text);
    return readPicture(request);
}

QString readRuns(const QCommandLineParser& parser, RenderRequest& request) {
    // A lesson may be named either way.
    const QStringList runs = parser.values(kLesson) + parser.positionalArguments();
    const bool comparison = request.view == QLatin1String("comparison");
    const bool all = request.view == QLatin1String("all");
    if (comparison && runs.size() != 2)
        return QStringLiteral("--render comparison draws two run files: name both after the options.");
    if (all && (runs.isEmpty() || runs.size() > 2))
        return QStringLiteral("--render all draws one run file or two: name them after the options.");
    if (request.view.endsWith(QLatin1String("experiment")) && runs.size() != 1)
        return QStringLiteral("--render %1 draws one experiment: name its folder after the options.")
            .arg(request.view);
    if (request.view == kLessonWindow && runs.size() != 1)
        return runs.isEmpty()
                   ? QStringLiteral("--render window-lesson needs a lesson: name its file after the options.")
                   : QStringLiteral("--render window-lesson draws one lesson, and %1 files were named.")
                         .arg(runs.size());
    if (!comparison && !all && runs.size() != 1)
        return QStringLiteral("--render draws one run file: name exactly one after the options.");
    request.runPath = runs.first();
    request.otherPath = runs.size() == 2 ? runs.last() : QString();
    return {};
}

QString readLessonOptions(const QCommandLineParser& parser, RenderRequest& request) {
    if (request.view != kLessonWindow && (parser.isSet(kLessonStep) || parser.isSet(kPresentation)))
        return QStringLiteral("--lesson-step and --presentation go with --render window-lesson.");
    const auto step = number(parser, kLessonStep, 1, 1, static_cast<double>(kMostLessonSteps));
    if (!step)
        return QStringLiteral("--lesson-step takes a number from 1 to %1.").arg(kMostLessonSteps);
    request.lessonStep = static_cast<int>(*step);
    request.presentation = parser.isSet(kPresentation);
    return {};
}

QString readOutput(const QCommandLineParser& parser, RenderRequest& request) {
    const bool all = request.view == QLatin1String("all");
    const bool experiment = request.view == QLatin1String("experiment");
    request.outputPath = parser.value(kOutput);
    if (request.outputPath.isEmpty())
        return all || experiment ? QStringLiteral("--render %1 needs --output FOLDER.").arg(request.view)
                                 : QStringLiteral("--render needs --output FIG.png (or .svg, .pdf).");
    if (!all && parser.isSet(kFormat))
        return QStringLiteral("--format goes with --render all: a figure's name says its format.");
    if (parser.isSet(kFormat))
        request.format = parser.value(kFormat);
    if (!ui::isFigureName(QStringLiteral("x.") + request.format))
        return QStringLiteral("--format takes png, svg or pdf.");
    if (parser.isSet(kFind) && !all && request.view != QLatin1String("find"))
        return QStringLiteral("--find goes with --render find or all: it names what to search for.");
    request.find = parser.value(kFind);
    if (parser.isSet(kSelect) && (all || kOfNoRun.contains(request.view)))
        return QStringLiteral("--select goes with one view of a run, or with a comparison.");
    request.select = parser.value(kSelect);
    if (const QString option = firstSweepViewOption(parser);
        !option.isEmpty() && request.view != QLatin1String("sweep"))
        return QStringLiteral("%1 goes with --render sweep: it says what of a sweep is drawn.").arg(option);
    request.sweep = sweepViewChoice(parser);
    request.caption = !parser.isSet(kNoCaption);
    return {};
}

/// The first of the options that is given, with its dashes.
QString firstSet(const QCommandLineParser& parser, const QList<QCommandLineOption>& options) {
    for (const QCommandLineOption& option : options) {
        if (parser.isSet(option))
            return QStringLiteral("--") + option.names().first();
    }
    return {};
}

/// How large a figure is, and what it shows.
QList<QCommandLineOption> figureOptions() {
    const QList<QCommandLineOption> options = {
        {kSize,
         QStringLiteral("Size of the figure in logical pixels (1600x1000); the window is drawn smaller where "
                        "it is less than 1280x720."),
         QStringLiteral("WxH")},
        {kWidthMm, QStringLiteral("Width on paper in millimeters, instead of --size."), QStringLiteral("MM")},
        {kHeightMm,
         QStringLiteral("Height on paper in millimeters (default: as the content needs, up to a page)."),
         QStringLiteral("MM")},
        {kText, QStringLiteral("Text size on paper in points (default: %1).").arg(ui::kDefaultTextPt),
         QStringLiteral("PT")},
        {kScale,
         QStringLiteral("Device pixels per logical pixel, 1 to %1, for PNG (default: 1).")
             .arg(ui::kMostPixelRatio),
         QStringLiteral("FACTOR")},
        {kNoCaption,
         QStringLiteral("Leave out title, finding and what was run (the window, which says it itself, has "
                        "none).")},
        {kFind, QStringLiteral("What the view find searches for (default: the slowest kernel)."),
         QStringLiteral("TEXT")},
        {kSelect,
         QStringLiteral(
             "Select what has TEXT in its name: in window, timeline, inspector and comparison (in A) the "
             "longest span, in window-memory, memory, memory-map and segments the largest allocation live at "
             "the peak, elsewhere the first row of the table and the largest mark of the chart."),
         QStringLiteral("TEXT")},
        {kLessonStep, QStringLiteral("Which step of a lesson window-lesson draws (default: 1)."),
         QStringLiteral("N")},
        {kPresentation, QStringLiteral("Draw window-lesson in presentation mode.")},
        {kFormat, QStringLiteral("File format that all draws: png, svg or pdf (default: png)."),
         QStringLiteral("WORD")},
    };
    return options + sweepViewOptions();
}

/// A sentence where an option is given that a report does not take, or one of a report's without it.
QString readReportOptions(const QCommandLineParser& parser, bool isReport) {
    const QString option = firstSet(parser, isReport ? figureOptions() : reportOptions());
    if (option.isEmpty())
        return {};
    return isReport ? QStringLiteral(
                          "%1 is for a figure: --render report takes --title, --only, "
                          "--compare-a and --compare-b.")
                          .arg(option)
                    : QStringLiteral("%1 goes with --render report.").arg(option);
}

}  // namespace

int wrongCommandLine(const QString& sentence) {
    std::fprintf(stderr, "warpglass: %s\n", qPrintable(sentence));
    return kWrongCommandLine;
}

QString wasMeant(const QString& word, const QStringList& known) {
    std::vector<std::string> words;
    for (const QString& one : known)
        words.push_back(one.toStdString());
    return QString::fromStdString(
        didYouMean(word.toStdString(), std::vector<std::string_view>(words.begin(), words.end())));
}

QCommandLineOption lessonOption() {
    return {
        kLesson,
        QStringLiteral("Begin the lesson in this file (docs/lessons.md says how one is written); or the one "
                       "that --render window-lesson draws."),
        QStringLiteral("FILE")};
}

QList<QCommandLineOption> renderOptions() {
    const QList<QCommandLineOption> options = {
        {kRender,
         QStringLiteral(
             "Draw VIEW: %1. \"all\" draws every view of a run into a folder and prints the path of each; "
             "given two runs, those of the first and the comparison of both. \"experiment\" draws the charts "
             "of an "
             "experiment's folder as SVG and PNG; \"report\" writes a report of runs, sweeps and "
             "experiments.")
             .arg(viewNames().join(QStringLiteral(", "))),
         QStringLiteral("VIEW")},
        {kOutput,
         QStringLiteral(
             "Where the figure goes: .png, .svg or .pdf; for all and experiment, a folder; for report, "
             ".html, .md or .pdf."),
         QStringLiteral("FIG")},
    };
    return options + figureOptions() + reportOptions();
}

int renderCommand(const QCommandLineParser& parser) {
    RenderRequest request;
    request.view = parser.value(kRender);
    if (!viewNames().contains(request.view)) {
        return wrongCommandLine(QStringLiteral("--render knows no view \"%1\"; choose one of %2.")
                                    .arg(request.view, viewNames().join(QStringLiteral(", "))) +
                                wasMeant(request.view, viewNames()));
    }
    if (parser.isSet(kLesson) && request.view != kLessonWindow)
        return wrongCommandLine(
            QStringLiteral("--lesson goes with the window, or with --render window-lesson."));
    const bool isReport = request.view == kReport;
    if (const QString sentence = readReportOptions(parser, isReport); !sentence.isEmpty())
        return wrongCommandLine(sentence);
    if (isReport)
        return renderReport(parser);
    for (const auto read : {readRuns, readOutput, readSize, readLessonOptions}) {
        if (const QString sentence = read(parser, request); !sentence.isEmpty())
            return wrongCommandLine(sentence);
    }
    const Status drawn = renderView(request);
    if (drawn)
        return kDone;
    std::fprintf(stderr, "warpglass: %s\n", drawn.message().c_str());
    return kFailed;
}

}  // namespace warpglass::app
