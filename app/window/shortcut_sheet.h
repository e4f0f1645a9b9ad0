// The sheet of shortcuts (?): every key and gesture, by where it works; a field narrows it.
//
// The menus' keys are read from the menus, so that none is missing or wrong; those of the views are in a
// separate table, which has a test.
#pragma once

#include <QDialog>

#include "app/window/commands.h"
#include "app/window/window_fwd.h"

namespace warpglass::app {

struct KeyHint {
    QString keys, what;
};
struct KeySection {
    QString title;
    QList<KeyHint> hints;
};

/// Keys and gestures of the views themselves: they work while the view has the focus.
QList<KeySection> viewKeys();
/// Those, after the menus' commands that have a shortcut, by menu.
QList<KeySection> allKeys(const QList<Command>& commands);

class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    ShortcutSheet(QList<KeySection> sections, QWidget* parent);

private:
    void fill(const QString& query);

    QList<KeySection> m_sections;
    QLineEdit* m_query;
    QTextBrowser* m_text;
};

}  // namespace warpglass::app
