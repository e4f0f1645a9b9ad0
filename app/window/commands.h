// All that the menus offer, as one list: what the command palette searches and the shortcut sheet shows.
#pragma once

#include <QAction>
#include <QList>
#include <QPointer>
#include <QString>
#include <functional>
#include <optional>

class QMenu;
class QMenuBar;

namespace warpglass::app {

struct Command {
    /// "View › Theme › Dark"; without the marks of mnemonics.
    QString title;
    /// The shortcut as the platform writes it; empty for none.
    QString shortcut;
    QPointer<QAction> action;
    /// Why the command cannot be chosen now, in a few words; empty if it can.
    QString whyNot;
    /// Additional words by which it is found.
    QString searchWords;
    /// The menu it is in: "View".
    QString menu() const { return title.section(QStringLiteral(" › "), 0, 0); }
};

/// In the menus' order, submenus filled as if they were opened. Separators and what cannot be chosen now are
/// left out, unless `disabledToo`; notes always are.
QList<Command> commandsOf(const QMenuBar& bar, bool disabledToo = false);

/// Has `fill` add the menu's entries anew whenever it is opened.
void fillWhenOpened(QMenu* menu, std::function<void(QMenu&)> fill);
/// A title or a path as an entry's text: its ampersands mark no keys.
QString entryText(QString title);
/// A line that says why a menu is empty; it is no command, and commandsOf() leaves it out.
void addNote(QMenu& menu, const QString& words);

/// Disables the action for now and says why: in a few words in place of the shortcut, and in its status tip
/// and tool tip, which keys reach as well.
void refuseAction(QAction& action, const QString& why);
/// What refuseAction() said; empty for every other action.
QString refusalOf(const QAction& action);
/// Shows in the status bar why an entry of this menu, or of a menu within it, cannot be chosen when the
/// pointer or the keyboard reaches it. `whyNot` is called whenever the menu is opened.
void explainDisabled(QMenu& menu, std::function<QString(const QAction&)> whyNot);

/// Other words by which the palette finds an action than those of its name.
void addSearchWords(QAction& action, const QString& words);

/// How well a title answers what was typed: nothing unless every word of the query is in it, in any order and
/// case, or the query's letters are those with which words of the action's own name begin ("ef"), or nearly
/// one of these words. Larger is better; words at the beginning of words count most. An empty query is
/// answered by every title alike.
std::optional<int> commandScore(const QString& title, const QString& query);
/// Matched by its title, or else by its search words.
std::optional<int> commandScore(const Command& command, const QString& query);

}  // namespace warpglass::app
