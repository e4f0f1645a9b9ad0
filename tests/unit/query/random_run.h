// Random runs with the shape of real ones (steps, phases, nested modules with parts, nested ops on two
// threads), and statistics over them the slow and obvious way.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/query/statistics/statistics.h"
#include "engine/trace/trace_writer.h"

namespace warpglass::test {

struct RandomRunOptions {
    std::uint64_t seed = 1;
    std::int32_t steps = 6;
    std::int32_t warmup = 2;
    /// Ops directly within each module, each with nested ones.
    int opsPerModule = 4;
    std::string state = "finished";
    /// Most ops have types and shapes; the rest of the run is the same without.
    bool types = false;
};

class RandomRun {
public:
    explicit RandomRun(const RandomRunOptions& options);
    std::shared_ptr<const Snapshot> snapshot() const { return m_snapshot; }

private:
    void phase(Phase phase);
    void module(const std::string& path, int depth);
    void op(TrackId track, int depth);
    PlaceId here();
    DetailId anyTypes();
    void tick(std::uint64_t upTo) { m_now += static_cast<std::int64_t>(m_random() % (upTo + 1)); }

    RandomRunOptions m_options;
    std::mt19937_64 m_random, m_randomTypes;
    TraceWriter m_writer;
    TrackId m_steps, m_phases, m_modules, m_main, m_autograd;
    std::int64_t m_now = 0;
    std::int32_t m_step = kNoStep;
    Place m_place;
    std::shared_ptr<const Snapshot> m_snapshot;
};

/// One span with everything about it looked up.
struct NaiveSpan {
    TrackKind kind;
    TrackId track;
    std::uint32_t depth;
    SpanRow row;
    std::string name;  // as statistics call it
    Place place;
    std::string module;
    /// An op within another one of its name and group: part of that call (markCallsByThemselves()).
    bool calledByItself = false;
};
std::vector<NaiveSpan> allSpans(const Snapshot& snapshot);
/// Those of a kind that pass.
std::vector<NaiveSpan> allSpans(const Snapshot& snapshot, TrackKind kind, const SpanFilter& filter = {});
/// As SpanFilter's comments say, one condition after another.
bool passes(const Snapshot& snapshot, const SpanFilter& filter, const NaiveSpan& span);

/// Marks the ops among the spans that lie within another of their name and group, on one thread.
void markCallsByThemselves(std::vector<NaiveSpan>& spans,
                           const std::function<std::string(const NaiveSpan&)>& group);

/// Statistics of the spans by name, without shares and family; of marked ones the self time alone.
std::map<std::string, StatisticsRow> naiveStatistics(const std::vector<NaiveSpan>& spans);
/// Compares everything but shares and family.
void expectSameFigures(const StatisticsRow& actual, const StatisticsRow& expected);

/// Filters of every kind, and combinations.
std::vector<SpanFilter> variedFilters(const Snapshot& snapshot);

}  // namespace warpglass::test
