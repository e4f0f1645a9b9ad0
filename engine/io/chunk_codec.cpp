#include "engine/io/chunk_codec.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace warpglass::run_file {

namespace {

/// Header (six varints) and 65,536 rows of the widest encoding any kind has; what a frame may unpack to at
/// most.
constexpr std::size_t kMaxHeaderSize = 60;
constexpr std::size_t kMaxVarint = 10;
constexpr std::size_t kMaxId = 5;
constexpr std::size_t maxRawSize(ChunkKind kind) {
    constexpr std::size_t rows = kChunkRows;
    switch (kind) {
        case ChunkKind::kSpans:
            return kMaxHeaderSize + rows * (7 * kMaxVarint + kMaxId) + rows / 8;
        case ChunkKind::kMemoryEvents:
            return kMaxHeaderSize + rows * 2 * kMaxVarint + rows / 8;
        case ChunkKind::kAllocations:
            return kMaxHeaderSize + rows * (8 + 4 * kMaxVarint + kMaxId + 1);
        case ChunkKind::kCounters:
            return kMaxHeaderSize + rows * (kMaxVarint + kMaxId + 8);
        case ChunkKind::kSegmentEvents:
            return kMaxHeaderSize + rows * (7 * kMaxVarint + 2 * kMaxId + 1);
    }
    return 0;
}
constexpr std::size_t kMaxRawMipSize = kMaxHeaderSize + kBlocksPerChunk * (5 * kMaxVarint + 2 * kMaxId);

/// Differences wrap, so that any pair of values has one.
std::int64_t difference(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(a - b);
}
std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

/// time += gap, unless that goes beyond what a run can hold.
bool advance(std::int64_t& time, std::uint64_t gap) {
    if (time > kMaxTime || gap > distance(kMaxTime, time))
        return false;
    time = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + gap);
    return true;
}

bool plausibleTime(std::int64_t time) {
    return time >= -kMaxTime && time <= kMaxTime;
}

void putHeader(ColumnWriter& out, const ChunkHeader& header) {
    out.putVarint(static_cast<std::uint64_t>(header.kind));
    out.putVarint(header.lane);
    out.putVarint(header.chunk);
    out.putVarint(header.rows);
    out.putSigned(header.begin);
    out.putSigned(header.end);
}

/// The frame's own header, if it is that of the wanted chunk, grown or not.
std::optional<ChunkHeader> getHeader(ColumnReader& in, const ChunkHeader& wanted) {
    const std::uint64_t kind = in.getVarint(), lane = in.getVarint(), chunk = in.getVarint(),
                        rows = in.getVarint();
    const std::int64_t begin = in.getSigned(), end = in.getSigned();
    if (in.failed() || kind != static_cast<std::uint64_t>(wanted.kind) || lane != wanted.lane ||
        chunk != wanted.chunk || rows == 0 || rows > kChunkRows || rows < wanted.rows ||
        !plausibleTime(begin) || !plausibleTime(end) || begin > end)
        return std::nullopt;
    const ChunkHeader found{wanted.kind, wanted.lane, wanted.chunk, static_cast<std::uint32_t>(rows),
                            begin,       end};
    if (found.rows == wanted.rows && found != wanted)
        return std::nullopt;
    return found;
}

// Columns that several kinds have.

/// Ids that repeat or rise: places, details.
void putRisingIds(ColumnWriter& out, const std::uint32_t* ids, std::uint32_t rows) {
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint32_t shifted = ids[i] + 1;  // 0 for an invalid one
        out.putSigned(static_cast<std::int64_t>(shifted) - static_cast<std::int64_t>(last));
        last = shifted;
    }
}

void getRisingIds(ColumnReader& in, std::uint32_t* ids, std::uint32_t rows, std::uint64_t count) {
    std::uint64_t shifted = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        shifted += static_cast<std::uint64_t>(in.getSigned());
        ids[i] = shifted == 0 || shifted > count ? PlaceId::kNone : static_cast<std::uint32_t>(shifted - 1);
    }
}

void putSteps(ColumnWriter& out, const std::int32_t* steps, std::uint32_t rows) {
    std::int64_t last = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        out.putSigned(steps[i] - last);
        last = steps[i];
    }
}

