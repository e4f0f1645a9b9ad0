#include "app/window/render_report.h"

#include <QApplication>
#include <QRectF>
#include <cstdio>

#include "app/window/render_command.h"
#include "app/window/report_figures.h"
#include "engine/report/report_file.h"
#include "engine/report/report_request.h"
#include "ui/report/report_pages.h"

namespace warpglass::app {
namespace {

const QString kTitle = QStringLiteral("title"), kOnly = QStringLiteral("only"),
              kWithout = QStringLiteral("without"), kCompareA = QStringLiteral("compare-a"),
              kCompareB = QStringLiteral("compare-b"), kReportOutput = QStringLiteral("output");

int failed(const std::string& sentence) {
    std::fprintf(stderr, "warpglass: %s\n", sentence.c_str());
    return kFailed;
}

}  // namespace

QList<QCommandLineOption> reportOptions() {
    return {{kTitle, QStringLiteral("Title of --render report."), QStringLiteral("TEXT")},
            {kOnly,
             QStringLiteral("Parts of --render report, with commas between: configuration, answers, tables, "
                            "figures, comparison, commands (default: all)."),
             QStringLiteral("WORDS")},
            {kWithout, QStringLiteral("Parts that --render report leaves out."), QStringLiteral("WORDS")},
            {kCompareA, QStringLiteral("The run that --render report compares another with."),
             QStringLiteral("RUN")},
            {kCompareB, QStringLiteral("The run that is compared with it."), QStringLiteral("RUN")}};
}

int renderReport(const QCommandLineParser& parser) {
    ReportRequest request;
    for (const QString& input : parser.positionalArguments())
        request.inputs.emplace_back(input.toStdString());
    request.output = parser.value(kReportOutput).toStdString();
    if (request.output.empty())
        return wrongCommandLine(QStringLiteral("--render report needs --output FILE (.html, .md or .pdf)."));
    request.options.title = parser.value(kTitle).toStdString();
    const Result<ReportParts> parts =
        chosenParts(parser.value(kOnly).toStdString(), parser.value(kWithout).toStdString());
    if (!parts)
        return wrongCommandLine(QString::fromStdString(parts.message()));
    request.options.parts = *parts;
    request.options.compareA = parser.value(kCompareA).toStdString();
    request.options.compareB = parser.value(kCompareB).toStdString();
    request.options.command = reportCommand(request);
    request.options.made = reportMade(QApplication::applicationVersion().toStdString());
    if (const Status count = checkInputCount(request.inputs.size()); !count)
        return wrongCommandLine(QString::fromStdString(count.message()));
    if (const Status place = checkReportPlace(request.output, request.inputs); !place)
        return failed(place.message());
    const Result<ReportFormat> format = reportFormatOf(request.output);
    if (!format)
        return wrongCommandLine(QString::fromStdString(format.message()));
    const Result<ReportInputs> inputs = openReportInputs(request.inputs);
    if (!inputs)
        return failed(inputs.message());
    // An input that could not be read may be the one that was to be compared.
    if (const Status compared = checkCompared(*inputs, request.options);
        !compared && inputs->problems.empty())
        return wrongCommandLine(QString::fromStdString(compared.message()));
    Result<ReportDocument> document = makeReport(*inputs, request.options);
    if (!document)
        return failed(document.message());
    const bool pages = *format == ReportFormat::kPdf;
    ReportFigures figures(inputs->inputs,
                          pages ? ReportFigures::Themes::kLight : ReportFigures::Themes::kBoth);
    for (ReportFigure* figure : figuresOf(*document))
        figures.draw(*figure);
    leaveOutUndrawn(*document);
    const Status written =
        pages
            ? ui::writeReportPages(*document, request.output,
                                   [&figures](const ReportFigure& figure, QPainter& painter,
                                              const QRectF& place) { figures.paint(figure, painter, place); })
            : writeReport(*document, request.output);
    return written ? kDone : failed(written.message());
}

}  // namespace warpglass::app
