#include "engine/experiments/experiment_folder.h"

#include <fstream>
#include <iterator>
#include <system_error>

#include "engine/base/whole_file.h"
#include "engine/experiments/experiment_json.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;

// A result has a few thousand points at most; what is larger is none.
constexpr std::uintmax_t kLargestResult = 64u << 20;

Status makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return Error{"Cannot make the folder " + folder.string() + ": " + error.message() + "."};
    return {};
}

}  // namespace

fs::path sweepPath(const fs::path& folder, const NamedSweep& sweep) {
    return folder / (sweep.name + ".wgsweep");
}

std::string answerPage(const ExperimentResult& result) {
    std::string page = "# " + result.title + "\n\n" + result.lookFor + "\n";
    if (!result.measured.empty())
        page += "\n## Measured\n\n";
    for (const std::string& settings : result.measured)
        page += "- " + settings + "\n";
    if (!result.answers.empty()) {
        page += "\n## Answer\n\n";
        for (const std::string& answer : result.answers)
            page += "- " + answer + "\n";
    }
    if (!result.charts.empty()) {
        page += "\n## Figures\n";
        for (const Chart& chart : result.charts) {
            page += "\n![" + chart.title + "](figures/" + chart.key + ".svg)\n\n" + chart.title + ".";
            page += chart.sentence.empty() ? "\n" : " " + chart.sentence + "\n";
            if (!chart.setup.empty())
                page += "\n*" + chart.setup + "*\n";
        }
    }
    if (!result.tables.empty())
        page += "\n## Tables\n\n" + renderTables(result.tables, TableFormat::kMarkdown);
    if (!result.memorySnapshots.empty())
        page += "\n## Memory snapshots\n\n";
    for (const ExperimentRun& snapshot : result.memorySnapshots)
        page += "- " + snapshot.title + ": " + snapshot.file.generic_string() + "\n";
    if (!result.notes.empty() || !result.information.empty())
        page += "\n## Notes\n\n";
    for (const std::string& note : result.notes)
        page += "- " + note + "\n";
    for (const auto& [key, value] : result.information)
        page += "- " + key + ": " + value + "\n";
    return page;
}

Status writeExperiment(const ExperimentResult& result, const fs::path& folder) {
    if (Status made = makeFolder(folder / "tables"); !made)
        return made;
    for (const ReportTable& table : result.tables) {
        for (const auto& [format, ending] :
             {std::pair{TableFormat::kCsv, ".csv"}, std::pair{TableFormat::kMarkdown, ".md"},
              std::pair{TableFormat::kLatex, ".tex"}}) {
            if (Status written =
                    writeWholeFile(folder / "tables" / (table.key + ending), renderTable(table, format));
                !written)
                return written;
        }
    }
    if (Status written = writeWholeFile(folder / "answer.md", answerPage(result)); !written)
        return written;
    return writeWholeFile(folder / kExperimentFile, toJson(result));
}

Result<ExperimentResult> readExperiment(const fs::path& path) {
    std::error_code error;
    const fs::path file = fs::is_directory(path, error) ? path / kExperimentFile : path;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error)
        return Error{"Cannot open " + file.string() + ": " + error.message() + "."};
    if (size > kLargestResult)
        return Error{"Cannot open " + file.string() + ": it is too large for an experiment's result."};
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream)
        return Error{"Cannot read " + file.string() + "."};
    Result<ExperimentResult> result = experimentFromJson(text);
    if (!result)
        return Error{"Cannot open " + file.string() + ": it " + result.message() + "."};
    return result;
}

}  // namespace warpglass
