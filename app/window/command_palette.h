// The command palette (Ctrl+Shift+P): a field over a list of everything the menus offer; typing narrows it,
// Up and Down choose, Enter does it, Esc or a click elsewhere closes it.
#pragma once

#include <QFrame>

#include "app/window/commands.h"
#include "app/window/window_fwd.h"

namespace warpglass::app {

class CommandPalette : public QFrame {
    Q_OBJECT
public:
    /// Opens over the upper middle of `window`; deletes itself when closed.
    CommandPalette(QList<Command> commands, QWidget* window);

    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& query);
    void runCurrent();

    QList<Command> m_commands;
    QLineEdit* m_query;
    QListWidget* m_list;
};

}  // namespace warpglass::app
