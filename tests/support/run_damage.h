// Run files as a crash, a bad disk or malice may leave them: bytes, values in the tables and contents of
// chunks, changed with fixed seeds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/trace/snapshot.h"
#include "tests/support/files.h"

namespace warpglass::test {

/// Changes a file through SQLite itself, as a crafted one might be; what fails is a failed check.
void alterRun(const std::filesystem::path& path, const std::string& sql);
/// The same where the schema may forbid it; then it does not happen.
void tryToAlterRun(const std::filesystem::path& path, const std::string& sql);

/// Calls `change` with the uncompressed bytes of the chunks' "mip" and "data" (`column`) of one kind (all
/// with −1), and compresses them again where it returns true: their checksums hold.
void alterChunks(const std::filesystem::path& path, const std::string& column, int kind,
                 const std::function<bool(std::vector<std::uint8_t>& raw)>& change);

struct RunDamage {
    std::string name;
    std::function<void(const std::filesystem::path&)> apply;
    /// Whether something of the run is surely lost by it, so that a reader must say so.
    bool loses = false;
};

/// Cut at some places, and in the midst of pages.
std::vector<RunDamage> cuts();
/// Single bits, pages and stretches of bytes; `rounds` of each.
std::vector<RunDamage> flips(int rounds, std::uint64_t seed = 31);
/// The chunks of each kind not readable, and gone, or by turns the one or the other; mip-maps lost.
std::vector<RunDamage> lostChunks(bool bothWays = true);
/// A table lost; those that no rows are read by, all at once.
std::vector<RunDamage> lostTables();
/// Sound frames with other numbers in them: times, ids, lengths.
std::vector<RunDamage> scrambledChunks(int rounds, std::uint64_t seed = 32);
/// Values in the tables that no run has: settings, counts, names of so many letters and of markup.
std::vector<RunDamage> hostileValues(int letters);

/// What a sound file may hold at its utmost: the latest times, the largest allocations, the deepest nesting,
/// hundreds of tracks, names of many letters, steps far apart.
std::shared_ptr<const Snapshot> makeExtremeRun();

}  // namespace warpglass::test
