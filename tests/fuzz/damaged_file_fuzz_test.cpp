// Files damaged in every way that a disk, a tool or malice has, by the thousand: reading one never crashes,
// hangs, takes more than 400 MB or touches the disk, and what `info --check` finds whole gives the very run
// that was saved. Each file is read in a process of its own.
//
// A few hundred files in every build. All ten thousand are the label "nightly"
// (ctest --test-dir build/test -L nightly -j 4). One again:
// WARPGLASS_FUZZ_FIRST=1234 WARPGLASS_FUZZ_FILES=1 warpglass_fuzz_test --gtest_filter='DamagedFiles.*'
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/io/run_file_schema.h"
#include "engine/session/save_run.h"
#include "tests/fuzz/use_run.h"
#include "tests/support/killed_write.h"
#include "tests/support/run_damage.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/words.h"
#include "tests/unit/io/random_trace.h"

namespace warpglass::test::damaged_file_fuzz_test {

namespace fs = std::filesystem;

constexpr std::size_t kPage = 4096;
constexpr std::int64_t kMostMemory = 400'000'000;
/// Seconds of processor time: most files take 0.05, and the sanitizers make that more. A process that waits
/// for something else is ended after a time that no stalled machine reaches.
constexpr rlim_t kLongest = 20;
constexpr unsigned kLongestWait = 900;
constexpr int kFilesOfEveryBuild = 300;

/// Memory is no measure where the sanitizers keep their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// What a person sees of a run, and of its marks.
std::string textOf(const OpenedRun& run) {
    std::string text = describeEverything(*run.snapshot);
    for (const RunMark& mark : run.marks)
        text += "mark " + std::to_string(mark.time.value) + " " + mark.text + "\n";
    return text;
}

struct Sample {
    std::string content;
    std::string text;
    /// Older files have no checksums: of them nothing is promised but that they can be read.
    bool isChecked = true;
};

/// A file to damage, and what may be put into it of another run.
class Damage {
public:
    Damage(fs::path path, const std::string& other, std::uint64_t seed)
        : m_path(std::move(path)), m_other(other), m_random(seed) {}

    /// In one of the ways below; its name.
    std::string apply() {
        /// Changes the content, or the file.
        struct Way {
            const char* name;
            void (Damage::*change)(std::string& content);
            void (Damage::*changeFile)() = nullptr;
        };
        static constexpr Way kWays[] = {
            {"bits", &Damage::flipBits},
            {"bytes", &Damage::scribble},
            {"pages swapped", &Damage::swapPages},
            {"pages zeroed", &Damage::zeroPages},
            {"cut", &Damage::cut},
            {"pages of another run", &Damage::splicePages},
            {"a stretch moved", &Damage::moveBytes},
            {"schema", nullptr, &Damage::changeSchema},
            {"values", nullptr, &Damage::changeValues},
            {"text", nullptr, &Damage::changeText},
            {"chunks", nullptr, &Damage::changeChunks},
            {"journal", nullptr, &Damage::layJournal},
            {"header", &Damage::changeHeader},
        };
        const Way& way = kWays[next(std::size(kWays))];
        if (way.changeFile) {
            (this->*way.changeFile)();
        } else {
            std::string content = contentOf(m_path);
            (this->*way.change)(content);
            writeContent(m_path, content);
        }
        return way.name;
    }

private:
    std::uint64_t next(std::uint64_t below) { return nextRandom(m_random) % below; }

    std::size_t pageOf(const std::string& content) { return next(content.size() / kPage) * kPage; }

