#include "app/window/commands.h"

#include <QMenu>
#include <QMenuBar>

namespace warpglass::app {

namespace {

/// "&Open…" is "Open…", "R && D" is "R & D"; what follows a tab is a shortcut that belongs to a view.
QString plainText(const QString& text) {
    QString plain;
    const QString title = text.section(QLatin1Char('\t'), 0, 0);
    for (int i = 0; i < title.size(); ++i) {
        if (title[i] == QLatin1Char('&') && (++i >= title.size()))
            break;
        plain += title[i];
    }
    return plain;
}

QString shortcutOf(const QAction& action) {
    if (!action.shortcut().isEmpty())
        return action.shortcut().toString(QKeySequence::NativeText);
    return action.text().section(QLatin1Char('\t'), 1, 1);
}

void collect(QMenu& menu, const QString& path, bool disabledToo, QList<Command>& commands) {
    emit menu.aboutToShow();
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible())
            continue;
        const QString title = path + QStringLiteral(" › ") + plainText(action->text());
        if (action->menu())
            collect(*action->menu(), title, disabledToo, commands);
        else if (action->isEnabled() || disabledToo)
            commands << Command{title, shortcutOf(*action), action};
    }
}

bool startsWord(const QString& title, qsizetype at) {
    return at == 0 || !title[at - 1].isLetterOrNumber();
}

/// Whether the letters of `query` follow each other in `title`, not necessarily side by side.
bool holdsInOrder(const QString& title, const QString& query) {
    qsizetype at = 0;
    for (const QChar c : query) {
        if (c.isSpace())
            continue;
        at = title.indexOf(c, at, Qt::CaseInsensitive);
        if (at < 0)
            return false;
        ++at;
    }
    return true;
}

}  // namespace

QList<Command> commandsOf(const QMenuBar& bar, bool disabledToo) {
    QList<Command> commands;
    for (QAction* action : bar.actions()) {
        if (action->menu())
            collect(*action->menu(), plainText(action->text()), disabledToo, commands);
    }
    return commands;
}

std::optional<int> commandScore(const QString& title, const QString& query) {
    constexpr int kWordStart = 100, kWithin = 40, kLetters = 1;
    int score = 0;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        int best = 0;
        for (qsizetype at = title.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
             at = title.indexOf(word, at + 1, Qt::CaseInsensitive))
            best = qMax(best, startsWord(title, at) ? kWordStart : kWithin);
        if (best == 0)
            return holdsInOrder(title, query) ? std::optional(kLetters) : std::nullopt;
        score += best;
    }
    return score;
}

}  // namespace warpglass::app
