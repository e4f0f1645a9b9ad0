#include "engine/query/activity/gpu_idle.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/sorted_runs.h"
#include "engine/query/links/device_waits.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {
namespace {

struct GpuWork {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint64_t launch = 0;
    std::uint32_t name = 0;
    std::int32_t step = kNoStep;
};

/// By when it began. `gpu`: of that one only, of all when empty.
std::vector<GpuWork> workOf(const Snapshot& snapshot, const RowFilter& filter, std::string_view gpu) {
    std::vector<GpuWork> work;
    std::vector<std::size_t> ends;
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
            if (!gpu.empty() && gpuOfTrack(snapshot.name(snapshot.track(lane.track()).name)) != gpu)
                continue;
            forEachRow(lane, {}, [&](const SpanChunk& chunk, std::uint32_t i) {
                if (filter.stepPasses(chunk.step[i]))
                    work.push_back({chunk.start[i], wrappingAdd(chunk.start[i], chunk.duration[i]),
                                    chunk.link[i], chunk.name[i], chunk.step[i]});
            });
            ends.push_back(work.size());
        }
    }
    sortRuns(work, std::move(ends), [](const GpuWork& a, const GpuWork& b) { return a.begin < b.begin; });
    return work;
}

/// When the host waited for the device: any thread, merged.
std::vector<TimeRange> waits(const Snapshot& snapshot) {
    std::vector<bool> isWait(snapshot.nameCount() + 1);
    for (std::size_t i = 0; i < snapshot.nameCount(); ++i)
        isWait[i] = waitsForDevice(snapshot.name(NameId(i)));
    std::vector<TimeRange> ranges;
    forEachRow(snapshot, TrackKind::kApiThread, [&](const SpanChunk& chunk, std::uint32_t i) {
        if (isWait[std::min<std::size_t>(chunk.name[i], isWait.size() - 1)])
            ranges.push_back(chunk.range(i));
    });
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    std::vector<TimeRange> merged;
    for (const TimeRange& range : ranges) {
        if (!merged.empty() && range.begin <= merged.back().end)
            merged.back().end = std::max(merged.back().end, range.end);
        else
            merged.push_back(range);
    }
    return merged;
}

class Judge {
public:
    explicit Judge(const Snapshot& snapshot) : m_launches(snapshot), m_waits(waits(snapshot)) {}

    /// Why the GPU was idle from `since` on, until `next` began (null at the end of a step).
    /// `tolerance`: how far the host's clock may be from that of `since`.
    IdleCause causeOf(std::int64_t since, std::int64_t tolerance, const GpuWork* next) const {
        if (next) {
            const auto launched = m_launches.startOf(next->launch);
            if (!launched)
                return IdleCause::kUnknown;
            if (*launched <= since)
                return IdleCause::kGap;
        }
        return hostWaitedAt(since, tolerance) ? IdleCause::kSynchronization : IdleCause::kHostLate;
    }

private:
    bool hostWaitedAt(std::int64_t time, std::int64_t tolerance) const {
        const auto after = std::ranges::upper_bound(m_waits, Nanoseconds(time), {}, &TimeRange::begin);
        return after != m_waits.begin() && (after - 1)->end.value + tolerance > time;
    }

    LaunchTimes m_launches;
    std::vector<TimeRange> m_waits;
};

/// Goes through the steps of a selection: their sums, and fn(const IdleStretch&, whether it is of the first
/// step) for each idle stretch in order of time.
/// `work` is that of the selection, not none.
template <class Fn>
GpuTimeUse sweep(const Snapshot& snapshot, const StepSelection& selection, const std::vector<GpuWork>& work,
                 const Judge& judge, Fn&& fn) {
    GpuTimeUse use;
    auto next = work.begin();
    for (const StepSpan& step : stepSpans(snapshot, selection)) {
        const std::int64_t end = step.range.end.value;
        std::int64_t cursor = step.range.begin.value;
        const auto idle = [&](std::int64_t until, const GpuWork* following) {
            if (until <= cursor)
                return;
            // A step begins by the host's own clock, after the wait that ended the step before.
            const std::int64_t tolerance = cursor == step.range.begin.value ? 0 : kClockTolerance;
            const IdleCause cause = judge.causeOf(cursor, tolerance, following);
            Nanoseconds& sum = use.idle[static_cast<std::size_t>(cause)];
            sum = sum + Nanoseconds(until - cursor);
            fn(IdleStretch{{Nanoseconds(cursor), Nanoseconds(until)},
                           cause,
                           step.step,
                           following ? NameId(following->name) : NameId(),
                           following ? following->launch : 0},
               use.steps == 0);
        };
        for (; next != work.end() && next->begin < end; ++next) {
            idle(std::min(next->begin, end), &*next);
            const std::int64_t from = std::max(cursor, next->begin), to = std::min(next->end, end);
            use.busy = use.busy + Nanoseconds(std::max<std::int64_t>(0, to - from));
            cursor = std::max({cursor, to, std::min(next->begin, end)});
        }
        idle(end, nullptr);
        use.wall = use.wall + (step.range.end - step.range.begin);
        ++use.steps;
    }
    return use;
}

}  // namespace

