#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "engine/base/format.h"
#include "engine/io/run_file_schema.h"
#include "engine/io/sqlite_header.h"
#include "engine/io/utf8.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/run_folder.h"
#include "engine/sweep/sweep_file_tables.h"

namespace warpglass::sweep_file {
namespace {

using run_file::Database;
using run_file::Statement;

/// The longest text: a sentence, a path, a value. A crafted file may claim any.
constexpr int kMaxValueSize = 1 << 20;
/// No sweep's plan or information has more rows.
constexpr std::int64_t kMaxSmallRows = 65536;
/// Values of all axes together: more than kMostCells asks for, and few enough to be read at once.
constexpr std::int64_t kMaxAxisRows = 2 * kMostCells;
constexpr std::uint32_t kMaxAxes = 64;
/// Rows that cannot be read and are stepped over: far more than the damaged pages of an honest file hold.
constexpr std::int64_t kMaxFailures = 100'000;

class Reader {
public:
    explicit Reader(Database& database) : m_database(database) {}

    Result<Sweep> read() {
        if (auto problem = findTables(); !problem.empty())
            return Error{problem};
        if (auto problem = readPlan(); !problem.empty())
            return Error{problem};
        m_sweep.cells = cellsOf(m_sweep.plan);
        readCells();
        readInformation();
        return std::move(m_sweep);
    }

private:
    std::string findTables() {
        Statement schema;
        // Views and virtual tables have no root page; only plain tables are read.
        if (!m_database.prepare(schema, "SELECT name FROM sqlite_schema WHERE type='table' AND rootpage>1"))
            return "it is damaged, and nothing in it can be read";
        while (schema.step() == Statement::Row::kYes)
            m_present.emplace(schema.text(0));
        for (const Table& table : kTables) {
            if (!m_present.contains(table.name))
                continue;
            if (!run_file::schemaProblem(m_database, table.name).empty())
                return "its table \"" + std::string(table.name) +
                       "\" has computed values, as no sweep file does";
        }
        return {};
    }

    std::string readPlan() {
        std::string cause = "its plan is missing";
        for (const char* suffix : {"", "_copy"}) {
            Result<SweepPlan> plan = planIn(suffix);
            if (plan) {
                m_sweep.plan = std::move(*plan);
                if (*suffix)
                    m_sweep.warnings.emplace_back("The sweep's plan is damaged; its copy was read.");
                return {};
            }
            if (!*suffix)
                cause = plan.message();
        }
        return cause;
    }

    Result<SweepPlan> planIn(const std::string& suffix) {
        Statement select;
        const Error damaged{"it is damaged: the sweep's plan cannot be read"};
        if (!m_database.prepare(select, "SELECT key,value FROM plan" + suffix + " ORDER BY id"))
            return damaged;
        Pairs pairs;
        Statement::Row row = select.step();
        for (; row == Statement::Row::kYes && pairs.size() < kMaxSmallRows; row = select.step())
            pairs.emplace_back(select.text(0), select.text(1));
        Result<std::vector<SweepAxis>> axes = axesIn(suffix);
        if (row != Statement::Row::kDone || !axes || pairs.empty() || pairs.back().first != "checksum")
            return damaged;
        const std::string checksum = std::move(pairs.back().second);
        pairs.pop_back();
        if (checksum != planChecksum(pairs, *axes))
            return damaged;
        return planOf(pairs, std::move(*axes));
    }

    Result<std::vector<SweepAxis>> axesIn(const std::string& suffix) {
        const Error damaged{"they cannot be read"};
        Statement select;
        if (!m_database.prepare(select, "SELECT axis,position,key,value FROM axes" + suffix + " ORDER BY id"))
            return damaged;
        std::vector<SweepAxis> axes;
        Statement::Row row = select.step();
        for (std::int64_t rows = 0; row == Statement::Row::kYes; row = select.step(), ++rows) {
            const std::int64_t axis = select.isInteger(0) ? select.integer(0) : -1;
            const auto known = static_cast<std::int64_t>(axes.size());
            if (axis < 0 || axis > known || axis >= kMaxAxes || rows >= kMaxAxisRows)
                return damaged;
            if (axis == known)
                axes.push_back({std::string(select.text(2)), {}});
            axes[static_cast<std::size_t>(axis)].values.emplace_back(select.text(3));
        }
        return row == Statement::Row::kDone ? Result<std::vector<SweepAxis>>(std::move(axes)) : damaged;
    }

