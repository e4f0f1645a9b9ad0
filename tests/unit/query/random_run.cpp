#include "tests/unit/query/random_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tests/support/every_span.h"

namespace warpglass::test {

RandomRun::RandomRun(const RandomRunOptions& options)
    : m_options(options), m_random(options.seed), m_randomTypes(options.seed) {
    m_steps = m_writer.addTrack(TrackKind::kStep, "steps");
    m_phases = m_writer.addTrack(TrackKind::kPhase, "phases");
    m_modules = m_writer.addTrack(TrackKind::kModule, "modules");
    m_main = m_writer.addTrack(TrackKind::kCpuThread, "main");
    m_autograd = m_writer.addTrack(TrackKind::kCpuThread, "autograd 1");
    m_writer.setInfo("state", options.state);
    m_writer.setInfo("config.warmup", std::to_string(options.warmup));
    phase(Phase::kSetup);
    for (m_step = 0; m_step < options.steps; ++m_step) {
        m_writer.beginSpan(m_steps, Nanoseconds(m_now), m_writer.internName("step " + std::to_string(m_step)),
                           here(), m_step);
        for (const Phase p :
             {Phase::kForward, Phase::kLoss, Phase::kBackward, Phase::kOptimizer, Phase::kZeroGrad})
            phase(p);
        tick(50);
        m_writer.endSpan(m_steps, Nanoseconds(m_now));
        tick(50);
    }
    m_step = kNoStep;
    phase(Phase::kTeardown);
    m_writer.commit(Nanoseconds(m_now));
    m_snapshot = m_writer.feed()->latest();
}

PlaceId RandomRun::here() {
    return m_writer.internPlace(m_place);
}

void RandomRun::phase(Phase phase) {
    tick(20);
    m_place.phase = phase;
    m_writer.beginSpan(m_phases, Nanoseconds(m_now), m_writer.internName(phaseName(phase)), here(), m_step);
    if (phase == Phase::kForward || phase == Phase::kBackward) {
        module("embed", 0);
        for (const char* block : {"blocks.1", "blocks.10", "blocks.2"})
            module(block, 0);
    }
    for (int i = 0; i < m_options.opsPerModule; ++i)
        op(phase == Phase::kBackward ? m_autograd : m_main, 0);
    tick(20);
    m_writer.endSpan(m_phases, Nanoseconds(m_now));
    m_place.phase = Phase::kNone;
}

void RandomRun::module(const std::string& path, int depth) {
    const Place outer = m_place;
    m_place.module = m_writer.internName(path);
    tick(10);
    m_writer.beginSpan(m_modules, Nanoseconds(m_now), m_place.module, here(), m_step);
    if (path.starts_with("blocks.") && depth == 0) {
        module(path + ".attn", 1);
        module(path + ".ffn", 1);
    }
    if (path.ends_with(".attn")) {
        for (const char* part : {"scores", "softmax", "values"}) {
            m_place.part = m_writer.internName(part);
            m_writer.beginSpan(m_modules, Nanoseconds(m_now), m_place.part, here(), m_step);
            op(m_main, 0);
            m_writer.endSpan(m_modules, Nanoseconds(m_now));
            m_place.part = NameId();
        }
    }
    for (int i = 0; i < m_options.opsPerModule; ++i)
        op(m_main, 0);
    m_writer.endSpan(m_modules, Nanoseconds(m_now));
    m_place = outer;
}

void RandomRun::op(TrackId track, int depth) {
    static constexpr const char* kNames[] = {"aten::mm",     "aten::add", "aten::mul",  "aten::copy_",
                                             "aten::linear", "aten::bmm", "aten::empty"};
    tick(5);
    m_writer.beginSpan(track, Nanoseconds(m_now), m_writer.internName(kNames[m_random() % std::size(kNames)]),
                       here(), m_step);
    // From nanoseconds (many equal ones) to milliseconds.
    tick(std::uint64_t{1} << (m_random() % 21));
    if (depth < 3) {
        for (std::uint64_t i = m_random() % 3; i > 0; --i)
            op(track, depth + 1);
    }
    m_writer.endSpan(track, Nanoseconds(m_now), anyTypes());
}

DetailId RandomRun::anyTypes() {
    static constexpr const char* kTypes[] = {"", " \u2192 fp32[8]", "fp32[4,8] \u2192 fp32[4,8]",
                                             "bf16[4,8], bf16[8,8] \u2192 bf16[4,8]"};
    const std::size_t any = m_randomTypes() % std::size(kTypes);
    if (!m_options.types || any == 0)
        return {};
    return m_writer.internDetail({.kind = DetailKind::kOp, .fullName = m_writer.internName(kTypes[any])});
}

std::vector<NaiveSpan> allSpans(const Snapshot& snapshot) {
    std::vector<NaiveSpan> spans;
    for (const auto& [ref, row, kind, track, depth] : everySpan(snapshot)) {
        NaiveSpan span{kind, track, depth, row, std::string(snapshot.name(row.name)), {}, {}};
        span.place = snapshot.place(row.place);
        span.module = snapshot.name(span.place.module);
        if (kind == TrackKind::kStep)
            span.name = "step";
        if (kind == TrackKind::kModule && span.place.part.valid())
            span.name = span.module + "/" + std::string(snapshot.name(span.place.part));
        spans.push_back(std::move(span));
    }
    return spans;
}

std::vector<NaiveSpan> allSpans(const Snapshot& snapshot, TrackKind kind, const SpanFilter& filter) {
    std::vector<NaiveSpan> spans = allSpans(snapshot);
    std::erase_if(
        spans, [&](const NaiveSpan& span) { return span.kind != kind || !passes(snapshot, filter, span); });
    return spans;
}

bool passes(const Snapshot& snapshot, const SpanFilter& filter, const NaiveSpan& span) {
    const Nanoseconds start(span.row.start);
    if (!filter.ranges.empty() &&
        std::ranges::none_of(filter.ranges, [&](TimeRange range) { return range.contains(start); }))
        return false;
    if (filter.phase && span.place.phase != *filter.phase)
        return false;
    if (filter.step && span.row.step != *filter.step)
        return false;
    if (!filter.modulePath.empty() && span.module != filter.modulePath &&
        span.module.rfind(filter.modulePath + ".", 0) != 0)
        return false;
    return !filter.measuredOnly || span.row.step >= *snapshot.info().getInteger("config.warmup");
}

void markCallsByThemselves(std::vector<NaiveSpan>& spans,
                           const std::function<std::string(const NaiveSpan&)>& group) {
    const auto end = [](const NaiveSpan& span) { return span.row.start + span.row.duration; };
    std::vector<NaiveSpan*> inOrder;
    for (NaiveSpan& span : spans)
        inOrder.push_back(&span);
    std::ranges::sort(inOrder, [](const NaiveSpan* a, const NaiveSpan* b) {
        return std::tuple(a->track.value, a->row.start, a->depth) <
               std::tuple(b->track.value, b->row.start, b->depth);
    });
    std::vector<const NaiveSpan*> open;
    for (NaiveSpan* span : inOrder) {
        std::erase_if(open, [&](const NaiveSpan* other) {
            return other->track != span->track || end(*other) <= span->row.start;
        });
        span->calledByItself =
            span->kind == TrackKind::kCpuThread && std::ranges::any_of(open, [&](const NaiveSpan* other) {
                return end(*other) >= end(*span) && other->depth < span->depth && other->name == span->name &&
                       group(*other) == group(*span);
            });
        open.push_back(span);
    }
}

std::map<std::string, StatisticsRow> naiveStatistics(const std::vector<NaiveSpan>& spans) {
    std::map<std::string, std::vector<const NaiveSpan*>> groups;
    for (const NaiveSpan& span : spans)
        groups[span.name].push_back(&span);
    std::map<std::string, StatisticsRow> rows;
    for (const auto& [name, group] : groups) {
        StatisticsRow& row = rows[name];
        std::vector<std::int64_t> durations;
        for (const NaiveSpan* span : group) {
            row.self.value += span->row.self;
            if (span->calledByItself)
                continue;
            durations.push_back(span->row.duration);
            row.total.value += span->row.duration;
        }
        std::ranges::sort(durations);
        const std::size_t n = durations.size();
        row.name = name;
        row.instances = static_cast<std::int64_t>(n);
        row.min = Nanoseconds(durations.front());
        row.max = Nanoseconds(durations.back());
        row.median = static_cast<double>(durations[(n - 1) / 2] + durations[n / 2]) / 2;
        row.average = static_cast<double>(row.total.value) / static_cast<double>(n);
        long double squares = 0;
        const long double mean = static_cast<long double>(row.total.value) / static_cast<long double>(n);
        for (const std::int64_t d : durations)
            squares += (static_cast<long double>(d) - mean) * (static_cast<long double>(d) - mean);
        row.standardDeviation =
            n > 1 ? static_cast<double>(std::sqrt(squares / static_cast<long double>(n - 1))) : 0;
    }
    return rows;
}

void expectSameFigures(const StatisticsRow& actual, const StatisticsRow& expected) {
    EXPECT_EQ(actual.name, expected.name);
    EXPECT_EQ(actual.total, expected.total) << actual.name;
    EXPECT_EQ(actual.self, expected.self) << actual.name;
    EXPECT_EQ(actual.instances, expected.instances) << actual.name;
    EXPECT_DOUBLE_EQ(actual.average, expected.average) << actual.name;
    EXPECT_DOUBLE_EQ(actual.median, expected.median) << actual.name;
    EXPECT_EQ(actual.min, expected.min) << actual.name;
    EXPECT_EQ(actual.max, expected.max) << actual.name;
    EXPECT_NEAR(actual.standardDeviation, expected.standardDeviation, 1e-9 * (1 + expected.standardDeviation))
        << actual.name;
}

std::vector<SpanFilter> variedFilters(const Snapshot& snapshot) {
    const std::int64_t end = snapshot.range().end.value;
    const std::vector<TimeRange> ranges = {{Nanoseconds(end / 10), Nanoseconds(end / 3)},
                                           {Nanoseconds(end / 3), Nanoseconds(end / 3 + 1000)},
                                           {Nanoseconds(end / 2), Nanoseconds(end - end / 5)}};
    std::vector<SpanFilter> filters(9);
    filters[1].phase = Phase::kBackward;
    filters[2].step = 3;
    filters[3].modulePath = "blocks.1";
    filters[4].measuredOnly = true;
    filters[5].ranges = ranges;
    filters[6].ranges = {ranges[0]};
    filters[6].phase = Phase::kForward;
    filters[6].modulePath = "blocks.10.attn";
    filters[7].step = 0;
    filters[7].measuredOnly = true;  // a warm-up step: nothing
    filters[8].phase = Phase::kOptimizer;
    filters[8].measuredOnly = true;
    filters[8].ranges = ranges;
    return filters;
}

}  // namespace warpglass::test
