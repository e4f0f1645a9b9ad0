// The encodings and frames of run files: everything that goes in comes out, and nothing else is accepted.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "engine/io/chunk_codec.h"
#include "engine/io/column_codec.h"
#include "engine/io/utf8.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::run_file::codec_test {

using test::nextRandom;

TEST(ColumnCodec, NumbersComeBack) {
    const std::vector<std::uint64_t> values = {0,     1,           127,        128,        16383,
                                               16384, 0xffffffffu, 1ull << 62, 1ull << 63, ~0ull};
    ColumnWriter out;
    for (const std::uint64_t value : values) {
        out.putVarint(value);
        out.putSigned(static_cast<std::int64_t>(value));
        out.putFixed64(value);
    }
    ColumnReader in(out.bytes());
    for (const std::uint64_t value : values) {
        EXPECT_EQ(in.getVarint(), value);
        EXPECT_EQ(in.getSigned(), static_cast<std::int64_t>(value));
        EXPECT_EQ(in.getFixed64(), value);
    }
    EXPECT_TRUE(in.atEnd());
    EXPECT_FALSE(in.failed());
}

TEST(ColumnCodec, BitsComeBack) {
    for (const std::uint32_t rows : {1u, 7u, 8u, 9u, 64u, 1001u}) {
        ColumnWriter out;
        out.putBits(rows, [](std::uint32_t i) { return i % 3 == 0; });
        EXPECT_EQ(out.bytes().size(), (rows + 7) / 8);
        ColumnReader in(out.bytes());
        const BytesView bits = in.getBits(rows);
        for (std::uint32_t i = 0; i < rows; ++i)
            EXPECT_EQ(ColumnReader::bit(bits, i), i % 3 == 0);
    }
}

TEST(ColumnCodec, ReadingBeyondTheEndFailsForGood) {
    const Buffer cut = {0x80, 0x80};
    ColumnReader in(cut);
    EXPECT_EQ(in.getVarint(), 0u);
    EXPECT_TRUE(in.failed());
    EXPECT_EQ(in.getVarint(), 0u);
    EXPECT_EQ(in.getByte(), 0);
    EXPECT_TRUE(in.getBits(8).empty());

    const Buffer overlong(11, 0x80);
    ColumnReader longer(overlong);
    EXPECT_EQ(longer.getVarint(), 0u);
    EXPECT_TRUE(longer.failed());

    const Buffer tooLarge = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    ColumnReader larger(tooLarge);
    EXPECT_EQ(larger.getVarint(), 0u);
    EXPECT_TRUE(larger.failed());
}

TEST(ColumnCodec, IdsBeyondTheTableBecomeInvalid) {
    ColumnWriter out;
    out.putId(4);
    out.putId(5);
    out.putId(NameId::kNone);
    ColumnReader in(out.bytes());
    EXPECT_EQ(in.getId(5), 4u);
    EXPECT_EQ(in.getId(5), NameId::kNone);
    EXPECT_EQ(in.getId(5), NameId::kNone);
    EXPECT_FALSE(in.failed());
}

TEST(Frame, ComesBackAndEveryFlippedBitIsNoticed) {
    Buffer raw(5000);
    for (std::size_t i = 0; i < raw.size(); ++i)
        raw[i] = static_cast<std::uint8_t>(i * i % 251);
    const Buffer frame = compressFrame(raw);
    ASSERT_EQ(decompressFrame(frame, raw.size()), raw);
    for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
        Buffer damaged = frame;
        damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ (1u << (bit % 8)));
        const auto read = decompressFrame(damaged, raw.size());
        // A flip in a reserved or redundant bit may be harmless; it must never change the content.
        EXPECT_TRUE(!read || *read == raw) << "bit " << bit;
    }
}

TEST(Frame, SizesAreCheckedBeforeMemoryIsTaken) {
    const Buffer frame = compressFrame(Buffer(100000));
    EXPECT_FALSE(decompressFrame(frame, 99999));
    EXPECT_TRUE(decompressFrame(frame, 100000));
    EXPECT_FALSE(decompressFrame({}, 100000));
    // A frame header that claims 2^62 bytes (zstd's format, RFC 8878, section 3.1.1.1).
    const Buffer liar = {0x28, 0xb5, 0x2f, 0xfd, 0xe4, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0};
    EXPECT_FALSE(decompressFrame(liar, 1 << 20));
    Buffer two = frame;
    two.insert(two.end(), frame.begin(), frame.end());
    EXPECT_FALSE(decompressFrame(two, 1 << 20));
}