    void readCells() {
        Statement from;
        if (!m_database.prepare(m_figures, "SELECT key,value FROM figures WHERE cell=?") ||
            !m_database.prepare(from,
                                "SELECT cell,state,message,started,took_ns,run_file,checksum" +
                                    std::string(m_sweep.plan.memorySnapshots ? ",memory_snapshot" : "") +
                                    " FROM cells WHERE cell>=? ORDER BY cell"))
            return warnOfCells(1);
        const auto end = static_cast<std::int64_t>(m_sweep.cells.size());
        std::int64_t next = 0;
        while (next < end) {
            from.bind(1, next);
            Statement::Row row = from.step();
            for (; row == Statement::Row::kYes && !m_isExhausted; row = from.step()) {
                const std::int64_t index = from.isInteger(0) ? from.integer(0) : -1;
                if (index < next || index >= end)
                    break;
                takeCell(index, from);
                next = index + 1;
            }
            const bool isBeyond = row == Statement::Row::kYes && from.isInteger(0) && from.integer(0) >= end;
            noteFailure(row);
            from.reset();
            if (row == Statement::Row::kDone)
                break;
            m_sawDamage = true;
            if (isBeyond || m_isExhausted || ++m_failures > kMaxFailures)
                break;
            // A damaged page, or a row that no sweep has: what comes after it may be sound.
            ++next;
        }
        if (m_elsewhere > 0)
            m_sweep.warnings.push_back(
                m_elsewhere == 1 ? "A file of a cell is not in the sweep's run folder, and is ignored."
                                 : "Files of " + formatGrouped(m_elsewhere) +
                                       " cells are not in the sweep's run folder, and are ignored.");
        countLost();
    }

    /// Once SQLite has taken far too many steps it fails at every further one, slowly.
    void noteFailure(Statement::Row row) {
        if (row == Statement::Row::kFailed && (m_database.lastError().code & 0xff) == SQLITE_INTERRUPT)
            m_isExhausted = true;
    }

    void takeCell(std::int64_t index, const Statement& row) {
        SweepCell& cell = m_sweep.cells[static_cast<std::size_t>(index)];
        SweepCell read = cell;
        const auto state = cellStateOfName(row.text(1));
        read.state = state.value_or(CellState::kWaiting);
        read.message = row.text(2);
        read.started = row.text(3);
        read.took = Nanoseconds(row.integer(4));
        read.runFile = std::filesystem::path(std::string(row.text(5)));
        if (m_sweep.plan.memorySnapshots)
            read.memorySnapshot = std::filesystem::path(std::string(row.text(7)));
        m_figures.bind(1, index);
        Statement::Row figure = m_figures.step();
        for (; figure == Statement::Row::kYes; figure = m_figures.step())
            read.figures.emplace_hint(read.figures.end(), m_figures.text(0), m_figures.real(1));
        noteFailure(figure);
        m_figures.reset();
        if (!state || figure != Statement::Row::kDone ||
            static_cast<std::uint64_t>(row.integer(6)) != checksumOf(read)) {
            m_sawDamage = true;
            return;
        }
        if (read.isDone())
            ++m_done;
        read.message = validUtf8(read.message);
        const bool hasOther = !read.runFile.empty() && !isKeptRunOf(m_sweep.plan, index, read.runFile);
        const bool hasOtherSnapshot =
            !read.memorySnapshot.empty() && !isKeptSnapshotOf(m_sweep.plan, index, read.memorySnapshot);
        if (hasOther)
            read.runFile.clear();
        if (hasOtherSnapshot)
            read.memorySnapshot.clear();
        m_elsewhere += hasOther || hasOtherSnapshot ? 1 : 0;
        std::erase_if(read.figures, [](const auto& pair) { return !std::isfinite(pair.second); });
        cell = std::move(read);
    }

    void countLost() {
        Statement total;
        std::int64_t lost = m_sawDamage ? 1 : 0;
        if (m_database.prepare(total, "SELECT value FROM totals WHERE key='done'") &&
            total.step() == Statement::Row::kYes && total.isInteger(0))
            lost = std::max(
                lost, std::min(total.integer(0), static_cast<std::int64_t>(m_sweep.cells.size())) - m_done);
        else
            m_sweep.warnings.emplace_back("How many cells should be done cannot be read.");
        if (lost > 0)
            warnOfCells(lost);
    }

