#include "tests/unit/timeline/random_lane.h"

#include <gtest/gtest.h>

#include <array>

namespace warpglass::test {

namespace {

/// From 0 up to `most`, all orders of magnitude alike.
std::int64_t anyMagnitude(std::mt19937_64& random, std::int64_t most) {
    std::int64_t limit = 1;
    for (auto tens = random() % 7; tens > 0 && limit < most; --tens)
        limit *= 10;
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(std::min(limit, most) + 1));
}

}  // namespace

std::vector<SpanRow> randomSpans(std::mt19937_64& random, std::size_t count) {
    constexpr std::array<std::int64_t, 4> kMostGap = {0, 20, 5'000, 200'000};
    constexpr std::array<std::int64_t, 4> kMostDuration = {0, 50, 10'000, 1'000'000};
    std::vector<SpanRow> spans;
    spans.reserve(count);
    std::int64_t time = anyMagnitude(random, 1'000'000);
    std::int64_t mostGap = 0, mostDuration = 50;
    for (std::size_t i = 0; i < count; ++i) {
        if (random() % 500 == 0) {
            mostGap = kMostGap[random() % kMostGap.size()];
            mostDuration = kMostDuration[random() % kMostDuration.size()];
        }
        SpanRow span;
        span.start = time + anyMagnitude(random, mostGap);
        span.duration = anyMagnitude(random, mostDuration);
        span.self = span.duration / static_cast<std::int64_t>(1 + random() % 20);
        span.name = NameId(random() % 5);
        span.place = PlaceId(0);
        spans.push_back(span);
        time = span.end();
    }
    return spans;
}

std::shared_ptr<const Snapshot> snapshotOf(const std::vector<std::vector<SpanRow>>& lanes, TrackKind kind,
                                           const std::vector<std::string>& names) {
    TraceWriter writer;
    for (const std::string& name : names)
        writer.internName(name);
    writer.internPlace({Phase::kForward, {}, {}});
    const TrackId track = writer.addTrack(kind, "main");
    for (std::uint32_t depth = 0; depth < lanes.size(); ++depth) {
        for (const SpanRow& span : lanes[depth])
            EXPECT_TRUE(writer.appendSpan(track, depth, span));
    }
    writer.commit(Nanoseconds(0));
    return writer.feed()->latest();
}

std::shared_ptr<const Snapshot> withDamagedChunk(const Snapshot& snapshot, std::size_t damaged,
                                                 bool keepMip) {
    auto columns = std::make_shared<TraceColumns>();
    for (std::size_t i = 0; i < snapshot.nameCount(); ++i)
        columns->names.pushBack(std::string(snapshot.name(NameId(i))));
    for (std::size_t i = 0; i < snapshot.placeCount(); ++i)
        columns->places.pushBack(snapshot.place(PlaceId(i)));
    columns->tracks.pushBack(snapshot.track(TrackId(0)));

    const SpanLane lane = snapshot.lane(LaneId(0));
    auto store = std::make_unique<LaneStore>();
    store->track = TrackId(0);
    for (std::size_t c = 0; c < lane.chunkCount(); ++c) {
        const SpanChunk* chunk = lane.chunk(c);
        const bool lost = c == damaged;
        store->chunks.pushBack(ChunkSlot<SpanChunk>::makeLazy(
            [chunk, lost] { return lost ? nullptr : std::make_unique<SpanChunk>(*chunk); }));
        store->mips.pushBack(lost && !keepMip ? std::make_unique<SpanMip>()
                                              : std::make_unique<SpanMip>(lane.mip(c)));
        const TimeRange range = lane.chunkRange(c);
        store->mounted.push_back({range.begin.value, range.end.value});
    }
    columns->lanes.pushBack(std::move(store));

    SnapshotSizes sizes;
    sizes.laneRows = {lane.rows()};
    sizes.names = snapshot.nameCount();
    sizes.places = snapshot.placeCount();
    sizes.tracks = 1;
    auto copy = std::make_shared<const Snapshot>(
        std::move(columns), std::move(sizes), std::vector<Category>(), std::vector<OpenSpan>(),
        snapshot.sharedInfo(), std::vector<LossCount>(), snapshot.range().end, 1);
    for (std::size_t c = 0; c < lane.chunkCount(); ++c)
        copy->lane(LaneId(0)).chunk(c);  // loaded while the original still lives
    return copy;
}

std::shared_ptr<const Snapshot> scrambledSnapshot(std::mt19937_64& random, std::uint64_t rows) {
    const auto time = [&] {
        return static_cast<std::int64_t>(random() % (1ull << 41)) - (std::int64_t{1} << 40);
    };
    const auto id = [&] { return static_cast<std::uint32_t>(random()); };
    auto columns = std::make_shared<TraceColumns>();
    columns->names.pushBack("aten::mm");
    columns->tracks.pushBack({TrackKind::kCpuThread, NameId(0)});
    auto store = std::make_unique<LaneStore>();
    store->track = TrackId(0);
    for (std::uint64_t first = 0; first < rows; first += kChunkRows) {
        auto chunk = std::make_shared<SpanChunk>();
        for (std::uint32_t i = 0; i < kChunkRows; ++i) {
            chunk->start[i] = time();
            chunk->duration[i] = time();
            chunk->self[i] = time();
            chunk->name[i] = id();
            chunk->place[i] = id();
        }
        auto mip = std::make_unique<SpanMip>();
        const auto scramble = [&](SpanSummary& sum) {
            sum = {time(), time(), time(), time(), id(), NameId(id()), PlaceId(id()), id() % 100};
        };
        for (SpanSummary& sum : mip->blocks)
            scramble(sum);
        for (SpanSummary& sum : mip->superBlocks)
            scramble(sum);
        store->chunks.pushBack(
            ChunkSlot<SpanChunk>::makeLazy([chunk] { return std::make_unique<SpanChunk>(*chunk); }));
        store->mips.pushBack(std::move(mip));
        store->mounted.push_back({time(), time()});
    }
    columns->lanes.pushBack(std::move(store));
    SnapshotSizes sizes{.laneRows = {rows}, .names = 1, .tracks = 1};
    return std::make_shared<const Snapshot>(
        std::move(columns), std::move(sizes), std::vector<Category>(),
        std::vector<OpenSpan>{{LaneId(0), time(), NameId(id()), PlaceId(id())}},
        std::make_shared<const RunInfo>(), std::vector<LossCount>(), Nanoseconds(std::int64_t{1} << 40), 1);
}

}  // namespace warpglass::test
