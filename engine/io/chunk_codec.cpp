#include "engine/io/chunk_codec.h"

#include <algorithm>
#include <bit>

#include "engine/io/chunk_columns.h"

namespace warpglass::run_file {

namespace {

constexpr std::size_t kMaxRawMipSize = kMaxHeaderSize + kBlocksPerChunk * (5 * kMaxVarint + 2 * kMaxId);

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

ChunkHeader headerOf(const CounterChunk& chunk, std::uint32_t index, std::uint32_t rows) {
    const auto [least, greatest] = std::minmax_element(chunk.time, chunk.time + rows);
    return {ChunkKind::kCounters, 0, index, rows, *least, *greatest};
}

Buffer encode(const ChunkHeader& header, const SpanChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out = columnsAfter(header, std::size_t{rows} * 16);
    std::int64_t last = header.begin;
    for (std::uint32_t i = 0; i < rows; ++i) {
        out.putVarint(distance(chunk.start[i], last));
        last = chunk.end(i);
    }
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putVarint(static_cast<std::uint64_t>(chunk.duration[i]));
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putSigned(static_cast<std::int64_t>(distance(chunk.duration[i], chunk.self[i])));
    putIds(out, chunk.name, rows);
    putRisingIds(out, chunk.place, rows);
    putSteps(out, chunk.step, rows);
    putLinks(out, chunk.link, rows);
    if (std::any_of(chunk.detail, chunk.detail + rows, [](std::uint32_t id) { return DetailId(id).valid(); }))
        putRisingIds(out, chunk.detail, rows);
    return compressFrame(out.bytes());
}

std::unique_ptr<SpanChunk> decodeSpans(const ChunkHeader& wanted, BytesView frame, const IdLimits& limits) {
    FrameColumns in(wanted, frame, maxRawSize(wanted.kind));
    if (!in)
        return nullptr;
    const std::uint32_t rows = in.header().rows;
    std::unique_ptr<SpanChunk> chunk(new SpanChunk);  // not make_unique: that would touch all of it
    if (!getIntervals(in, *chunk, in.header()))
        return nullptr;
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint64_t self = distance(chunk->duration[i], in.getSigned());
        chunk->self[i] = std::clamp<std::int64_t>(static_cast<std::int64_t>(self), 0, chunk->duration[i]);
    }
    getIds(in, chunk->name, rows, limits.names);
    getRisingIds(in, chunk->place, rows, limits.places);
    if (!getSteps(in, chunk->step, rows))
        return nullptr;
    getLinks(in, chunk->link, rows);
    if (in.atEnd())
        std::fill_n(chunk->detail, rows, std::uint32_t{DetailId::kNone});
    else
        getRisingIds(in, chunk->detail, rows, limits.details);
    // A chunk that has grown since must still be the one whose extent was read at opening.
    if (chunk->start[0] != wanted.begin || chunk->end(wanted.rows - 1) != wanted.end)
        return nullptr;
    return in.done() ? std::move(chunk) : nullptr;
}

Buffer encode(const ChunkHeader& header, const MemoryEventChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out = columnsAfter(header, std::size_t{rows} * 6);
    putRisingTimes(out, header, chunk.time);
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
    FrameColumns in(wanted, frame, maxRawSize(wanted.kind));
    if (!in)
        return nullptr;
    std::unique_ptr<MemoryEventChunk> chunk(new MemoryEventChunk);
    if (!getRisingTimes(in, in.header(), chunk->time))
        return nullptr;
    const BytesView freed = in.getBits(in.header().rows);
    if (in.failed())
        return nullptr;
    std::uint64_t greatest = ~std::uint64_t{0};  // -1, wrapping
    for (std::uint32_t i = 0; i < in.header().rows; ++i) {
        const bool isFree = ColumnReader::bit(freed, i);
        const auto code = static_cast<std::uint64_t>(in.getSigned());
        const std::uint64_t id = isFree ? greatest - code : greatest + 1 + code;
        // An event of no allocation means nothing; rows that this snapshot does not state may refer to later.
        if (id > AllocationId::kNone || (i < wanted.rows && id >= limits.allocations))
            return nullptr;
        chunk->allocation[i] = static_cast<std::uint32_t>(id);
        chunk->action[i] = isFree ? MemoryAction::kFree : MemoryAction::kAllocate;
        if (!isFree && (greatest == ~std::uint64_t{0} || id > greatest))
            greatest = id;
    }
    return in.done() ? std::move(chunk) : nullptr;
}

Buffer encode(const ChunkHeader& header, const AllocationChunk& chunk, const Snapshot& snapshot) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out = columnsAfter(header, std::size_t{rows} * 20);
    // Addresses keep their eight bytes: an allocator hands out the same again and again, which zstd finds.
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putFixed64(chunk.address[i]);
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putVarint(static_cast<std::uint64_t>(chunk.requested[i]));
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putSigned(static_cast<std::int64_t>(distance(chunk.bytes[i], chunk.requested[i])));
    putRisingIds(out, chunk.place, rows);
    putSteps(out, chunk.step, rows);
    putIds(out, chunk.op, rows);
    const std::uint64_t first = std::uint64_t{header.chunk} * kChunkRows;
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putByte(static_cast<std::uint8_t>(snapshot.categoryOf(AllocationId(first + i))));
    return compressFrame(out.bytes());
}

