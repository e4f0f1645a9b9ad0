#include "engine/io/sqlite_database.h"

#include <sqlite3.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace warpglass::run_file {

namespace {

/// A reader and the recording writer wait for one another this long before they give up.
constexpr int kBusyTimeoutMs = 5000;

/// SQLite notes the system's error when a statement fails, but not when the commit itself does.
int systemErrorOf(sqlite3* database) {
    int error = sqlite3_system_errno(database);
    if (error == 0)
        sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
    return error;
}

std::string causeOf(sqlite3* database, int code) {
    if (code == SQLITE_READONLY_DBMOVED)
        return "another process has replaced, moved or deleted it";
    if (code == SQLITE_INTERRUPT)
        return "reading it takes far too long for its size: it is damaged, or was made to";
    switch (code & 0xff) {
        case SQLITE_FULL:
            return std::string(kDiskIsFull);
        case SQLITE_CORRUPT:
            return "the file is damaged";
        case SQLITE_NOTADB:
            return "it is not a SQLite database";
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "another process is writing it";
        case SQLITE_IOERR:
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            if (const int systemError = systemErrorOf(database); systemError != 0)
                return std::generic_category().message(systemError);
            break;
        default:
            break;
    }
    return sqlite3_errmsg(database);
}

/// The path as a file: URI; everything but unreserved characters and slashes is escaped.
std::string immutableUri(const std::filesystem::path& path) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path).string()) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '/' || c == '.' || c == '-' || c == '_';
        if (plain) {
            uri += c;
        } else {
            uri += '%';
            uri += kHex[byte >> 4];
            uri += kHex[byte & 15];
        }
    }
    return uri + "?immutable=1";
}

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
    m_bound &= sqlite3_bind_int64(m_statement.get(), parameter, value) == SQLITE_OK;
    return *this;
}

Statement& Statement::bind(int parameter, double value) {
    m_bound &= sqlite3_bind_double(m_statement.get(), parameter, value) == SQLITE_OK;
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
    // An empty view may hold a null pointer, which SQLite would take for NULL.
    const char* data = text.data() ? text.data() : "";
    m_bound &= sqlite3_bind_text64(m_statement.get(), parameter, data, text.size(), SQLITE_STATIC,
                                   SQLITE_UTF8) == SQLITE_OK;
    return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::uint8_t> blob) {
    m_bound &= sqlite3_bind_blob64(m_statement.get(), parameter, blob.data(), blob.size(), SQLITE_STATIC) ==
               SQLITE_OK;
    return *this;
}

Statement& Statement::bindNull(int parameter) {
    m_bound &= sqlite3_bind_null(m_statement.get(), parameter) == SQLITE_OK;
    return *this;
}

Statement::Row Statement::step() {
    if (!m_bound)
        return Row::kFailed;
    switch (sqlite3_step(m_statement.get())) {
        case SQLITE_ROW:
            return Row::kYes;
        case SQLITE_DONE:
            return Row::kDone;
        default:
            return Row::kFailed;
    }
}

void Statement::reset() {
    sqlite3_reset(m_statement.get());
    m_bound = true;
}

bool Statement::run() {
    const bool done = step() == Row::kDone;
    reset();
    return done;
}

Statement::Type Statement::type(int column) const {
    switch (sqlite3_column_type(m_statement.get(), column)) {
        case SQLITE_INTEGER:
            return Type::kInteger;
        case SQLITE_FLOAT:
            return Type::kReal;
        case SQLITE_TEXT:
            return Type::kText;
        case SQLITE_BLOB:
            return Type::kBlob;
        default:
            return Type::kNull;
    }
}

int Statement::columnCount() const {
    return sqlite3_column_count(m_statement.get());
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

bool Statement::isInteger(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_INTEGER;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(m_statement.get(), column);
}

std::string_view Statement::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
    return data ? std::string_view(data,
                                   static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column)))
                : std::string_view();
}

std::span<const std::uint8_t> Statement::blob(int column) const {
    const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(m_statement.get(), column));
    if (!data)
        return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

void Database::Closer::operator()(sqlite3* database) const {
    sqlite3_close_v2(database);
}

Database::Database(std::filesystem::path shownAs, sqlite3* database)
    : m_shownAs(std::move(shownAs)), m_database(database) {}

Database::~Database() = default;

