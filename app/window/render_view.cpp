#include "app/window/render_view.h"

#include <unistd.h>
#include <QApplication>
#include <QDir>
#include <cstdio>

#include "app/window/figure_content.h"
#include "app/window/main_window.h"
#include "app/window/render_documents.h"
#include "app/window/run_figure.h"
#include "app/window/run_titles.h"
#include "app/window/run_words.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/io/run_file.h"
#include "engine/lessons/lesson_place.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/model/clocked_kernel.h"
#include "engine/sweep/sweep_chart.h"
#include "engine/sweep/sweep_file.h"
#include "ui/charts/data_chart.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/refresh.h"
#include "ui/models/span_details.h"
#include "ui/models/time_axis.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

const QString kComparison = QStringLiteral("comparison"), kSweep = QStringLiteral("sweep"),
              kExperiment = QStringLiteral("experiment"),
              kExperimentWindow = QStringLiteral("window-experiment"),
              kLessonView = QStringLiteral("window-lesson"), kAll = QStringLiteral("all");

Error selectsNothing(const RenderRequest& request) {
    return Error{"--select: nothing that " + request.view.toStdString() + " shows has \"" +
                 request.select.toStdString() + "\" in its name."};
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

/// The chart that was chosen, or that the sweep's page shows first.
Status drawSweep(const RenderRequest& request) {
    const auto sweep = openSweep(nativePath(request.runPath));
    if (!sweep)
        return sweep.error();
    const auto view = chosenView(*sweep, request.sweep);
    if (!view)
        return view.error();
    ui::DataChart chart;
    ui::showUnseen(chart, request.size.pixels);
    chart.setChart(sweepChart(*sweep, *view));
    settle(chart);
    const ui::TimeAxis none;
    const RunFigure figure(&chart, none, request.caption ? captionOf(*sweep) : QString());
    return saveFigure(figure.source(), request.size, request.pixelRatio, request.outputPath);
}

/// A phase as the GPU went through it, where it has one of that name: the host's is not among the rows.
std::optional<SpanRef> spanToCompare(const Snapshot& run, TimeRange range, const std::string& name) {
    const NameId known = run.findName(name);
    const auto phase =
        known.valid() ? ui::longestSpan(run, TrackKind::kGpuPhase, known, {range}) : std::nullopt;
    return phase ? phase : longestSpanCalled(run, range, name);
}

Status drawComparison(const RenderRequest& request, const OpenedRun& a, const OpenedRun& b,
                      const QString& path) {
    ui::ComparisonView view;
    ui::showUnseen(view, request.size.pixels);
    const QStringList titles = titlesSideBySide(
        {titledRun(titleOf(*a.snapshot, request.runPath), a.snapshot->info(), request.runPath),
         titledRun(titleOf(*b.snapshot, request.otherPath), b.snapshot->info(), request.otherPath)});
    view.setRuns({titles[0], a.snapshot, nullptr}, {titles[1], b.snapshot, nullptr});
    settle(view);
    if (!request.select.isEmpty()) {
        const auto span =
            spanToCompare(*a.snapshot, view.axisOfA().visibleRange(), request.select.toStdString());
        if (!span)
            return selectsNothing(request);
        view.axisOfA().setSelectedSpan(span);
        settle(view);
    }
    const auto caption = [](const OpenedRun& run) { return captionOf(*run.snapshot, !run.warnings.empty()); };
    const RunFigure figure(&view, view.axisOfA(),
                           request.caption ? captionOf(caption(a), caption(b)) : QString());
    return saveFigure(figure.source(), request.size, request.pixelRatio, path);
}

/// Which of the figures is being drawn, in a line of the terminal that is rewritten in place (without a
/// terminal there is none), and on standard output the path of each that was written, so that a script can go
/// on with them. One that has nothing to show is not drawn, and that is said on standard error.
class DrawingLine {
public:
    explicit DrawingLine(int count) : m_count(count), m_visible(::isatty(STDERR_FILENO) == 1) {}
    ~DrawingLine() { clear(); }
    Q_DISABLE_COPY(DrawingLine)
    void next(const QString& name) {
        ++m_drawn;
        if (m_visible)
            std::fprintf(stderr, "\r\x1b[KDrawing %s, %d of %d", qPrintable(name), m_drawn, m_count);
    }
    void written(const QString& path) {
        clear();
        std::puts(qPrintable(path));
    }
    void leftOut(const QString& name, const std::string& why) {
        clear();
        std::fprintf(stderr, "warpglass: %s is left out: %s.\n", qPrintable(name), why.c_str());
    }

private:
    void clear() {
        if (m_visible)
            std::fputs("\r\x1b[K", stderr);
    }

    int m_count, m_drawn = 0;
    bool m_visible;
};

/// A window with the run in it, which no one sees.
class UnseenWindow {
public:
    UnseenWindow(const RenderRequest& request, const OpenedRun& run)
        : m_request(request), m_run(run), m_window(m_controller, MainWindow::Remember::kNothing) {
        ui::showUnseen(m_window, request.size.pixels);
        m_controller.showSnapshot(request.runPath, run);
        // The picture's panel states what it shows, on the device of that run, wherever it is drawn.
        const RunInfo& info = run.snapshot->info();
        if (const auto config = configFromPairs(info.pairs())) {
            const Bytes memory(ui::toQString(info.get("device.memory_bytes")).toLongLong());
            m_window.runPanel().setDevices({{config->device, info.get("device.name"), memory, memory, 0}});
            m_window.runPanel().setConfig(*config);
        }
    }

    Status drawWindow(Workspace::Page page) {
        m_window.setMinimumSize(RenderRequest::kLeastWindow);
        m_window.workspace().setPage(page);
        FigureContent content(m_window.workspace(), m_controller.document(), m_controller.axis(),
                              m_request.view, m_request.find);
        if (const Status shown = show(content); !shown)
            return shown;
        // It says itself what was run: no caption.
        return saveFigure({&m_window, nullptr, QString(), true}, m_request.size, m_request.pixelRatio,
                          m_request.outputPath);
    }

    Status drawView(const QString& name, const QString& path) {
        QWidget* view = m_window.workspace().view(name);
        m_window.workspace().showView(view);
        FigureContent content(m_window.workspace(), m_controller.document(), m_controller.axis(), name,
                              m_request.find);
        if (const Status shown = show(content); !shown)
            return shown;
        const QString caption =
            m_request.caption ? captionOf(*m_run.snapshot, !m_run.warnings.empty()) : QString();
        const RunFigure figure(view, m_controller.axis(), caption);
        return saveFigure(figure.source(), m_request.size, m_request.pixelRatio, path);
    }

private:
    Status show(FigureContent& content) {
        settle(m_window);
        if (m_request.select.isEmpty())
            return {};
        if (!content.select(m_request.select))
            return selectsNothing(m_request);
        settle(m_window);
        return {};
    }

    const RenderRequest& m_request;
    const OpenedRun& m_run;
    SessionController m_controller;
    MainWindow m_window;
};

/// Why the view of that name (Workspace::viewNames()) is empty, as the view itself says it: a sentence
/// without its full stop. Empty where there is something to show.
std::string whyAbsent(const QString& view, const Snapshot& run) {
    static const QStringList kOfMemory{QStringLiteral("memory"),      QStringLiteral("breakdown"),
                                       QStringLiteral("allocations"), QStringLiteral("memory-map"),
                                       QStringLiteral("treemap"),     QStringLiteral("between"),
                                       QStringLiteral("flame-memory")},
        kOfWork{QStringLiteral("ops"), QStringLiteral("find"), QStringLiteral("flame"),
                QStringLiteral("roofline"), QStringLiteral("attention")};
    const Completeness complete(run);
    if (kOfMemory.contains(view))
        return complete.why(DataKind::kMemory);
    if (kOfWork.contains(view))
        return complete.why(DataKind::kWork);
    if (view == QLatin1String("segments"))
        return complete.why(DataKind::kSegments);
    if (view == QLatin1String("kernel-clocks"))
        return whyNoKernelClocks(run);
    // Layers have both times and memory.
    if (view == QLatin1String("layers") && !complete.why(DataKind::kMemory).empty())
        return complete.why(DataKind::kWork);
    return {};
}

/// `other`: null for no comparison.
Status renderAll(const RenderRequest& request, const OpenedRun& run, const OpenedRun* other) {
    const QDir folder(request.outputPath);
    if (const Status made = makeFolder(request.outputPath); !made)
        return made;
    const auto fileOf = [&](const QString& name) {
        return folder.filePath(name + QLatin1Char('.') + request.format);
    };
    const QStringList views = Workspace::viewNames();
    DrawingLine line(static_cast<int>(views.size()) + (other ? 1 : 0));
    UnseenWindow window(request, run);
    for (const QString& name : views) {
        line.next(name);
        if (const std::string why = whyAbsent(name, *run.snapshot); !why.empty()) {
            line.leftOut(name, why);
            continue;
        }
        if (const Status drawn = window.drawView(name, fileOf(name)); !drawn)
            return drawn;
        line.written(fileOf(name));
    }
    if (!other)
        return {};
    line.next(kComparison);
    if (const Status drawn = drawComparison(request, run, *other, fileOf(kComparison)); !drawn)
        return drawn;
    line.written(fileOf(kComparison));
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
    return names + Workspace::viewNames() +
           QStringList{kSweep, kExperiment, kExperimentWindow, kLessonView, kComparison, kAll};
}

void settle(QWidget& widget) {
    QApplication::processEvents();
    ui::refreshAll(widget);
    QApplication::processEvents();
}

Status makeFolder(const QString& path) {
    if (QDir(path).mkpath(QStringLiteral(".")))
        return {};
    return Error{"The folder " + path.toStdString() +
                 " cannot be made: check that its parent exists and is writable."};
}

Status renderView(const RenderRequest& request) {
    if (!renderNames().contains(request.view)) {
        return Error{"There is no view \"" + request.view.toStdString() + "\"; choose one of " +
                     renderNames().join(QStringLiteral(", ")).toStdString() + "."};
    }
    if (request.view == kSweep)
        return drawSweep(request);
    if (request.view == kExperiment)
        return renderExperiment(request);
    if (request.view == kExperimentWindow)
        return renderExperimentWindow(request);
    if (request.view == kLessonView)
        return renderLesson(request);
    const auto opened = openRun(request.runPath.toStdString());
    if (!opened)
        return opened.error();
    if (request.view == kComparison || !request.otherPath.isEmpty()) {
        const auto other = openRun(request.otherPath.toStdString());
        if (!other)
            return other.error();
        return request.view == kAll ? renderAll(request, *opened, &*other)
                                    : drawComparison(request, *opened, *other, request.outputPath);
    }
    if (request.view == kAll)
        return renderAll(request, *opened, nullptr);
    UnseenWindow window(request, *opened);
    if (const auto page = windowPage(request.view))
        return window.drawWindow(*page);
    return window.drawView(request.view, request.outputPath);
}

}  // namespace warpglass::app
