// The large traces of benchmarks, and the generator behind all synthetic data.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/synthetic_trace.h"

namespace warpglass::test {

std::uint64_t nextRandom(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

namespace {

struct ManyNames {
    std::vector<NameId> names;
    std::vector<PlaceId> places;

    explicit ManyNames(TraceWriter& writer) {
        static constexpr std::array<std::string_view, 12> kOps = {
            "mm", "bmm", "add", "mul", "_softmax", "silu", "pow", "mean", "rsqrt", "empty", "copy_", "view"};
        for (int i = 0; i < 60; ++i) {
            const std::string suffix = i < 12 ? "" : "_" + std::to_string(i / 12);
            names.push_back(
                writer.internName("aten::" + std::string(kOps[static_cast<std::size_t>(i % 12)]) + suffix));
        }
        for (int layer = 0; layer < 25; ++layer) {
            for (const char* module : {".attn", ".ffn", ".norm1"}) {
                const NameId path = writer.internName("blocks." + std::to_string(layer) + module);
                places.push_back(writer.internPlace({Phase::kForward, path, NameId()}));
                places.push_back(writer.internPlace({Phase::kBackward, path, NameId()}));
            }
        }
    }
};

// Simulated steps of 100,000 spans each.
constexpr std::uint64_t kSpansPerStep = 100000;

/// About as many as a training run of a Transformer has.
std::vector<DetailId> manyTypes(TraceWriter& writer) {
    std::vector<DetailId> all;
    for (int i = 0; i < 400; ++i) {
        SpanDetail types{.kind = DetailKind::kOp};
        const std::string size = std::to_string(i);
        types.fullName = writer.internName("bf16[4," + size + "], bf16[" + size + ",8] \u2192 bf16[4,8]");
        all.push_back(writer.internDetail(types));
    }
    return all;
}

}  // namespace

void appendManySpans(TraceWriter& writer, std::uint64_t count, std::uint32_t lanes, std::uint64_t seed,
                     bool types) {
    const ManyNames many(writer);
    const std::vector<DetailId> details = types ? manyTypes(writer) : std::vector<DetailId>();
    const TrackId track = writer.addTrack(TrackKind::kCpuThread, "main");
    std::vector<std::int64_t> ends(lanes, 0);
    std::uint64_t random = seed;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint32_t lane = static_cast<std::uint32_t>(i % lanes);
        const std::uint64_t r = nextRandom(random);
        SpanRow row{.start = ends[lane] + static_cast<std::int64_t>(r % 1200)};
        // Mostly a few microseconds, one in sixteen far longer.
        row.duration = static_cast<std::int64_t>(500 + (r >> 12) % ((r >> 60) == 0 ? 400000 : 9000));
        row.self = (r >> 40) % 2 == 0 ? row.duration : row.duration / 3;
        // Runs of ops repeat the model's order, as a real run's do, with an odd one now and then.
        const std::uint64_t position = (r >> 50) % 16 == 0 ? r >> 20 : i / lanes;
        row.name = many.names[position % many.names.size()];
        row.place = many.places[i / lanes / 12 % many.places.size()];
        row.step = static_cast<std::int32_t>(i / kSpansPerStep);
        row.link = (r >> 45) % 2 == 0 ? i + 1 : 0;
        if (types)  // a few of each name
            row.detail = details[(position % many.names.size() * 6 + (r >> 36) % 6) % details.size()];
        ends[lane] = row.end();
        writer.appendSpan(track, lane, row);
    }
    writer.commit(Nanoseconds(0));
}

void appendManyMemoryEvents(TraceWriter& writer, std::uint64_t count, std::uint64_t seed) {
    const ManyNames many(writer);
    std::uint64_t random = seed;
    std::vector<AllocationId> alive;
    std::int64_t time = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t r = nextRandom(random);
        time += static_cast<std::int64_t>(r % 3000);
        // About 2,000 stay alive; most frees are of something recent.
        if (!alive.empty() && (r >> 20) % 4000 < alive.size()) {
            const std::size_t back = std::min<std::size_t>(alive.size() - 1, (r >> 33) % 50);
            const std::size_t at = alive.size() - 1 - back;
            writer.appendFree(Nanoseconds(time), alive[at]);
            alive[at] = alive.back();
            alive.pop_back();
            continue;
        }
        AllocationRow row;
        row.requested = static_cast<std::int64_t>(1 + ((r >> 8) % 4096) * (1u << ((r >> 52) % 12)));
        row.bytes = (row.requested + 63) / 64 * 64;
        row.address = 0x7f0000000000u + (r >> 30) * 64;
        row.place = many.places[i / 20 % many.places.size()];
        row.step = static_cast<std::int32_t>(i / 20000);
        row.op = many.names[i % many.names.size()];
        row.category = static_cast<Category>((r >> 56) % (kStoredCategoryCount - 1));
        alive.push_back(writer.appendAllocation(Nanoseconds(time), row));
        if (i % 20000 == 0)
            writer.settle();
    }
    writer.settle();
    writer.commit(Nanoseconds(0));
}

std::shared_ptr<const Snapshot> makeManySpans(std::uint64_t count, std::uint32_t lanes, std::uint64_t seed,
                                              bool types) {
    TraceWriter writer;
    writer.setInfo("state", run_state::kFinished);
    appendManySpans(writer, count, lanes, seed, types);
    return writer.feed()->latest();
}

std::shared_ptr<const Snapshot> makeManyMemoryEvents(std::uint64_t count, std::uint64_t seed) {
    TraceWriter writer;
    writer.setInfo("state", run_state::kFinished);
    appendManyMemoryEvents(writer, count, seed);
    return writer.feed()->latest();
}

}  // namespace warpglass::test