std::unique_ptr<AllocationChunk> decodeAllocations(const ChunkHeader& wanted, BytesView frame,
                                                   const IdLimits& limits) {
    FrameColumns in(wanted, frame, maxRawSize(wanted.kind));
    if (!in)
        return nullptr;
    const std::uint32_t rows = in.header().rows;
    // Zeroed: a file may state more allocations than the chunk holds, and those are then read as empty.
    auto chunk = std::make_unique<AllocationChunk>();
    for (std::uint32_t i = 0; i < rows; ++i)
        chunk->address[i] = in.getFixed64();
    if (!getSizes(in, chunk->requested, rows))
        return nullptr;
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
    getIds(in, chunk->op, rows, limits.names);
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint8_t category = in.getByte();
        chunk->category[i] =
            category < kStoredCategoryCount ? static_cast<Category>(category) : Category::kUnknown;
    }
    return in.done() ? std::move(chunk) : nullptr;
}

Buffer encode(const ChunkHeader& header, const CounterChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out = columnsAfter(header, std::size_t{rows} * 16);
    std::int64_t last = header.begin;
    for (std::uint32_t i = 0; i < rows; ++i) {
        out.putSigned(static_cast<std::int64_t>(distance(chunk.time[i], last)));
        last = chunk.time[i];
    }
    putIds(out, chunk.counter, rows);
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putFixed64(std::bit_cast<std::uint64_t>(chunk.value[i]));
    return compressFrame(out.bytes());
}

std::unique_ptr<CounterChunk> decodeCounters(const ChunkHeader& wanted, BytesView frame,
                                             const IdLimits& limits) {
    FrameColumns in(wanted, frame, maxRawSize(wanted.kind));
    if (!in)
        return nullptr;
    std::unique_ptr<CounterChunk> chunk(new CounterChunk);
    auto time = static_cast<std::uint64_t>(in.header().begin);
    for (std::uint32_t i = 0; i < in.header().rows; ++i) {
        time += static_cast<std::uint64_t>(in.getSigned());
        chunk->time[i] = static_cast<std::int64_t>(time);
        if (chunk->time[i] < in.header().begin || chunk->time[i] > in.header().end)
            return nullptr;
    }
    getIds(in, chunk->counter, in.header().rows, limits.names);
    for (std::uint32_t i = 0; i < in.header().rows; ++i)
        chunk->value[i] = std::bit_cast<double>(in.getFixed64());
    return in.done() ? std::move(chunk) : nullptr;
}

ChunkHeader headerOf(const SegmentEventChunk& chunk, std::uint32_t index, std::uint32_t rows) {
    return {ChunkKind::kSegmentEvents, 0, index, rows, chunk.time[0], chunk.time[rows - 1]};
}

Buffer encode(const ChunkHeader& header, const SegmentEventChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out = columnsAfter(header, std::size_t{rows} * 24);
    putRisingTimes(out, header, chunk.time);
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
    putIds(out, chunk.op, rows);
    putIds(out, chunk.allocation, rows);
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

bool getAddresses(ColumnReader& in, std::uint64_t* addresses, std::uint32_t rows) {
    std::uint64_t address = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        address += static_cast<std::uint64_t>(in.getSigned());
        if (address > kMaxAddress)
            return false;
        addresses[i] = address;
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
    FrameColumns in(wanted, frame, maxRawSize(wanted.kind));
    if (!in)
        return nullptr;
    const std::uint32_t rows = in.header().rows;
    std::unique_ptr<SegmentEventChunk> chunk(new SegmentEventChunk);
    if (!getRisingTimes(in, in.header(), chunk->time) || !getActions(in, chunk->action, rows) ||
        !getAddresses(in, chunk->address, rows) || !getSizes(in, chunk->bytes, rows) ||
        !getNumbers(in, chunk->stream, rows) || !getNumbers(in, chunk->pool, rows))
        return nullptr;
    getRisingIds(in, chunk->place, rows, limits.places);
    if (!getSteps(in, chunk->step, rows))
        return nullptr;
    getIds(in, chunk->op, rows, limits.names);
    getIds(in, chunk->allocation, rows, limits.allocations);
    return in.done() ? std::move(chunk) : nullptr;
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
    ColumnWriter out = columnsAfter(header, std::size_t{count} * 24);
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
    FrameColumns in(wanted, frame, kMaxRawMipSize);
    if (!in || in.header() != wanted)
        return nullptr;
    const std::uint32_t count = (in.header().rows + kBlockRows - 1) / kBlockRows;
    auto mip = std::make_unique<SpanMip>();
    SpanSummary* const blocks = mip->blocks;
    for (std::uint32_t b = 0; b < count; ++b)
        blocks[b].start = static_cast<std::int64_t>(in.getVarint());  // the gap for now
    std::int64_t time = in.header().begin;
    for (std::uint32_t b = 0; b < count; ++b) {
        if (!advance(time, static_cast<std::uint64_t>(blocks[b].start)))
            return nullptr;
        blocks[b].start = time;
        if (!advance(time, in.getVarint()))
            return nullptr;
        blocks[b].end = time;
        blocks[b].count = std::min(kBlockRows, in.header().rows - b * kBlockRows);
    }
    if (in.failed() || time != in.header().end)
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
    for (std::uint32_t b = 0; b < count; ++b)
        mip->superBlocks[b / (kSuperBlockRows / kBlockRows)].add(blocks[b]);
    return in.done() ? std::move(mip) : nullptr;
}

}  // namespace warpglass::run_file
