// How a subcommand and its options are added to the parser.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "app/cli/commands.h"
#include "engine/tables/table_shape.h"

namespace warpglass::cli {

/// Both live as long as the parser.
template <class Options>
struct Command {
    CLI::App& parser;
    Options& options;
};

/// `work` is what the subcommand does with its options, as they are after the parse.
template <class Options>
Command<std::remove_const_t<Options>> addCommand(CLI::App& parent, Work& chosen, const char* name,
                                                 const char* what, ExitStatus (*work)(Options&),
                                                 const char* footer) {
    const auto options = std::make_shared<std::remove_const_t<Options>>();
    CLI::App* command = parent.add_subcommand(name, what);
    command->footer(footer);
    command->callback([&chosen, options, work] { chosen = [options, work] { return work(*options); }; });
    return {*command, *options};
}

/// The options that are added from here on stand under this head of the help.
inline void beginGroup(CLI::App& command, const char* group) {
    command.option_defaults()->group(group);
}

/// Adds an option that takes a text; `type` is what the help has in its place.
inline CLI::Option* addText(CLI::App& command, const char* names, std::string& to, const char* type,
                            const std::string& what) {
    return command.add_option(names, to, what)->type_name(type);
}

// What follows must outlive the parse.

/// Adds the positional FILE.
void addFileArgument(CLI::App& command, std::string& path, const std::string& name = "FILE",
                     const std::string& what = "Run file (.wgrun)");
/// Adds --format.
void addFormatOption(CLI::App& command, TableFormat& format);
/// Adds --limit, 0 standing for no limit.
void addLimitOption(CLI::App& command, std::int64_t& limit);

}  // namespace warpglass::cli
