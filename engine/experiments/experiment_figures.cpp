#include "engine/experiments/experiment_figures.h"

#include <system_error>

#include "engine/base/units.h"
#include "engine/sweep/child_process.h"

namespace warpglass {
namespace {

// A result has a handful of charts, each drawn in well under a second.
constexpr Nanoseconds kDrawingLimit(120'000'000'000);

}  // namespace

Status drawFigures(const std::filesystem::path& folder, const std::filesystem::path& program,
                   const std::atomic<bool>& stop) {
    std::error_code error;
    std::filesystem::path window = program;
    if (window.empty())
        window = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "warpglass";
    if (error || !std::filesystem::exists(window, error))
        return Error{"The figures were not drawn: the window's program, warpglass, is not beside this one."};
    const ChildEnd end =
        runChild(window,
                 {"--render", "experiment", "--width-mm", "170", "--height-mm", "100", "--scale", "2",
                  "--output", (folder / "figures").string(), folder.string()},
                 kDrawingLimit, stop);
    if (!end.notStarted.empty())
        return Error{"The figures were not drawn: " + window.string() + ": " + end.notStarted + "."};
    if (end.stopped)
        return Error{"The figures were not drawn: it was stopped."};
    if (end.status != 0 || end.signal != 0 || end.timedOut)
        return Error{"The figures were not drawn: " + lastSentence(end.errors)};
    return {};
}

}  // namespace warpglass