bool getSteps(ColumnReader& in, std::int32_t* steps, std::uint32_t rows) {
    std::uint64_t step = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        step += static_cast<std::uint64_t>(in.getSigned());
        const auto value = static_cast<std::int64_t>(step);
        if (value < kNoStep || value > kMaxStep)
            return false;
        steps[i] = static_cast<std::int32_t>(value);
    }
    return true;
}

void putLinks(ColumnWriter& out, const std::uint64_t* links, std::uint32_t rows) {
    out.putBits(rows, [&](std::uint32_t i) { return links[i] != 0; });
    std::uint64_t last = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        if (links[i] == 0)
            continue;
        out.putSigned(difference(links[i], last));
        last = links[i];
    }
}

void getLinks(ColumnReader& in, std::uint64_t* links, std::uint32_t rows) {
    const BytesView present = in.getBits(rows);
    if (in.failed())
        return;
    std::uint64_t last = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        links[i] = 0;
        if (!ColumnReader::bit(present, i))
            continue;
        last += static_cast<std::uint64_t>(in.getSigned());
        links[i] = last;
    }
}

bool getIntervals(ColumnReader& in, SpanChunk& chunk, const ChunkHeader& header) {
    for (std::uint32_t i = 0; i < header.rows; ++i)
        chunk.start[i] = static_cast<std::int64_t>(in.getVarint());  // the gap for now
    std::int64_t time = header.begin;
    for (std::uint32_t i = 0; i < header.rows; ++i) {
        if (!advance(time, static_cast<std::uint64_t>(chunk.start[i])))
            return false;
        chunk.start[i] = time;
        const std::uint64_t duration = in.getVarint();
        if (!advance(time, duration))
            return false;
        chunk.duration[i] = static_cast<std::int64_t>(duration);
    }
    return !in.failed() && chunk.start[0] == header.begin && time == header.end;
}

}  // namespace

ChunkHeader headerOf(const SpanChunk& chunk, std::uint32_t lane, std::uint32_t index, std::uint32_t rows) {
    return {ChunkKind::kSpans, lane, index, rows, chunk.start[0], chunk.end(rows - 1)};
}

ChunkHeader headerOf(const MemoryEventChunk& chunk, std::uint32_t index, std::uint32_t rows) {
    return {ChunkKind::kMemoryEvents, 0, index, rows, chunk.time[0], chunk.time[rows - 1]};
}

ChunkHeader headerOf(const SegmentEventChunk& chunk, std::uint32_t index, std::uint32_t rows) {
    return {ChunkKind::kSegmentEvents, 0, index, rows, chunk.time[0], chunk.time[rows - 1]};
}

ChunkHeader headerOf(const CounterChunk& chunk, std::uint32_t index, std::uint32_t rows) {
    const auto [least, greatest] = std::minmax_element(chunk.time, chunk.time + rows);
    return {ChunkKind::kCounters, 0, index, rows, *least, *greatest};
}

Buffer encode(const ChunkHeader& header, const SpanChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out;
    out.reserve(kMaxHeaderSize + std::size_t{rows} * 16);
    putHeader(out, header);
    std::int64_t last = header.begin;
    for (std::uint32_t i = 0; i < rows; ++i) {
        out.putVarint(distance(chunk.start[i], last));
        last = chunk.end(i);
    }
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putVarint(static_cast<std::uint64_t>(chunk.duration[i]));
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putSigned(static_cast<std::int64_t>(distance(chunk.duration[i], chunk.self[i])));
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putId(chunk.name[i]);
    putRisingIds(out, chunk.place, rows);
    putSteps(out, chunk.step, rows);
    putLinks(out, chunk.link, rows);
    if (std::any_of(chunk.detail, chunk.detail + rows, [](std::uint32_t id) { return DetailId(id).valid(); }))
        putRisingIds(out, chunk.detail, rows);
    return compressFrame(out.bytes());
}

