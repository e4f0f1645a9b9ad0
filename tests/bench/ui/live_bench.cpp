// The real window, 1600 × 1000, while a run is recorded: how smoothly it shows what arrives, and whether the
// recording notices it. The bars: 30 frames a second with 100,000 rows a second arriving and with 50,000
// kernels a second, at most one frame in a hundred later than 100 ms, no row lost.
//
//     warpglass_live_bench --synthetic 100000              a writer that appends so many rows a second
//     warpglass_live_bench --run --device cuda:0 --model small --precision bf16 …     a real run
//     … --tab breakdown --view 2 --screenshot live.png --at 3
//     … --tab memory-map, --tab flame                       with the memory or the charts page in front
//
// First a while with the window watching, then as long with the run out of its sight: the rows a second and
// the steps' times of the two tell what the recording notices. Runs offscreen unless QT_QPA_PLATFORM is set;
// run files and settings go to a temporary folder.
#include <CLI/CLI.hpp>

#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/cli/config_options.h"
#include "app/window/launch.h"
#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "tests/bench/ui/frame_meter.h"
#include "tests/bench/ui/paced_runner.h"
#include "tests/bench/ui/percentile.h"
#include "tests/support/every_span.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_plot.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

namespace {

using namespace warpglass;
using app::FrameMeter;
using Clock = std::chrono::steady_clock;

RunConfig usualConfig() {
    RunConfig config{.model = "small"};
    config.shape = *presetShape(config.model);
    config.steps = 1'000'000;  // it is stopped when enough has been seen
    return config;
}

struct Options {
    double synthetic = 0;
    bool real = false;
    bool frameTimes = false;
    bool where = false;
    double seconds = 10;
    double view = 0;
    double at = 3;
    std::string tab = "ops", screenshot, theme = "dark";
    cli::ConfigOptions config{usualConfig()};
};

void report(const char* what, const std::vector<double>& values) {
    std::printf("%-44s p50 %7.2f   p95 %7.2f   p99 %7.2f   max %7.2f ms\n", what, percentile(values, 0.5),
                percentile(values, 0.95), percentile(values, 0.99), percentile(values, 1));
}

/// What has been recorded by a moment.
struct Recorded {
    Clock::time_point when;
    std::uint64_t spans = 0, kernels = 0, memoryEvents = 0, lost = 0;
    Nanoseconds end;
    test::PacedRunner::Cost cost;
};

Recorded recordedNow(const TraceFeed& feed, const test::PacedRunner* writer) {
    Recorded now;
    now.when = Clock::now();
    const auto snapshot = feed.latest();
    now.spans = snapshot->spanCount();
    for (const TrackId track : snapshot->tracksOfKind(TrackKind::kGpuStream)) {
        for (const SpanLane& lane : snapshot->lanesOf(track))
            now.kernels += lane.rows();
    }
    now.memoryEvents = snapshot->memoryEventCount();
    for (const LossCount& loss : snapshot->losses())
        now.lost += loss.count;
    now.end = snapshot->range().end;
    if (writer)
        now.cost = writer->cost();
    return now;
}

/// Milliseconds, of the steps that began and ended between the two moments of the run.
std::vector<double> stepTimes(const Snapshot& snapshot, Nanoseconds from, Nanoseconds to) {
    std::vector<double> times;
    for (const test::FoundSpan& step : test::spansOfKind(snapshot, TrackKind::kStep)) {
        if (step.row.start >= from.value && step.row.end() <= to.value)
            times.push_back(static_cast<double>(step.row.duration) / 1e6);
    }
    return times;
}

void reportRates(const char* what, const Recorded& from, const Recorded& to, const Snapshot& last) {
    const double seconds = std::chrono::duration<double>(to.when - from.when).count();
    const auto rate = [&](std::uint64_t a, std::uint64_t b) { return static_cast<double>(b - a) / seconds; };
    std::printf("%-18s %9.0f rows/s: %9.0f spans (%8.0f kernels), %9.0f memory events; %llu lost\n", what,
                rate(from.spans + from.memoryEvents, to.spans + to.memoryEvents), rate(from.spans, to.spans),
                rate(from.kernels, to.kernels), rate(from.memoryEvents, to.memoryEvents),
                static_cast<unsigned long long>(to.lost - from.lost));
    if (to.cost.rows > from.cost.rows)
        std::printf("%-18s the writer took %.0f ns of its thread a row\n", "",
                    static_cast<double>(to.cost.cpuNanoseconds - from.cost.cpuNanoseconds) /
                        static_cast<double>(to.cost.rows - from.cost.rows));
    const std::vector<double> steps = stepTimes(last, from.end, to.end);
    if (!steps.empty())
        std::printf("%-18s %zu steps, median %.2f ms\n", "", steps.size(), percentile(steps, 0.5));
}

class LiveBench : public QObject {
public:
    LiveBench(FrameMeter& meter, Options options) : m_meter(meter), m_options(std::move(options)) {
        if (m_options.synthetic > 0)
            m_writer.emplace(m_options.synthetic);
        m_window.resize(1600, 1000);
        m_window.show();
        m_window.workspace().timeline()->setShowsFrameTimes(m_options.frameTimes);
        connect(&m_controller, &app::SessionController::failed, this, [this](const QString& sentence) {
            std::fprintf(stderr, "%s\n", qPrintable(sentence));
            finish(1);
        });
        connect(&m_controller, &app::SessionController::runEnded, this,
                [this](bool ok, const QString& sentence) {
                    if (!m_expectEnd || !ok)
                        std::fprintf(stderr, "The run has ended: %s\n", qPrintable(sentence));
                    finish(m_expectEnd && ok ? 0 : 1);
                });
    }

