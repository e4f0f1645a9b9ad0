// Draws the figures of a report: views of runs, comparisons and charts, by the widgets that the window shows,
// without their heads, which a report says beside them, and in both themes.
//
// GUI thread only. A figure takes about a tenth of a second; draw() does one, so that a window can answer
// between two.
#pragma once

#include <memory>
#include <vector>

#include "engine/report/report_document.h"
#include "engine/report/report_input.h"

class QWidget;

namespace warpglass::ui {
struct FigureSource;
}

namespace warpglass::app {

class UnseenViews;

class ReportFigures {
public:
    enum class Themes { kBoth, kLight, kDark };

    /// `inputs`: those that the document was made of; they outlive this.
    explicit ReportFigures(const std::vector<ReportInput>& inputs, Themes themes = Themes::kBoth);
    ~ReportFigures();
    ReportFigures(const ReportFigures&) = delete;
    ReportFigures& operator=(const ReportFigures&) = delete;

    /// Fills in the drawing and what the view says of itself: its finding, and its alternative text with
    /// that. Leaves a figure without drawing that cannot be drawn. With one theme the drawing has that one
    /// alone, in `light`.
    void draw(ReportFigure& figure);

private:
    void drawView(const ReportRunView& view, ReportFigure& figure);
    void drawPair(const ReportRunPair& pair, ReportFigure& figure);
    void drawChart(const Chart& chart, ReportFigure& figure);
    /// `height`: in logical pixels; 0 for what the content needs.
    void drawSource(QWidget& view, const ui::FigureSource& source, int height, ReportFigure& figure);

    const std::vector<ReportInput>& m_inputs;
    Themes m_themes;
    /// The run of the last figure: figures of one run follow each other.
    std::unique_ptr<UnseenViews> m_run;
};

}  // namespace warpglass::app
