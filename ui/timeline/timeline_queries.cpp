#include "ui/timeline/timeline_queries.h"

#include <QWidget>

#include "engine/query/completeness/completeness.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/figure_mode.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

namespace {

/// What a figure says of what is faded or left out in it. Nothing to be seen in the window.
class FigureNote : public QWidget, public FigureControl {
public:
    FigureNote(std::function<QString()> words, QWidget* view) : QWidget(view), m_words(std::move(words)) {
        resize(0, 0);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        show();
    }
    QString figureWords() const override { return m_words(); }

private:
    std::function<QString()> m_words;
};

/// Whether something in view is left out.
bool fadesIn(const FilterShade& shade, const RunFilter::State& state, TimeRange visible) {
    const auto cuts = [visible](const std::optional<TimeRange>& range) {
        return range && (range->begin > visible.begin || range->end < visible.end);
    };
    return state.phase || !state.module.empty() || !state.name.empty() || !state.text.isEmpty() ||
           state.span || cuts(shade.rangeOf(TrackKind::kCpuThread)) ||
           cuts(shade.rangeOf(TrackKind::kGpuStream));
}

}  // namespace

TimelineQueries::TimelineQueries(QWidget& view, const RunDocument& document, const TimeAxis& axis)
    : m_view(view),
      m_document(document),
      m_axis(axis),
      m_passingQuery([this] { return makePassingJob(); }),
      m_gpuQuery([this] { return makeGpuJob(); }),
      m_hostQuery([this] { return makeHostJob(); }) {
    showFailures(&m_view, m_passingQuery);
    showFailures(&m_view, m_gpuQuery);
    showFailures(&m_view, m_hostQuery);
}

void TimelineQueries::setFilter(RunFilter* filter) {
    m_filter = filter;
    dropShade();
    if (filter)
        connect(filter, &RunFilter::changed, this, [this] {
            dropShade();
            m_passingQuery.invalidate(DeferredQuery::Cause::kPerson);
        });
    addFigureWords([this] { return figureWords(); });
}

void TimelineQueries::addFigureWords(std::function<QString()> words) {
    new FigureNote(std::move(words), &m_view);
}

QString TimelineQueries::figureWords() {
    const bool fades =
        m_filter && m_document.snapshot() && fadesIn(shade(), m_filter->state(), m_axis.visibleRange());
    return fades ? tr("%1 (others faded)").arg(shade().words()) : QString();
}

void TimelineQueries::dropShade() {
    m_shadeValid = false;
    m_view.update();
}

FilterShade& TimelineQueries::shade() {
    if (m_shadeValid)
        return m_shade;
    m_shadeValid = true;
    FilterShade shade =
        m_filter && m_document.snapshot() ? FilterShade(*m_filter, m_document.snapshot()) : FilterShade();
    if (m_passing && m_passing->conditions() == shade.conditions())
        shade.setPassing(m_passing);
    if (!shade.isLike(m_shade))
        ++m_shades;
    m_shade = std::move(shade);
    return m_shade;
}

void TimelineQueries::forgetRun() {
    m_shade = {};
    m_passing.reset();
    dropShade();
    m_passingQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    m_gpuTimes.reset();
    m_gpuQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    m_host = {};
    m_hostTimes.reset();
    m_hostQuery.invalidate(DeferredQuery::Cause::kOtherRun);
}

void TimelineQueries::takeGrowth() {
    m_shadeValid = false;
    m_passingQuery.invalidate(DeferredQuery::Cause::kGrowth);
    m_gpuQuery.invalidate(DeferredQuery::Cause::kGrowth);
    m_hostQuery.invalidate(DeferredQuery::Cause::kGrowth);
}

void TimelineQueries::setActive(bool active) {
    m_passingQuery.setActive(active);
    m_gpuQuery.setActive(active);
    m_hostQuery.setActive(active);
}

void TimelineQueries::runNow() {
    m_passingQuery.runNow();
    m_gpuQuery.runNow();
    constexpr std::uint64_t kMostAtOnce = 2'000'000;  // 0.2 s
    const auto& snapshot = m_document.snapshot();
    if (m_inFigure || !snapshot || snapshot->spanCount() <= kMostAtOnce)
        m_hostQuery.runNow();
}

DeferredQuery::Job TimelineQueries::makePassingJob() {
    const auto snapshot = m_document.snapshot();
    const RowConditions conditions = shade().conditions();
    if (!snapshot || !conditions.any())
        return {[this] { return [this] { m_passing.reset(); }; }};
    return {[this, snapshot, conditions] {
                auto rows = std::make_shared<const PassingRows>(*snapshot, conditions);
                return [this, rows = std::move(rows)] {
                    m_passing = rows;
                    dropShade();
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

DeferredQuery::Job TimelineQueries::makeGpuJob() {
    const auto snapshot = m_document.snapshot();
    const std::vector<std::string> gpus = snapshot ? gpusOf(*snapshot) : std::vector<std::string>();
    if (gpus.empty())
        return {[this] { return [this] { setGpuTimes(nullptr); }; }};
    return {[this, snapshot, gpus, earlier = m_gpuTimes] {
                auto times = std::make_shared<TimelineGeometry::GpuTimes>();
                times->kernels =
                    ColorTimes(*snapshot, {TrackKind::kGpuStream}, earlier ? &earlier->kernels : nullptr);
                // The only GPU of a run is the GPU of its summary, whatever its tracks are called.
                for (const std::string& gpu : gpus)
                    times->busy.push_back(busyOf(*snapshot, gpus.size() > 1 ? gpu : std::string()));
                times->lacksWork = Completeness(*snapshot).missing().lacksGpuWork();
                return [this, times = std::move(times)] { setGpuTimes(times); };
            },
            // Three sweeps, each with its look-ups: more a span than a scan.
            snapshot->spanCount() > DeferredQuery::kHeavySpans / 4};
}

DeferredQuery::Job TimelineQueries::makeHostJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot)
        return {[] { return [] {}; }};
    return {
        [this, snapshot, earlier = m_hostTimes] {
            auto times = std::make_shared<const ColorTimes>(
                *snapshot,
                std::initializer_list<TrackKind>{TrackKind::kPhase, TrackKind::kGpuPhase, TrackKind::kModule,
                                                 TrackKind::kCpuThread, TrackKind::kApiThread},
                earlier.get());
            const std::vector<std::string> gpus = gpusOf(*snapshot);
            const HostWhileIdle host =
                gpus.empty() ? HostWhileIdle()
                             : hostWhileIdle(*snapshot, gpus.size() > 1 ? gpus.front() : std::string());
            return [this, times = std::move(times), host] {
                m_hostTimes = times;
                m_host = host;
                emit hostChanged();
            };
        },
        snapshot->spanCount() > DeferredQuery::kHeavySpans / 4};
}

void TimelineQueries::setGpuTimes(std::shared_ptr<const TimelineGeometry::GpuTimes> times) {
    m_gpuTimes = std::move(times);
    emit gpuTimesChanged();
}

}  // namespace warpglass::ui