std::unique_ptr<SpanChunk> decodeSpans(const ChunkHeader& wanted, BytesView frame, const IdLimits& limits) {
    const auto raw = decompressFrame(frame, maxRawSize(wanted.kind));
    if (!raw)
        return nullptr;
    ColumnReader in(*raw);
    const auto header = getHeader(in, wanted);
    if (!header)
        return nullptr;
    const std::uint32_t rows = header->rows;
    std::unique_ptr<SpanChunk> chunk(new SpanChunk);  // not make_unique: that would touch all of it
    if (!getIntervals(in, *chunk, *header))
        return nullptr;
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint64_t self = distance(chunk->duration[i], in.getSigned());
        chunk->self[i] = std::clamp<std::int64_t>(static_cast<std::int64_t>(self), 0, chunk->duration[i]);
    }
    for (std::uint32_t i = 0; i < rows; ++i)
        chunk->name[i] = in.getId(limits.names);
    getRisingIds(in, chunk->place, rows, limits.places);
    if (!getSteps(in, chunk->step, rows))
        return nullptr;
    getLinks(in, chunk->link, rows);
    if (in.atEnd())
        std::fill_n(chunk->detail, rows, std::uint32_t{DetailId::kNone});
    else
        getRisingIds(in, chunk->detail, rows, limits.details);
    if (in.failed() || !in.atEnd())
        return nullptr;
    // A chunk that has grown since must still be the one whose extent was read at opening.
    if (chunk->start[0] != wanted.begin || chunk->end(wanted.rows - 1) != wanted.end)
        return nullptr;
    return chunk;
}

Buffer encode(const ChunkHeader& header, const MemoryEventChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out;
    out.reserve(kMaxHeaderSize + std::size_t{rows} * 6);
    putHeader(out, header);
    std::int64_t last = header.begin;
    for (std::uint32_t i = 0; i < rows; ++i) {
        out.putVarint(distance(chunk.time[i], last));
        last = chunk.time[i];
    }
    out.putBits(rows, [&](std::uint32_t i) { return chunk.action[i] == MemoryAction::kFree; });
    std::int64_t greatest = -1;
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::int64_t id = chunk.allocation[i];
        if (chunk.action[i] == MemoryAction::kFree) {
            out.putSigned(greatest - id);
            continue;
        }
        out.putSigned(id - (greatest + 1));
        greatest = std::max(greatest, id);
    }
    return compressFrame(out.bytes());
}

std::unique_ptr<MemoryEventChunk> decodeMemoryEvents(const ChunkHeader& wanted, BytesView frame,
                                                     const IdLimits& limits) {
    const auto raw = decompressFrame(frame, maxRawSize(wanted.kind));
    if (!raw)
        return nullptr;
    ColumnReader in(*raw);
    const auto header = getHeader(in, wanted);
    if (!header)
        return nullptr;
    std::unique_ptr<MemoryEventChunk> chunk(new MemoryEventChunk);
    std::int64_t time = header->begin;
    for (std::uint32_t i = 0; i < header->rows; ++i) {
        if (!advance(time, in.getVarint()))
            return nullptr;
        chunk->time[i] = time;
    }
    const BytesView freed = in.getBits(header->rows);
    if (in.failed() || chunk->time[0] != header->begin || time != header->end)
        return nullptr;
    std::uint64_t greatest = ~std::uint64_t{0};  // -1, wrapping
    for (std::uint32_t i = 0; i < header->rows; ++i) {
        const bool isFree = ColumnReader::bit(freed, i);
        const auto code = static_cast<std::uint64_t>(in.getSigned());
        const std::uint64_t id = isFree ? greatest - code : greatest + 1 + code;
        // An event of no allocation means nothing; the rows that this snapshot does not state may refer to
        // later ones.
        if (id > AllocationId::kNone || (i < wanted.rows && id >= limits.allocations))
            return nullptr;
        chunk->allocation[i] = static_cast<std::uint32_t>(id);
        chunk->action[i] = isFree ? MemoryAction::kFree : MemoryAction::kAllocate;
        if (!isFree && (greatest == ~std::uint64_t{0} || id > greatest))
            greatest = id;
    }
    return in.failed() || !in.atEnd() ? nullptr : std::move(chunk);
}

