#include "engine/io/column_codec.h"

#include <zstd.h>

#include <memory>
#include <new>

#include "engine/base/check.h"
#include "engine/io/run_file_format.h"

namespace warpglass::run_file {

void ColumnWriter::putFixed64(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
        m_bytes.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::uint64_t ColumnReader::getLongVarint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (m_at == m_end)
            return fail();
        const std::uint8_t byte = *m_at++;
        // The tenth byte holds the one bit that is left.
        if (shift == 63 && byte > 1)
            return fail();
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    return fail();
}

std::uint64_t ColumnReader::getFixed64() {
    if (m_end - m_at < 8)
        return fail();
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 8)
        value |= static_cast<std::uint64_t>(*m_at++) << shift;
    return value;
}

BytesView ColumnReader::getBits(std::uint32_t rows) {
    const std::size_t bytes = (static_cast<std::size_t>(rows) + 7) / 8;
    if (static_cast<std::size_t>(m_end - m_at) < bytes) {
        fail();
        return {};
    }
    const BytesView bits(m_at, bytes);
    m_at += bytes;
    return bits;
}

Buffer compressFrame(BytesView raw) {
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
    if (!context)
        throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    Buffer frame(ZSTD_compressBound(raw.size()));
    const std::size_t size =
        ZSTD_compress2(context.get(), frame.data(), frame.size(), raw.data(), raw.size());
    WG_CHECK(!ZSTD_isError(size));  // the bound leaves no way to fail but ours
    frame.resize(size);
    return frame;
}

std::optional<Buffer> decompressFrame(BytesView frame, std::size_t maxRawSize) {
    const unsigned long long rawSize = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (rawSize == ZSTD_CONTENTSIZE_ERROR || rawSize == ZSTD_CONTENTSIZE_UNKNOWN || rawSize > maxRawSize)
        return std::nullopt;
    const std::size_t frameSize = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
    if (ZSTD_isError(frameSize) || frameSize != frame.size())
        return std::nullopt;
    Buffer raw(static_cast<std::size_t>(rawSize));
    const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), frame.data(), frame.size());
    if (ZSTD_isError(size) || size != raw.size())
        return std::nullopt;
    return raw;
}

}  // namespace warpglass::run_file
