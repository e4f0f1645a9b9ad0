#include "app/window/render_documents.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QThread>
#include <cstdio>

#include "app/window/lesson_panel.h"
#include "app/window/lesson_stage.h"
#include "app/window/lessons.h"
#include "app/window/main_window.h"
#include "app/window/open_experiments.h"
#include "app/window/presentation_mode.h"
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

/// Runs and figures come from workers, and what is pointed at follows when its table is filled.
void settleLesson(MainWindow& window) {
    constexpr qint64 kPatience = 60'000;  // ms
    QElapsedTimer time;
    time.start();
    const auto waits = [&window] {
        return window.lessons().stage().isOpening() || !window.lessons().figuresKnown();
    };
    do {
        QApplication::processEvents();
        ui::refreshAll(window);
        QThread::msleep(5);
    } while (waits() && time.elapsed() < kPatience);
    ui::refreshAll(window);
    QApplication::processEvents();
}

}  // namespace

Status renderExperiment(const RenderRequest& request) {
    const auto result = readExperiment(request.runPath.toStdString());
    if (!result)
        return result.error();
    const QDir folder(request.outputPath);
    if (const Status made = makeFolder(request.outputPath); !made)
        return made;
    const ui::TimeAxis none;
    for (const Chart& chart : result->charts) {
        ui::DataChart view;
        ui::showUnseen(view, request.size.pixels);
        view.setChart(chart);
        settle(view);
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
    ui::showUnseen(window, request.size.pixels);
    window.pages().experiments().show(ui::experimentFolder(request.runPath),
                                      std::make_shared<const ui::OpenedExperiment>(std::move(*opened)));
    settle(window);
    // It says itself what was run: no caption.
    return ui::saveFigure({&window, nullptr, QString(), true}, request.size, request.pixelRatio,
                          request.outputPath);
}

Status renderLesson(const RenderRequest& request) {
    SessionController controller;
    MainWindow window(controller, MainWindow::Remember::kNothing);
    window.setMinimumSize(RenderRequest::kLeastWindow);
    ui::showUnseen(window, request.size.pixels);
    Status opened;
    QObject::connect(&window.lessons(), &Lessons::failed,
                     [&opened](const QString& sentence) { opened = Error{sentence.toStdString()}; });
    window.lessons().open(request.runPath);
    if (!opened)
        return opened;
    const int steps = static_cast<int>(window.lessons().lesson()->steps.size());
    if (request.lessonStep < 1 || request.lessonStep > steps)
        return Error{request.runPath.toStdString() + " has " + std::to_string(steps) +
                     (steps == 1 ? " step" : " steps") + ", and no step " +
                     std::to_string(request.lessonStep) + "."};
    window.presentation().set(request.presentation);
    window.lessons().goTo(request.lessonStep - 1);
    window.lessons().showAnswer();
    settleLesson(window);
    // It says itself what is shown: no caption.
    const Status drawn =
        saveFigure({&window, nullptr, QString(), true}, request.size, request.pixelRatio, request.outputPath);
    const QString problem = window.lessons().panel().problem();
    return drawn && !problem.isEmpty() ? Error{problem.toStdString()} : drawn;
}

}  // namespace warpglass::app
