#include "engine/io/table_checksum.h"

#include <array>
#include <bit>
#include <cmath>

namespace warpglass::run_file {

namespace {

std::span<const std::uint8_t> bytesOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::array<std::uint8_t, 8> littleEndian(std::uint64_t value) {
    std::array<std::uint8_t, 8> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
    return bytes;
}

std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 33) * 0xff51afd7ed558ccd;
    value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53;
    return value ^ value >> 33;
}

/// Beyond this not every integer is a double.
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

}  // namespace

std::uint64_t hashOf(std::span<const std::uint8_t> bytes, std::uint64_t seed) {
    std::uint64_t hash = 0xcbf29ce484222325 ^ seed;
    for (const std::uint8_t byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3;
    return mixed(hash);
}

RowHash::RowHash(std::string_view table) : m_table(hashOf(bytesOf(table))) {}

void RowHash::add(int column, char type, std::span<const std::uint8_t> bytes) {
    const std::uint64_t seed = static_cast<std::uint64_t>(column) << 8 | static_cast<std::uint8_t>(type);
    m_sum += hashOf(bytes, mixed(seed));
}

void RowHash::addInteger(int column, std::int64_t value) {
    add(column, 'i', littleEndian(static_cast<std::uint64_t>(value)));
}

void RowHash::addReal(int column, double value) {
    if (std::isnan(value))
        addNull(column);  // which SQLite has none of
    else if (std::trunc(value) == value && std::abs(value) < kExactIntegers)
        addInteger(column, static_cast<std::int64_t>(value));
    else
        add(column, 'r', littleEndian(std::bit_cast<std::uint64_t>(value)));
}

void RowHash::addText(int column, std::string_view text) {
    add(column, 't', bytesOf(text));
}

void RowHash::addRow(const Statement& row, int columns) {
    for (int column = 1; column <= columns; ++column) {
        switch (row.type(column - 1)) {
            case Statement::Type::kNull:
                addNull(column);
                break;
            case Statement::Type::kInteger:
                addInteger(column, row.integer(column - 1));
                break;
            case Statement::Type::kReal:
                addReal(column, row.real(column - 1));
                break;
            case Statement::Type::kText:
                addText(column, row.text(column - 1));
                break;
            case Statement::Type::kBlob:
                addBlob(column, row.blob(column - 1));
                break;
        }
    }
}

std::uint64_t RowHash::value() const {
    const std::uint64_t hash = mixed(m_sum ^ m_table);
    return hash == 0 ? 1 : hash;
}

std::optional<TableSum> storedSum(Database& database, std::string_view table) {
    Statement select;
    if (!database.prepare(select, "SELECT rows,checksum FROM checksums WHERE table_name=?") ||
        select.bind(1, table).step() != Statement::Row::kYes)
        return std::nullopt;
    return TableSum{static_cast<std::uint64_t>(select.integer(0)),
                    static_cast<std::uint64_t>(select.integer(1))};
}

void ChecksumLedger::Table::set(std::size_t id, std::uint64_t row) {
    if (id >= rows.size())
        rows.resize(id + 1, 0);
    if (rows[id] != 0)
        sum.remove(rows[id]);
    rows[id] = row;
    sum.add(row);
    changed = true;
}

ChecksumLedger::Table& ChecksumLedger::table(std::string_view name) {
    const auto found = m_tables.find(name);
    return found != m_tables.end() ? found->second : m_tables[std::string(name)];
}

void ChecksumLedger::beginFile() {
    m_tables.clear();
    for (const FileTable& table : kTables) {
        if (table.always && table.name != "checksums")
            m_tables[std::string(table.name)];
    }
}

bool ChecksumLedger::clear(Database& database, std::string_view name) {
    table(name) = {};
    return database.execute(("DELETE FROM " + std::string(name)).c_str());
}

bool ChecksumLedger::store(Database& database) {
    Statement insert;
    if (!database.prepare(insert, "INSERT OR REPLACE INTO checksums VALUES(?,?,?)"))
        return false;
    for (auto& [name, table] : m_tables) {
        if (!table.changed)
            continue;
        insert.bind(1, std::string_view(name)).bind(2, static_cast<std::int64_t>(table.sum.rows));
        if (!insert.bind(3, static_cast<std::int64_t>(table.sum.sum)).run())
            return false;
        table.changed = false;
    }
    return true;
}

RowWriter::RowWriter(Database& database, ChecksumLedger& ledger, std::string_view table)
    : m_sums(ledger.table(table)),
      m_table(fileTable(table).name),
      m_covered(coveredColumns(fileTable(table))),
      m_row(table) {
    std::string sql = "INSERT OR REPLACE INTO " + std::string(table) + " VALUES(?";
    for (int i = columnCount(fileTable(table)); i > 1; --i)
        sql += ",?";
    m_ready = database.prepare(m_insert, sql + ")");
}

RowWriter& RowWriter::bind(int parameter, std::int64_t value) {
    m_insert.bind(parameter, value);
    if (parameter == 1)
        m_id = value;
    if (covers(parameter))
        m_row.addInteger(parameter, value);
    return *this;
}

RowWriter& RowWriter::bind(int parameter, double value) {
    m_insert.bind(parameter, value);
    if (covers(parameter))
        m_row.addReal(parameter, value);
    return *this;
}

RowWriter& RowWriter::bind(int parameter, std::string_view text) {
    m_insert.bind(parameter, text);
    if (covers(parameter))
        m_row.addText(parameter, text);
    return *this;
}

RowWriter& RowWriter::bind(int parameter, std::span<const std::uint8_t> blob) {
    m_insert.bind(parameter, blob);
    if (covers(parameter))
        m_row.addBlob(parameter, blob);
    return *this;
}

RowWriter& RowWriter::bindNull(int parameter) {
    m_insert.bindNull(parameter);
    if (covers(parameter))
        m_row.addNull(parameter);
    return *this;
}

bool RowWriter::run() {
    const bool done = m_insert.run();
    const std::size_t id = m_id >= 0 ? static_cast<std::size_t>(m_id) : m_sums.rows.size();
    if (done)
        m_sums.set(id, m_row.value());
    m_id = -1;
    m_row = RowHash(m_table);
    return done;
}

}  // namespace warpglass::run_file
