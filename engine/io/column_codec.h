// Numbers to bytes and back, and the compressed frame around them. Encodings are those of run_file_format.h.
//
// Decoding trusts nothing: reads beyond the end and overlong varints make the reader fail, once and for good,
// and a frame's size is checked before memory is taken for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warpglass::run_file {

using Buffer = std::vector<std::uint8_t>;
using BytesView = std::span<const std::uint8_t>;

constexpr std::uint64_t zigzag(std::int64_t x) {
    return (static_cast<std::uint64_t>(x) << 1) ^ static_cast<std::uint64_t>(x >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t x) {
    return static_cast<std::int64_t>(x >> 1) ^ -static_cast<std::int64_t>(x & 1);
}

class ColumnWriter {
public:
    /// Room for `bytes` more, so that the puts below never grow the buffer one by one.
    void reserve(std::size_t bytes) { m_bytes.reserve(m_bytes.size() + bytes); }
    void putVarint(std::uint64_t value) {
        while (value >= 0x80) {
            m_bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
            value >>= 7;
        }
        m_bytes.push_back(static_cast<std::uint8_t>(value));
    }
    void putSigned(std::int64_t value) { putVarint(zigzag(value)); }
    void putId(std::uint32_t id) { putVarint(static_cast<std::uint32_t>(id + 1)); }
    void putByte(std::uint8_t value) { m_bytes.push_back(value); }
    void putFixed64(std::uint64_t value);
    /// One bit a row; bit(i) is called for i in [0, rows).
    template <class Bit>
    void putBits(std::uint32_t rows, Bit&& bit) {
        for (std::uint32_t i = 0; i < rows; i += 8) {
            std::uint8_t byte = 0;
            for (std::uint32_t b = 0; b < 8 && i + b < rows; ++b)
                byte = static_cast<std::uint8_t>(byte | ((bit(i + b) ? 1u : 0u) << b));
            m_bytes.push_back(byte);
        }
    }

    const Buffer& bytes() const { return m_bytes; }
    void clear() { m_bytes.clear(); }

private:
    Buffer m_bytes;
};

/// After a failure every get returns 0; check failed() at the end of a column, before its values are used.
class ColumnReader {
public:
    explicit ColumnReader(BytesView bytes) : m_at(bytes.data()), m_end(bytes.data() + bytes.size()) {}

    std::uint64_t getVarint() {
        if (m_at != m_end && *m_at < 0x80)
            return *m_at++;
        return getLongVarint();
    }
    std::int64_t getSigned() { return unzigzag(getVarint()); }
    /// An id below `count`, or the invalid id.
    std::uint32_t getId(std::uint64_t count) {
        const std::uint64_t value = getVarint();
        return value == 0 || value > count ? 0xffffffffu : static_cast<std::uint32_t>(value - 1);
    }
    std::uint8_t getByte() { return m_at != m_end ? *m_at++ : fail(); }
    std::uint64_t getFixed64();
    /// The bytes of one bit a row, or an empty view and a failure.
    BytesView getBits(std::uint32_t rows);
    static bool bit(BytesView bits, std::uint32_t i) { return (bits[i / 8] >> (i % 8)) & 1; }

    bool failed() const { return m_failed; }
    bool atEnd() const { return m_at == m_end; }

private:
    std::uint64_t getLongVarint();
    std::uint8_t fail() {
        m_failed = true;
        m_at = m_end;
        return 0;
    }

    const std::uint8_t* m_at;
    const std::uint8_t* m_end;
    bool m_failed = false;
};

/// One zstd frame with content size and checksum.
Buffer compressFrame(BytesView raw);
/// Nothing when it is not one whole frame, states a size above `maxRawSize`, or its checksum does not hold.
std::optional<Buffer> decompressFrame(BytesView frame, std::size_t maxRawSize);

}  // namespace warpglass::run_file
