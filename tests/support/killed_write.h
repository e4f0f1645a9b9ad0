// A run file in the midst of a write that was killed.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace warpglass::test {

/// For a sound run, or one that SQLite takes for damaged before it writes anything.
inline void killWriting(const std::filesystem::path& path) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        sqlite3* database = nullptr;
        sqlite3_open(path.c_str(), &database);
        sqlite3_exec(database,
                     "PRAGMA cache_size=1; BEGIN; UPDATE chunks SET data=zeroblob(500000) WHERE id=2; DELETE "
                     "FROM info;",
                     nullptr, nullptr, nullptr);
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
}

/// The write had spilled into the file: its journal is hot.
inline void makeKilledWrite(const std::filesystem::path& path) {
    killWriting(path);
    std::ifstream journal(std::filesystem::path(path) += "-journal", std::ios::binary);
    ASSERT_GT(journal.get(), 0) << "it is in force from its first byte on";
}

}  // namespace warpglass::test
