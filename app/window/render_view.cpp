#include "app/window/render_view.h"

#include <QApplication>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QVBoxLayout>
#include <memory>

#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/io/run_file.h"
#include "ui/charts/memory_chart.h"
#include "ui/compare/comparison_view.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/refresh.h"
#include "ui/timeline/time_ruler_bar.h"

namespace warpglass::app {

namespace {

/// Lays out, and computes what the views would otherwise compute a little later, or only when seen.
void settle(QWidget& widget) {
    QApplication::processEvents();
    ui::refreshAll(widget);
    QApplication::processEvents();
}

/// Out of its splitter, so that it takes the figure's size and not the window's.
std::unique_ptr<QWidget> standAlone(QWidget* view, const ui::TimeAxis& axis) {
    view->setParent(nullptr);
    auto* memory = qobject_cast<ui::MemoryChart*>(view);
    if (!memory)
        return std::unique_ptr<QWidget>(view);
    // In the window its time axis is the timeline's, over it.
    auto figure = std::make_unique<QWidget>();
    auto* layout = new QVBoxLayout(figure.get());
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(memory, 1);
    layout->addWidget(new ui::TimeRulerBar(axis, memory->labelWidth()));
    return figure;
}

Status unwritable(const QString& path) {
    return Error{"The figure " + path.toStdString() +
                 " cannot be written: check that the folder exists and is writable."};
}

Status paintTo(QWidget& widget, const RenderRequest& request) {
    const QString suffix = QFileInfo(request.outputPath).suffix().toLower();
    if (suffix == QLatin1String("png")) {
        QImage image(request.size * request.scale, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(request.scale);
        image.fill(Qt::transparent);
        widget.render(&image);
        return image.save(request.outputPath) ? Status() : unwritable(request.outputPath);
    }
    if (suffix == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setFileName(request.outputPath);
        svg.setSize(request.size);
        svg.setViewBox(QRect(QPoint(0, 0), request.size));
        QPainter painter;
        if (!painter.begin(&svg))
            return unwritable(request.outputPath);
        widget.render(&painter);
        return painter.end() && QFileInfo(request.outputPath).size() > 0 ? Status()
                                                                         : unwritable(request.outputPath);
    }
    if (suffix == QLatin1String("pdf")) {
        QPdfWriter pdf(request.outputPath);
        constexpr int kDotsPerInch = 96;  // a logical pixel of the view is one of the page's units
        pdf.setResolution(kDotsPerInch);
        pdf.setPageSize(QPageSize(QSizeF(request.size) * (72.0 / kDotsPerInch), QPageSize::Point));
        pdf.setPageMargins({});
        QPainter painter;
        if (!painter.begin(&pdf))
            return unwritable(request.outputPath);
        widget.render(&painter);
        return painter.end() ? Status() : unwritable(request.outputPath);
    }
    return Error{"The figure " + request.outputPath.toStdString() +
                 " needs a name that ends in .png, .svg or .pdf."};
}

}  // namespace

QStringList renderNames() {
    return QStringList{QStringLiteral("window"), QStringLiteral("window-summary")} + Workspace::viewNames() +
           QStringList{QStringLiteral("comparison")};
}

namespace {

Status renderComparison(const RenderRequest& request) {
    const auto a = openRun(request.runPath.toStdString()), b = openRun(request.otherPath.toStdString());
    if (!a)
        return a.error();
    if (!b)
        return b.error();
    const auto titleOf = [](const OpenedRun& run, const QString& path) {
        const auto config = configFromPairs(run.snapshot->info().pairs());
        return config ? QString::fromStdString(shortTitle(*config)) : QFileInfo(path).completeBaseName();
    };
    ui::ComparisonView view;
    view.resize(request.size);
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.show();
    view.setRuns({titleOf(*a, request.runPath), a->snapshot, nullptr},
                 {titleOf(*b, request.otherPath), b->snapshot, nullptr});
    settle(view);
    return paintTo(view, request);
}

}  // namespace

Status renderView(const RenderRequest& request) {
    const bool first = request.view == QLatin1String("window-summary");
    const bool whole = first || request.view == QLatin1String("window");
    if (!renderNames().contains(request.view)) {
        return Error{"There is no view \"" + request.view.toStdString() + "\"; choose one of " +
                     renderNames().join(QStringLiteral(", ")).toStdString() + "."};
    }
    if (request.view == QLatin1String("comparison"))
        return renderComparison(request);
    auto opened = openRun(request.runPath.toStdString());
    if (!opened)
        return opened.error();

    SessionController controller;
    MainWindow window(controller, MainWindow::Remember::kNothing);
    window.resize(request.size);
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.show();
    controller.showSnapshot(request.runPath, *opened);
    if (const auto config = configFromPairs(opened->snapshot->info().pairs()))
        window.runPanel().setConfig(*config);  // the panel of the picture states what the picture shows
    window.workspace().setPage(first ? Workspace::Page::kSummary : Workspace::Page::kViews);
    settle(window);
    if (whole)
        return paintTo(window, request);

    QWidget* view = window.workspace().view(request.view);
    window.workspace().showView(view);
    const std::unique_ptr<QWidget> figure = standAlone(view, controller.axis());
    figure->resize(request.size);
    figure->setAttribute(Qt::WA_DontShowOnScreen);
    figure->show();
    settle(*figure);
    return paintTo(*figure, request);
}

}  // namespace warpglass::app