std::unique_ptr<SpanChunk> randomSpans(std::uint32_t rows, std::uint64_t seed) {
    auto chunk = std::make_unique<SpanChunk>();
    std::uint64_t random = seed;
    std::int64_t time = static_cast<std::int64_t>(nextRandom(random) % 100000) - 50000;
    for (std::uint32_t i = 0; i < rows; ++i) {
        time += static_cast<std::int64_t>(nextRandom(random) % (i % 100 == 0 ? 1ull << 40 : 500));
        chunk->start[i] = time;
        chunk->duration[i] = static_cast<std::int64_t>(nextRandom(random) % 2000);
        chunk->self[i] = chunk->duration[i] / static_cast<std::int64_t>(1 + nextRandom(random) % 3);
        chunk->name[i] = nextRandom(random) % 20 == 0 ? NameId::kNone
                                                      : static_cast<std::uint32_t>(nextRandom(random) % 300);
        chunk->place[i] = nextRandom(random) % 20 == 0 ? PlaceId::kNone
                                                       : static_cast<std::uint32_t>(nextRandom(random) % 50);
        chunk->step[i] = static_cast<std::int32_t>(nextRandom(random) % 1000) - 1;
        chunk->link[i] = i % 7 == 0 ? ~0ull - i : i % 2 == 0 ? 0 : nextRandom(random);
        chunk->detail[i] = seed % 2 == 0 || nextRandom(random) % 3 == 0
                               ? DetailId::kNone
                               : static_cast<std::uint32_t>(nextRandom(random) % 70);
        time += chunk->duration[i];
    }
    return chunk;
}

constexpr IdLimits kLimits{300, 50, 1000000, 70};

class SpanChunkSizes : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Rows, SpanChunkSizes,
                         testing::Values(1, 2, 63, 64, 65, 4095, 4096, 4097, 65535, 65536));

TEST_P(SpanChunkSizes, EveryRowComesBack) {
    const std::uint32_t rows = GetParam();
    const auto chunk = randomSpans(rows, 7 + rows);
    const ChunkHeader header = headerOf(*chunk, 3, 9, rows);
    const auto read = decodeSpans(header, encode(header, *chunk), kLimits);
    ASSERT_TRUE(read);
    for (std::uint32_t i = 0; i < rows; ++i)
        ASSERT_EQ(read->row(i), chunk->row(i)) << i;
}

TEST_P(SpanChunkSizes, TheMipComesBackAsAddedUpFromRows) {
    const std::uint32_t rows = GetParam();
    const auto chunk = randomSpans(rows, 70 + rows);
    const ChunkHeader header = headerOf(*chunk, 0, 0, rows);
    const auto read = decodeMip(header, encodeMip(header, *chunk), kLimits);
    ASSERT_TRUE(read);
    const auto check = [&](const SpanSummary& summary, std::uint32_t from, std::uint32_t to) {
        SpanSummary expected;
        for (std::uint32_t i = from; i < to; ++i)
            expected.add(*chunk, i);
        EXPECT_EQ(summary.start, expected.start);
        EXPECT_EQ(summary.end, expected.end);
        EXPECT_EQ(summary.busy, expected.busy);
        EXPECT_EQ(summary.count, expected.count);
        EXPECT_EQ(summary.longestDuration, expected.longestDuration);
        EXPECT_EQ(summary.longestRow, expected.longestRow);
        EXPECT_EQ(summary.longestName, expected.longestName);
        EXPECT_EQ(summary.longestPlace, expected.longestPlace);
    };
    for (std::uint32_t first = 0; first < rows; first += kBlockRows)
        check(read->blocks[first / kBlockRows], first, std::min(rows, first + kBlockRows));
    for (std::uint32_t first = 0; first < rows; first += kSuperBlockRows)
        check(read->superBlocks[first / kSuperBlockRows], first, std::min(rows, first + kSuperBlockRows));
}

TEST(SpanChunks, AFrameOfAnotherChunkIsRefused) {
    const auto chunk = randomSpans(100, 1);
    const ChunkHeader header = headerOf(*chunk, 3, 9, 100);
    const Buffer frame = encode(header, *chunk);
    const auto refuses = [&](auto change) {
        ChunkHeader other = header;
        change(other);
        return decodeSpans(other, frame, kLimits) == nullptr;
    };
    EXPECT_TRUE(refuses([](ChunkHeader& h) { h.lane = 4; }));
    EXPECT_TRUE(refuses([](ChunkHeader& h) { h.chunk = 8; }));
    EXPECT_TRUE(refuses([](ChunkHeader& h) { h.rows = 101; }));
    EXPECT_TRUE(refuses([](ChunkHeader& h) { h.begin += 1; }));
    EXPECT_TRUE(refuses([](ChunkHeader& h) { h.end -= 1; }));
    EXPECT_TRUE(refuses([](ChunkHeader& h) { h.kind = ChunkKind::kCounters; }));
    EXPECT_FALSE(refuses([](ChunkHeader&) {}));
}