Buffer encode(const ChunkHeader& header, const AllocationChunk& chunk, const Snapshot& snapshot) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out;
    out.reserve(kMaxHeaderSize + std::size_t{rows} * 20);
    putHeader(out, header);
    // Addresses keep their eight bytes: an allocator hands out the same ones again and again, which zstd
    // finds.
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putFixed64(chunk.address[i]);
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putVarint(static_cast<std::uint64_t>(chunk.requested[i]));
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putSigned(static_cast<std::int64_t>(distance(chunk.bytes[i], chunk.requested[i])));
    putRisingIds(out, chunk.place, rows);
    putSteps(out, chunk.step, rows);
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putId(chunk.op[i]);
    const std::uint64_t first = std::uint64_t{header.chunk} * kChunkRows;
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putByte(static_cast<std::uint8_t>(snapshot.categoryOf(AllocationId(first + i))));
    return compressFrame(out.bytes());
}

std::unique_ptr<AllocationChunk> decodeAllocations(const ChunkHeader& wanted, BytesView frame,
                                                   const IdLimits& limits) {
    const auto raw = decompressFrame(frame, maxRawSize(wanted.kind));
    if (!raw)
        return nullptr;
    ColumnReader in(*raw);
    const auto header = getHeader(in, wanted);
    if (!header)
        return nullptr;
    const std::uint32_t rows = header->rows;
    // Zeroed: a file may state more allocations than the chunk holds, and those are then read as empty.
    auto chunk = std::make_unique<AllocationChunk>();
    for (std::uint32_t i = 0; i < rows; ++i)
        chunk->address[i] = in.getFixed64();
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint64_t requested = in.getVarint();
        if (requested > static_cast<std::uint64_t>(kMaxBytes))
            return nullptr;
        chunk->requested[i] = static_cast<std::int64_t>(requested);
    }
    for (std::uint32_t i = 0; i < rows; ++i) {
        const auto rounding = static_cast<std::uint64_t>(in.getSigned());
        const std::uint64_t bytes = static_cast<std::uint64_t>(chunk->requested[i]) + rounding;
        if (bytes > static_cast<std::uint64_t>(kMaxBytes))
            return nullptr;
        chunk->bytes[i] = static_cast<std::int64_t>(bytes);
    }
    getRisingIds(in, chunk->place, rows, limits.places);
    if (!getSteps(in, chunk->step, rows))
        return nullptr;
    for (std::uint32_t i = 0; i < rows; ++i)
        chunk->op[i] = in.getId(limits.names);
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint8_t category = in.getByte();
        chunk->category[i] = category < kCategoryCount ? static_cast<Category>(category) : Category::kUnknown;
    }
    return in.failed() || !in.atEnd() ? nullptr : std::move(chunk);
}

Buffer encode(const ChunkHeader& header, const SegmentEventChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out;
    out.reserve(kMaxHeaderSize + std::size_t{rows} * 24);
    putHeader(out, header);
    std::int64_t last = header.begin;
    for (std::uint32_t i = 0; i < rows; ++i) {
        out.putVarint(distance(chunk.time[i], last));
        last = chunk.time[i];
    }
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putByte(static_cast<std::uint8_t>(chunk.action[i]));
    std::uint64_t lastAddress = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        out.putSigned(difference(chunk.address[i], lastAddress));
        lastAddress = chunk.address[i];
    }
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putVarint(static_cast<std::uint64_t>(chunk.bytes[i]));
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putVarint(chunk.stream[i]);
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putVarint(chunk.pool[i]);
    putRisingIds(out, chunk.place, rows);
    putSteps(out, chunk.step, rows);
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putId(chunk.op[i]);
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putId(chunk.allocation[i]);
    return compressFrame(out.bytes());
}

namespace {

bool getActions(ColumnReader& in, SegmentAction* actions, std::uint32_t rows) {
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint8_t action = in.getByte();
        if (action >= kSegmentActionNames.size())
            return false;
        actions[i] = static_cast<SegmentAction>(action);
    }
    return true;
}

bool getAddressesAndSizes(ColumnReader& in, SegmentEventChunk& chunk, std::uint32_t rows) {
    std::uint64_t address = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        address += static_cast<std::uint64_t>(in.getSigned());
        if (address > kMaxAddress)
            return false;
        chunk.address[i] = address;
    }
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint64_t bytes = in.getVarint();
        if (bytes > static_cast<std::uint64_t>(kMaxBytes))
            return false;
        chunk.bytes[i] = static_cast<std::int64_t>(bytes);
    }
    return true;
}

