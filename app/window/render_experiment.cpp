#include "app/window/render_experiment.h"

#include <QApplication>
#include <QDir>
#include <cstdio>

#include "app/window/main_window.h"
#include "app/window/open_experiments.h"
#include "app/window/run_figure.h"
#include "app/window/session_controller.h"
#include "engine/experiments/experiment_folder.h"
#include "ui/charts/data_chart.h"
#include "ui/controls/refresh.h"
#include "ui/experiments/opened_experiment.h"
#include "ui/figures/figure.h"
#include "ui/models/time_axis.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {
namespace {

/// A file of the chart's key, which is a word of ours in a file that may not be.
QString nameOf(const std::string& key) {
    QString name;
    for (const QChar c : ui::toQString(key))
        name += c.isLetterOrNumber() || c == QLatin1Char('-') ? c : QLatin1Char('_');
    return name.left(100);
}

}  // namespace

Status renderExperiment(const RenderRequest& request) {
    const auto result = readExperiment(request.runPath.toStdString());
    if (!result)
        return result.error();
    const QDir folder(request.outputPath);
    if (!folder.mkpath(QStringLiteral(".")))
        return Error{"The folder " + request.outputPath.toStdString() +
                     " cannot be made: check that its parent exists and is writable."};
    const ui::TimeAxis none;
    for (const Chart& chart : result->charts) {
        ui::DataChart view;
        view.resize(request.size.pixels);
        view.setAttribute(Qt::WA_DontShowOnScreen);
        view.show();
        view.setChart(chart);
        QApplication::processEvents();
        ui::refreshAll(view);
        QApplication::processEvents();
        const RunFigure figure(&view, none, request.caption ? captionOf(*result) : QString());
        for (const char* ending : {".svg", ".png"}) {
            const QString path = folder.filePath(nameOf(chart.key) + QLatin1String(ending));
            if (Status saved = ui::saveFigure(figure.source(), request.size, request.pixelRatio, path);
                !saved)
                return saved;
            std::puts(qPrintable(path));
        }
    }
    return {};
}

Status renderExperimentWindow(const RenderRequest& request) {
    auto opened = ui::openExperiment(request.runPath);
    if (!opened)
        return opened.error();
    SessionController controller;
    MainWindow window(controller, MainWindow::Remember::kNothing);
    window.setMinimumSize(RenderRequest::kLeastWindow);
    window.resize(request.size.pixels);
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.show();
    window.pages().experiments().show(ui::experimentFolder(request.runPath),
                                      std::make_shared<const ui::OpenedExperiment>(std::move(*opened)));
    QApplication::processEvents();
    ui::refreshAll(window);
    QApplication::processEvents();
    // It says itself what was run: no caption.
    return ui::saveFigure({&window, nullptr, QString(), true}, request.size, request.pixelRatio,
                          request.outputPath);
}

}  // namespace warpglass::app