    void start(const ValidConfig& config) {
        m_window.runPanel().setConfig(config);
        if (m_writer)
            m_controller.recording().startWith(*m_writer, config);
        else
            m_controller.recording().start(config);
        connect(&m_poll, &QTimer::timeout, this, &LiveBench::whenRowsArrive);
        m_poll.start(20);
    }

private:
    /// Loading LibTorch and building the model are not measured, nor the first steps.
    void whenRowsArrive() {
        const auto& snapshot = m_controller.document().snapshot();
        if (!snapshot || m_controller.currentRun() < 0)
            return;
        const auto steps = snapshot->tracksOfKind(TrackKind::kStep);
        const auto lanes = steps.empty() ? std::vector<SpanLane>() : snapshot->lanesOf(steps.front());
        if (lanes.empty() || lanes.front().rows() < 2)
            return;
        m_poll.stop();
        // Not before: a run that starts brings its timeline to the front.
        m_window.workspace().showView(m_window.workspace().view(QString::fromStdString(m_options.tab)));
        if (m_options.view > 0) {
            auto& axis = m_controller.axis();
            const Nanoseconds width(static_cast<std::int64_t>(m_options.view * 1e9));
            axis.setVisibleRange({axis.fullRange().end - width, axis.fullRange().end});
            axis.setFollowing(true);
        }
        m_feed = m_controller.recording().feed();
        auto* memory = qobject_cast<ui::MemoryChart*>(m_window.workspace().view("memory"));
        m_before = recordedNow(*m_feed, writer());
        if (m_writer)
            m_writer->takeLongestTurn();
        // Other pages have no timeline: there a frame is whatever the window paints.
        const bool views = m_window.workspace().page() == app::Workspace::Page::kViews;
        m_meter.begin(m_controller.document(), m_feed, views ? m_window.workspace().timeline() : nullptr,
                      &memory->plot());
        const int duration = static_cast<int>(m_options.seconds * 1000);
        if (!m_options.screenshot.empty())
            QTimer::singleShot(static_cast<int>(m_options.at * 1000), this, &LiveBench::takePicture);
        QTimer::singleShot(duration, Qt::PreciseTimer, this, &LiveBench::lookAway);
    }

    void takePicture() {
        if (!m_window.grab().save(QString::fromStdString(m_options.screenshot)))
            std::fprintf(stderr, "%s cannot be written\n", m_options.screenshot.c_str());
        m_meter.skipInterval();
    }

    /// The rest of the run goes on out of the window's sight.
    void lookAway() {
        m_between = recordedNow(*m_feed, writer());
        m_watchedTurn = m_writer ? m_writer->takeLongestTurn() : 0;
        m_meter.end();
        m_controller.document().clear();
        QTimer::singleShot(static_cast<int>(m_options.seconds * 1000), Qt::PreciseTimer, this,
                           &LiveBench::conclude);
    }