/// Numbers that tell streams or pools apart.
bool getNumbers(ColumnReader& in, std::uint32_t* numbers, std::uint32_t rows) {
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint64_t number = in.getVarint();
        if (number > 0xffffffffu)
            return false;
        numbers[i] = static_cast<std::uint32_t>(number);
    }
    return true;
}

}  // namespace

std::unique_ptr<SegmentEventChunk> decodeSegmentEvents(const ChunkHeader& wanted, BytesView frame,
                                                       const IdLimits& limits) {
    const auto raw = decompressFrame(frame, maxRawSize(wanted.kind));
    if (!raw)
        return nullptr;
    ColumnReader in(*raw);
    const auto header = getHeader(in, wanted);
    if (!header)
        return nullptr;
    const std::uint32_t rows = header->rows;
    std::unique_ptr<SegmentEventChunk> chunk(new SegmentEventChunk);
    std::int64_t time = header->begin;
    for (std::uint32_t i = 0; i < rows; ++i) {
        if (!advance(time, in.getVarint()))
            return nullptr;
        chunk->time[i] = time;
    }
    if (in.failed() || chunk->time[0] != header->begin || time != header->end)
        return nullptr;
    if (!getActions(in, chunk->action, rows) || !getAddressesAndSizes(in, *chunk, rows) ||
        !getNumbers(in, chunk->stream, rows) || !getNumbers(in, chunk->pool, rows))
        return nullptr;
    getRisingIds(in, chunk->place, rows, limits.places);
    if (!getSteps(in, chunk->step, rows))
        return nullptr;
    for (std::uint32_t i = 0; i < rows; ++i)
        chunk->op[i] = in.getId(limits.names);
    for (std::uint32_t i = 0; i < rows; ++i)
        chunk->allocation[i] = in.getId(limits.allocations);
    return in.failed() || !in.atEnd() ? nullptr : std::move(chunk);
}

Buffer encode(const ChunkHeader& header, const CounterChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out;
    out.reserve(kMaxHeaderSize + std::size_t{rows} * 16);
    putHeader(out, header);
    std::int64_t last = header.begin;
    for (std::uint32_t i = 0; i < rows; ++i) {
        out.putSigned(static_cast<std::int64_t>(distance(chunk.time[i], last)));
        last = chunk.time[i];
    }
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putId(chunk.counter[i]);
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putFixed64(std::bit_cast<std::uint64_t>(chunk.value[i]));
    return compressFrame(out.bytes());
}

std::unique_ptr<CounterChunk> decodeCounters(const ChunkHeader& wanted, BytesView frame,
                                             const IdLimits& limits) {
    const auto raw = decompressFrame(frame, maxRawSize(wanted.kind));
    if (!raw)
        return nullptr;
    ColumnReader in(*raw);
    const auto header = getHeader(in, wanted);
    if (!header)
        return nullptr;
    std::unique_ptr<CounterChunk> chunk(new CounterChunk);
    auto time = static_cast<std::uint64_t>(header->begin);
    for (std::uint32_t i = 0; i < header->rows; ++i) {
        time += static_cast<std::uint64_t>(in.getSigned());
        chunk->time[i] = static_cast<std::int64_t>(time);
        if (chunk->time[i] < header->begin || chunk->time[i] > header->end)
            return nullptr;
    }
    for (std::uint32_t i = 0; i < header->rows; ++i)
        chunk->counter[i] = in.getId(limits.names);
    for (std::uint32_t i = 0; i < header->rows; ++i)
        chunk->value[i] = std::bit_cast<double>(in.getFixed64());
    return in.failed() || !in.atEnd() ? nullptr : std::move(chunk);
}

std::unique_ptr<SpanMip> buildMip(const SpanChunk& chunk, std::uint32_t rows) {
    auto mip = std::make_unique<SpanMip>();
    for (std::uint32_t i = 0; i < rows; ++i)
        mip->blocks[i / kBlockRows].add(chunk, i);
    for (std::uint32_t b = 0; b * kBlockRows < rows; ++b)
        mip->superBlocks[b / (kSuperBlockRows / kBlockRows)].add(mip->blocks[b]);
    return mip;
}

