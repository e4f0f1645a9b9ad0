#include "tests/support/run_damage.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstring>
#include <iterator>
#include <limits>

#include "engine/io/column_codec.h"
#include "engine/io/run_file_format.h"
#include "engine/trace/condition_counters.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::test {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPage = 4096;

using Change = std::function<void(std::string& content)>;

RunDamage bytesDamage(std::string name, Change change, bool loses = false) {
    return {std::move(name),
            [change = std::move(change)](const fs::path& path) {
                std::string content = contentOf(path);
                change(content);
                writeContent(path, content);
            },
            loses};
}

RunDamage sqlDamage(std::string sql, bool loses = false) {
    return {sql, [sql](const fs::path& path) { alterRun(path, sql); }, loses};
}

class Database {
public:
    explicit Database(const fs::path& path) {
        EXPECT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK) << path;
        run("PRAGMA synchronous=OFF");
    }
    ~Database() { sqlite3_close(handle); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    void run(const std::string& sql) {
        char* error = nullptr;
        sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error);
        EXPECT_EQ(error, nullptr) << sql << ": " << error;
        sqlite3_free(error);
    }

    sqlite3* handle = nullptr;
};

}  // namespace

void alterRun(const fs::path& path, const std::string& sql) {
    Database(path).run(sql);
}

void tryToAlterRun(const fs::path& path, const std::string& sql) {
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    sqlite3_exec(database, ("PRAGMA synchronous=OFF; " + sql).c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(database);
}

void alterChunks(const fs::path& path, const std::string& column, int kind,
                 const std::function<bool(std::vector<std::uint8_t>& raw)>& change) {
    Database database(path);
    sqlite3_stmt* select = nullptr;
    const std::string where = kind < 0 ? std::string() : " AND kind=" + std::to_string(kind);
    const std::string wanted =
        "SELECT id," + column + " FROM chunks WHERE " + column + " IS NOT NULL" + where;
    ASSERT_EQ(sqlite3_prepare_v2(database.handle, wanted.c_str(), -1, &select, nullptr), SQLITE_OK);
    std::vector<std::pair<std::int64_t, run_file::Buffer>> changed;
    while (sqlite3_step(select) == SQLITE_ROW) {
        const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(select, 1));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(select, 1));
        auto raw = run_file::decompressFrame({bytes, size}, std::size_t{1} << 24);
        ASSERT_TRUE(raw);
        if (!raw->empty() && change(*raw))
            changed.emplace_back(sqlite3_column_int64(select, 0), run_file::compressFrame(*raw));
    }
    sqlite3_finalize(select);
    sqlite3_stmt* update = nullptr;
    const std::string put = "UPDATE chunks SET " + column + "=? WHERE id=?";
    ASSERT_EQ(sqlite3_prepare_v2(database.handle, put.c_str(), -1, &update, nullptr), SQLITE_OK);
    database.run("BEGIN");
    for (const auto& [id, frame] : changed) {
        sqlite3_bind_blob64(update, 1, frame.data(), frame.size(), SQLITE_STATIC);
        sqlite3_bind_int64(update, 2, id);
        ASSERT_EQ(sqlite3_step(update), SQLITE_DONE);
        sqlite3_reset(update);
    }
    database.run("COMMIT");
    sqlite3_finalize(update);
}

std::vector<RunDamage> cuts() {
    std::vector<RunDamage> damages;
    for (const double part : {0.25, 0.5, 0.75, 0.95}) {
        damages.push_back(bytesDamage(
            "cut at " + std::to_string(part),
            [part](std::string& content) {
                const auto size = static_cast<std::size_t>(static_cast<double>(content.size()) * part);
                content.resize(size / kPage * kPage + kPage / 3);
            },
            true));
    }
    return damages;
}

std::vector<RunDamage> flips(int rounds, std::uint64_t seed) {
    std::vector<RunDamage> damages;
    for (int round = 0; round < rounds; ++round) {
        const std::string number = " " + std::to_string(round);
        damages.push_back(bytesDamage("bits" + number, [seed, round](std::string& content) {
            std::uint64_t random = seed + 1000u * static_cast<std::uint64_t>(round);
            for (std::uint64_t i = 1 + nextRandom(random) % 40; i > 0; --i) {
                const std::size_t bit = nextRandom(random) % (content.size() * 8);
                content[bit / 8] = static_cast<char>(content[bit / 8] ^ (1 << (bit % 8)));
            }
        }));
        damages.push_back(bytesDamage("a page" + number, [seed, round](std::string& content) {
            std::uint64_t random = seed + 77u * static_cast<std::uint64_t>(round);
            const std::size_t page = 1 + nextRandom(random) % (content.size() / kPage - 1);
            std::memset(&content[page * kPage], round % 2 == 0 ? 0 : 0xa5, kPage);
        }));
        damages.push_back(bytesDamage("a stretch" + number, [seed, round](std::string& content) {
            std::uint64_t random = seed + 991u * static_cast<std::uint64_t>(round);
            const std::size_t length = 1 + nextRandom(random) % 3000;
            const std::size_t at = nextRandom(random) % (content.size() - length);
            content.replace(at, length,
                            content.substr(nextRandom(random) % (content.size() - length), length));
        }));
    }
    return damages;
}

