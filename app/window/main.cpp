// warpglass: opens the window, or draws one view of a run file with no display.
#include <sys/socket.h>
#include <unistd.h>
#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QSocketNotifier>
#include <QTimer>
#include <csignal>
#include <cstdio>

#include "app/window/appearance_menu.h"
#include "app/window/launch.h"
#include "app/window/lessons.h"
#include "app/window/main_window.h"
#include "app/window/render_command.h"
#include "app/window/session_controller.h"
#include "ui/theme/theme.h"

namespace {

using namespace warpglass;

int signalSockets[2];

/// Ctrl+C and kill close the window the usual way: the run stops between ops and its file is completed.
void closeOnSignals(QApplication& application, app::MainWindow& window) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, signalSockets) != 0)
        return;
    auto* notifier = new QSocketNotifier(signalSockets[1], QSocketNotifier::Read, &application);
    QObject::connect(notifier, &QSocketNotifier::activated, &window, [&window] {
        char byte;
        if (::read(signalSockets[1], &byte, 1) == 1)
            window.close();
    });
    struct sigaction action {};
    action.sa_handler = [](int) {
        const char byte = 1;
        [[maybe_unused]] const auto written = ::write(signalSockets[0], &byte, 1);
    };
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

/// Quits once the window has painted: what tests/bench/startup.sh times.
class FirstPaint : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint)
            QTimer::singleShot(0, qApp, &QCoreApplication::quit);
        return QObject::eventFilter(watched, event);
    }
};

/// What is wrong with a file is said where it was named, and in the window, which stays.
void beginLesson(app::Lessons& lessons, const QString& path) {
    const auto said = QObject::connect(&lessons, &app::Lessons::failed, [](const QString& sentence) {
        std::fprintf(stderr, "warpglass: %s\n", qPrintable(sentence));
    });
    lessons.open(path);
    QObject::disconnect(said);
}

/// " Did you mean --render?", of the first option that is not known.
QString meantOption(const QStringList& unknown, const QList<QCommandLineOption>& options) {
    if (unknown.isEmpty())
        return {};
    QStringList names{QStringLiteral("--help"), QStringLiteral("--version")};
    for (const QCommandLineOption& option : options)
        names << QStringLiteral("--") + option.names().first();
    return app::wasMeant(QStringLiteral("--") + unknown.first(), names);
}

}  // namespace

int main(int argc, char** argv) {
    app::quietQtAboutMissingDesktop();
    if (app::asksForNoDisplay(argc, argv)) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        app::takeScreenOfFigure(argc, argv);
    } else if (!app::hasDisplay(argc, argv)) {
        std::fputs(
            "warpglass: There is no display: use --render to draw figures without one, or "
            "warpglass-cli.\n",
            stderr);
        return app::kFailed;
    } else {
        app::takeChosenSize();
    }
    QApplication application(argc, argv);
    // Qt keeps the settings under this name.
    QApplication::setOrganizationName(QStringLiteral("Warpglass"));
    QApplication::setApplicationName(QStringLiteral("warpglass"));
    QApplication::setApplicationDisplayName(QStringLiteral("Warpglass"));
    QApplication::setApplicationVersion(QStringLiteral(WARPGLASS_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("warpglass"));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Profiler and memory visualizer for Transformer runs.\n"
                       "Opens the window, with the given runs if any; or, with --render, draws one view\n"
                       "of a run to a picture and needs no display."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("runs"),
        QStringLiteral("Run files (.wgrun), sweeps (.wgsweep) and folders of experiments to open."),
        QStringLiteral("[RUN…]"));
    const QList<QCommandLineOption> options =
        app::renderOptions() +
        QList<QCommandLineOption>{
            app::lessonOption(),
            {QStringLiteral("exit-after-first-paint"),
             QStringLiteral("Quit as soon as the window has been drawn once (for benchmarks).")},
            {QStringLiteral("theme"), QStringLiteral("dark, light or system (as chosen in the window)."),
             QStringLiteral("WORD")},
        };
    parser.addOptions(options);
    if (!parser.parse(QApplication::arguments()))
        return app::wrongCommandLine(parser.errorText() + meantOption(parser.unknownOptionNames(), options) +
                                     QStringLiteral(" (warpglass --help lists the options.)"));
    if (parser.isSet(QStringLiteral("help"))) {
        std::fputs(qPrintable(parser.helpText()), stdout);
        return app::kDone;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        std::printf("warpglass %s\n", WARPGLASS_VERSION);
        return app::kDone;
    }
    QString themeWord = parser.value(QStringLiteral("theme"));
    const QStringList themes{QStringLiteral("dark"), QStringLiteral("light"), QStringLiteral("system")};
    if (!themeWord.isEmpty() && !themes.contains(themeWord))
        return app::wrongCommandLine(QStringLiteral("--theme takes dark, light or system.") +
                                     app::wasMeant(themeWord, themes));

    const bool render = parser.isSet(QStringLiteral("render"));
    if (themeWord.isEmpty())
        themeWord = render ? QStringLiteral("light")
                           : QSettings().value(QStringLiteral("theme"), QStringLiteral("system")).toString();
    ui::Theme::loadFonts();
    ui::Theme::instance().setKind(ui::Theme::kindForWord(themeWord));
    ui::Theme::instance().apply(application);
    if (render)
        return app::renderCommand(parser);

    app::SessionController controller;
    app::MainWindow window(controller, app::MainWindow::Remember::kLayout);
    if (themeWord == QLatin1String("system"))
        window.appearance().followDesktop();
    closeOnSignals(application, window);
    if (parser.isSet(QStringLiteral("exit-after-first-paint")))
        window.centralWidget()->installEventFilter(new FirstPaint(&window));
    window.show();
    controller.openFiles(parser.positionalArguments());
    if (parser.isSet(QStringLiteral("lesson")))
        beginLesson(window.lessons(), parser.value(QStringLiteral("lesson")));
    return QApplication::exec();
}
