// Draws the figures of a report: views of runs, comparisons and charts, by the widgets that the window shows,
// without their heads, which a report says beside them, and in both themes.
//
// A figure takes about a tenth of a second; draw() does one, so that a window can answer between two.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/window/window_fwd.h"
#include "engine/report/report_document.h"
#include "engine/report/report_input.h"

namespace warpglass::app {

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

    /// Paints the figure into `place`, as wide as that, in the light theme: as letters and lines on a page.
    /// Nothing for one that cannot be drawn.
    void paint(const ReportFigure& figure, QPainter& painter, const QRectF& place);

private:
    class UnseenViews;
    /// What is drawn, and how large.
    using Use =
        std::function<void(QWidget& view, const ui::FigureSource& source, const ui::FigureSize& size)>;
    void with(const ReportFigure& figure, const Use& use);
    void withView(const ReportRunView& view, const Use& use);
    void withPair(const ReportRunPair& pair, const Use& use);

    const std::vector<ReportInput>& m_inputs;
    Themes m_themes;
    /// The run of the last figure: figures of one run follow each other.
    std::unique_ptr<UnseenViews> m_run;
};

}  // namespace warpglass::app
