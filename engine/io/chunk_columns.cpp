#include "engine/io/chunk_columns.h"

namespace warpglass::run_file {

namespace {

bool plausibleTime(std::int64_t time) {
    return time >= -kMaxTime && time <= kMaxTime;
}

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

}  // namespace

ColumnWriter columnsAfter(const ChunkHeader& header, std::size_t bytes) {
    ColumnWriter out;
    out.reserve(kMaxHeaderSize + bytes);
    out.putVarint(static_cast<std::uint64_t>(header.kind));
    out.putVarint(header.lane);
    out.putVarint(header.chunk);
    out.putVarint(header.rows);
    out.putSigned(header.begin);
    out.putSigned(header.end);
    return out;
}

FrameColumns::FrameColumns(const ChunkHeader& wanted, BytesView frame, std::size_t maxRawSize)
    : FrameColumns(decompressFrame(frame, maxRawSize).value_or(Buffer())) {
    m_header = getHeader(*this, wanted);
}

void putRisingTimes(ColumnWriter& out, const ChunkHeader& header, const std::int64_t* times) {
    std::int64_t last = header.begin;
    for (std::uint32_t i = 0; i < header.rows; ++i) {
        out.putVarint(distance(times[i], last));
        last = times[i];
    }
}

bool getRisingTimes(ColumnReader& in, const ChunkHeader& header, std::int64_t* times) {
    std::int64_t time = header.begin;
    for (std::uint32_t i = 0; i < header.rows; ++i) {
        if (!advance(time, in.getVarint()))
            return false;
        times[i] = time;
    }
    return !in.failed() && times[0] == header.begin && time == header.end;
}

void putIds(ColumnWriter& out, const std::uint32_t* ids, std::uint32_t rows) {
    for (std::uint32_t i = 0; i < rows; ++i)
        out.putId(ids[i]);
}

void getIds(ColumnReader& in, std::uint32_t* ids, std::uint32_t rows, std::uint64_t count) {
    for (std::uint32_t i = 0; i < rows; ++i)
        ids[i] = in.getId(count);
}

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

bool getSizes(ColumnReader& in, std::int64_t* sizes, std::uint32_t rows) {
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint64_t size = in.getVarint();
        if (size > static_cast<std::uint64_t>(kMaxBytes))
            return false;
        sizes[i] = static_cast<std::int64_t>(size);
    }
    return true;
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

}  // namespace warpglass::run_file
