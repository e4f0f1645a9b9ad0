#include "engine/io/run_journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "engine/base/descriptor.h"
#include "engine/base/system_error.h"
#include "engine/io/exclusive_file.h"
#include "engine/io/sqlite_header.h"

namespace warpglass::run_file {

namespace {

namespace fs = std::filesystem;

// The rollback journal's header and its end (sqlite.org/fileformat2.html, section 3): offsets in bytes,
// numbers big-endian.
constexpr std::string_view kJournalMagic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
constexpr std::size_t kJournalHeaderSize = 28;
constexpr std::size_t kInitialPagesOffset = 16;
constexpr std::size_t kSectorSizeOffset = 20;
constexpr std::size_t kJournalPageSizeOffset = 24;
/// Beside its page a record has the page's number and a checksum.
constexpr std::int64_t kRecordExtra = 8;
constexpr std::uint32_t kLeastSector = 32;
constexpr std::uint32_t kGreatestSector = 65536;

/// Without waiting for a pipe's other end.
int openToLookAt(const fs::path& path) {
    return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

std::string bytesAt(int file, std::int64_t offset, std::size_t count) {
    std::string bytes(count, '\0');
    const ssize_t got = ::pread(file, bytes.data(), count, offset);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

/// What is wrong with the journal's content; "" when it is a plain one of this file.
std::string contentProblem(int file, std::int64_t size, const Database& database) {
    const std::string header = bytesAt(file, 0, kJournalHeaderSize);
    if (header.size() < kJournalHeaderSize || !header.starts_with(kJournalMagic))
        return "it is no journal";
    if (bytesAt(file, size - static_cast<std::int64_t>(kJournalMagic.size()), kJournalMagic.size()) ==
        kJournalMagic)
        return "it names another journal";
    const std::uint32_t page = bigEndian32(header, kJournalPageSizeOffset);
    const std::uint32_t sector = bigEndian32(header, kSectorSizeOffset);
    const std::string own = database.rawBytes(0, kHeaderSize);
    if (page != pageSizeOf(own))
        return "it is of a file with other pages";
    if (sector < kLeastSector || sector > kGreatestSector || (sector & (sector - 1)) != 0)
        return "it is damaged";
    // A write only adds to a run file: what was there before is in the file or in the journal.
    const std::int64_t pages =
        database.fileSize() / std::int64_t{page} + 1 + size / (std::int64_t{page} + kRecordExtra);
    if (bigEndian32(header, kInitialPagesOffset) > pages)
        return "it is of a larger file";
    return {};
}

/// The recovered copy lives in a folder that is removed with its content.
class PrivateFolder {
public:
    explicit PrivateFolder(fs::path path) : m_path(std::move(path)) {}
    ~PrivateFolder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    fs::path operator/(const char* name) const { return m_path / name; }

private:
    fs::path m_path;
};

/// `read(offset, count)` gives the bytes, fewer at the end. The error is the cause alone.
template <class Read>
Status writeCopy(const fs::path& to, std::int64_t size, Read&& read) {
    const Descriptor file(::open(to.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0600));
    if (file.get() < 0)
        return Error{lastSystemCause()};
    constexpr std::int64_t kPiece = 1 << 20;
    for (std::int64_t at = 0; at < size; at += kPiece) {
        const std::string bytes = read(at, static_cast<int>(std::min(kPiece, size - at)));
        if (bytes.empty())
            return Error{"it could not be read to its end"};
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t wrote = ::write(file.get(), bytes.data() + done, bytes.size() - done);
            if (wrote < 0 && errno == EINTR)
                continue;
            if (wrote <= 0)
                return wrote == 0 ? Error{"the disk takes no more"} : Error{lastSystemCause()};
            done += static_cast<std::size_t>(wrote);
        }
    }
    return {};
}

bool isSame(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

/// Both kinds of write-ahead logs begin so, but for the last byte's last bit.
constexpr std::string_view kWalMagic("\x37\x7f\x06", 3);

std::array<fs::path, 2> leftoversOf(const fs::path& path) {
    return {fs::path(path) += "-journal", fs::path(path) += "-wal"};
}

}  // namespace

std::optional<std::string> leftoverProblem(const fs::path& path) {
    for (const fs::path& leftover : leftoversOf(path)) {
        struct stat entry {};
        if (::lstat(leftover.c_str(), &entry) != 0)
            continue;
        if (!S_ISREG(entry.st_mode))
            return leftover.string() + " is in the way: it is not a regular file";
        const Descriptor file(openToLookAt(leftover));
        if (file.get() < 0)
            return leftover.string() + " is in the way: " + lastSystemCause();
        // One that is done with is empty, or its first bytes are zeros.
        const std::string first = bytesAt(file.get(), 0, kJournalMagic.size());
        if (!first.empty() && first[0] != '\0' && !first.starts_with(kJournalMagic) &&
            !first.starts_with(kWalMagic))
            return leftover.string() + " is in the way: it is no journal";
    }
    return std::nullopt;
}

void removeLeftovers(const fs::path& path) {
    for (const fs::path& leftover : leftoversOf(path)) {
        std::error_code ignored;
        fs::remove(leftover, ignored);
    }
}

JournalCheck checkJournal(const Database& database) {
    JournalCheck check;
    check.path = database.journalPath();
    const auto foreign = [&](std::string why) {
        check.state = JournalState::kForeign;
        check.why = std::move(why);
        return check;
    };
    struct stat entry {};
    if (::lstat(check.path.c_str(), &entry) != 0)
        return errno == ENOENT ? check : foreign(lastSystemCause());
    if (!S_ISREG(entry.st_mode))
        return foreign("it is not a regular file");
    const Descriptor file(openToLookAt(check.path));
    struct stat opened {};
    if (file.get() < 0 || ::fstat(file.get(), &opened) != 0)
        return foreign(lastSystemCause());
    if (!S_ISREG(opened.st_mode))
        return foreign("it is not a regular file");
    // A journal comes into force with its first byte.
    const std::string first = bytesAt(file.get(), 0, 1);
    if (first.empty() || first[0] == '\0')
        return check;
    struct stat own {};
    if (::stat(database.path().c_str(), &own) != 0 || own.st_uid != opened.st_uid)
        return foreign("it belongs to another user");
    if (std::string problem = contentProblem(file.get(), opened.st_size, database); !problem.empty())
        return foreign(std::move(problem));
    check.state = JournalState::kOurs;
    return check;
}

Result<Database> recoverOnCopy(const Database& file, const JournalCheck& journal) {
    auto made = makePrivateFolder();
    if (!made)
        return made.error();
    const PrivateFolder folder(std::move(*made));
    const Descriptor journalFile(openToLookAt(journal.path));
    struct stat before {
    }, after{};
    if (journalFile.get() < 0 || ::fstat(journalFile.get(), &before) != 0)
        return Error{lastSystemCause()};
    const Status run = writeCopy(folder / "run", file.fileSize(),
                                 [&](std::int64_t at, int count) { return file.rawBytes(at, count); });
    if (!run)
        return run.error();
    const Status copied = writeCopy(folder / "run-journal", before.st_size, [&](std::int64_t at, int count) {
        return bytesAt(journalFile.get(), at, static_cast<std::size_t>(count));
    });
    if (!copied)
        return copied.error();
    // Somebody who writes the file now has rolled it back first.
    if (::lstat(journal.path.c_str(), &after) != 0 || !isSame(before, after) || file.isBeingWritten())
        return Error{"it is being written"};
    {
        // The copy of it is what SQLite will see: another may have replaced the one that was checked.
        const auto still = Database::open(folder / "run", Database::Mode::kImmutable, file.shownAs());
        if (!still)
            return still.error();
        if (checkJournal(*still).state != JournalState::kOurs)
            return Error{"its journal was replaced while it was read"};
    }
    {
        auto copy = Database::open(folder / "run", Database::Mode::kExisting, file.shownAs());
        if (!copy)
            return copy.error();
        // The first look at it rolls back. A file that is cut off besides is damaged to SQLite all the same.
        copy->execute(
            "PRAGMA synchronous=OFF; PRAGMA writable_schema=ON; SELECT count(*) FROM sqlite_schema");
    }
    return Database::open(folder / "run", Database::Mode::kImmutable, file.shownAs());
}

}  // namespace warpglass::run_file
