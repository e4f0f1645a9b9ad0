// Sweep files as malice or chance may leave them (fixed seeds): opening one, and going on with it, never
// crashes, hangs or believes what no sweep wrote. Run it under the address and undefined-behavior sanitizers.
//
// Two levels, since the first hides the second: bytes of the file and of what lies beside it; values and
// tables, changed through SQLite so that the database itself is sound.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "engine/sweep/grid.h"
#include "engine/sweep/run_folder.h"
#include "engine/sweep/sweep_file.h"
#include "engine/sweep/sweep_file_tables.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_sweep.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"
#include "tests/support/words.h"

namespace warpglass::test::sweep_file_fuzz_test {

namespace fs = std::filesystem;

constexpr std::size_t kSweepPage = 4096;

struct SweepFileFuzz : testing::Test {
    SweepFileFuzz() {
        SweepPlan plan = smallPlan(8, 3);
        plan.runFolder = "kept";
        plan.memorySnapshots = true;
        auto file = SweepFile::create(m_path, plan);
        std::mt19937_64 random(41);
        for (const SweepCell& cell : std::vector<SweepCell>((*file)->sweep().cells)) {
            if (cell.index % 5 != 0) {
                SweepCell done = doneCell(cell, random, 20);
                done.runFile = cell.index % 2 == 0 ? keptRunOf((*file)->sweep().plan, cell.index) : "";
                done.memorySnapshot = cell.index % 3 == 0 ? keptSnapshotOf(plan, cell.index) : "";
                EXPECT_TRUE((*file)->finishCell(done));
            }
        }
        EXPECT_TRUE((*file)->beginCell(5, "2026-01-01T00:00:00Z"));
        EXPECT_TRUE((*file)->setInformation("device.name", "A device"));
        m_sweep = (*file)->sweep();
        file->reset();
        m_content = contentOf(m_path);
    }

    std::size_t next(std::size_t below) { return static_cast<std::size_t>(m_random() % below); }

    /// Everything that is done with a sweep file. What it gives of a cell is what was written, or nothing.
    void use() {
        const auto read = openSweep(m_path);
        if (!read) {
            EXPECT_FALSE(read.message().empty());
            EXPECT_EQ(read.message().find('\n'), std::string::npos) << read.message();
            return;
        }
        expectTrue(*read);
        if (next(6) != 0)
            return;
        auto file = SweepFile::resume(m_path);
        if (!file) {
            EXPECT_FALSE(file.message().empty());
            return;
        }
        expectTrue((*file)->sweep());
        std::mt19937_64 random(1);
        if (!(*file)->finishCell(doneCell((*file)->sweep().cells[0], random, 2)))
            return;
        file->reset();
        const auto again = openSweep(m_path);
        EXPECT_TRUE(again) << again.message();
    }

    void expectTrue(const Sweep& read) const {
        if (read.plan != m_sweep.plan)
            return;  // of another sweep, with a checksum of its own
        ASSERT_EQ(read.cells.size(), m_sweep.cells.size());
        for (std::size_t i = 0; i < read.cells.size(); ++i) {
            if (!read.cells[i].isDone())
                continue;
            EXPECT_EQ(read.cells[i].state, m_sweep.cells[i].state);
            EXPECT_EQ(read.cells[i].figures, m_sweep.cells[i].figures);
            EXPECT_EQ(read.cells[i].message, m_sweep.cells[i].message);
        }
    }

    void clean() {
        for (const auto& entry : fs::directory_iterator(m_folder.path()))
            fs::remove(entry.path());
    }

