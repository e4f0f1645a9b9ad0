#include "engine/io/chunk_codec.h"
#include "engine/io/chunk_columns.h"

namespace warpglass::run_file {

ChunkHeader headerOf(const SegmentEventChunk& chunk, std::uint32_t index, std::uint32_t rows) {
    return {ChunkKind::kSegmentEvents, 0, index, rows, chunk.time[0], chunk.time[rows - 1]};
}

Buffer encode(const ChunkHeader& header, const SegmentEventChunk& chunk) {
    const std::uint32_t rows = header.rows;
    ColumnWriter out;
    out.reserve(kMaxHeaderSize + std::size_t{rows} * 24);
    putHeader(out, header);
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
    if (!getRisingTimes(in, *header, chunk->time))
        return nullptr;
    if (!getActions(in, chunk->action, rows) || !getAddressesAndSizes(in, *chunk, rows) ||
        !getNumbers(in, chunk->stream, rows) || !getNumbers(in, chunk->pool, rows))
        return nullptr;
    getRisingIds(in, chunk->place, rows, limits.places);
    if (!getSteps(in, chunk->step, rows))
        return nullptr;
    getIds(in, chunk->op, rows, limits.names);
    getIds(in, chunk->allocation, rows, limits.allocations);
    return in.failed() || !in.atEnd() ? nullptr : std::move(chunk);
}

}  // namespace warpglass::run_file
