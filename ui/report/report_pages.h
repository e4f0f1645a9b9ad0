// A report as pages: PDF, A4, in the light theme.
#pragma once

#include <filesystem>
#include <functional>

#include "engine/base/result.h"
#include "engine/report/report_document.h"

class QPainter;
class QRectF;

namespace warpglass::ui {

/// Replaces the file; an error names it, and what was there is still there then.
/// `paint`: as ReportTextLook has it.
Status writeReportPages(
    const ReportDocument& report, const std::filesystem::path& path,
    const std::function<void(const ReportFigure&, QPainter&, const QRectF& place)>& paint);

}  // namespace warpglass::ui
