#include "app/window/commands.h"

#include <QApplication>
#include <QFontMetrics>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <utility>

#include "app/window/run_words.h"

namespace warpglass::app {

namespace {

const QString kPathSeparator = QStringLiteral(" › ");
constexpr char kIsNote[] = "note", kSearchWords[] = "searchWords", kRefusal[] = "refusal",
               kExplained[] = "explained";
constexpr int kWidestReason = 380;  // pixels beside a title

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
    return refusalOf(action).isEmpty() ? action.text().section(QLatin1Char('\t'), 1, 1) : QString();
}

void collect(QMenu& menu, const QString& path, bool disabledToo, QList<Command>& commands) {
    emit menu.aboutToShow();
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible() || action->property(kIsNote).toBool())
            continue;
        const QString title = path + kPathSeparator + plainText(action->text());
        if (action->menu())
            collect(*action->menu(), title, disabledToo, commands);
        else if (action->isEnabled() || disabledToo)
            commands << Command{
                title, shortcutOf(*action), action, {}, action->property(kSearchWords).toString()};
    }
}

bool startsWord(const QString& title, qsizetype at) {
    return at == 0 || !title[at - 1].isLetterOrNumber();
}

/// Whether the letters, from one place on, are those with which words of the title begin, one word after the
/// other: "exfi" and "ef" of "Export Figure".
bool areWordStarts(const QStringList& words, const QString& letters, qsizetype word, qsizetype letter) {
    if (letter == letters.size())
        return true;
    for (; word < words.size(); ++word) {
        qsizetype taken = 0;
        while (taken < words[word].size() && letter + taken < letters.size() &&
               words[word][taken].toCaseFolded() == letters[letter + taken].toCaseFolded()) {
            ++taken;
            if (areWordStarts(words, letters, word + 1, letter + taken))
                return true;
        }
    }
    return false;
}

/// Whether a word of the title begins as the letters do and holds them in order, one or two others between
/// them: "algn" of "Align".
bool isNearlyAWord(const QStringList& words, const QString& letters) {
    constexpr qsizetype kFewest = 3, kMostBetween = 2;
    if (letters.size() < kFewest)
        return false;
    for (const QString& word : words) {
        qsizetype at = -1;
        bool all = word.startsWith(letters.front(), Qt::CaseInsensitive);
        for (qsizetype i = 0; all && i < letters.size(); ++i) {
            at = word.indexOf(letters[i], at + 1, Qt::CaseInsensitive);
            all = at >= 0;
        }
        if (all && at < letters.size() + kMostBetween)
            return true;
    }
    return false;
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

void fillWhenOpened(QMenu* menu, std::function<void(QMenu&)> fill) {
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, fill = std::move(fill)] {
        // clear() leaves submenus behind.
        qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
        menu->clear();
        fill(*menu);
    });
}

QString entryText(QString title) {
    return title.replace(QLatin1Char('&'), QLatin1String("&&"));
}

void addNote(QMenu& menu, const QString& words) {
    QAction* note = menu.addAction(words);
    note->setEnabled(false);
    note->setProperty(kIsNote, true);
}

void refuseAction(QAction& action, const QString& why) {
    const QFontMetrics metrics(qApp->font("QMenu"));
    action.setEnabled(false);
    action.setProperty(kRefusal, why);
    action.setText(action.text() + QLatin1Char('\t') +
                   metrics.elidedText(why, Qt::ElideRight, kWidestReason));
    action.setToolTip(plainToolTip(why));
    action.setStatusTip(QStringLiteral("%1: %2").arg(plainText(action.text()), why));
}

QString refusalOf(const QAction& action) {
    return action.property(kRefusal).toString();
}

void explainDisabled(QMenu& menu, std::function<QString(const QAction&)> whyNot) {
    const auto explain = [&menu, whyNot = std::move(whyNot)] {
        for (QAction* action : menu.actions()) {
            if (action->menu() && !action->menu()->property(kExplained).toBool())
                explainDisabled(*action->menu(), whyNot);
            if (action->menu() || action->isSeparator() || action->property(kIsNote).toBool() ||
                !refusalOf(*action).isEmpty())
                continue;
            action->setStatusTip(action->isEnabled() ? QString()
                                                     : QStringLiteral("%1: %2").arg(plainText(action->text()),
                                                                                    whyNot(*action)));
        }
    };
    menu.setProperty(kExplained, true);
    // After whoever fills the menu, who was connected before.
    QObject::connect(&menu, &QMenu::aboutToShow, &menu, explain);
    explain();
}

void addSearchWords(QAction& action, const QString& words) {
    action.setProperty(kSearchWords, words);
}

std::optional<int> commandScore(const Command& command, const QString& query) {
    const std::optional<int> score = commandScore(command.title, query);
    if (score.has_value() || command.searchWords.isEmpty())
        return score;
    return commandScore(command.title + QLatin1Char(' ') + command.searchWords, query);
}

std::optional<int> commandScore(const QString& title, const QString& query) {
    // A menu's name answers as its entries do, but these come first.
    constexpr int kWordStart = 100, kWithin = 40, kOfTheAction = 10, kLetters = 1;
    const qsizetype separator = title.lastIndexOf(kPathSeparator);
    const qsizetype last = separator < 0 ? 0 : separator + kPathSeparator.size();
    int score = 0;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        int best = 0;
        for (qsizetype at = title.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
             at = title.indexOf(word, at + 1, Qt::CaseInsensitive))
            best =
                qMax(best, (startsWord(title, at) ? kWordStart : kWithin) + (at >= last ? kOfTheAction : 0));
        if (best == 0) {
            static const QRegularExpression kNoWord(QStringLiteral("[^\\w]+"),
                                                    QRegularExpression::UseUnicodePropertiesOption);
            const QStringList words = title.mid(last).split(kNoWord, Qt::SkipEmptyParts);
            const QString letters = QString(query).remove(QLatin1Char(' '));
            return areWordStarts(words, letters, 0, 0) || isNearlyAWord(words, letters)
                       ? std::optional(kLetters)
                       : std::nullopt;
        }
        score += best;
    }
    return score;
}

}  // namespace warpglass::app