    void warnOfCells(std::int64_t lost) {
        m_sweep.warnings.push_back(lost == 1 ? "The result of a cell is damaged: it waits again."
                                             : "The results of " + formatGrouped(lost) +
                                                   " cells are damaged: they wait again.");
    }

    void readInformation() {
        Statement select;
        bool good = m_database.prepare(select, "SELECT id,key,value,checksum FROM information ORDER BY id");
        Statement::Row row = good ? select.step() : Statement::Row::kFailed;
        for (std::int64_t rows = 0; row == Statement::Row::kYes && rows < kMaxSmallRows;
             row = select.step(), ++rows) {
            if (static_cast<std::uint64_t>(select.integer(3)) ==
                checksumOf(select.integer(0), select.text(1), select.text(2)))
                m_sweep.information.emplace_back(validUtf8(select.text(1)), validUtf8(select.text(2)));
            else
                good = false;
        }
        if (!good || row == Statement::Row::kFailed)
            m_sweep.warnings.emplace_back("Some of what the sweep states of its device is damaged.");
    }

    Database& m_database;
    Sweep m_sweep;
    std::set<std::string, std::less<>> m_present;
    Statement m_figures;
    std::int64_t m_done = 0, m_failures = 0, m_elsewhere = 0;
    bool m_sawDamage = false, m_isExhausted = false;
};

/// What tells one sweep from another: the checksum of its plan, which has a random id.
std::string identityIn(Result<Database> database) {
    Statement select;
    if (!database || !headerProblem(*database).empty() ||
        !database->prepare(select, "SELECT value FROM plan WHERE key='checksum'"))
        return {};
    return select.step() == Statement::Row::kYes ? std::string(select.text(0)) : std::string();
}

}  // namespace

std::string headerProblem(const Database& database) {
    using namespace run_file;
    const std::string header = database.rawBytes(0, kHeaderSize);
    if (!header.starts_with(kMagic) && !kMagic.starts_with(header))
        return "it is not a Warpglass sweep file";
    if (header.size() < static_cast<std::size_t>(kHeaderSize))
        return "it is cut off after " + formatGrouped(database.fileSize()) +
               " bytes, and nothing in it can be read";
    if (bigEndian32(header, kApplicationIdOffset) != static_cast<std::uint32_t>(sweep_file::kApplicationId))
        return "it is a SQLite database, but not a Warpglass sweep file";
    const auto version = static_cast<std::int32_t>(bigEndian32(header, kUserVersionOffset));
    if (version > sweep_file::kFormatVersion)
        return "it has format version " + std::to_string(version) +
               ", and this Warpglass reads versions up to " + std::to_string(sweep_file::kFormatVersion) +
               "; a newer Warpglass can open it";
    if (version < 1)
        return "its format version, " + std::to_string(version) + ", is none that ever was";
    return {};
}

Result<Sweep> readSweep(Database& database) {
    database.limitValueSize(kMaxValueSize);
    // A crafted file could make SQLite search for ever; an honest one of this size takes far fewer steps.
    database.limitWork(database.fileSize());
    auto sweep = Reader(database).read();
    database.limitWork(-1);
    return sweep;
}

void letRunningWait(Sweep& sweep) {
    for (SweepCell& cell : sweep.cells) {
        if (cell.state == CellState::kRunning)
            cell = cell.waitingAgain();
    }
}

run_file::JournalCheck judgeJournal(const Database& file) {
    run_file::JournalCheck journal = run_file::checkJournal(file);
    if (journal.state != run_file::JournalState::kOurs)
        return journal;
    const std::string now =
        identityIn(Database::open(file.path(), Database::Mode::kImmutable, file.shownAs()));
    if (now.empty())
        return journal;  // only the journal can mend it
    Result<Database> restored = run_file::recoverOnCopy(file, journal);
    if (restored && identityIn(std::move(restored)) != now) {
        journal.state = run_file::JournalState::kUnneeded;
        journal.why = "it does not fit the sweep that the file holds";
    }
    return journal;
}

}  // namespace warpglass::sweep_file
