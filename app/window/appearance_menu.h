// The lower end of the View menu, on the window itself: the run panel, one view alone, the presentation,
// named layouts, the theme, the size of text and controls, frame times.
#pragma once

#include <QObject>
#include <QString>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class AppearanceMenu : public QObject {
    Q_OBJECT
public:
    /// With `remembers` off, the user's settings stay as they are, but for layouts with a name. All others
    /// outlive it; `view` owns it.
    AppearanceMenu(QMenu& view, MenuConditions& conditions, WindowPages& pages, RunPanelPlace& panel,
                   WindowLayout& layout, FocusMode& focus, PresentationMode& presentation, bool remembers);

    /// Light or dark as the desktop is, also where that changes; until a person chooses one of them.
    void followDesktop();

signals:
    void said(const QString& sentence);

private:
    void addPanel(QMenu& view);
    void addFocus(QMenu& view, MenuConditions& conditions);
    void addPresentation(QMenu& appearance);
    void fillLayouts(QMenu& menu);
    void saveLayoutAs();
    void addThemes(QMenu& themes);
    void chooseTheme(const QString& word);
    void addSizes(QMenu& sizes);
    void takeSize(double size);
    void addFrameTimes(QMenu& appearance);
    void sayPanelShown();

    WindowPages& m_pages;
    RunPanelPlace& m_panel;
    WindowLayout& m_layout;
    FocusMode& m_focus;
    PresentationMode& m_presentation;
    bool m_remembers;
    QWidget* m_window;
    ui::SystemTheme* m_systemTheme;
    QAction* m_panelAction = nullptr;
};

}  // namespace warpglass::app
