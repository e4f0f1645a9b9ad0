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

#include "app/window/launch.h"
#include "app/window/main_window.h"
#include "app/window/render_view.h"
#include "app/window/session_controller.h"
#include "ui/theme/theme.h"

namespace {

using namespace warpglass;

constexpr int kDone = 0, kFailed = 1, kWrongCommandLine = 2;

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

int wrong(const QString& sentence) {
    std::fprintf(stderr, "warpglass: %s\n", qPrintable(sentence));
    return kWrongCommandLine;
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

int renderAndExit(const QCommandLineParser& parser, const QString& view) {
    app::RenderRequest request;
    request.view = view;
    const bool comparison = view == QLatin1String("comparison");
    if (comparison && parser.positionalArguments().size() != 2)
        return wrong(QStringLiteral("--render comparison draws two run files: name both after the options."));
    if (!comparison && parser.positionalArguments().size() != 1)
        return wrong(QStringLiteral("--render draws one run file: name exactly one after the options."));
    request.runPath = parser.positionalArguments().first();
    request.otherPath = comparison ? parser.positionalArguments().last() : QString();
    request.outputPath = parser.value(QStringLiteral("output"));
    if (request.outputPath.isEmpty())
        return wrong(QStringLiteral("--render needs --output FIG.png (or .svg, .pdf)."));
    if (parser.isSet(QStringLiteral("size"))) {
        request.size = parseSize(parser.value(QStringLiteral("size")));
        if (!request.size.isValid())
            return wrong(
                QStringLiteral("--size takes WIDTHxHEIGHT, each from 16 to 16384, as in 1600x1000."));
    }
    bool ok = true;
    if (parser.isSet(QStringLiteral("scale")))
        request.scale = parser.value(QStringLiteral("scale")).toDouble(&ok);
    if (!ok || request.scale < 0.25 || request.scale > 8)
        return wrong(QStringLiteral("--scale takes a number from 0.25 to 8."));
    if (!app::renderNames().contains(view))
        return wrong(QStringLiteral("--render knows no view \"%1\"; choose one of %2.")
                         .arg(view, app::renderNames().join(QStringLiteral(", "))));
    const Status drawn = app::renderView(request);
    if (!drawn) {
        std::fprintf(stderr, "warpglass: %s\n", drawn.message().c_str());
        return kFailed;
    }
    return kDone;
}

}  // namespace

int main(int argc, char** argv) {
    app::quietQtAboutMissingDesktop();
    if (app::asksForNoDisplay(argc, argv)) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    } else if (!app::hasDisplay(argc, argv)) {
        std::fputs(
            "warpglass: There is no display: use --render to draw figures without one, or "
            "warpglass-cli.\n",
            stderr);
        return kFailed;
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
        QStringLiteral("Profiler and memory visualiser for Transformer runs.\n"
                       "Opens the window, with the given runs if any; or, with --render, draws one view\n"
                       "of a run to a picture and needs no display."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("runs"), QStringLiteral("Run files (.wgrun) to open."),
                                 QStringLiteral("[RUN…]"));
    parser.addOptions({
        {QStringLiteral("render"),
         QStringLiteral("Draw VIEW: %1.").arg(app::renderNames().join(QStringLiteral(", "))),
         QStringLiteral("VIEW")},
        {QStringLiteral("size"), QStringLiteral("Size of the figure in logical pixels (1600x1000)."),
         QStringLiteral("WxH")},
        {QStringLiteral("scale"), QStringLiteral("Device pixels a logical pixel, for PNG (1)."),
         QStringLiteral("FACTOR")},
        {QStringLiteral("output"), QStringLiteral("Where the figure goes: .png, .svg or .pdf."),
         QStringLiteral("FIG")},
        {QStringLiteral("exit-after-first-paint"),
         QStringLiteral("Quit as soon as the window has been drawn once (for benchmarks).")},
        {QStringLiteral("theme"), QStringLiteral("dark, light or system (as chosen in the window)."),
         QStringLiteral("WORD")},
    });
    if (!parser.parse(QApplication::arguments()))
        return wrong(parser.errorText() + QStringLiteral(" (warpglass --help lists the options.)"));
    if (parser.isSet(QStringLiteral("help"))) {
        std::fputs(qPrintable(parser.helpText()), stdout);
        return kDone;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        std::printf("warpglass %s\n", WARPGLASS_VERSION);
        return kDone;
    }
    QString themeWord = parser.value(QStringLiteral("theme"));
    if (!themeWord.isEmpty() &&
        !QStringList{QStringLiteral("dark"), QStringLiteral("light"), QStringLiteral("system")}.contains(
            themeWord))
        return wrong(QStringLiteral("--theme takes dark, light or system."));

    const bool render = parser.isSet(QStringLiteral("render"));
    if (themeWord.isEmpty())
        themeWord = render ? QStringLiteral("light")
                           : QSettings().value(QStringLiteral("theme"), QStringLiteral("system")).toString();
    ui::Theme::loadFonts();
    ui::Theme::instance().setKind(ui::Theme::kindForWord(themeWord));
    ui::Theme::instance().apply(application);
    if (render)
        return renderAndExit(parser, parser.value(QStringLiteral("render")));

    app::SessionController controller;
    app::MainWindow window(controller, app::MainWindow::Remember::kLayout);
    closeOnSignals(application, window);
    if (parser.isSet(QStringLiteral("exit-after-first-paint")))
        window.centralWidget()->installEventFilter(new FirstPaint(&window));
    window.show();
    controller.openFiles(parser.positionalArguments());
    return QApplication::exec();
}
