#include "engine/experiments/experiment_figures.h"

#include "engine/base/units.h"
#include "engine/sweep/window_program.h"

namespace warpglass {
namespace {

// A result has a handful of charts, each drawn in well under a second.
constexpr Nanoseconds kDrawingLimit(120'000'000'000);

}  // namespace

Status drawFigures(const std::filesystem::path& folder, const std::filesystem::path& program,
                   const std::atomic<bool>& stop) {
    const Status drawn =
        runWindowProgram(program,
                         {"--render", "experiment", "--width-mm", "170", "--height-mm", "100", "--scale", "2",
                          "--output", (folder / "figures").string(), folder.string()},
                         kDrawingLimit, stop);
    return drawn ? Status() : Error{"The figures were not drawn: " + drawn.message()};
}

}  // namespace warpglass
