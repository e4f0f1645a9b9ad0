#include "tests/unit/query/gpu_run_by_chance.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "engine/trace/trace_writer.h"
#include "tests/support/span_between.h"

namespace warpglass::test {

namespace {

/// Spans are gathered first: a lane takes them in order of time.
class Maker {
public:
    explicit Maker(const GpuRunOptions& options) : m_options(options), m_random(options.seed) {}

    std::shared_ptr<const Snapshot> make() {
        const TrackId modules = m_writer.addTrack(TrackKind::kModule, "modules");
        std::int64_t end = 0;
        for (int i = 0; i < m_options.threads; ++i)
            end = std::max(end, thread(i == 0 ? "main" : "thread " + std::to_string(i)));
        for (std::int64_t t = 0; t < end;) {
            const std::int64_t length = 50'000 + chance(300'000);
            add(modules, 0, t, t + length, "blocks.1", 0, {});
            add(modules, 1, t + length / 8, t + length / 2, "blocks.1.attn", 0, {});
            t += length + chance(20'000);
        }
        for (auto& [where, rows] : m_rows) {
            std::ranges::sort(rows, [](const SpanRow& a, const SpanRow& b) { return a.start < b.start; });
            for (const SpanRow& row : rows)
                m_writer.appendSpan(where.first, where.second, row);
        }
        m_writer.commit(Nanoseconds(end));
        return m_writer.feed()->latest();
    }

private:
    std::int64_t chance(std::int64_t below) {
        return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(below));
    }

    void add(TrackId track, std::uint32_t depth, std::int64_t start, std::int64_t end,
             const std::string& name, std::uint64_t link, DetailId detail) {
        const PlaceId place =
            m_writer.internPlace({Phase::kForward, m_writer.internName("blocks.1.attn"), {}});
        m_rows[{track, depth}].push_back(spanBetween(
            m_writer, start, end, name, {.place = place, .step = 0, .link = link, .detail = detail}));
    }

    std::uint64_t nextId() { return m_options.strangeIds ? 1 + m_random() % 1'000'000 : ++m_lastId; }

    std::int64_t thread(const std::string& name) {
        const TrackId ops = m_writer.addTrack(TrackKind::kCpuThread, name);
        const TrackId calls = m_writer.addTrack(TrackKind::kApiThread, "CUDA calls · " + name);
        std::int64_t t = chance(5000);
        for (int i = 0; i < m_options.opsPerThread; ++i) {
            const std::int64_t begin = t;
            t += 100;
            const std::string inner = "aten::op" + std::to_string(chance(5));
            const int launches = static_cast<int>(chance(4));
            for (int k = 0; k < launches; ++k)
                t = launch(calls, t + chance(3000), inner);
            add(ops, 1, begin + 50, t + 10, inner, 0, {});
            if (chance(3) == 0)
                t = wait(calls, t + 100);
            t += 100;
            add(ops, 0, begin, t, "aten::outer", 0, {});
            t += chance(10'000);
        }
        return t;
    }

    std::int64_t launch(TrackId calls, std::int64_t t, const std::string& op) {
        const std::uint64_t id = nextId();
        const std::int64_t end = t + 1000 + chance(4000);
        if (!m_options.strangeIds || chance(10) != 0)
            add(calls, 0, t, end, "cuLaunchKernel", id, {});
        const bool copy = chance(8) == 0;
        const int stream = static_cast<int>(chance(m_options.streams));
        const TrackId track = streamTrack(stream, copy);
        SpanDetail detail{
            .kind = copy ? (chance(3) == 0 ? DetailKind::kFill : DetailKind::kCopy) : DetailKind::kKernel,
            .copy = copy ? CopyKind::kHostToDevice : CopyKind::kNone,
            .op = m_writer.internName(op),
            .bytes = copy ? 1000 + chance(1'000'000) : 0};
        std::int64_t& free = m_streamEnd[track];
        const std::int64_t begin = std::max(free, t + 500 + chance(20'000));
        free = begin + 1 + chance(30'000);
        m_lastWork = std::max(m_lastWork, free);
        add(track, 0, begin, free, copy ? "copy" : "kernel", id, m_writer.internDetail(detail));
        return end;
    }

    std::int64_t wait(TrackId calls, std::int64_t t) {
        if (!m_sync.valid())
            m_sync = m_writer.addTrack(TrackKind::kGpuSync, "Waits · CUPTI");
        if (t < m_waitEnd)
            return t;  // waits of two threads: one after another, as spans of a lane are
        const std::uint64_t id = nextId();
        const std::int64_t end = std::max(t, m_lastWork) + 2000;
        add(calls, 0, t, end, "cuStreamSynchronize", id, {});
        add(m_sync, 0, t + 100, end - 100, "stream", id, {});
        m_waitEnd = end;
        return end;
    }

    TrackId streamTrack(int stream, bool copy) {
        TrackId& track = m_streams[{stream, copy}];
        if (!track.valid())
            track = m_writer.addTrack(copy ? TrackKind::kGpuCopies : TrackKind::kGpuStream,
                                      "GPU 0 · stream " + std::to_string(stream));
        return track;
    }

    GpuRunOptions m_options;
    std::mt19937_64 m_random;
    TraceWriter m_writer;
    std::map<std::pair<TrackId, std::uint32_t>, std::vector<SpanRow>> m_rows;
    std::map<std::pair<int, bool>, TrackId> m_streams;
    std::map<TrackId, std::int64_t> m_streamEnd;
    TrackId m_sync;
    std::uint64_t m_lastId = 0;
    std::int64_t m_lastWork = 0;
    std::int64_t m_waitEnd = 0;
};

}  // namespace

std::shared_ptr<const Snapshot> gpuRunByChance(const GpuRunOptions& options) {
    return Maker(options).make();
}

}  // namespace warpglass::test