Result<Database> Database::open(const std::filesystem::path& path, Mode mode,
                                const std::filesystem::path& shownAs) {
    int flags = SQLITE_OPEN_NOMUTEX;
    std::string name = path.string();
    switch (mode) {
        case Mode::kExisting:
            flags |= SQLITE_OPEN_READWRITE;
            break;
        case Mode::kTemporary:
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW;
            break;
        case Mode::kReadOnly:
            flags |= SQLITE_OPEN_READONLY;
            break;
        case Mode::kImmutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
            name = immutableUri(path);
            break;
    }
    // Relative names that start with "file:" or ":memory:" are names here, not SQLite's own language.
    if (mode != Mode::kImmutable)
        name = std::filesystem::absolute(path).string();
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
    Database database(shownAs, raw);
    if (!raw)
        return Error{"cannot open " + shownAs.string() + ": out of memory"};
    sqlite3_extended_result_codes(raw, 1);
    if (code != SQLITE_OK)
        return database.error(mode == Mode::kTemporary ? "write" : "open");
    sqlite3_busy_timeout(raw, kBusyTimeoutMs);
    // A file from outside may not make functions run that touch anything else.
    sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    return database;
}

bool Database::execute(const char* sql) {
    return sqlite3_exec(m_database.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool Database::prepare(Statement& statement, std::string_view sql) {
    sqlite3_stmt* raw = nullptr;
    const int code =
        sqlite3_prepare_v2(m_database.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
    statement.m_statement.reset(raw);
    statement.m_bound = true;
    return code == SQLITE_OK;
}

DatabaseError Database::lastError() const {
    const int code = sqlite3_extended_errcode(m_database.get());
    return {code, causeOf(m_database.get(), code)};
}

Error Database::error(std::string_view doing) const {
    return Error{"cannot " + std::string(doing) + " " + m_shownAs.string() + ": " + lastError().cause};
}

std::filesystem::path Database::path() const {
    const char* name = sqlite3_db_filename(m_database.get(), "main");
    return name ? name : "";
}

std::filesystem::path Database::journalPath() const {
    return sqlite3_filename_journal(sqlite3_db_filename(m_database.get(), "main"));
}

std::filesystem::path Database::walPath() const {
    return sqlite3_filename_wal(sqlite3_db_filename(m_database.get(), "main"));
}

bool Database::isBeingWritten() const {
    sqlite3_file* file = nullptr;
    sqlite3_file_control(m_database.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
    int reserved = 0;
    return file && file->pMethods && file->pMethods->xCheckReservedLock(file, &reserved) == SQLITE_OK &&
           reserved != 0;
}

bool Database::hasMoved() const {
    int moved = 0;
    sqlite3_file_control(m_database.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

std::string Database::rawBytes(std::int64_t offset, int count) const {
    sqlite3_file* file = nullptr;
    sqlite3_file_control(m_database.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (!file || !file->pMethods)
        return {};
    const auto available = std::clamp<std::int64_t>(fileSize() - offset, 0, count);
    std::string bytes(static_cast<std::size_t>(available), '\0');
    const int code = file->pMethods->xRead(file, bytes.data(), static_cast<int>(available), offset);
    return code == SQLITE_OK ? bytes : std::string();
}

std::int64_t Database::fileSize() const {
    sqlite3_file* file = nullptr;
    sqlite3_file_control(m_database.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
    sqlite3_int64 size = 0;
    if (!file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
        return 0;
    return size;
}

void Database::limitValueSize(int bytes) {
    sqlite3_limit(m_database.get(), SQLITE_LIMIT_LENGTH, bytes);
}

void Database::runNoTriggers() {
    sqlite3_db_config(m_database.get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(m_database.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

void Database::limitWork(std::int64_t fileSize) {
    if (fileSize < 0) {
        sqlite3_progress_handler(m_database.get(), 0, nullptr, nullptr);
        return;
    }
    // A row takes some twenty steps of SQLite's machine and at least two bytes; twice that and a floor for
    // the fixed part.
    constexpr int kStepsPerTick = 100000;
    m_ticksLeft = std::make_unique<std::int64_t>(1000 + fileSize * 20 / kStepsPerTick);
    sqlite3_progress_handler(
        m_database.get(), kStepsPerTick,
        [](void* left) { return --*static_cast<std::int64_t*>(left) < 0 ? 1 : 0; }, m_ticksLeft.get());
}

}  // namespace warpglass::run_file
