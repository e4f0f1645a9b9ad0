// A report as rich text: what the window previews and what pages are made of.
#pragma once

#include <QTextDocument>
#include <QTextFormat>
#include <functional>
#include <memory>

#include "engine/report/report_document.h"
#include "ui/theme/theme.h"

class QPainter;
class QRectF;

namespace warpglass::ui {

/// Marks a block that says what the next one is: a heading, a table's title.
inline constexpr int kLeadsToNext = QTextFormat::UserProperty + 2;

struct ReportTextLook {
    /// Outlives the document.
    const ThemeColors& colors;
    /// The widest and the tallest that figures are, in logical pixels.
    double width = 860, tallest = 1200;
    /// Paints a figure into a place of its proportions; without it its SVG is drawn, whose letters are then
    /// outlines: far larger on a page, and not to be searched.
    std::function<void(const ReportFigure& figure, QPainter& painter, const QRectF& place)> paint = {};
};

/// `report` outlives the document. Figures are drawn in `ReportDrawing::light`, whatever theme that is of.
std::unique_ptr<QTextDocument> reportText(const ReportDocument& report, const ReportTextLook& look);

}  // namespace warpglass::ui
