// What kernels wrote of themselves, in a run's file.
#include <gmock/gmock.h>

#include <random>

#include "engine/io/kernel_clock_codec.h"
#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/made_clocks.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/saved_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/io/random_trace.h"

namespace warpglass::test::kernel_clocks_test {

using run_file::Buffer;
using run_file::decodeClocks;
using run_file::encodeClocks;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

KernelClocks rowsOnly(const KernelClocks& clocks) {
    return {.tiles = clocks.tiles, .rounds = clocks.rounds};
}

std::shared_ptr<const Snapshot> clockedRun() {
    RandomTrace trace(3);
    trace.burst(500);
    trace.finish();
    KernelClocks backward = makeClocks({.seed = 2, .kernel = "backward"});
    backward.lostRounds = 7;
    trace.writer().setKernelClocks({makeClocks(), backward});
    return trace.commit();
}

TEST(KernelClockCodec, RowsComeBack) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const KernelClocks made = rowsOnly(makeClocks({.seed = seed, .causal = seed % 2 == 0}));
        KernelClocks read;
        ASSERT_TRUE(decodeClocks(encodeClocks(made), read));
        EXPECT_EQ(read, made);
    }
    KernelClocks nothing;
    ASSERT_TRUE(decodeClocks(encodeClocks({}), nothing));
    EXPECT_EQ(nothing, KernelClocks());
}

TEST(KernelClockCodec, ADamagedFrameIsRefused) {
    const Buffer sound = encodeClocks(makeClocks());
    std::mt19937_64 random(4);
    for (int i = 0; i < 300; ++i) {
        Buffer damaged = sound;
        damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
        KernelClocks read;
        if (!decodeClocks(damaged, read)) {
            EXPECT_THAT(read.tiles, IsEmpty());
            EXPECT_THAT(read.rounds, IsEmpty());
        }
    }
    KernelClocks read;
    EXPECT_FALSE(decodeClocks(run_file::BytesView(sound).first(sound.size() / 2), read));
}

// A frame that is whole, and whose numbers are none that a kernel writes.
TEST(KernelClockCodec, NumbersThatNoKernelWritesAreRefused) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 2'000; ++i) {
        run_file::ColumnWriter out;
        out.putVarint(i % 3 == 0 ? random() >> (random() % 64) : random() % 4);
        out.putVarint(i % 3 == 1 ? random() >> (random() % 64) : random() % 4);
        for (std::uint64_t n = random() % 80; n > 0; --n)
            out.putVarint(random() >> (random() % 64));
        KernelClocks read;
        static_cast<void>(decodeClocks(run_file::compressFrame(out.bytes()), read));
        EXPECT_LE(read.tiles.size(), 4u);
    }
}

TEST(KernelClocksInAFile, ComeBackAndAreCopied) {
    const auto run = clockedRun();
    const SavedRun saved(*run);
    EXPECT_EQ(verifyRun(saved.path), std::vector<std::string>());
    const auto opened = must(openRun(saved.path));
    EXPECT_EQ(opened.snapshot->kernelClocks(), run->kernelClocks());
    ASSERT_TRUE(saveRun(*opened.snapshot, saved.folder / "b.wgrun"));
    EXPECT_EQ(must(openRun(saved.folder / "b.wgrun")).snapshot->kernelClocks(), run->kernelClocks());
}

TEST(KernelClocksInAFile, AreWrittenWithTheLastOfManyPieces) {
    TemporaryFolder folder;
    auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
    RandomTrace trace(9);
    trace.burst(500);
    ASSERT_TRUE(writer->write(*trace.commit()));
    trace.finish();
    trace.writer().setKernelClocks({makeClocks()});
    ASSERT_TRUE(finishRun(*writer, *trace.commit()));
    writer.reset();
    EXPECT_EQ(verifyRun(folder / "a.wgrun"), std::vector<std::string>());
    EXPECT_EQ(must(openRun(folder / "a.wgrun")).snapshot->kernelClocks(), KernelClocksList{makeClocks()});
}

TEST(KernelClocksInAFile, AFileWithoutThemIsWhole) {
    RandomTrace trace(3);
    trace.burst(500);
    trace.finish();
    const SavedRun saved(*trace.commit());
    EXPECT_EQ(verifyRun(saved.path), std::vector<std::string>());
    EXPECT_THAT(openRun(saved.path)->snapshot->kernelClocks(), IsEmpty());
}

TEST(KernelClocksInAFile, DamageIsToldInOneSentenceAndCostsNothingElse) {
    for (const char* sql :
         {"UPDATE kernel_clocks SET kernel='x' WHERE id=0",
          "UPDATE kernel_clocks SET heads=heads+1 WHERE id=1", "UPDATE kernel_clocks SET step=-9 WHERE id=0",
          "UPDATE kernel_clocks SET batch='many' WHERE id=0",
          "UPDATE kernel_clocks SET data=substr(data, 1, 40) WHERE id=1",
          "UPDATE kernel_clocks SET data=zeroblob(1000000) WHERE id=1",
          "UPDATE kernel_clocks SET data='text' WHERE id=0", "DELETE FROM kernel_clocks WHERE id=1",
          "DROP TABLE kernel_clocks", "DELETE FROM checksums WHERE table_name='kernel_clocks'",
          "UPDATE kernel_clocks SET id=7 WHERE id=1",
          "DROP TABLE kernel_clocks; CREATE TABLE kernel_clocks(id INTEGER PRIMARY KEY, note TEXT)"}) {
        SCOPED_TRACE(sql);
        const auto run = clockedRun();
        const SavedRun saved(*run);
        alterRun(saved.path, sql);
        const auto opened = must(openRun(saved.path));
        EXPECT_THAT(opened.warnings, Contains(HasSubstr("kernel_clocks")).Times(1));
        EXPECT_THAT(opened.warnings,
                    Contains(HasSubstr("The table \"kernel_clocks\" of the file is damaged")));
        EXPECT_EQ(opened.snapshot->spanCount(), run->spanCount());
    }
}

}  // namespace warpglass::test::kernel_clocks_test