std::vector<RunDamage> lostChunks(bool bothWays) {
    std::vector<RunDamage> damages;
    for (std::uint32_t kind = 0; kind < run_file::kChunkKindCount; ++kind) {
        const std::string of = " WHERE kind=" + std::to_string(kind);
        const bool unreadable = kind / 2 % 2 == 0;
        if (bothWays || unreadable)
            damages.push_back(sqlDamage("UPDATE chunks SET data=zeroblob(1000)" + of, kind != 3));
        if (bothWays || !unreadable)
            damages.push_back(sqlDamage("DELETE FROM chunks" + of, kind != 3));
    }
    // One lane alone, the others whole; and what lies over the rows.
    damages.push_back(sqlDamage(
        "UPDATE chunks SET data=zeroblob(9) WHERE kind=0 AND lane=(SELECT max(lane) FROM chunks)", true));
    damages.push_back(sqlDamage("UPDATE chunks SET mip=NULL"));
    damages.push_back(sqlDamage("UPDATE chunks SET mip=zeroblob(100)"));
    damages.push_back(sqlDamage("UPDATE chunks SET data=zeroblob(1000), mip=zeroblob(100)", true));
    return damages;
}

std::vector<RunDamage> lostTables() {
    std::vector<RunDamage> damages;
    for (const char* table : {"strings", "places", "tracks", "lanes", "chunks"})
        damages.push_back(sqlDamage(std::string("DROP TABLE ") + table, true));
    damages.push_back(sqlDamage("DROP TABLE info"));
    damages.push_back(sqlDamage("DROP TABLE details"));
    damages.push_back(
        sqlDamage("DROP TABLE totals; DROP TABLE losses; DROP TABLE open_spans; "
                  "DROP TABLE statistics"));
    return damages;
}

std::vector<RunDamage> scrambledChunks(int rounds, std::uint64_t seed) {
    std::vector<RunDamage> damages;
    for (int round = 0; round < rounds; ++round) {
        for (int kind = 0; kind < static_cast<int>(run_file::kChunkKindCount); ++kind) {
            damages.push_back(
                {"numbers of chunks of kind " + std::to_string(kind) + ", round " + std::to_string(round),
                 [=](const fs::path& path) {
                     std::uint64_t random = seed + 31u * static_cast<std::uint64_t>(round * 8 + kind);
                     for (const char* column : {"data", "mip"}) {
                         alterChunks(path, column, kind, [&](std::vector<std::uint8_t>& raw) {
                             // Behind the row's own header, which would give it away at once.
                             constexpr std::size_t kHeader = 24;
                             if (raw.size() <= kHeader || nextRandom(random) % 4 == 0)
                                 return false;
                             for (int i = 0; i <= round * 3; ++i) {
                                 raw[kHeader + nextRandom(random) % (raw.size() - kHeader)] =
                                     static_cast<std::uint8_t>(nextRandom(random) % 128);
                             }
                             return true;
                         });
                     }
                 }});
        }
    }
    return damages;
}

