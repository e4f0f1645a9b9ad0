#include "engine/report/report_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "engine/base/check.h"
#include "engine/base/whole_file.h"
#include "engine/report/html_report.h"
#include "engine/report/markdown_report.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;

/// The folder of a Markdown file's figures.
fs::path figureFolder(const fs::path& path) {
    return path.parent_path() / (path.stem().string() + "-figures");
}

Status writeMarkdown(const ReportDocument& document, const fs::path& path) {
    const fs::path figures = figureFolder(path);
    const auto drawn = figuresOf(document);
    std::error_code error;
    if (std::ranges::any_of(drawn, [](const ReportFigure* figure) { return figure->drawing.isThere(); }))
        fs::create_directories(figures, error);
    if (error)
        return Error{"Cannot make the folder " + figures.string() + ": " + error.message() + "."};
    for (const ReportFigure* figure : drawn) {
        if (!figure->drawing.isThere())
            continue;
        if (Status written = writeWholeFile(figures / (figure->id + ".svg"), figure->drawing.light); !written)
            return written;
    }
    return writeWholeFile(path, reportMarkdown(document, figures.filename().string()));
}

}  // namespace

Result<ReportFormat> reportFormatOf(const fs::path& path) {
    if (path.filename().empty())
        return Error{"A report needs the name of a file, which ends in .html, .md or .pdf."};
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (ending == ".htm")
        return ReportFormat::kHtml;
    const auto found = std::ranges::find(kReportEndings, ending);
    if (found == kReportEndings.end())
        return Error{"The name of a report says its format: " + path.string() +
                     (path.filename().string().starts_with('.') ? " has nothing before its ending."
                                                                : " does not end in .html, .md or .pdf.")};
    return static_cast<ReportFormat>(found - kReportEndings.begin());
}

Status checkReportPlace(const fs::path& path, std::span<const fs::path> inputs) {
    std::error_code error;
    for (const fs::path& input : inputs) {
        if (fs::equivalent(path, input, error))
            return Error{"Cannot write " + path.string() + ": it is an input of the report."};
    }
    if (fs::is_directory(path, error))
        return Error{"Cannot write " + path.string() + ": it is a folder. Name a file in it, such as " +
                     (path / "report.html").string() + "."};
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        return Error{"Cannot write " + path.string() +
                     (fs::exists(folder, error) ? ": " + folder.string() + " is not a folder."
                                                : ": there is no folder " + folder.string() + ".")};
    if (::access(folder.c_str(), W_OK) != 0)
        return Error{"Cannot write " + path.string() + ": " + std::strerror(errno) + "."};
    return {};
}

Status checkFigurePlace(const fs::path& path) {
    const fs::path figures = figureFolder(path);
    const std::string before = "Cannot write the figures into " + figures.string() + ": ";
    std::error_code error;
    const fs::file_status place = fs::symlink_status(figures, error);
    if (!fs::exists(place))
        return {};  // it is made beside the report
    if (!fs::is_directory(figures, error))
        return Error{before + "it is not a folder."};
    if (::access(figures.c_str(), W_OK) != 0)
        return Error{before + std::strerror(errno) + "."};
    for (fs::directory_iterator entry(figures, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code unknown;
        if (entry->path().extension() == ".svg" && entry->is_directory(unknown))
            return Error{before + entry->path().filename().string() + " in it is a folder."};
    }
    return {};
}

Status writeReport(const ReportDocument& document, const fs::path& path) {
    const Result<ReportFormat> format = reportFormatOf(path);
    if (!format)
        return format.error();
    WG_CHECK(*format != ReportFormat::kPdf);
    return *format == ReportFormat::kMarkdown ? writeMarkdown(document, path)
                                              : writeWholeFile(path, reportHtml(document));
}

}  // namespace warpglass
