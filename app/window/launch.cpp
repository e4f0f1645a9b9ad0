#include "app/window/launch.h"

#include <QByteArray>
#include <QString>
#include <initializer_list>
#include <string_view>

namespace warpglass::app {

namespace {

bool anyArgument(int argc, char** argv, std::initializer_list<std::string_view> words) {
    for (int i = 1; i < argc; ++i) {
        for (const std::string_view word : words) {
            const std::string_view argument = argv[i];
            // Also "--render=memory".
            if (argument == word || (argument.starts_with(word) && argument[word.size()] == '='))
                return true;
        }
    }
    return false;
}

QtMessageHandler formerHandler = nullptr;

void passOnMessage(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")) ||
        message == QLatin1String("This plugin does not support propagateSizeHints()"))
        return;
    formerHandler(type, context, message);
}

}  // namespace

bool asksForNoDisplay(int argc, char** argv) {
    return anyArgument(argc, argv, {"--render", "--help", "-h", "--version", "-v"});
}

void takeScreenOfFigure(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        QByteArray scale;
        if (argument == "--scale" && i + 1 < argc)
            scale = argv[i + 1];
        else if (argument.starts_with("--scale="))
            scale = argv[i] + std::string_view("--scale=").size();
        bool ok = false;
        // Another number is refused once the command line is read.
        if (const double ratio = scale.toDouble(&ok); ok && ratio >= 1 && ratio <= 8)
            qputenv("QT_SCALE_FACTOR", scale);
    }
}

bool hasDisplay(int argc, char** argv) {
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        if (!qgetenv(variable).isEmpty())
            return true;
    }
    return anyArgument(argc, argv, {"-platform", "--platform"});
}

void quietQtAboutMissingDesktop() {
    formerHandler = qInstallMessageHandler(passOnMessage);
}

}  // namespace warpglass::app