TEST(SpanChunks, AChunkThatHasGrownStillGivesItsFirstRows) {
    const auto chunk = randomSpans(500, 2);
    const ChunkHeader opened = headerOf(*chunk, 0, 0, 200);
    const ChunkHeader grown = headerOf(*chunk, 0, 0, 500);
    const auto read = decodeSpans(opened, encode(grown, *chunk), kLimits);
    ASSERT_TRUE(read);
    for (std::uint32_t i = 0; i < 200; ++i)
        ASSERT_EQ(read->row(i), chunk->row(i));
}

TEST(SpanChunks, WhatATraceCannotHoldIsDamage) {
    const auto refuses = [&](auto spoil) {
        const auto chunk = randomSpans(100, 3);
        const ChunkHeader header = headerOf(*chunk, 0, 0, 100);
        spoil(*chunk);
        return decodeSpans(header, encode(header, *chunk), kLimits) == nullptr;
    };
    EXPECT_FALSE(refuses([](SpanChunk&) {}));
    EXPECT_TRUE(refuses([](SpanChunk& c) { c.start[50] = c.end(49) - 1; }));
    EXPECT_TRUE(refuses([](SpanChunk& c) { c.duration[50] = -1; }));
    EXPECT_TRUE(refuses([](SpanChunk& c) { c.duration[50] = kMaxTime; }));
    EXPECT_TRUE(refuses([](SpanChunk& c) { c.step[50] = -2; }));
    EXPECT_TRUE(refuses([](SpanChunk& c) { c.step[50] = std::numeric_limits<std::int32_t>::max(); }));
    EXPECT_TRUE(refuses([](SpanChunk& c) { c.duration[99] += 1; }));  // the end is not the header's
}

TEST(SpanChunks, SelfTimeStaysWithinTheDuration) {
    const auto chunk = randomSpans(10, 4);
    chunk->self[3] = -5;
    chunk->self[4] = chunk->duration[4] + 1;
    chunk->self[5] = std::numeric_limits<std::int64_t>::min();
    const ChunkHeader header = headerOf(*chunk, 0, 0, 10);
    const auto read = decodeSpans(header, encode(header, *chunk), kLimits);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->self[3], 0);
    EXPECT_EQ(read->self[4], chunk->duration[4]);
    EXPECT_GE(read->self[5], 0);
    EXPECT_LE(read->self[5], chunk->duration[5]);
}

TEST(MemoryChunks, EventsComeBackAndUnknownAllocationsAreDamage) {
    constexpr std::uint32_t rows = 5000;
    auto chunk = std::make_unique<MemoryEventChunk>();
    std::uint64_t random = 5;
    std::int64_t time = 100;
    std::uint32_t next = 777;
    for (std::uint32_t i = 0; i < rows; ++i) {
        time += static_cast<std::int64_t>(nextRandom(random) % 3);
        chunk->time[i] = time;
        const bool frees = nextRandom(random) % 2 == 0;
        chunk->action[i] = frees ? MemoryAction::kFree : MemoryAction::kAllocate;
        chunk->allocation[i] = frees ? static_cast<std::uint32_t>(nextRandom(random) % next) : next++;
    }
    const ChunkHeader header = headerOf(*chunk, 1, rows);
    const Buffer frame = encode(header, *chunk);
    const auto read = decodeMemoryEvents(header, frame, {0, 0, next});
    ASSERT_TRUE(read);
    EXPECT_EQ(std::memcmp(read->time, chunk->time, sizeof(std::int64_t) * rows), 0);
    EXPECT_EQ(std::memcmp(read->allocation, chunk->allocation, sizeof(std::uint32_t) * rows), 0);
    EXPECT_EQ(std::memcmp(read->action, chunk->action, rows), 0);
    EXPECT_FALSE(decodeMemoryEvents(header, frame, {0, 0, next - 1}));
}

