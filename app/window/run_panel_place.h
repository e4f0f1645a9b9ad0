// The left edge of the window: the run panel, or a rail that opens it again.
//
// Looking at a finished run needs the width, choosing the next one needs the panel. So in a window that is
// not wide the panel folds away as a finished run comes to the front, and comes back on the start page and
// while a run is being recorded; until a person shows or hides it, which holds from then on. Whoever has
// begun to choose the next run while one is recorded keeps it. GUI thread only.
#pragma once

#include <QString>
#include <QVariant>
#include <QWidget>
#include <optional>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class RunPanelPlace : public QWidget {
    Q_OBJECT
public:
    /// Takes the panel as its child; all of them outlive it, or go with their common parent.
    RunPanelPlace(ui::RunPanel& panel, SessionController& controller, WindowPages& pages, QWidget* parent);

    /// Logical pixels of the window: in a wider one the plots keep 1,000 beside the panel and the inspector.
    static constexpr int kRoomForBoth = 1650;

    /// False also while one view alone hides it.
    bool showsPanel() const;
    /// By hand: what is shown now holds until toggle() or setChoice().
    void toggle();
    /// What a layout keeps: "shown" or "hidden" as chosen by hand, else "auto"; anything else is that, too.
    QVariant choice() const;
    void setChoice(const QVariant& choice);

signals:
    void changed();

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void choose(std::optional<bool> shown);
    void arrange();
    void moveFocus(bool shown);

    ui::RunPanel& m_panel;
    SessionController& m_controller;
    WindowPages& m_pages;
    QWidget* m_open;  // the panel under its heading
    QAbstractButton* m_fold;
    QAbstractButton* m_rail;
    std::optional<bool> m_chosen;
    bool m_edits = false;  // since the run that is recorded began
};

}  // namespace warpglass::app
