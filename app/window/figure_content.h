// Fills a view when nobody has chosen anything, as in `--render`: the slowest row's durations, a search, two
// cursors; for the window and the inspector a selected kernel, and in the window so few others beside it that
// their names can be read. Without it some figures would hold only a hint of what to do. And selects what a
// figure is about (`--select`).
//
// GUI thread only; what it has chosen by itself is taken back when it ends.
#pragma once

#include <QString>
#include <optional>

#include "app/window/window_fwd.h"
#include "engine/base/units.h"
#include "engine/trace/span_ref.h"

namespace warpglass::app {

class FigureContent {
public:
    /// Shows the view `name` of the workspace, or its page of views for "window". `find` is what Find
    /// searches for; empty for the slowest kernel or op.
    FigureContent(Workspace& workspace, ui::RunDocument& document, ui::TimeAxis& axis, const QString& name,
                  const QString& find);
    ~FigureContent();
    /// Selects what has that text in its name; the view is in front and has been refreshed. In the window,
    /// the timeline and the inspector it is the longest span of the measured steps, to which the first two
    /// zoom; on the memory page, in memory over time, the map and the segments the largest allocation alive
    /// at the peak; elsewhere the first row of a table, and in a chart the largest mark by its tool tip.
    /// False where there is none.
    bool select(const QString& text);
    FigureContent(const FigureContent&) = delete;
    FigureContent& operator=(const FigureContent&) = delete;

private:
    void selectSpan(SpanRef span, bool zoom);
    bool selectAllocation(const QString& text);

    Workspace& m_workspace;
    ui::RunDocument& m_document;
    ui::TimeAxis& m_axis;
    QString m_name;
    bool m_selected = false, m_found = false;
    /// What was visible before a kernel was selected; nothing where none was.
    std::optional<TimeRange> m_visible;
};

}  // namespace warpglass::app
