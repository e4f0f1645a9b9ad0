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

Status writeMarkdown(const ReportDocument& document, const fs::path& path) {
    const std::string folder = path.stem().string() + "-figures";
    const fs::path figures = path.parent_path() / folder;
    const auto drawn = figuresOf(document);
    std::error_code error;
    if (std::any_of(drawn.begin(), drawn.end(),
                    [](const ReportFigure* figure) { return figure->drawing.isThere(); }))
        fs::create_directories(figures, error);
    if (error)
        return Error{"Cannot make the folder " + figures.string() + ": " + error.message() + "."};
    for (const ReportFigure* figure : drawn) {
        if (!figure->drawing.isThere())
            continue;
        if (Status written = writeWholeFile(figures / (figure->id + ".svg"), figure->drawing.light); !written)
            return written;
    }
    return writeWholeFile(path, reportMarkdown(document, folder));
}

}  // namespace

Result<ReportFormat> reportFormatOf(const fs::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (ending == ".htm")
        return ReportFormat::kHtml;
    const auto found = std::find(kReportEndings.begin(), kReportEndings.end(), ending);
    if (found == kReportEndings.end())
        return Error{"The name of a report says its format: " + path.string() +
                     " does not end in .html, .md or .pdf."};
    return static_cast<ReportFormat>(found - kReportEndings.begin());
}

Status checkReportPlace(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error))
        return Error{"Cannot write " + path.string() + ": it is a folder."};
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        return Error{"Cannot write " + path.string() + ": there is no folder " + folder.string() + "."};
    if (::access(folder.c_str(), W_OK) != 0)
        return Error{"Cannot write " + path.string() + ": " + std::strerror(errno) + "."};
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