    void flipBits(std::string& content) {
        for (std::uint64_t i = 1 + (next(2) == 0 ? 0 : next(8)); i > 0; --i) {
            const std::size_t bit = next(content.size() * 8);
            content[bit / 8] = static_cast<char>(content[bit / 8] ^ (1 << bit % 8));
        }
    }
    void scribble(std::string& content) {
        const std::size_t at = next(content.size());
        const std::size_t length = std::min<std::size_t>(content.size() - at, 1 + next(300));
        for (std::size_t i = 0; i < length; ++i)
            content[at + i] = static_cast<char>(nextRandom(m_random));
    }
    void swapPages(std::string& content) {
        const std::size_t a = pageOf(content), b = pageOf(content);
        const std::string page = content.substr(a, kPage);
        content.replace(a, kPage, content.substr(b, kPage));
        content.replace(b, kPage, page);
    }
    void zeroPages(std::string& content) {
        for (std::uint64_t i = 1 + next(3); i > 0; --i)
            content.replace(pageOf(content), kPage, kPage, '\0');
    }
    void cut(std::string& content) {
        content.resize(next(2) == 0 ? next(content.size()) : pageOf(content));
        // Some tool has made the header say so.
        if (next(2) == 0 && content.size() > 100) {
            const std::size_t pages = content.size() / kPage;
            for (std::size_t i = 0; i < 4; ++i)
                content[28 + i] = static_cast<char>(pages >> (24 - 8 * i));
        }
    }
    void splicePages(std::string& content) {
        for (std::uint64_t i = 1 + next(3); i > 0; --i) {
            const std::size_t from = pageOf(m_other);
            const std::size_t to = next(2) == 0 && from < content.size() ? from : pageOf(content);
            content.replace(to, kPage, m_other.substr(from, kPage));
        }
    }
    void moveBytes(std::string& content) {
        const std::string& source = next(2) == 0 ? content : m_other;
        const std::size_t length = 1 + next(3000);
        const std::string bytes = source.substr(next(source.size() - length), length);
        const std::size_t at = next(content.size() - length);
        switch (next(3)) {
            case 0:
                content.replace(at, length, bytes);
                break;
            case 1:
                content.insert(at, bytes);
                break;
            default:
                content.erase(at, length);
        }
    }
    void changeHeader(std::string& content) { content[next(100)] = static_cast<char>(nextRandom(m_random)); }

    void execute(const std::string& sql) { tryToAlterRun(m_path, "PRAGMA writable_schema=ON; " + sql); }
    std::string anyTable() { return std::string(run_file::kTables[next(std::size(run_file::kTables))].name); }
    std::string anyColumn(const std::string& table) {
        std::vector<std::string> names;
        std::string_view rest = run_file::fileTable(table).columns;
        while (!rest.empty()) {
            names.emplace_back(rest.substr(0, rest.find(' ')));
            const std::size_t comma = rest.find(", ");
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
        }
        return names[next(names.size())];
    }
    std::string someRow(const std::string& table) {
        return " WHERE rowid=(SELECT rowid FROM " + table + " ORDER BY abs(rowid*" +
               std::to_string(next(1000003)) + ")%1009 LIMIT 1)";
    }

