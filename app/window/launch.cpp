#include "app/window/launch.h"

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "ui/figures/figure_size.h"

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

constexpr char kScaleFactor[] = "QT_SCALE_FACTOR";
const QString kTextSize = QStringLiteral("size");

/// As the application's own, of which nothing is known yet.
QSettings windowSettings() {
    return QSettings(QStringLiteral("Warpglass"), QStringLiteral("warpglass"));
}

QtMessageHandler formerHandler = nullptr;

void passOnMessage(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")) ||
        message == QLatin1String("This plugin does not support propagateSizeHints()"))
        return;
    formerHandler(type, context, message);
}

}  // namespace

double chosenSize() {
    const double size = windowSettings().value(kTextSize, kSizes.front()).toDouble();
    return std::find(kSizes.begin(), kSizes.end(), size) != kSizes.end() ? size : kSizes.front();
}

void chooseSize(double size) {
    windowSettings().setValue(kTextSize, size);
}

void takeChosenSize() {
    const double size = chosenSize();
    bool asked = false;
    const double already = qgetenv(kScaleFactor).toDouble(&asked);
    if (size != kSizes.front())
        qputenv(kScaleFactor, QByteArray::number(asked && already > 0 ? already * size : size));
}

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
        if (const double ratio = scale.toDouble(&ok); ok && ratio >= 1 && ratio <= ui::kMostPixelRatio)
            qputenv(kScaleFactor, scale);
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
