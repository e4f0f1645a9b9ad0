// The menus File, Table, Run and Help, with the command palette and the sheet of keys, which list what all
// menus offer. ViewMenu has the views' own.
#pragma once

#include <QObject>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class MainMenus : public QObject {
    Q_OBJECT
public:
    /// What the menus act on; all of it outlives them.
    struct Parts {
        SessionController& controller;
        WindowPages& pages;
        ui::RunPanel& panel;
        WindowFiles& files;
        FigureCommands& figures;
        ReportCommands& reports;
        RunActions& wholeRun;
        RunClosing& closing;
        MenuConditions& conditions;
        Lessons& lessons;
    };
    /// Adds its menus to the bar, View in their midst. The bar's window is the dialogs' parent.
    MainMenus(QMenuBar& bar, const Parts& parts);

    /// Empty, for ViewMenu.
    QMenu& viewMenu() const { return *m_view; }
    /// In every menu, says in the status bar why an entry cannot be chosen. To be called when all are there.
    void explainDisabled();

public slots:
    void openCommandPalette();
    void openShortcutSheet();

private:
    void addFile();
    void addSamples(QMenu& file);
    void addRun();
    void addSweep(QMenu& run);
    void addExperiment(QMenu& run);
    void addHelp();

    QMenuBar& m_bar;
    Parts m_parts;
    QMenu* m_view;
};

}  // namespace warpglass::app
