#include "engine/sweep/window_program.h"

#include <string_view>
#include <system_error>

#include "engine/sweep/child_process.h"

namespace warpglass {

Status runWindowProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                        Nanoseconds timeLimit, const std::atomic<bool>& stop) {
    std::error_code error;
    std::filesystem::path window = program;
    if (window.empty())
        window = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "warpglass";
    if (error || !std::filesystem::exists(window, error))
        return Error{"the window's program, warpglass, is not beside this one."};
    const ChildEnd end = runChild(window, arguments, timeLimit, stop);
    if (!end.notStarted.empty())
        return Error{window.string() + ": " + end.notStarted + "."};
    if (end.stopped)
        return Error{"it was stopped."};
    if (end.timedOut)
        return Error{"it took too long."};
    if (end.status != 0 || end.signal != 0) {
        constexpr std::string_view kName = "warpglass: ";
        std::string said = lastSentence(end.errors);
        if (said.starts_with(kName))
            said.erase(0, kName.size());
        return Error{said.empty() ? "the window's program ended without saying why." : said};
    }
    return {};
}

}  // namespace warpglass
