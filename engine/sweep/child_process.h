// A program run in a process and a process group of its own, watched until it ends, is ended, or takes too
// long. It dies with the thread that runs it, however that ends.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/units.h"

namespace warpglass {

struct ChildEnd {
    /// Why it could not be started, the cause alone; empty where it was.
    std::string notStarted;
    /// Its exit status, or the signal that ended it; the other is 0.
    int status = 0, signal = 0;
    /// It was ended for its time limit, or since a stop was asked for.
    bool timedOut = false, stopped = false;
    /// The end of what it wrote to standard error.
    std::string errors;
};

/// Runs it on the calling thread's time, with nothing on standard input and standard output discarded. At the
/// time limit it is sent SIGTERM and, five seconds later, SIGKILL; on a stop SIGKILL, with its process group.
/// One thread at a time for a `stop`.
ChildEnd runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  Nanoseconds timeLimit, const std::atomic<bool>& stop);

/// The last line that says something, without the name of the program before it; safe to show.
std::string lastSentence(const std::string& errors);

}  // namespace warpglass
