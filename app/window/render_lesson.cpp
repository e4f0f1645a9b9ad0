#include "app/window/render_lesson.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>

#include "app/window/lesson_panel.h"
#include "app/window/lesson_stage.h"
#include "app/window/lessons.h"
#include "app/window/main_window.h"
#include "app/window/presentation_mode.h"
#include "app/window/run_figure.h"
#include "app/window/session_controller.h"
#include "ui/controls/refresh.h"
#include "ui/models/worker_pool.h"

namespace warpglass::app {
namespace {

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

Status renderLesson(const RenderRequest& request) {
    SessionController controller;
    MainWindow window(controller, MainWindow::Remember::kNothing);
    window.setMinimumSize(RenderRequest::kLeastWindow);
    window.resize(request.size.pixels);
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.show();
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
