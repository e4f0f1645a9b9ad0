// How long a step of each lesson takes from the key to what it points at: its place opened, the outline
// drawn, every figure of its texts known. Prints one table in Markdown, a row for each lesson: the first
// step, which opens the run; the median and the longest of the others, which a class waits for; and those
// that open another run.
//
//     warpglass_lesson_bench LESSON.md...
//
// 1600 × 1000, software raster, offscreen unless QT_QPA_PLATFORM is set. Bar (docs/performance.md): 300 ms.
#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QThread>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/window/lesson_panel.h"
#include "app/window/lesson_pointer.h"
#include "app/window/lesson_stage.h"
#include "app/window/lessons.h"
#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "engine/lessons/lesson.h"
#include "ui/theme/theme.h"

namespace {

using namespace warpglass;

constexpr double kLongest = 60'000;  // ms; then it never comes

bool isThere(const app::Lessons& lessons) {
    const app::LessonPointer::Place at = lessons.stage().pointer().shown();
    return at.widget && at.widget->rect().contains(at.rect) && lessons.figuresKnown();
}

/// ms until the step is there and painted; nothing where it has a problem or does not come.
std::optional<double> timeOf(app::MainWindow& window, const std::function<void()>& go) {
    QElapsedTimer timer;
    timer.start();
    go();
    const app::Lessons& lessons = window.lessons();
    do {
        QApplication::processEvents();
        if (lessons.isOn() && !lessons.panel().problem().isEmpty())
            return std::nullopt;
        if (lessons.isOn() && isThere(lessons)) {
            window.grab();
            return static_cast<double>(timer.nsecsElapsed()) / 1e6;
        }
        QThread::usleep(200);
    } while (static_cast<double>(timer.elapsed()) < kLongest);
    return std::nullopt;
}

std::string inWords(std::vector<double> times) {
    if (times.empty())
        return "–";
    std::sort(times.begin(), times.end());
    char text[64];
    if (times.size() == 1)
        std::snprintf(text, sizeof text, "%.0f ms", times.front());
    else
        std::snprintf(text, sizeof text, "%.0f ms; at most %.0f ms", times[times.size() / 2], times.back());
    return text;
}

/// False where a step does not come.
bool measure(const QString& path) {
    app::SessionController controller;
    app::MainWindow window(controller, app::MainWindow::Remember::kNothing);
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.resize(1600, 1000);
    window.show();
    QApplication::processEvents();
    app::Lessons& lessons = window.lessons();
    const std::optional<double> first = timeOf(window, [&] { lessons.open(path); });
    if (!first) {
        std::fprintf(stderr, "%s: its first step does not come: %s\n", qPrintable(path),
                     lessons.isOn() ? qPrintable(lessons.panel().problem()) : "it is no lesson");
        return false;
    }
    std::vector<double> same, others;
    const auto& steps = lessons.lesson()->steps;
    for (int step = 1; step < static_cast<int>(steps.size()); ++step) {
        const int runs = static_cast<int>(controller.runs().size());
        const std::optional<double> took = timeOf(window, [&] { lessons.goTo(step); });
        if (!took) {
            std::fprintf(stderr, "%s: step %d does not come: %s\n", qPrintable(path), step + 1,
                         qPrintable(lessons.panel().problem()));
            return false;
        }
        (static_cast<int>(controller.runs().size()) > runs ? others : same).push_back(*took);
    }
    std::printf("| %s | %zu | %.0f ms | %s | %s |\n", lessons.lesson()->title.c_str(), steps.size(), *first,
                inWords(same).c_str(), inWords(others).c_str());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QApplication::setApplicationName("warpglass-lesson-bench");
    ui::Theme::loadFonts();
    ui::Theme::instance().apply(application);
    if (argc < 2) {
        std::fprintf(stderr, "usage: warpglass_lesson_bench LESSON.md...\n");
        return 2;
    }
    std::printf(
        "| lesson | steps | first step, opens the run | steps within a run | steps that open another |\n");
    std::printf("|---|---|---|---|---|\n");
    bool all = true;
    for (int i = 1; i < argc; ++i)
        all = measure(QString::fromLocal8Bit(argv[i])) && all;
    return all ? 0 : 1;
}
