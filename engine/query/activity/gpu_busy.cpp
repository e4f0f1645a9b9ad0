#include "engine/query/activity/gpu_busy.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "engine/base/sorted_runs.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

/// The steps before and after those that means are taken over, and these.
std::vector<StepSelection> selections(const Snapshot& snapshot) {
    const StepSelection averaged = stepsToAverage(snapshot);
    std::vector<StepSelection> result;
    const auto add = [&](std::int32_t first, std::int32_t last) {
        StepSelection steps;
        steps.first = first;
        steps.last = last;
        steps.count = static_cast<std::int64_t>(stepSpans(snapshot, steps).size());
        if (steps.count > 0)
            result.push_back(steps);
    };
    constexpr std::int32_t kLast = std::numeric_limits<std::int32_t>::max();
    if (averaged.count == 0) {
        add(0, kLast);
        return result;
    }
    if (averaged.first > 0)
        add(0, averaged.first - 1);
    result.push_back(averaged);
    if (averaged.last < kLast)
        add(averaged.last + 1, kLast);
    return result;
}

/// The stretches of [0, end) in which nothing ran and no step was under way.
std::vector<GpuBusy::Stretch> outside(const Snapshot& snapshot, const GpuIdle& gpu, bool knowsIdle) {
    std::vector<TimeRange> taken = gpu.work();
    if (knowsIdle) {
        std::vector<std::size_t> ends{taken.size()};
        for (const StepSpan& step : endedSteps(snapshot))
            taken.push_back(step.range);
        ends.push_back(taken.size());
        sortRuns(taken, std::move(ends),
                 [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    }
    std::vector<GpuBusy::Stretch> stretches;
    std::int64_t cursor = 0;
    const auto until = [&](std::int64_t time) {
        time = std::min(time, snapshot.range().end.value);
        if (time > cursor)
            stretches.push_back({cursor, time, NameId(), GpuBusy::Part::kOutside});
    };
    for (const TimeRange& range : taken) {
        until(range.begin.value);
        cursor = std::max(cursor, range.end.value);
    }
    until(snapshot.range().end.value);
    return stretches;
}

}  // namespace

GpuBusy::GpuBusy(const Snapshot& snapshot, std::string_view gpu) : m_end(snapshot.range().end.value) {
    const MissingRecords missing = Completeness(snapshot).missing();
    const bool knowsIdle = !missing.lacksGpuWork(), knowsCauses = !missing.lacks(RecordKind::kCalls);
    const GpuIdle gpuIdle(snapshot, gpu);
    std::vector<Stretch> all = outside(snapshot, gpuIdle, knowsIdle);
    std::vector<std::size_t> ends{all.size()};
    if (knowsIdle) {
        for (const StepSelection& steps : selections(snapshot)) {
            for (const IdleStretch& idle : gpuIdle.stretches(steps))
                all.push_back({idle.range.begin.value, idle.range.end.value, idle.next,
                               partOf(knowsCauses ? idle.cause : IdleCause::kUnknown)});
            ends.push_back(all.size());
        }
    }
    sortRuns(all, std::move(ends), [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
    m_idle.reserve(all.size());
    for (const Stretch& stretch : all)
        append(stretch);
    m_all = timesIn(0, m_end);
}

void GpuBusy::append(const Stretch& stretch) {
    // Steps of a damaged file may overlap; no moment counts twice.
    Stretch next = stretch;
    next.begin = std::max({next.begin, std::int64_t{0}, m_idle.empty() ? 0 : m_idle.back().end});
    next.end = std::min(next.end, m_end);
    if (next.end <= next.begin)
        return;
    if (m_idle.size() % kBlock == 0)
        m_blocks.push_back(before(m_idle.size()));
    m_idle.push_back(next);
}

GpuBusy::Times GpuBusy::before(std::size_t stretch) const {
    // Asked for a block's own start while that block is appended, its sum is that of the block before.
    const std::size_t block = std::min(stretch / kBlock, m_blocks.size() - (m_blocks.empty() ? 0 : 1));
    Times times = m_blocks.empty() ? Times{} : m_blocks[block];
    add(times, block * kBlock, stretch);
    return times;
}

void GpuBusy::add(Times& times, std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i)
        times[static_cast<std::size_t>(m_idle[i].part)] += m_idle[i].end - m_idle[i].begin;
}

std::size_t GpuBusy::firstEndingAfter(std::int64_t moment, std::size_t from) const {
    // In steps that double: what is looked for is near.
    std::size_t reach = 1;
    while (from + reach < m_idle.size() && m_idle[from + reach].end <= moment) {
        from += reach;
        reach *= 2;
    }
    const auto at = [&](std::size_t index) { return m_idle.begin() + static_cast<std::ptrdiff_t>(index); };
    const auto found =
        std::partition_point(at(std::min(from, m_idle.size())), at(std::min(from + reach + 1, m_idle.size())),
                             [&](const Stretch& s) { return s.end <= moment; });
    return static_cast<std::size_t>(found - m_idle.begin());
}

GpuBusy::Times GpuBusy::timesIn(std::int64_t begin, std::int64_t end) const {
    Times times{};
    const std::array<std::int64_t, 2> edges{begin, std::max(begin, end)};
    timesBetween(edges, {&times, 1});
    return times;
}

void GpuBusy::timesBetween(std::span<const std::int64_t> edges, std::span<Times> times) const {
    if (edges.empty())
        return;
    std::int64_t begin = std::clamp<std::int64_t>(edges.front(), 0, m_end);
    auto first =
        static_cast<std::size_t>(std::ranges::upper_bound(m_idle, begin, {}, &Stretch::end) - m_idle.begin());
    std::optional<Times> beforeFirst;  // kept from one to the next
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const std::int64_t end = std::clamp<std::int64_t>(edges[i + 1], begin, m_end);
        const std::size_t last = firstEndingAfter(end, first);
        Times sum{};
        // Those that end within; where they are many, by the blocks' sums.
        if (last - first <= kBlock) {
            add(sum, first, last);
            beforeFirst.reset();
        } else {
            const Times earlier = beforeFirst ? *beforeFirst : before(first);
            beforeFirst = before(last);
            for (std::size_t part = 0; part < kParts; ++part)
                sum[part] = (*beforeFirst)[part] - earlier[part];
        }
        if (end > begin && last < m_idle.size() && m_idle[last].begin < end)
            sum[static_cast<std::size_t>(m_idle[last].part)] += end - m_idle[last].begin;
        if (end > begin && first < m_idle.size() && m_idle[first].begin < begin)
            sum[static_cast<std::size_t>(m_idle[first].part)] -= begin - m_idle[first].begin;
        std::int64_t idle = 0;
        for (const std::int64_t time : sum)
            idle += time;
        sum[static_cast<std::size_t>(Part::kBusy)] = end - begin - idle;
        times[i] = sum;
        begin = end;
        first = last;
    }
}

std::optional<GpuBusy::Stretch> GpuBusy::at(std::int64_t moment) const {
    if (moment < 0 || moment >= m_end)
        return std::nullopt;
    const auto after = std::ranges::upper_bound(m_idle, moment, {}, &Stretch::end);
    if (after != m_idle.end() && after->begin <= moment)
        return *after;
    return Stretch{after == m_idle.begin() ? 0 : (after - 1)->end,
                   after == m_idle.end() ? m_end : after->begin, NameId(), Part::kBusy};
}

std::optional<GpuBusy::Stretch> GpuBusy::nextIdle(std::int64_t moment) const {
    auto at = std::ranges::lower_bound(m_idle, moment, {}, &Stretch::begin);
    at = std::find_if(at, m_idle.end(), [](const Stretch& s) { return s.part != Part::kOutside; });
    return at == m_idle.end() ? std::nullopt : std::optional(*at);
}

std::optional<GpuBusy::Stretch> GpuBusy::previousIdle(std::int64_t moment) const {
    auto after = std::ranges::upper_bound(m_idle, moment, {}, &Stretch::end);
    while (after != m_idle.begin() && (after - 1)->part == Part::kOutside)
        --after;
    return after == m_idle.begin() ? std::nullopt : std::optional(*(after - 1));
}

std::shared_ptr<const GpuBusy> busyOf(const Snapshot& snapshot, std::string_view gpu) {
    if (gpusOf(snapshot).empty())
        return nullptr;
    return snapshot.derived<GpuBusy>(std::string(gpu), [&] { return GpuBusy(snapshot, gpu); });
}

}  // namespace warpglass