    void changeSchema() {
        const std::string table = anyTable();
        const std::string column = anyColumn(table);
        const std::string statements[] = {
            "DROP TABLE " + table,
            "ALTER TABLE " + table + " RENAME TO other",
            "ALTER TABLE " + table + " RENAME COLUMN " + column + " TO other",
            "ALTER TABLE " + table + " ADD COLUMN other TEXT DEFAULT 'much'",
            "ALTER TABLE " + table + " ADD COLUMN other TEXT AS (hex(zeroblob(100000)))",
            "CREATE TABLE kept AS SELECT * FROM " + table + "; DROP TABLE " + table + "; CREATE VIEW " +
                table + " AS SELECT * FROM kept",
            "DROP TABLE strings; CREATE TABLE strings(id INTEGER PRIMARY KEY, text TEXT AS "
            "(hex(zeroblob(1000000)))); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n LIMIT "
            "5000) "
            "INSERT INTO strings SELECT i FROM n",
            "CREATE INDEX other ON " + table + "(" + column + ")",
            "CREATE TRIGGER other BEFORE DELETE ON marks BEGIN DELETE FROM chunks; END",
            "UPDATE sqlite_schema SET sql=replace(sql,'INTEGER','TEXT') WHERE name='" + table + "'",
            "UPDATE sqlite_schema SET rootpage=(SELECT rootpage FROM sqlite_schema WHERE name='" +
                anyTable() + "') WHERE name='" + table + "'",
            "PRAGMA user_version=" + std::to_string(next(6)),
            "PRAGMA application_id=7",
            "VACUUM",
            "PRAGMA page_size=1024; VACUUM",
            "PRAGMA auto_vacuum=1; VACUUM",
            "PRAGMA journal_mode=WAL",
        };
        execute(statements[next(std::size(statements))]);
    }
    void changeValues() {
        static const std::vector<std::string> values = words(
            "0 1 -1 65536 4294967295 9223372036854775807 1e300 x'ff00ff' zeroblob(100000) NULL "
            "4611686018427387904");
        for (std::uint64_t i = 1 + next(3); i > 0; --i) {
            const std::string table = anyTable();
            const std::string column = anyColumn(table);
            const std::string value = next(3) == 0 ? column + "+1" : values[next(values.size())];
            execute(next(5) == 0 ? "DELETE FROM " + table + someRow(table)
                                 : "UPDATE OR IGNORE " + table + " SET " + column + "=" + value +
                                       (next(4) == 0 ? "" : someRow(table)));
        }
    }
    void changeText() {
        static constexpr std::pair<const char*, const char*> kTexts[] = {
            {"strings", "text"}, {"info", "value"}, {"info", "key"},        {"losses", "name"},
            {"marks", "text"},   {"totals", "key"}, {"statistics", "name"}, {"checksums", "table_name"}};
        const auto& [table, column] = kTexts[next(std::size(kTexts))];
        const std::string changed =
            next(2) == 0 ? std::string(column) + "||'x'" : "substr(" + std::string(column) + ",2)";
        execute("UPDATE OR IGNORE " + std::string(table) + " SET " + column + "=" + changed +
                (std::string(table) == "totals" || std::string(table) == "checksums" ? "" : someRow(table)));
    }
    void changeChunks() {
        const fs::path other = fs::path(m_path) += ".other";
        writeContent(other, m_other);
        const char* const column = next(2) == 0 ? "data" : "mip";
        const std::string row = someRow("chunks");
        const std::string attach = "ATTACH '" + other.string() + "' AS o; ";
        const std::string from =
            "(SELECT %c FROM o.chunks AS x WHERE x.kind=chunks.kind AND x.lane=chunks.lane AND "
            "x.chunk=chunks.chunk)";
        const auto spliced = [&](const std::string& name) {
            std::string text = from;
            return name + "=" + text.replace(text.find("%c"), 2, name);
        };
        switch (next(4)) {
            case 0:
                execute(attach + "UPDATE OR IGNORE chunks SET " + spliced(column) + row);
                break;
            case 1:
                execute(attach + "UPDATE OR IGNORE chunks SET " + spliced("data") + "," + spliced("mip") +
                        "," + spliced("data_sum") + "," + spliced("rows") + "," + spliced("begin_ns") + "," +
                        spliced("end_ns") + row);
                break;
            case 2:
                execute("UPDATE chunks SET id=-1" + row +
                        "; UPDATE OR IGNORE chunks SET id=-id WHERE id=2;"
                        "UPDATE OR IGNORE chunks SET id=2 WHERE id=-1");
                break;
            default:
                execute("UPDATE OR IGNORE chunks SET " + std::string(column) + "=(SELECT " + column +
                        " FROM chunks ORDER BY id DESC LIMIT 1)" + row);
        }
        fs::remove(other);
    }
    void layJournal() {
        const fs::path journal = fs::path(m_path) += "-journal";
        fs::remove(journal);  // of the damage before
        const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
        switch (next(5)) {
            case 0:
                writeContent(journal, m_other.substr(0, next(20000)));
                break;
            case 1:
                writeContent(journal, magic + m_other.substr(next(1000), next(20000)));
                break;
            case 2:
                killWriting(m_path);
                break;
            case 3: {  // the journal of another file
                const fs::path other = fs::path(m_path) += ".other";
                writeContent(other, m_other);
                killWriting(other);
                std::error_code none;
                fs::rename(other.string() + "-journal", journal, none);
                fs::remove(other);
                break;
            }
            default:
                fs::create_symlink("/dev/zero", journal);
        }
        if (next(4) == 0)
            writeContent(m_path.string() + "-wal", m_other.substr(0, next(20000)));
    }

    fs::path m_path;
    const std::string& m_other;
    std::uint64_t m_random;
};

/// What the process that reads a file ends with.
constexpr int kFine = 0, kSaid = 1, kMissed = 10, kThrew = 11;

int readFile(const fs::path& path, const Sample& sample) {
    try {
        const auto opened = openRun(path);
        if (!opened)
            return opened.message().empty() ? kMissed : kSaid;
        useRun(opened->snapshot);
        if (!verifyRun(path).empty())
            return kSaid;
        if (!sample.isChecked)
            return kFine;
        return textOf(*opened) == sample.text ? kFine : kMissed;
    } catch (const std::exception&) {
        return kThrew;
    }
}

struct DamagedFiles : testing::Test {
    /// Reads the file in a process of its own; what was wrong, "" when nothing was.
    std::string problemOf(const fs::path& path, const Sample& sample) {
        const pid_t child = ::fork();
        if (child == 0) {
            const rlimit limit{kLongest, kLongest + 1};
            ::setrlimit(RLIMIT_CPU, &limit);
            ::alarm(kLongestWait);
            ::_exit(readFile(path, sample));
        }
        int status = 0;
        rusage usage{};
        if (::wait4(child, &status, 0, &usage) != child)
            return "the process cannot be waited for";
        m_mostMemory = std::max(m_mostMemory, std::int64_t{usage.ru_maxrss} * 1024);
        if (WIFSIGNALED(status))
            return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM
                       ? "it takes for ever"
                       : "signal " + std::to_string(WTERMSIG(status));
        if (!kSanitized && std::int64_t{usage.ru_maxrss} * 1024 > kMostMemory)
            return "it takes " + std::to_string(usage.ru_maxrss / 1024) + " MiB";
        switch (WEXITSTATUS(status)) {
            case kSaid:
                ++m_said;
                return {};
            case kFine:
                return {};
            case kMissed:
                return "--check finds nothing, and the run is another";
            case kThrew:
                return "it throws";
            default:
                return "status " + std::to_string(WEXITSTATUS(status));
        }
    }