bool isLaunchBound(double hostLate, double whole, double kernelsPerStep) {
    constexpr double kLeastShare = 0.1;
    return kernelsPerStep >= 1 && whole > 0 && hostLate / whole >= kLeastShare;
}

GpuTimeUse gpuTimeUse(const Snapshot& snapshot, std::size_t longestStretches) {
    return gpuTimeUse(snapshot, stepsToAverage(snapshot), longestStretches);
}

GpuTimeUse gpuTimeUse(const Snapshot& snapshot, const StepSelection& selection, std::size_t longestStretches,
                      std::vector<IdleStretch>* ofFirst) {
    if (ofFirst)
        ofFirst->clear();
    if (selection.count == 0)
        return {};
    const std::vector<GpuWork> work = workOf(snapshot, RowFilter(snapshot, selection), {});
    if (work.empty())
        return {};
    std::vector<IdleStretch> stretches;
    GpuTimeUse use =
        sweep(snapshot, selection, work, Judge(snapshot), [&](const IdleStretch& stretch, bool inFirstStep) {
            if (longestStretches > 0)
                stretches.push_back(stretch);
            if (ofFirst && inFirstStep)
                ofFirst->push_back(stretch);
        });
    const std::size_t kept = std::min(longestStretches, stretches.size());
    std::partial_sort(stretches.begin(), stretches.begin() + static_cast<std::ptrdiff_t>(kept),
                      stretches.end(), [](const IdleStretch& a, const IdleStretch& b) {
                          return a.range.end - a.range.begin > b.range.end - b.range.begin;
                      });
    stretches.resize(kept);
    use.longest = std::move(stretches);
    return use;
}

struct GpuIdle::Data {
    Data(const Snapshot& of, std::string_view gpu)
        : snapshot(of), work(workOf(of, RowFilter(of, SpanFilter()), gpu)), judge(of) {}

    const Snapshot& snapshot;
    std::vector<GpuWork> work;
    Judge judge;
};

GpuIdle::GpuIdle(const Snapshot& snapshot, std::string_view gpu)
    : m_data(std::make_unique<const Data>(snapshot, gpu)) {}

GpuIdle::~GpuIdle() = default;

std::vector<IdleStretch> GpuIdle::stretches(const StepSelection& steps) const {
    std::vector<IdleStretch> stretches;
    const RowFilter filter(m_data->snapshot, steps);
    std::vector<GpuWork> work;
    std::ranges::copy_if(m_data->work, std::back_inserter(work),
                         [&](const GpuWork& one) { return filter.stepPasses(one.step); });
    if (steps.count > 0 && !work.empty())
        sweep(m_data->snapshot, steps, work, m_data->judge,
              [&](const IdleStretch& stretch, bool) { stretches.push_back(stretch); });
    return stretches;
}

std::vector<TimeRange> GpuIdle::work() const {
    std::vector<TimeRange> merged;
    for (const GpuWork& work : m_data->work) {
        const TimeRange range{Nanoseconds(work.begin), Nanoseconds(std::max(work.begin, work.end))};
        if (!merged.empty() && range.begin <= merged.back().end)
            merged.back().end = std::max(merged.back().end, range.end);
        else
            merged.push_back(range);
    }
    return merged;
}

std::string_view gpuOfTrack(std::string_view name) {
    constexpr std::string_view kCopies = " copies";
    name = name.substr(0, name.find(" · "));
    if (name.ends_with(kCopies))
        name.remove_suffix(kCopies.size());
    return name;
}

std::vector<std::string> gpusOf(const Snapshot& snapshot) {
    std::vector<std::string> gpus;
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        for (const TrackId track : snapshot.tracksOfKind(kind)) {
            std::string gpu(gpuOfTrack(snapshot.name(snapshot.track(track).name)));
            if (!snapshot.lanesOf(track).empty() && std::ranges::find(gpus, gpu) == gpus.end())
                gpus.push_back(std::move(gpu));
        }
    }
    return gpus;
}

void forgetCauses(GpuTimeUse& use) {
    use.idle = {};
    use.idle[static_cast<std::size_t>(IdleCause::kUnknown)] = use.wall - use.busy;
    for (IdleStretch& stretch : use.longest)
        stretch.cause = IdleCause::kUnknown;
}

}  // namespace warpglass
