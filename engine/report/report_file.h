// A report's file: which format its name asks for, whether it can be written, and writing it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "engine/base/result.h"
#include "engine/report/report_document.h"

namespace warpglass {

enum class ReportFormat : std::uint8_t { kHtml, kMarkdown, kPdf };
inline constexpr std::array<std::string_view, 3> kReportEndings = {".html", ".md", ".pdf"};

/// By the ending of the name. An error says which endings there are.
Result<ReportFormat> reportFormatOf(const std::filesystem::path& path);

/// Whether there is a folder to write it into, and none of these inputs would be written over; asked before
/// the work that it takes. An error names the place.
Status checkReportPlace(const std::filesystem::path& path, std::span<const std::filesystem::path> inputs);

/// Whether the figures of a Markdown file can be written into their folder, which need not be there. An error
/// names what is in their place.
Status checkFigurePlace(const std::filesystem::path& path);

/// Writes HTML, or Markdown with its figures in the folder NAME-figures beside it; replaces what is there. An
/// error names the file. Precondition: the format is not PDF, whose pages the window's program makes.
Status writeReport(const ReportDocument& document, const std::filesystem::path& path);

}  // namespace warpglass
