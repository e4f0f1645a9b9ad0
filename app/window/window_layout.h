// How the window's parts are arranged: the state kept between sessions, and named layouts.
//
// A layout is the splitters' positions, the page and the tab in front, the tables' columns, how the
// timeline's rows are arranged, where its times count from, the comparison's panes, and whether the run panel
// is shown; never the window's place on the screen, nor what is shown of a run.
#pragma once

#include <QString>
#include <QStringList>
#include <QVariantMap>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class WindowLayout {
public:
    /// All outlive it. As they are now is what reset() goes back to.
    WindowLayout(Workspace& workspace, RunPanelPlace& runPanel, ui::ComparisonView* comparison = nullptr);

    QVariantMap state() const;
    /// What is missing or unknown in it stays as it is.
    void apply(const QVariantMap& state);
    /// Resets everything except the page, which is where the user is rather than how the window is arranged.
    void reset();

    /// Names of the layouts in the settings, in alphabetical order.
    static QStringList names();
    /// Replaces one of the same name.
    void saveAs(const QString& name) const;
    /// False when there is none of that name.
    bool load(const QString& name);
    static void remove(const QString& name);

private:
    Workspace& m_workspace;
    RunPanelPlace& m_runPanel;
    ui::ComparisonView* m_comparison;  // null: it keeps its own
    QVariantMap m_initial;
};

}  // namespace warpglass::app
