#include "app/cli/command.h"

#include "app/cli/number_option.h"
#include "engine/plan/settings.h"

namespace warpglass::cli {

void addFileArgument(CLI::App& command, std::string& path, const std::string& name, const std::string& what) {
    command.add_option(name, path, what)->type_name("")->required();
}

void addFormatOption(CLI::App& command, TableFormat& format) {
    const auto take = [&format](const std::string& word) {
        const Result<TableFormat> parsed = parseTableFormat(word);
        if (!parsed)
            throw CLI::ValidationError("--format", parsed.message());
        format = *parsed;
    };
    command.add_option_function<std::string>("--format", take, listedWords(kTableFormatNames))
        ->type_name("WORD")
        ->default_str("table")
        ->group("Output");
}

void addLimitOption(CLI::App& command, std::int64_t& limit) {
    addNumberOption(command, "--limit", limit, "Print only the first N rows of each table; 0 prints all")
        ->group("Output");
}

}  // namespace warpglass::cli
