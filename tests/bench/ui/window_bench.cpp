// The whole window over runs of growing length: opening, panning, zooming and hovering at every zoom,
// filters, each view's first picture, a comparison of two. Prints one table in Markdown, a column a length.
//
//     warpglass_window_bench RUN.wgrun [--spans 10000,100000,1000000,10000000] [--slow 10]
//
// The runs are RUN's steps repeated (tests/support/repeated_run.h). 1600 × 1000, software raster, offscreen
// unless QT_QPA_PLATFORM is set. A frame is an input event and everything until it is painted; between frames
// the window has 16 ms for what it does by itself, and what that blocks counts as a frame too. Bars
// (docs/performance.md): frames p95 ≤ 16 ms; open < 1 s; filters < 300 ms; map and treemap < 100 ms.
#include <CLI/CLI.hpp>

#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "tests/bench/ui/percentile.h"
#include "tests/support/repeated_run.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/refresh.h"
#include "ui/models/run_filter.h"
#include "ui/panels/op_table.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

namespace {

using namespace warpglass;

constexpr double kFrame = 16;  // ms
constexpr int kMoves = 24;     // frames at each zoom

double milliseconds(const std::function<void()>& work) {
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

/// The calling thread's, in ms.
double processorTime() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Which receivers of events a frame's time goes to.
class MeteredApplication : public QApplication {
public:
    using QApplication::QApplication;
    using Times = std::map<std::string, double>;  // ms, without what is nested in it

    bool notify(QObject* receiver, QEvent* event) override {
        std::string what = receiver->metaObject()->className();
        what += event->type() == QEvent::Paint ? " paints" : " " + std::to_string(event->type());
        const bool ofTimeline =
            event->type() == QEvent::Paint && qobject_cast<const ui::TimelineView*>(receiver);
        const double before = ofTimeline ? processorTime() : 0;
        const double outer = std::exchange(m_within, 0);
        QElapsedTimer timer;
        timer.start();
        const bool handled = QApplication::notify(receiver, event);
        const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        m_times[what] += took - m_within;
        m_within = outer + took;
        if (ofTimeline)
            m_timeline += processorTime() - before;
        return handled;
    }
    Times take() { return std::exchange(m_times, {}); }
    /// Processor time of painting the timeline since the last call, in ms.
    double takeTimeline() { return std::exchange(m_timeline, 0); }

private:
    Times m_times;
    double m_within = 0, m_timeline = 0;
};

/// This process's, in MiB.
double residentMemory() {
    std::ifstream status("/proc/self/statm");
    double all = 0, resident = 0;
    status >> all >> resident;
    return resident * 4096 / (1 << 20);
}

/// Rows of the table in the order in which they were first written.
class Table {
public:
    void set(const std::string& row, const std::string& column, const std::string& value) {
        if (std::find(m_rows.begin(), m_rows.end(), row) == m_rows.end())
            m_rows.push_back(row);
        if (std::find(m_columns.begin(), m_columns.end(), column) == m_columns.end())
            m_columns.push_back(column);
        m_cells[{row, column}] = value;
    }
    void setMs(const std::string& row, const std::string& column, double ms) {
        char text[32];
        std::snprintf(text, sizeof text, ms < 10 ? "%.1f ms" : "%.0f ms", ms);
        set(row, column, text);
    }
    void print() const {
        std::printf("| what |");
        for (const std::string& column : m_columns)
            std::printf(" %s |", column.c_str());
        std::printf("\n|---|");
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            std::printf("---|");
        for (const std::string& row : m_rows) {
            std::printf("\n| %s |", row.c_str());
            for (const std::string& column : m_columns) {
                const auto cell = m_cells.find({row, column});
                std::printf(" %s |", cell == m_cells.end() ? "" : cell->second.c_str());
            }
        }
        std::printf("\n");
    }

private:
    std::vector<std::string> m_rows, m_columns;
    std::map<std::pair<std::string, std::string>, std::string> m_cells;
};

class WindowBench {
public:
    WindowBench(Table& table, std::string column, const QString& path, std::size_t slow)
        : m_table(table),
          m_column(std::move(column)),
          m_slow(slow),
          m_window(m_controller, app::MainWindow::Remember::kNothing) {
        m_window.resize(1600, 1000);
        m_window.show();
        QApplication::processEvents();
        open(path);
    }

    void measure() {
        m_window.workspace().setPage(app::Workspace::Page::kViews);
        settle();
        frames();
        filters();
        views();
        setMemory("memory after every view");
    }

    const std::shared_ptr<const Snapshot>& snapshot() { return m_controller.document().snapshot(); }

private:
    void open(const QString& path) {
        m_residentBefore = residentMemory();
        const double ms = milliseconds([&] {
            m_controller.openFiles({path});
            while (!m_controller.document().snapshot())
                QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
            m_window.workspace().setPage(app::Workspace::Page::kViews);
            QApplication::processEvents();
            ui::refreshAll(*m_window.workspace().timeline());
            QApplication::processEvents();
        });
        m_table.setMs("file to usable timeline", m_column, ms);
        m_table.setMs("… until every table in front is filled", m_column,
                      ms + milliseconds([&] { settle(); }));
        setMemory("memory taken by then, of its decoded columns");
    }

    /// What the process took since before the run was opened, and how many times the columns decoded so far.
    void setMemory(const std::string& row) {
        const double taken = residentMemory() - m_residentBefore;
        const double columns = static_cast<double>(snapshot()->bytesInMemory()) / (1 << 20);
        char text[64];
        std::snprintf(text, sizeof text, "%.0f MiB, %.2f ×", taken, taken / columns);
        m_table.set(row, m_column, text);
    }

    void settle() {
        QApplication::processEvents();
        ui::refreshAll(*m_window.workspace().timeline());
        QApplication::processEvents();
        // What is computed on workers.
        QElapsedTimer quiet;
        quiet.start();
        while (quiet.elapsed() < 150) {
            QElapsedTimer one;
            one.start();
            QApplication::processEvents();
            if (one.nsecsElapsed() > 1'000'000)
                quiet.restart();
            QThread::msleep(1);
        }
    }

    struct Frame {
        double wall = 0, processor = 0, timeline = 0;  // ms of the window's thread; painting the timeline
        MeteredApplication::Times where;
    };

    static Frame measured(const std::function<void()>& work) {
        auto* application = static_cast<MeteredApplication*>(QApplication::instance());
        application->take();
        application->takeTimeline();
        Frame frame;
        const double before = processorTime();
        frame.wall = milliseconds(work);
        frame.processor = processorTime() - before;
        frame.where = application->take();
        frame.timeline = application->takeTimeline();
        return frame;
    }

    /// The time of one input event until it is painted; then what the window does until the frame is over.
    static void frame(std::vector<Frame>& frames, const std::function<void()>& input) {
        QElapsedTimer slot;
        slot.start();
        frames.push_back(measured([&] {
            input();
            QApplication::processEvents();
        }));
        while (static_cast<double>(slot.nsecsElapsed()) / 1e6 < kFrame) {
            Frame blocked = measured([] { QApplication::processEvents(); });
            if (blocked.wall > frames.back().wall)
                frames.back() = std::move(blocked);
            QThread::usleep(500);
        }
    }

    /// The slowest frames and where their time went, to stderr.
    void explain(const char* name, std::vector<Frame> frames) const {
        std::sort(frames.begin(), frames.end(),
                  [](const Frame& a, const Frame& b) { return a.wall > b.wall; });
        frames.resize(std::min(frames.size(), m_slow));
        for (const Frame& frame : frames) {
            std::fprintf(stderr, "%s: %.1f ms, processor %.1f:", name, frame.wall, frame.processor);
            for (const auto& [what, ms] : frame.where) {
                if (ms >= 0.3)
                    std::fprintf(stderr, " %s %.1f;", what.c_str(), ms);
            }
            std::fprintf(stderr, "\n");
        }
    }

    void wheel(QPointF at, int notches, Qt::KeyboardModifiers modifiers) {
        QWidget* timeline = m_window.workspace().timeline();
        QWheelEvent event(at, timeline->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(timeline, &event);
    }

    void move(QPointF at) {
        QWidget* timeline = m_window.workspace().timeline();
        QMouseEvent event(QEvent::MouseMove, at, timeline->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(timeline, &event);
    }

    void frames() {
        framesUnder(QString());
        // Blocks of other phases, modules and names are faded, each drawn one asked for.
        auto& filter = m_window.workspace().filter();
        filter.setPhase(Phase::kBackward);
        filter.setModule("blocks.1");
        filter.setText("gemm");
        framesUnder(", filtered by phase, module and text");
        filter.reset();
    }

    void framesUnder(const QString& condition) {
        auto& axis = m_controller.axis();
        const QRect plot = m_window.workspace().timeline()->plotArea();
        const QPointF center = QRectF(plot).center();
        std::vector<Frame> zoom, pan, hover;
        axis.fitAll();
        settle();
        for (int depth = 0; depth < 48; ++depth) {
            frame(zoom, [&] { wheel(center, 1, Qt::NoModifier); });
            if (depth % 4 != 0)
                continue;
            for (int i = 0; i < kMoves; ++i)
                frame(pan, [&] { wheel(center, i % 2 == 0 ? 1 : -1, Qt::ShiftModifier); });
            for (int i = 0; i < kMoves; ++i)
                frame(hover, [&] {
                    move({plot.left() + plot.width() * (i + 0.5) / kMoves,
                          plot.top() + plot.height() * ((i * 7 % kMoves) + 0.5) / kMoves});
                });
        }
        axis.fitAll();
        settle();
        for (const auto& [name, frames] :
             {std::pair{"zooming", zoom}, {"panning", pan}, {"hovering", hover}}) {
            for (const auto& [before, after, of, digits] :
                 {std::tuple{"", ", a frame: median, p95", &Frame::wall, 1},
                  {"… ", ", processor time of the window's thread", &Frame::processor, 1},
                  {"… ", ", of it painting the timeline", &Frame::timeline, 2}}) {
                std::vector<double> ms;
                for (const Frame& frame : frames)
                    ms.push_back(frame.*of);
                char text[64];
                std::snprintf(text, sizeof text, "%.*f, %.*f ms", digits, percentile(ms, 0.5), digits,
                              percentile(ms, 0.95));
                m_table.set(before + (name + condition.toStdString()) + after, m_column, text);
            }
            explain(name, frames);
        }
    }

    void filters() {
        auto* ops = qobject_cast<ui::OpTable*>(m_window.workspace().view("ops"));
        m_window.workspace().showView(ops);
        auto& axis = m_controller.axis();
        const TimeRange full = axis.fullRange();
        const Nanoseconds third(full.duration().value / 3);
        m_table.setMs("table of a range of a third", m_column, milliseconds([&] {
                          axis.setSelectedRange(TimeRange{full.begin + third, full.end - third});
                          QApplication::processEvents();
                          ui::refreshAll(*ops);
                          QApplication::processEvents();
                      }));
        axis.setSelectedRange(std::nullopt);
        settle();
        m_table.setMs("table filtered by text", m_column, milliseconds([&] {
                          m_window.workspace().filter().setText("gemm");
                          QApplication::processEvents();
                          ui::refreshAll(*ops);
                          QApplication::processEvents();
                      }));
        m_window.workspace().filter().setText({});
        settle();
        ops->setGrouping(SpanGrouping::kModule);
        settle();
        const Rows range = rowsAfter(*ops, [&] {
            axis.setSelectedRange(TimeRange{full.begin + third, full.end - third});
        });
        axis.setSelectedRange(std::nullopt);
        settle();
        const Rows phase = rowsAfter(*ops, [&] { m_window.workspace().filter().setPhase(Phase::kForward); });
        m_table.setMs("table by module of a range of a third: first rows", m_column, range.first);
        m_table.setMs("… all rows", m_column, range.last);
        m_table.setMs("table by module of a phase: first rows", m_column, phase.first);
        m_table.setMs("… all its rows", m_column, phase.last);
        m_window.workspace().filter().reset();
        ops->setGrouping(SpanGrouping::kFlat);
        settle();
    }

    struct Rows {
        double first = 0, last = 0;  // ms
    };

    /// When a table shows its first rows after a change, and its last; nothing waits for it meanwhile.
    static Rows rowsAfter(ui::OpTable& table, const std::function<void()>& change) {
        Rows rows;
        QElapsedTimer timer, quiet;
        const auto shown = [&] {
            rows.last = static_cast<double>(timer.nsecsElapsed()) / 1e6;
            if (rows.first == 0)
                rows.first = rows.last;
            quiet.restart();
        };
        QObject scope;
        const QAbstractItemModel* model = &table.model();
        QObject::connect(model, &QAbstractItemModel::modelReset, &scope, shown);
        QObject::connect(model, &QAbstractItemModel::rowsInserted, &scope, shown);
        QObject::connect(model, &QAbstractItemModel::dataChanged, &scope, shown);
        timer.start();
        quiet.start();
        change();
        while (quiet.elapsed() < 800) {
            QApplication::processEvents();
            QThread::usleep(200);
        }
        return rows;
    }

    /// From a click on it to its picture, everything in it computed.
    void views() {
        pictures("first picture: ");
        // What one module launched and holds, in every view.
        m_window.workspace().filter().setModule(aModule());
        settle();
        pictures("of one module: ");
        m_window.workspace().filter().reset();
        settle();
    }

    /// The first block's attention, or whatever module there is.
    std::string aModule() {
        const char* const attention = "blocks.0.attn";
        if (snapshot()->findName(attention).valid())
            return attention;
        return "loss";
    }

    void pictures(const std::string& heading) {
        for (const app::Workspace::ViewName& view : app::Workspace::views()) {
            QWidget* widget = m_window.workspace().view(view.name);
            m_table.setMs(heading + view.title.toStdString(), m_column, milliseconds([&] {
                              m_window.workspace().showView(widget);
                              QApplication::processEvents();
                              ui::refreshAll(*widget);
                              QApplication::processEvents();
                              widget->grab();
                          }));
        }
        settle();
    }

    Table& m_table;
    std::string m_column;
    std::size_t m_slow;
    double m_residentBefore = 0;  // MiB
    app::SessionController m_controller;
    app::MainWindow m_window;
};

void compare(Table& table, const std::string& column, const std::shared_ptr<const Snapshot>& run) {
    ui::ComparisonView view;
    view.resize(1600, 1000);
    view.show();
    QApplication::processEvents();
    table.setMs("comparison of two such runs", column, milliseconds([&] {
                    view.setRuns({"a", run, nullptr}, {"b", run, nullptr});
                    QApplication::processEvents();
                    view.refreshNow();
                    QApplication::processEvents();
                }));
}

std::string shortCount(std::uint64_t count) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", static_cast<double>(count));
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    std::string path;
    std::vector<std::uint64_t> lengths{10'000, 100'000, 1'000'000, 10'000'000};
    std::size_t slow = 0;
    CLI::App options("What the window's frames cost, over the length of a run");
    options.add_option("run", path, "The run whose steps are repeated")->required()->check(CLI::ExistingFile);
    options.add_option("--spans", lengths, "How long the runs are")->delimiter(',');
    options.add_option("--slow", slow, "Say where the time of so many of the slowest frames went");
    CLI11_PARSE(options, argc, argv);

    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    MeteredApplication application(argc, argv);
    QApplication::setApplicationName("warpglass-window-bench");
    ui::Theme::loadFonts();
    ui::Theme::instance().apply(application);

    const auto opened = openRun(path);
    if (!opened) {
        std::fprintf(stderr, "%s\n", opened.message().c_str());
        return 1;
    }
    Table table;
    const QTemporaryDir folder;
    for (const std::uint64_t length : lengths) {
        const QString file = folder.filePath(QStringLiteral("%1.wgrun").arg(length));
        {
            const auto run = test::repeatRun(*opened->snapshot, length);
            if (const Status saved = saveRun(*run, file.toStdString()); !saved) {
                std::fprintf(stderr, "%s\n", saved.message().c_str());
                return 1;
            }
        }
        const auto measured = std::make_unique<WindowBench>(table, shortCount(length) + " spans", file, slow);
        table.set("spans, allocations", shortCount(length) + " spans",
                  std::to_string(measured->snapshot()->spanCount()) + ", " +
                      std::to_string(measured->snapshot()->allocationCount()));
        measured->measure();
        compare(table, shortCount(length) + " spans", measured->snapshot());
        std::fprintf(stderr, "%s spans: done\n", shortCount(length).c_str());
    }
    table.print();
    return 0;
}
