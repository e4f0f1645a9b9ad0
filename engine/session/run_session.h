// One run from start to end: the runner on a background thread, the run file written on another while it
// goes. The window and the command line both use this; nothing in it blocks its caller but wait() and the
// destructor.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/runner/runner_api.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class RunFileWriter;

/// What somebody wants of one run that is no setting of it.
struct RunWishes {
    /// It runs on the CPU although it is predicted not to fit, because somebody who was asked wants it.
    bool overcommit = false;
    /// RunControl::memorySnapshot.
    std::filesystem::path memorySnapshot;
};

class RunSession {
public:
    /// The library is loaded on the background thread, so a missing LibTorch shows as a failed outcome.
    /// `output` may be empty: the run is then kept in memory only.
    static std::unique_ptr<RunSession> start(const ValidConfig& config, const std::filesystem::path& output,
                                             RunWishes wishes = {});
    /// Into a file that has been made for it, of which `output` is the path; null as in start().
    static std::unique_ptr<RunSession> startInto(const ValidConfig& config,
                                                 const std::filesystem::path& output,
                                                 std::unique_ptr<RunFileWriter> writer,
                                                 RunWishes wishes = {});
    /// Uses this runner instead of loading one: for tests.
    static std::unique_ptr<RunSession> startWith(Runner& runner, const ValidConfig& config,
                                                 const std::filesystem::path& output);
    /// Requests a stop, joins both threads, and finishes the file.
    virtual ~RunSession() = default;

    virtual const RunConfig& config() const = 0;
    /// Null until recording has begun; then the same for ever. Any thread.
    virtual std::shared_ptr<TraceFeed> feed() const = 0;
    /// Ends the run between two ops; returns at once. Any thread; safe from a signal watcher, not a handler.
    virtual void requestStop() = 0;
    virtual const RunControl& control() const = 0;

    /// The run has ended and its file is complete.
    virtual bool finished() const = 0;
    virtual void wait() = 0;
    /// How it ended; nothing before finished(). A runner not loaded is state "failed" with its sentence.
    virtual std::optional<RunOutcome> outcome() const = 0;
    /// Why the run file could not be (fully) written, in one sentence; empty if all is well. The run
    /// continues in memory and can be saved elsewhere. Any thread, at any time.
    virtual std::string fileError() const = 0;
};

}  // namespace warpglass
