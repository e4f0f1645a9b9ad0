#include "engine/query/memory/reserved_curve.h"

#include <algorithm>
#include <utility>

namespace warpglass {

namespace {

constexpr std::string_view kCounter = "memory reserved";
/// A file may hold any number: nothing has more than this, 2⁶² bytes.
constexpr double kMost = 4611686018427387904.0;

/// As MemoryTimeline tells whether a snapshot continues the one before.
bool continues(const Snapshot& before, const Snapshot& next) {
    return before.counterSampleCount() > 0 && next.epoch() >= before.epoch() &&
           next.counterSampleCount() >= before.counterSampleCount() && before.counterChunk(0) &&
           next.counterChunk(0) == before.counterChunk(0);
}

}  // namespace

void ReservedCurve::update(std::shared_ptr<const Snapshot> snapshot) {
    if (snapshot == m_snapshot)
        return;
    if (!snapshot || !m_snapshot || !continues(*m_snapshot, *snapshot))
        *this = ReservedCurve();
    m_snapshot = std::move(snapshot);
    if (!m_snapshot)
        return;
    if (!m_counter.valid())
        m_counter = m_snapshot->findName(kCounter);
    for (; m_taken < m_snapshot->counterSampleCount(); ++m_taken) {
        const auto sample = m_snapshot->counterSample(m_taken);
        if (!sample || !m_counter.valid() || sample->counter != m_counter ||
            !(sample->value >= 0 && sample->value < kMost))
            continue;
        m_times.push_back(m_times.empty() ? sample->time : std::max(m_times.back(), sample->time));
        m_values.push_back(static_cast<std::int64_t>(sample->value));
        m_peak = std::max(m_peak, m_values.back());
    }
}

Bytes ReservedCurve::at(Nanoseconds t) const {
    const auto after = std::upper_bound(m_times.begin(), m_times.end(), t.value);
    return after == m_times.begin() ? Bytes(0)
                                    : Bytes(m_values[static_cast<std::size_t>(after - m_times.begin()) - 1]);
}

std::vector<std::int64_t> ReservedCurve::columns(TimeRange range, std::size_t width) const {
    std::vector<std::int64_t> columns;
    if (empty() || range.begin >= range.end || width == 0)
        return columns;
    columns.reserve(width);
    const auto count = static_cast<std::int64_t>(width);
    const std::int64_t whole = range.duration().value / count;
    const std::int64_t rest = range.duration().value % count;
    auto next = static_cast<std::size_t>(std::lower_bound(m_times.begin(), m_times.end(), range.begin.value) -
                                         m_times.begin());
    std::int64_t now = next == 0 ? 0 : m_values[next - 1];
    for (std::int64_t i = 1; i <= count; ++i) {
        // begin + duration · i / width, without overflow.
        const std::int64_t end = range.begin.value + whole * i + rest * i / count;
        std::int64_t highest = now;
        for (; next < m_times.size() && m_times[next] < end; ++next) {
            now = m_values[next];
            highest = std::max(highest, now);
        }
        columns.push_back(highest);
    }
    return columns;
}

}  // namespace warpglass