    TemporaryFolder m_folder;
    const fs::path m_path = m_folder / "fuzzed.wgsweep";
    Sweep m_sweep;
    std::string m_content;
    std::mt19937_64 m_random{43};
};

TEST_F(SweepFileFuzz, Bytes) {
    for (int i = 0; i < 500; ++i) {
        clean();
        std::string changed = m_content;
        switch (next(6)) {
            case 0:
                changed[next(changed.size())] ^= static_cast<char>(1 + next(255));
                break;
            case 1:
                changed.resize(next(changed.size()));
                break;
            case 2: {
                const std::size_t from = next(changed.size() / kSweepPage) * kSweepPage;
                changed.replace(next(changed.size() / kSweepPage) * kSweepPage, kSweepPage,
                                m_content.substr(from, kSweepPage));
                break;
            }
            case 3: {
                const std::size_t at = next(changed.size());
                for (std::size_t k = at; k < std::min(changed.size(), at + 1 + next(300)); ++k)
                    changed[k] = static_cast<char>(m_random());
                break;
            }
            case 4:
                changed.erase(next(changed.size()), 1 + next(3000));
                break;
            default:
                changed[next(100)] = static_cast<char>(m_random());
        }
        writeContent(m_path, changed);
        if (next(8) == 0) {
            const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
            writeContent(m_path.string() + "-journal", magic + m_content.substr(next(1000), next(20000)));
        }
        if (next(16) == 0)
            writeContent(m_path.string() + "-wal", m_content.substr(0, next(20000)));
        use();
    }
}

TEST_F(SweepFileFuzz, Values) {
    const std::vector<std::string> values =
        words("0 1 -1 65536 9223372036854775807 1e300 x'ff00ff' zeroblob(3000000) NULL 'ok' 'config.model'");
    static constexpr const char* kColumns[][2] = {
        {"plan", "id"},           {"plan", "key"},       {"plan", "value"},     {"axes", "axis"},
        {"axes", "position"},     {"axes", "key"},       {"axes", "value"},     {"axes_copy", "value"},
        {"plan_copy", "value"},   {"cells", "cell"},     {"cells", "state"},    {"cells", "message"},
        {"cells", "took_ns"},     {"cells", "run_file"}, {"cells", "checksum"}, {"figures", "cell"},
        {"figures", "key"},       {"figures", "value"},  {"information", "id"}, {"information", "key"},
        {"information", "value"}, {"totals", "value"}};
    for (int i = 0; i < 300; ++i) {
        clean();
        writeContent(m_path, m_content);
        std::string sql = "PRAGMA writable_schema=ON; ";
        for (std::size_t k = 1 + next(3); k > 0; --k) {
            const auto& [table, column] = kColumns[next(std::size(kColumns))];
            const std::string name = table;
            switch (next(8)) {
                case 0:
                    sql += "DELETE FROM " + name + " WHERE random()%2; ";
                    break;
                case 1:
                    sql += "DROP TABLE " + name + "; ";
                    break;
                case 2:
                    sql += "ALTER TABLE " + name + " ADD COLUMN other TEXT AS (hex(zeroblob(100000))); ";
                    break;
                case 3:
                    sql += "CREATE TRIGGER t" + std::to_string(k) +
                           " BEFORE INSERT ON cells BEGIN DELETE FROM " + name + "; END; ";
                    break;
                case 4:
                    sql += "CREATE TABLE kept AS SELECT * FROM " + name + "; DROP TABLE " + name +
                           "; CREATE VIEW " + name + " AS SELECT * FROM kept; ";
                    break;
                default:
                    sql += "UPDATE OR IGNORE " + name + " SET " + column + "=" + values[next(values.size())] +
                           (next(2) == 0 ? "; " : " WHERE random()%3=0; ");
            }
        }
        tryToAlterRun(m_path, sql);
        SCOPED_TRACE(sql);
        use();
    }
}

/// Plans whose checksums hold: what they ask for is held to the limits of any other plan.
TEST_F(SweepFileFuzz, Plans) {
    std::vector<std::string> texts = words(
        "-1 0 9223372036854775807 18446744073709551616 1000000 cuda:0 naive step .. nan /etc ../../elsewhere "
        "kept");
    texts.emplace_back();
    for (int i = 0; i < 300; ++i) {
        clean();
        writeContent(m_path, m_content);
        sweep_file::Pairs pairs = sweep_file::planPairs(m_sweep.plan);
        std::vector<SweepAxis> axes = m_sweep.plan.axes;
        for (std::size_t k = 1 + next(3); k > 0; --k) {
            if (next(2) == 0)
                pairs[next(pairs.size())].second = texts[next(texts.size())];
            else
                axes[next(axes.size())].values.emplace_back(texts[next(texts.size())]);
        }
        if (next(5) == 0)
            axes[0].key = texts[next(texts.size())];
        const std::string checksum = sweep_file::planChecksum(pairs, axes);
        std::string sql = "BEGIN; DELETE FROM plan; DELETE FROM axes; DROP TABLE plan_copy; ";
        pairs.emplace_back("checksum", checksum);
        for (std::size_t k = 0; k < pairs.size(); ++k)
            sql += filled("INSERT INTO plan VALUES(%,'%','%'); ", k, pairs[k].first, pairs[k].second);
        int id = 0;
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            for (std::size_t k = 0; k < axes[axis].values.size(); ++k)
                sql += filled("INSERT INTO axes VALUES(%,%,%,'%','%'); ", id++, axis, k, axes[axis].key,
                              axes[axis].values[k]);
        }
        alterRun(m_path, sql + "COMMIT");
        const auto read = openSweep(m_path);
        if (read) {
            EXPECT_TRUE(checkPlanOfFile(read->plan));
            EXPECT_LE(read->plan.timeLimit, kMostTimeLimit);
            for (const SweepCell& cell : read->cells) {
                EXPECT_TRUE(cell.runFile.empty() || isKeptRunOf(read->plan, cell.index, cell.runFile));
                EXPECT_TRUE(cell.memorySnapshot.empty() ||
                            isKeptSnapshotOf(read->plan, cell.index, cell.memorySnapshot));
            }
        } else {
            EXPECT_EQ(read.message().find('\n'), std::string::npos);
        }
    }
}

}  // namespace warpglass::test::sweep_file_fuzz_test
