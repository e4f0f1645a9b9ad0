#include "app/window/render_view.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>

#include "app/window/figure_content.h"
#include "app/window/main_window.h"
#include "app/window/run_figure.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/io/run_file.h"
#include "ui/compare/comparison_view.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/refresh.h"

namespace warpglass::app {

namespace {

/// Lays out, and computes what the views would otherwise compute a little later, or only when seen.
void settle(QWidget& widget) {
    QApplication::processEvents();
    ui::refreshAll(widget);
    QApplication::processEvents();
}

void showUnseen(QWidget& widget, QSize size) {
    widget.resize(size);
    widget.setAttribute(Qt::WA_DontShowOnScreen);
    widget.show();
}

/// "window-summary": the page that a picture of the whole window shows; nothing for any other name.
std::optional<Workspace::Page> windowPage(const QString& name) {
    if (name == QLatin1String("window"))
        return Workspace::Page::kViews;
    const auto pages = Workspace::pageNames();
    for (int i = 0; i < pages.size(); ++i) {
        if (name == QStringLiteral("window-") + pages[i].title.toLower())
            return static_cast<Workspace::Page>(i);
    }
    return std::nullopt;
}

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
    showUnseen(view, request.size.pixels);
    view.setRuns({titleOf(*a, request.runPath), a->snapshot, nullptr},
                 {titleOf(*b, request.otherPath), b->snapshot, nullptr});
    settle(view);
    const auto caption = [](const OpenedRun& run) { return captionOf(*run.snapshot, !run.warnings.empty()); };
    const RunFigure figure(&view, view.axisOfA(),
                           request.caption ? captionOf(caption(*a), caption(*b)) : FigureCaption());
    return saveFigure(figure.source(), request.size, request.pixelRatio, request.outputPath);
}

/// A window with the run in it, which no one sees.
class UnseenWindow {
public:
    UnseenWindow(const RenderRequest& request, const OpenedRun& run)
        : m_request(request), m_run(run), m_window(m_controller, MainWindow::Remember::kNothing) {
        showUnseen(m_window, request.size.pixels);
        m_controller.showSnapshot(request.runPath, run);
        if (const auto config = configFromPairs(run.snapshot->info().pairs()))
            m_window.runPanel().setConfig(*config);  // the panel of the picture states what the picture shows
    }

    Status drawWindow(Workspace::Page page) {
        m_window.workspace().setPage(page);
        settle(m_window);
        return saveFigure({&m_window, nullptr, QString(), true, QString()}, m_request.size,
                          m_request.pixelRatio, m_request.outputPath);
    }

    Status drawView(const QString& name, const QString& path) {
        QWidget* view = m_window.workspace().view(name);
        m_window.workspace().showView(view);
        const FigureContent content(m_window.workspace(), m_controller.document(), m_controller.axis(), name,
                                    m_request.find);
        settle(m_window);
        const FigureCaption caption =
            m_request.caption ? captionOf(*m_run.snapshot, !m_run.warnings.empty()) : FigureCaption();
        const RunFigure figure(view, m_controller.axis(), caption);
        return saveFigure(figure.source(), m_request.size, m_request.pixelRatio, path);
    }

private:
    const RenderRequest& m_request;
    const OpenedRun& m_run;
    SessionController m_controller;
    MainWindow m_window;
};

Status renderAll(const RenderRequest& request, const OpenedRun& run) {
    const QDir folder(request.outputPath);
    if (!folder.mkpath(QStringLiteral(".")))
        return Error{"The folder " + request.outputPath.toStdString() +
                     " cannot be made: check that its parent exists and is writable."};
    UnseenWindow window(request, run);
    for (const QString& name : Workspace::viewNames()) {
        if (const Status drawn =
                window.drawView(name, folder.filePath(name + QLatin1Char('.') + request.format));
            !drawn)
            return drawn;
    }
    return {};
}

}  // namespace

QStringList renderNames() {
    QStringList names{QStringLiteral("window")};
    const auto pages = Workspace::pageNames();
    for (int i = 0; i < pages.size(); ++i) {
        if (static_cast<Workspace::Page>(i) != Workspace::Page::kViews)
            names << QStringLiteral("window-") + pages[i].title.toLower();
    }
    return names + Workspace::viewNames() + QStringList{QStringLiteral("comparison"), QStringLiteral("all")};
}

Status renderView(const RenderRequest& request) {
    if (!renderNames().contains(request.view)) {
        return Error{"There is no view \"" + request.view.toStdString() + "\"; choose one of " +
                     renderNames().join(QStringLiteral(", ")).toStdString() + "."};
    }
    if (request.view == QLatin1String("comparison"))
        return renderComparison(request);
    const auto opened = openRun(request.runPath.toStdString());
    if (!opened)
        return opened.error();
    if (request.view == QLatin1String("all"))
        return renderAll(request, *opened);
    UnseenWindow window(request, *opened);
    if (const auto page = windowPage(request.view))
        return window.drawWindow(*page);
    return window.drawView(request.view, request.outputPath);
}

}  // namespace warpglass::app
