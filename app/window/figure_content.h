// Fills a view when nobody has chosen anything, as in `--render`: the slowest row's durations, a search, two
// cursors; for the window and the inspector a selected kernel, and in the window so few others beside it that
// their names can be read. Without it some figures would hold only a hint of what to do.
//
// GUI thread only; what it has chosen is taken back when it ends.
#pragma once

#include <QString>
#include <optional>

#include "engine/base/units.h"

namespace warpglass::ui {
class RunDocument;
class TimeAxis;
}  // namespace warpglass::ui

namespace warpglass::app {

class Workspace;

class FigureContent {
public:
    /// Shows the view `name` of the workspace, or its page of views for "window". `find` is what Find
    /// searches for; empty for the slowest kernel or op.
    FigureContent(Workspace& workspace, ui::RunDocument& document, ui::TimeAxis& axis, const QString& name,
                  const QString& find);
    ~FigureContent();
    FigureContent(const FigureContent&) = delete;
    FigureContent& operator=(const FigureContent&) = delete;

private:
    void select(ui::RunDocument& document, bool zoom);

    Workspace& m_workspace;
    ui::TimeAxis& m_axis;
    bool m_selected = false, m_found = false;
    /// What was visible before a kernel was selected; nothing where none was.
    std::optional<TimeRange> m_visible;
};

}  // namespace warpglass::app
