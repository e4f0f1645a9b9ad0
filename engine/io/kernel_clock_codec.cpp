#include "engine/io/kernel_clock_codec.h"

#include <algorithm>

namespace warpglass::run_file {

namespace {

/// A varint has ten bytes at most; a tile is seven of them, a round eight.
constexpr std::size_t kMostRawBytes = (kMostClockTiles * 7 + kMostClockRounds * 8 + 2) * 10;
constexpr std::uint64_t kMostProcessors = 65'536, kMostGroups = 256;
/// Cycles count from the first tile's, but the multiprocessors' counters differ.
constexpr std::int64_t kMostCycles = std::int64_t{1} << 60;

class DeltaWriter {
public:
    explicit DeltaWriter(ColumnWriter& out) : m_out(out) {}
    void put(std::int64_t value) {
        m_out.putSigned(value - m_last);
        m_last = value;
    }

private:
    ColumnWriter& m_out;
    std::int64_t m_last = 0;
};

class DeltaReader {
public:
    explicit DeltaReader(ColumnReader& in) : m_in(in) {}
    /// Within ±kMostCycles, or a failure.
    bool get(std::int64_t& value) {
        const std::int64_t step = m_in.getSigned();
        if (step > 2 * kMostCycles || step < -2 * kMostCycles)
            return false;
        value = m_last += step;
        return value <= kMostCycles && value >= -kMostCycles;
    }

private:
    ColumnReader& m_in;
    std::int64_t m_last = 0;
};

/// All rows of one column; false at the first that is none of its values.
template <class Row, class Get>
bool eachRow(std::vector<Row>& rows, Get get) {
    return std::ranges::all_of(rows, get);
}

bool getBelow(ColumnReader& in, std::uint64_t limit, std::uint32_t& value) {
    const std::uint64_t read = in.getVarint();
    value = static_cast<std::uint32_t>(read);
    return read < limit;
}

template <class Row>
bool getDeltas(ColumnReader& in, std::vector<Row>& rows, std::int64_t Row::*member) {
    DeltaReader deltas(in);
    return eachRow(rows, [&](Row& row) { return deltas.get(row.*member); });
}

/// Lengths, each from where its row begins.
bool getEnds(ColumnReader& in, std::vector<ClockTile>& rows, std::int64_t ClockTile::*begin,
             std::int64_t ClockTile::*end) {
    return eachRow(rows, [&](ClockTile& row) {
        const std::uint64_t length = in.getVarint();
        row.*end = row.*begin + static_cast<std::int64_t>(std::min<std::uint64_t>(length, kMostCycles));
        return length <= static_cast<std::uint64_t>(kMostCycles);
    });
}

template <class Row>
bool getTiles(ColumnReader& in, std::vector<Row>& rows) {
    DeltaReader deltas(in);
    return eachRow(rows, [&](Row& row) {
        std::int64_t tile = 0;
        const bool good = deltas.get(tile) && tile >= 0 && tile <= 0xffffffff;
        row.tile = static_cast<std::uint32_t>(good ? tile : 0);
        return good;
    });
}

bool readRows(ColumnReader& in, KernelClocks& clocks) {
    const std::uint64_t tiles = in.getVarint(), rounds = in.getVarint();
    if (tiles > kMostClockTiles || rounds > kMostClockRounds)
        return false;
    clocks.tiles.resize(static_cast<std::size_t>(tiles));
    clocks.rounds.resize(static_cast<std::size_t>(rounds));
    auto& t = clocks.tiles;
    auto& r = clocks.rounds;
    return getDeltas(in, t, &ClockTile::beginCycle) &&
           getEnds(in, t, &ClockTile::beginCycle, &ClockTile::endCycle) &&
           getDeltas(in, t, &ClockTile::beginTime) &&
           getEnds(in, t, &ClockTile::beginTime, &ClockTile::endTime) && getTiles(in, t) &&
           eachRow(t, [&](ClockTile& row) { return getBelow(in, kMostProcessors, row.processor); }) &&
           eachRow(t, [&](ClockTile& row) { return getBelow(in, kMostGroups, row.group); }) &&
           getDeltas(in, r, &ClockRound::beginCycle) &&
           eachRow(r,
                   [&](ClockRound& row) {
                       return std::ranges::all_of(row.cycles, [&](std::uint32_t& cycles) {
                           return getBelow(in, std::uint64_t{1} << 32, cycles);
                       });
                   }) &&
           getTiles(in, r) &&
           eachRow(r, [&](ClockRound& row) { return getBelow(in, std::uint64_t{1} << 32, row.round); }) &&
           eachRow(r, [&](ClockRound& row) { return getBelow(in, kMostGroups, row.group); }) &&
           !in.failed() && in.atEnd();
}

}  // namespace

Buffer encodeClocks(const KernelClocks& clocks) {
    ColumnWriter out;
    const auto& t = clocks.tiles;
    const auto& r = clocks.rounds;
    out.reserve(20 + t.size() * 20 + r.size() * 20);
    out.putVarint(t.size());
    out.putVarint(r.size());
    const auto deltas = [&out](const auto& rows, auto value) {
        DeltaWriter writer(out);
        for (const auto& row : rows)
            writer.put(value(row));
    };
    const auto numbers = [&out](const auto& rows, auto value) {
        for (const auto& row : rows)
            out.putVarint(static_cast<std::uint64_t>(value(row)));
    };
    deltas(t, [](const ClockTile& row) { return row.beginCycle; });
    numbers(t, [](const ClockTile& row) { return row.endCycle - row.beginCycle; });
    deltas(t, [](const ClockTile& row) { return row.beginTime; });
    numbers(t, [](const ClockTile& row) { return row.endTime - row.beginTime; });
    deltas(t, [](const ClockTile& row) { return std::int64_t{row.tile}; });
    numbers(t, [](const ClockTile& row) { return row.processor; });
    numbers(t, [](const ClockTile& row) { return row.group; });
    deltas(r, [](const ClockRound& row) { return row.beginCycle; });
    for (const ClockRound& row : r) {
        for (const std::uint32_t cycles : row.cycles)
            out.putVarint(cycles);
    }
    deltas(r, [](const ClockRound& row) { return std::int64_t{row.tile}; });
    numbers(r, [](const ClockRound& row) { return row.round; });
    numbers(r, [](const ClockRound& row) { return row.group; });
    return compressFrame(out.bytes());
}

bool decodeClocks(BytesView frame, KernelClocks& clocks) {
    const auto raw = decompressFrame(frame, kMostRawBytes);
    if (raw) {
        ColumnReader in(*raw);
        // No row has fewer bytes than numbers.
        ColumnReader counts(*raw);
        const std::uint64_t tiles = counts.getVarint(), rounds = counts.getVarint();
        if (tiles <= raw->size() / 7 && rounds <= raw->size() / 8 && readRows(in, clocks))
            return true;
    }
    clocks.tiles.clear();
    clocks.rounds.clear();
    return false;
}

}  // namespace warpglass::run_file
