#include "engine/report/repeat_commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <variant>

#include "engine/plan/settings.h"

namespace warpglass {
namespace {

void add(std::string& command, std::string_view key, std::string_view value) {
    command += " --" + std::string(key) + " " + shellWord(value);
}

/// Every digit, as a time limit is read.
std::string secondsInFull(Nanoseconds time) {
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), static_cast<double>(time.value) / 1e9).ptr;
    return std::string(text.data(), end);
}

/// Adds every setting, so that the command means the same if defaults change. Left out are a preset's
/// sizes, which it brings, and what cannot be chosen on the run's device, or asks for nothing.
void addSettings(std::string& command, const RunConfig& config, const std::vector<SweepAxis>& axes) {
    const auto isAxis = [&](std::string_view key) {
        return std::ranges::any_of(axes, [key](const SweepAxis& axis) { return axis.key == key; });
    };
    RunConfig told;
    for (const Setting& setting : settings()) {
        // Where there are several models, each has its own sizes.
        const bool isOfModels = setting.panel.part == PanelPart::kSizes && isAxis("model");
        if (isAxis(setting.key) || isOfModels || !setting.applies(config))
            continue;
        const std::string value = setting.text(config);
        const bool isOfPreset =
            setting.panel.part == PanelPart::kSizes && !config.isAttention() && config.model != kCustomModel;
        const bool saysNothing = isOfPreset || std::holds_alternative<SizeLimit>(setting.kind) ||
                                 (setting.devices == Devices::kGpu && config.device == "cpu");
        if (saysNothing && value == setting.text(told))
            continue;
        add(command, setting.key, value);
        // What a run's file may have and no option takes, the command says when it is run.
        if (!setting.take(value, told))
            continue;
    }
}

void addAxes(std::string& command, const std::vector<SweepAxis>& axes) {
    for (const SweepAxis& axis : axes) {
        std::string list;
        for (const std::string& value : axis.values)
            list += (list.empty() ? "" : ",") + value;
        add(command, axis.key, list);
    }
}

}  // namespace

std::string shellWord(std::string_view word) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("_./:,=+-@%").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, plain))
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

std::vector<std::string> shellLines(std::string_view command) {
    // As wide as a page and a window of 800 pixels have room for.
    constexpr std::size_t kWidest = 84;
    std::vector<std::string> lines(1);
    std::size_t begin = 0, word = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= command.size(); ++i) {
        const char c = i < command.size() ? command[i] : ' ';
        if (c == '\\' && !quoted) {
            ++i;  // what follows is itself
            continue;
        }
        if (c == '\'')
            quoted = !quoted;
        if (c != ' ' || (quoted && i < command.size()))
            continue;
        // An option stays with its value.
        const bool isOption = command.substr(word).starts_with("--");
        word = i + 1;
        if (isOption && i < command.size() && !command.substr(word).starts_with("--"))
            continue;
        const std::string_view part = command.substr(begin, i - begin);
        if (!lines.back().empty() && lines.back().size() + part.size() > kWidest) {
            lines.back() += " \\";
            lines.emplace_back("   ");  // and the space before the part
        }
        lines.back() += part;
        begin = i;
    }
    return lines;
}

std::string runCommand(const RunConfig& config, std::string_view output) {
    std::string command = "warpglass-cli run";
    addSettings(command, config, {});
    add(command, "output", output);
    return command;
}

std::string sweepCommand(const SweepPlan& plan, std::string_view output) {
    std::string command = "warpglass-cli sweep";
    addSettings(command, plan.base, plan.axes);
    addAxes(command, plan.axes);
    add(command, "repeats", std::to_string(plan.repeats));
    add(command, "order",
        plan.order == CellOrder::kGrid       ? "grid"
        : plan.order == CellOrder::kShuffled ? "shuffled"
                                             : "interleaved");
    if (plan.order == CellOrder::kShuffled)
        add(command, "shuffle-seed", std::to_string(plan.shuffleSeed));
    add(command, "too-large", plan.tooLarge == TooLarge::kTry ? "try" : "skip");
    if (plan.timeLimit != SweepPlan().timeLimit)
        add(command, "time-limit", secondsInFull(plan.timeLimit) + "s");
    if (!plan.runFolder.empty())
        add(command, "keep-runs", plan.runFolder.string());
    if (plan.memorySnapshots)
        command += " --memory-snapshots";
    add(command, "output", output);
    return command;
}

std::string experimentCommand(const ExperimentRequest& request, std::string_view output) {
    std::string command = "warpglass-cli experiment " + std::string(request.experiment->name);
    add(command, "device", request.options.device);
    addAxes(command, request.options.given);
    add(command, "output", output);
    return command;
}

std::string repeatedName(const std::filesystem::path& path) {
    const std::filesystem::path named = path.has_filename() ? path : path.parent_path();
    return named.stem().string() + "-again" + named.extension().string();
}

}  // namespace warpglass