    void conclude() {
        const Recorded after = recordedNow(*m_feed, writer());
        const auto last = m_feed->latest();
        const double seconds = std::chrono::duration<double>(m_between.when - m_before.when).count();
        std::vector<double> intervals, refreshes, paints, lags;
        for (const app::FrameSample& frame : m_meter.frames()) {
            intervals.push_back(frame.interval);
            refreshes.push_back(frame.refresh);
            paints.push_back(frame.paint);
            lags.push_back(frame.lag);
        }
        std::printf("frames a second: %.1f, memory chart %.1f (the bar: 30); %.1f s watched, tab %s\n",
                    static_cast<double>(m_meter.frames().size()) / seconds, m_meter.memoryFrames() / seconds,
                    seconds, m_options.tab.c_str());
        report("between two frames", intervals);
        report("one refresh, on the window's thread", refreshes);
        report("  of that, painting the window", paints);
        report("any event, on the window's thread", m_meter.events());
        report("shown behind the newest", lags);
        std::printf("the window's thread was busy %.0f%% of the time; %llu rows at the end\n",
                    m_meter.busy() / seconds / 10,
                    static_cast<unsigned long long>(m_between.spans + m_between.memoryEvents));
        if (m_options.where)
            reportWhere(seconds);
        reportRates("watched", m_before, m_between, *last);
        reportRates("out of sight", m_between, after, *last);
        if (m_writer)
            std::printf("longest turn of the writer: watched %.1f ms, out of sight %.1f ms\n",
                        static_cast<double>(m_watchedTurn) / 1e6,
                        static_cast<double>(m_writer->takeLongestTurn()) / 1e6);
        for (const LossCount& loss : last->losses())
            std::printf("not recorded: %llu x %s\n", static_cast<unsigned long long>(loss.count),
                        loss.name.c_str());
        m_expectEnd = true;
        m_controller.recording().stop();
    }

    /// The ten that take most of the window's thread.
    void reportWhere(double seconds) const {
        std::vector<std::pair<double, QString>> parts;
        for (const auto& [what, took] : m_meter.where())
            parts.emplace_back(took, what);
        std::sort(parts.rbegin(), parts.rend());
        for (std::size_t i = 0; i < std::min<std::size_t>(10, parts.size()); ++i)
            std::printf("    %-36s %6.1f ms a second\n", qPrintable(parts[i].second),
                        parts[i].first / seconds);
    }

    void finish(int status) { QCoreApplication::exit(status); }
    const test::PacedRunner* writer() const { return m_writer ? &*m_writer : nullptr; }

    FrameMeter& m_meter;
    Options m_options;
    std::optional<test::PacedRunner> m_writer;  // outlives the controller's session
    app::SessionController m_controller;
    app::MainWindow m_window{m_controller, app::MainWindow::Remember::kNothing};
    QTimer m_poll;
    std::shared_ptr<TraceFeed> m_feed;
    Recorded m_before, m_between;
    std::int64_t m_watchedTurn = 0;
    bool m_expectEnd = false;
};

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App command("The window while a run is recorded");
    command.add_option("--synthetic", options.synthetic, "Rows a second that a writer appends")
        ->check(CLI::PositiveNumber);
    command.add_flag("--run", options.real, "A real run, with the options below");
    command.add_option("--seconds", options.seconds, "How long it is watched, and as long out of sight")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--view", options.view, "Seconds in view, the newest; 0 for the whole run");
    command.add_option("--tab", options.tab, "The view in front, with its page, as --render names it");
    command.add_flag("--frame-times", options.frameTimes, "With the timeline's frame times in its corner");
    command.add_flag("--where", options.where, "Says what the window's thread was busy with");
    command.add_option("--theme", options.theme, "dark or light");
    command.add_option("--screenshot", options.screenshot, "Where a picture of the live window goes (.png)");
    command.add_option("--at", options.at, "Seconds after the first frame when it is taken");
    options.config.addTo(command, cli::ConfigOptions::Settings::kAll);
    CLI11_PARSE(command, argc, argv);
    if (options.real == (options.synthetic > 0)) {
        std::fprintf(stderr, "Give one of --synthetic RATE and --run.\n");
        return 2;
    }
    const auto config = options.config.resolve();
    if (!config)
        return 2;

    const QTemporaryDir folder;
    qputenv("XDG_DATA_HOME", folder.path().toUtf8());
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    if (qgetenv("QT_QPA_PLATFORM").isEmpty())
        qputenv("QT_QPA_PLATFORM", "offscreen");
    app::quietQtAboutMissingDesktop();
    FrameMeter application(argc, argv);
    QApplication::setOrganizationName("Warpglass");
    QApplication::setApplicationName("warpglass");
    ui::Theme::loadFonts();
    ui::Theme::instance().setKind(ui::Theme::kindForWord(QString::fromStdString(options.theme)));
    ui::Theme::instance().apply(application);
    LiveBench bench(application, options);
    bench.start(*config);
    return QApplication::exec();
}