std::vector<RunDamage> hostileValues(int letters) {
    const std::string half = std::to_string(letters / 2);
    return {
        sqlDamage("UPDATE info SET value=iif(key LIKE 'config.%', '9223372036854775807', '1e308') "
                  "WHERE key LIKE 'config.%' OR key LIKE 'ceiling.%' OR key LIKE 'device.%'"),
        sqlDamage("UPDATE info SET value='-1'"),
        sqlDamage("UPDATE info SET value=CAST(hex(zeroblob(60000)) AS TEXT)"),
        sqlDamage("UPDATE strings SET text=CAST(replace(hex(zeroblob(" + half +
                  ")), '0', 'm') AS TEXT) WHERE id%7=3"),
        sqlDamage("UPDATE strings SET text=iif(id%2=0, '<img src=\"x\"><b>' || text || '</b>&amp;', "
                  "'a' || char(10) || char(0x202e) || char(9) || 'b' || char(0))"),
        sqlDamage("UPDATE strings SET text=''"),
        sqlDamage("UPDATE tracks SET kind=kind*7+200"),
        sqlDamage("UPDATE lanes SET depth=depth*1000003"),
        sqlDamage("UPDATE lanes SET rows=1000000000000"),
        sqlDamage("UPDATE places SET module=4294967295, part=-5, phase=99"),
        sqlDamage("UPDATE chunks SET rows=rows*1000003"),
        sqlDamage("UPDATE chunks SET begin_ns=begin_ns-4611686018427387904"),
        sqlDamage("UPDATE chunks SET end_ns=9223372036854775807"),
        sqlDamage("UPDATE totals SET value=9223372036854775807"),
    };
}

std::shared_ptr<const Snapshot> makeExtremeRun() {
    TraceWriter writer;
    const std::int64_t end = run_file::kMaxTime - 1;
    std::uint64_t random = 4;
    const NameId longName = writer.internName(std::string(20'000, 'q'));
    const NameId markup = writer.internName("<table><tr><td>&nbsp;" + std::string(300, '<'));
    const NameId module = writer.internName("blocks." + std::string(5000, '9') + ".attn");
    const PlaceId place = writer.internPlace({Phase::kBackward, module, markup});
    const auto kinds = static_cast<int>(kTrackKindNames.size());
    for (int i = 0; i < 240; ++i) {
        const TrackId track = writer.addTrack(static_cast<TrackKind>(i % kinds), i % 9 == 0 ? "" : "t");
        const std::int32_t step = i % 5 == 0 ? run_file::kMaxStep - 1 : i;
        // One over all of time, with one of no length at each end of it, and one in the midst.
        writer.appendSpan(track, 0, {0, end, end / 2, i % 2 == 0 ? longName : markup, place, step, 1});
        writer.appendSpan(track, 1, {0, 0, 0, markup, place, step, 1});
        writer.appendSpan(track, 1, {end / 3, 1, 1, longName, place, kNoStep, 2});
        writer.appendSpan(track, 1, {end, 0, 0, NameId(), PlaceId(), step});
    }
    const TrackId deep = writer.addTrack(TrackKind::kModule, "deep");
    for (std::uint32_t depth = 0; depth < 300; ++depth)
        writer.appendSpan(deep, depth,
                          {depth, end - 2 * static_cast<std::int64_t>(depth), 2, markup, place, 1});
    for (int i = 0; i < 3000; ++i) {
        const std::uint64_t r = nextRandom(random);
        AllocationRow row{.address = r % run_file::kMaxAddress,
                          .bytes = i % 3 == 0 ? run_file::kMaxBytes : static_cast<std::int64_t>(r % 4)};
        row.requested = row.bytes;
        row.place = place;
        row.step = i % 2 == 0 ? run_file::kMaxStep - 1 : kNoStep;
        row.op = longName;
        row.category = static_cast<Category>(r % kStoredCategoryCount);
        const Nanoseconds t(end / 3000 * i);
        const AllocationId id = writer.appendAllocation(t, row);
        if (i % 4 == 1)
            writer.appendFree(t, id);
    }
    for (int i = 0; i < 40; ++i)
        writer.appendSegmentEvent({end / 40 * i, SegmentAction::kAllocate,
                                   static_cast<std::uint64_t>(i) << 50, run_file::kMaxBytes,
                                   static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i * 1000003),
                                   place, 3, longName, AllocationId()});
    writer.appendCounter(Nanoseconds(end), writer.internName("loss"), -1e308);
    // A machine that cannot be.
    for (int i = 0; i < 40; ++i) {
        const double wild[] = {1e18 / 40 * i, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e308, 1e15};
        for (const std::string_view name : kConditionCounterNames)
            writer.appendCounter(Nanoseconds(end / 40 * (i % 3 == 0 ? 40 - i : i)), writer.internName(name),
                                 wild[nextRandom(random) % std::size(wild)]);
    }
    writer.setInfo(condition_key::kCores, "4");
    writer.setInfo(condition_key::kMaxSmClock, "-9e99");
    writer.setInfo("state", run_state::kFinished);
    writer.countLoss("kernels", ~std::uint64_t{0} / 2);
    writer.settle();
    writer.commit(Nanoseconds(end));
    return writer.feed()->latest();
}

}  // namespace warpglass::test
