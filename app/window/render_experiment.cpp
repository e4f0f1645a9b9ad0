#include "app/window/render_experiment.h"

#include <QApplication>
#include <QDir>
#include <cstdio>

#include "engine/experiments/experiment_folder.h"
#include "ui/charts/data_chart.h"
#include "ui/figures/figure.h"
#include "ui/theme/refresh.h"
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

/// What the runs have in common: the device and the versions.
QString experimentCaption(const ExperimentResult& result) {
    QStringList parts{ui::toQString(result.title)};
    for (const char* key : {"device.name", "torch.version", "warpglass.version"}) {
        for (const auto& [known, value] : result.information) {
            if (known == key && !value.empty())
                parts << (known == "torch.version"       ? QStringLiteral("LibTorch ")
                          : known == "warpglass.version" ? QStringLiteral("Warpglass ")
                                                         : QString()) +
                             ui::toQString(value);
        }
    }
    return parts.join(QStringLiteral(" · "));
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
    for (const Chart& chart : result->charts) {
        ui::DataChart view;
        view.resize(request.size.pixels);
        view.setAttribute(Qt::WA_DontShowOnScreen);
        view.show();
        view.setChart(chart);
        QApplication::processEvents();
        ui::refreshAll(view);
        QApplication::processEvents();
        for (const char* ending : {".svg", ".png"}) {
            const QString path = folder.filePath(nameOf(chart.key) + QLatin1String(ending));
            if (Status saved =
                    ui::saveFigure({&view, nullptr, request.caption ? experimentCaption(*result) : QString()},
                                   request.size, request.pixelRatio, path);
                !saved)
                return saved;
            std::puts(qPrintable(path));
        }
    }
    return {};
}

}  // namespace warpglass::app
