// What the codecs of several kinds of chunks have in common: the header before the columns, and columns that
// more than one kind has. Internal to engine/io.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "engine/io/chunk_codec.h"

namespace warpglass::run_file {

/// Header (six varints) and 65,536 rows of the widest encoding any kind has; a frame unpacks to that at most.
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

/// Differences wrap, so that any pair of values has one.
inline std::int64_t difference(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(a - b);
}
inline std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

/// time += gap, unless that goes beyond what a run can hold.
inline bool advance(std::int64_t& time, std::uint64_t gap) {
    if (time > kMaxTime || gap > distance(kMaxTime, time))
        return false;
    time = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + gap);
    return true;
}

/// A writer that has the header already, and room for `bytes` more.
ColumnWriter columnsAfter(const ChunkHeader& header, std::size_t bytes);
/// A frame's columns behind its own header, which is that of the wanted chunk, grown or not.
class FrameColumns : public ColumnReader {
public:
    FrameColumns(const ChunkHeader& wanted, BytesView frame, std::size_t maxRawSize);
    FrameColumns(const FrameColumns&) = delete;
    /// False where there is no such frame, and nothing is to be read.
    explicit operator bool() const { return m_header.has_value(); }
    const ChunkHeader& header() const { return *m_header; }
    /// All was read, and nothing is left.
    bool done() const { return !failed() && atEnd(); }

private:
    explicit FrameColumns(Buffer raw) : ColumnReader(raw), m_raw(std::move(raw)) {}

    Buffer m_raw;
    std::optional<ChunkHeader> m_header;
};

/// Times that never fall, each as the gap since the one before, the first since the chunk's begin. False when
/// they do not fill the extent that the header states.
void putRisingTimes(ColumnWriter& out, const ChunkHeader& header, const std::int64_t* times);
bool getRisingTimes(ColumnReader& in, const ChunkHeader& header, std::int64_t* times);

/// Ids in no order. Those beyond `count` become invalid.
void putIds(ColumnWriter& out, const std::uint32_t* ids, std::uint32_t rows);
void getIds(ColumnReader& in, std::uint32_t* ids, std::uint32_t rows, std::uint64_t count);
/// Ids that repeat or rise: places, details. Those beyond `count` become invalid.
void putRisingIds(ColumnWriter& out, const std::uint32_t* ids, std::uint32_t rows);
void getRisingIds(ColumnReader& in, std::uint32_t* ids, std::uint32_t rows, std::uint64_t count);

/// False for a size that no allocation has.
bool getSizes(ColumnReader& in, std::int64_t* sizes, std::uint32_t rows);

/// False for a step that no run has.
void putSteps(ColumnWriter& out, const std::int32_t* steps, std::uint32_t rows);
bool getSteps(ColumnReader& in, std::int32_t* steps, std::uint32_t rows);

}  // namespace warpglass::run_file