TEST(SegmentChunks, EventsComeBackAndWhatNoAllocatorDoesIsDamage) {
    constexpr std::uint32_t rows = 3000;
    auto chunk = std::make_unique<SegmentEventChunk>();
    std::uint64_t random = 8;
    std::int64_t time = -50;
    for (std::uint32_t i = 0; i < rows; ++i) {
        time += static_cast<std::int64_t>(nextRandom(random) % 3);
        chunk->time[i] = time;
        chunk->action[i] = static_cast<SegmentAction>(nextRandom(random) % kSegmentActionNames.size());
        chunk->address[i] = i % 5 == 0 ? kMaxAddress : i % 7 == 0 ? 0 : nextRandom(random) >> 8;
        chunk->bytes[i] = i % 11 == 0 ? kMaxBytes : static_cast<std::int64_t>(nextRandom(random) % 100000);
        chunk->stream[i] = i % 13 == 0 ? 0xffffffffu : i % 3;
        chunk->pool[i] = i % 17 == 0 ? 0xffffffffu : 0;
        chunk->place[i] = i % 4 == 0 ? PlaceId::kNone : static_cast<std::uint32_t>(nextRandom(random) % 50);
        chunk->step[i] = static_cast<std::int32_t>(nextRandom(random) % 100) - 1;
        chunk->op[i] = i % 9 == 0 ? NameId::kNone : static_cast<std::uint32_t>(nextRandom(random) % 300);
        chunk->allocation[i] = i % 2 == 0 ? AllocationId::kNone : i;
    }
    const ChunkHeader header = headerOf(*chunk, 2, rows);
    const auto read = decodeSegmentEvents(header, encode(header, *chunk), kLimits);
    ASSERT_TRUE(read);
    for (std::uint32_t i = 0; i < rows; ++i)
        ASSERT_EQ(read->row(i), chunk->row(i)) << i;

    const auto refuses = [&](auto spoil) {
        auto spoilt = std::make_unique<SegmentEventChunk>(*chunk);
        spoil(*spoilt);
        return decodeSegmentEvents(header, encode(header, *spoilt), kLimits) == nullptr;
    };
    EXPECT_FALSE(refuses([](SegmentEventChunk&) {}));
    EXPECT_TRUE(refuses([](SegmentEventChunk& c) { c.action[9] = static_cast<SegmentAction>(7); }));
    EXPECT_TRUE(refuses([](SegmentEventChunk& c) { c.address[9] = kMaxAddress + 1; }));
    EXPECT_TRUE(refuses([](SegmentEventChunk& c) { c.bytes[9] = kMaxBytes + 1; }));
    EXPECT_TRUE(refuses([](SegmentEventChunk& c) { c.bytes[9] = -1; }));
    EXPECT_TRUE(refuses([](SegmentEventChunk& c) { c.step[9] = -2; }));
    EXPECT_TRUE(refuses([](SegmentEventChunk& c) { c.time[9] = c.time[8] - 1; }));
    const auto fewer = decodeSegmentEvents(header, encode(header, *chunk), {300, 50, 1000, 0});
    ASSERT_TRUE(fewer);
    EXPECT_EQ(fewer->allocation[999], 999u);
    EXPECT_EQ(fewer->allocation[1001], AllocationId::kNone) << "an allocation beyond the table is none";
}

TEST(CounterChunks, ValuesComeBackBitForBit) {
    auto chunk = std::make_unique<CounterChunk>();
    const double values[] = {0.0,    -0.0,
                             1.5,    std::numeric_limits<double>::infinity(),
                             -1e308, std::numeric_limits<double>::quiet_NaN()};
    for (std::uint32_t i = 0; i < 6; ++i) {
        chunk->time[i] = i % 2 == 0 ? 1000 - i : 2000 + i;
        chunk->counter[i] = i;
        chunk->value[i] = values[i];
    }
    const ChunkHeader header = headerOf(*chunk, 0, 6);
    EXPECT_EQ(header.begin, 996);
    EXPECT_EQ(header.end, 2005);
    const auto read = decodeCounters(header, encode(header, *chunk), {6, 0, 0});
    ASSERT_TRUE(read);
    EXPECT_EQ(std::memcmp(read->time, chunk->time, sizeof(std::int64_t) * 6), 0);
    EXPECT_EQ(std::memcmp(read->counter, chunk->counter, sizeof(std::uint32_t) * 6), 0);
    EXPECT_EQ(std::memcmp(read->value, chunk->value, sizeof(double) * 6), 0);
}

TEST(Utf8, OnlyWellFormedTextPasses) {
    EXPECT_EQ(validUtf8("aten::mm · µs 🙂"), "aten::mm · µs 🙂");
    EXPECT_EQ(validUtf8("a\xff"
                        "b"),
              "a\xef\xbf\xbd"
              "b");
    EXPECT_EQ(validUtf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");                  // overlong
    EXPECT_EQ(validUtf8("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
    EXPECT_EQ(validUtf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");                  // cut short
    EXPECT_EQ(validUtf8("\xf4\x90\x80\x80").size(), 12u);                          // beyond U+10FFFF
    EXPECT_EQ(validUtf8(std::string_view("\0x", 2)), std::string_view("\0x", 2));
}

}  // namespace warpglass::run_file::codec_test