Buffer encodeMip(const ChunkHeader& header, const SpanChunk& chunk) {
    const auto mip = buildMip(chunk, header.rows);
    const std::uint32_t count = (header.rows + kBlockRows - 1) / kBlockRows;
    ColumnWriter out;
    out.reserve(kMaxHeaderSize + std::size_t{count} * 24);
    putHeader(out, header);
    const auto each = [&](auto&& put) {
        for (std::uint32_t b = 0; b < count; ++b)
            put(mip->blocks[b]);
    };
    std::int64_t last = header.begin;
    each([&](const SpanSummary& s) {
        out.putVarint(distance(s.start, last));
        last = s.end;
    });
    each([&](const SpanSummary& s) { out.putVarint(distance(s.end, s.start)); });
    each([&](const SpanSummary& s) { out.putVarint(distance(s.end - s.start, s.busy)); });
    each([&](const SpanSummary& s) { out.putVarint(static_cast<std::uint64_t>(s.longestDuration)); });
    each([&](const SpanSummary& s) { out.putVarint(s.longestRow % kBlockRows); });
    each([&](const SpanSummary& s) { out.putId(s.longestName.value); });
    each([&](const SpanSummary& s) { out.putId(s.longestPlace.value); });
    return compressFrame(out.bytes());
}

std::unique_ptr<SpanMip> decodeMip(const ChunkHeader& wanted, BytesView frame, const IdLimits& limits) {
    const auto raw = decompressFrame(frame, kMaxRawMipSize);
    if (!raw)
        return nullptr;
    ColumnReader in(*raw);
    const auto header = getHeader(in, wanted);
    if (!header || *header != wanted)
        return nullptr;
    const std::uint32_t count = (header->rows + kBlockRows - 1) / kBlockRows;
    auto mip = std::make_unique<SpanMip>();
    SpanSummary* const blocks = mip->blocks;
    for (std::uint32_t b = 0; b < count; ++b)
        blocks[b].start = static_cast<std::int64_t>(in.getVarint());  // the gap for now
    std::int64_t time = header->begin;
    for (std::uint32_t b = 0; b < count; ++b) {
        if (!advance(time, static_cast<std::uint64_t>(blocks[b].start)))
            return nullptr;
        blocks[b].start = time;
        if (!advance(time, in.getVarint()))
            return nullptr;
        blocks[b].end = time;
        blocks[b].count = std::min(kBlockRows, header->rows - b * kBlockRows);
    }
    if (in.failed() || time != header->end)
        return nullptr;
    for (std::uint32_t b = 0; b < count; ++b) {
        const std::uint64_t extent = distance(blocks[b].end, blocks[b].start);
        const std::uint64_t idle = in.getVarint();
        if (idle > extent)
            return nullptr;
        blocks[b].busy = static_cast<std::int64_t>(extent - idle);
    }
    for (std::uint32_t b = 0; b < count; ++b) {
        const std::uint64_t longest = in.getVarint();
        if (longest > static_cast<std::uint64_t>(blocks[b].busy))
            return nullptr;
        blocks[b].longestDuration = static_cast<std::int64_t>(longest);
    }
    for (std::uint32_t b = 0; b < count; ++b) {
        const std::uint64_t row = in.getVarint();
        if (row >= blocks[b].count)
            return nullptr;
        blocks[b].longestRow = b * kBlockRows + static_cast<std::uint32_t>(row);
    }
    for (std::uint32_t b = 0; b < count; ++b)
        blocks[b].longestName = NameId(in.getId(limits.names));
    for (std::uint32_t b = 0; b < count; ++b)
        blocks[b].longestPlace = PlaceId(in.getId(limits.places));
    if (in.failed() || !in.atEnd())
        return nullptr;
    for (std::uint32_t b = 0; b < count; ++b)
        mip->superBlocks[b / (kSuperBlockRows / kBlockRows)].add(blocks[b]);
    return mip;
}

}  // namespace warpglass::run_file