    void addSample(const Snapshot& run) {
        const fs::path path = m_folder / "sample.wgrun";
        ASSERT_TRUE(saveRun(run, path));
        ASSERT_TRUE(writeMarks(path, {{Nanoseconds(5), "here"}, {Nanoseconds(9), "and there"}}));
        ASSERT_EQ(verifyRun(path), std::vector<std::string>());
        m_samples.push_back({contentOf(path), textOf(*openRun(path))});
        fs::remove(path);
    }

    void makeSamples() {
        RandomTrace random(77);
        random.burst(2500);
        random.writer().countLoss("kernels", 3);
        addSample(*random.commit());
        SyntheticOptions options{.allocatorEvents = 700};
        addSample(*makeSyntheticRun(options));
        options.state = "recording";
        addSample(*makeSyntheticRun(options));
        for (const char* name : {"version1", "version2", "version3"})
            m_samples.push_back(
                {contentOf(fs::path(WARPGLASS_GOLDEN_DIR) / (std::string(name) + ".wgrun")), {}, false});
    }

    TemporaryFolder m_folder;
    std::vector<Sample> m_samples;
    std::int64_t m_mostMemory = 0;
    int m_said = 0;  // files that were said to be damaged
};

std::map<std::string, std::string> contentsOf(const fs::path& folder) {
    std::map<std::string, std::string> contents;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        contents[entry.path().filename().string()] = entry.is_symlink() ? "link" : contentOf(entry.path());
    return contents;
}

int numberOf(const char* variable, int otherwise) {
    const char* value = std::getenv(variable);
    return value ? std::atoi(value) : otherwise;
}

TEST_F(DamagedFiles, AreReadWithoutHarmAndKnownAsDamaged) {
    makeSamples();
    ASSERT_FALSE(HasFatalFailure());
    const int first = numberOf("WARPGLASS_FUZZ_FIRST", 0);
    const int count = numberOf("WARPGLASS_FUZZ_FILES", kFilesOfEveryBuild);
    for (int i = first; i < first + count; ++i) {
        std::uint64_t random = 1000003u * static_cast<std::uint64_t>(i) + 7;
        // Those with checksums more often than the older ones.
        const std::size_t which = nextRandom(random) % (m_samples.size() + 3) % m_samples.size();
        const Sample& sample = m_samples[which];
        const std::string& other = m_samples[(which + 1) % 3].content;
        const TemporaryFolder folder;
        const fs::path path = folder / "a.wgrun";
        writeContent(path, sample.content);
        std::string ways;
        for (std::uint64_t damages = 1 + (nextRandom(random) % 4 == 0 ? 1 : 0); damages > 0; --damages) {
            if (fs::file_size(path) < 3 * kPage)
                break;
            ways += (ways.empty() ? "" : ", ") + Damage(path, other, nextRandom(random)).apply();
        }
        const auto before = contentsOf(folder.path());
        EXPECT_EQ(problemOf(path, sample), "") << "file " << i << ", sample " << which << ": " << ways;
        EXPECT_TRUE(contentsOf(folder.path()) == before) << "file " << i << " was changed: " << ways;
    }
    // One by itself may be harmless.
    if (count >= 100) {
        EXPECT_GT(m_said, count / 3);
    }
    RecordProperty("most_memory", std::to_string(m_mostMemory));
    std::printf("%d of %d files said to be damaged; most memory of one: %lld MB\n", m_said, count,
                static_cast<long long>(m_mostMemory / 1'000'000));
}

}  // namespace warpglass::test::damaged_file_fuzz_test
