#include "app/window/lesson_menu.h"

#include <QAction>
#include <QMenu>

#include "app/window/commands.h"
#include "app/window/lesson_library.h"
#include "app/window/lessons.h"
#include "app/window/menu_conditions.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

void addLessons(QMenu& help, Lessons& lessons, MenuConditions& conditions) {
    auto* menu = help.addMenu(Lessons::tr("&Lessons"));
    menu->setObjectName(QStringLiteral("lessonMenu"));
    menu->setToolTipsVisible(true);
    for (const Lesson& lesson : bundledLessons()) {
        const QString file = QString::fromStdString(lesson.file);
        menu->addAction(entryText(ui::toQString(lesson.title)), &lessons,
                        [&lessons, file] { lessons.open(file); })
            ->setToolTip(ui::toQString(lesson.summary));
    }
    menu->addSeparator();
    const auto add = [&](const QString& title, Qt::Key key, void (Lessons::*act)()) {
        QAction* action = menu->addAction(title, &lessons, act);
        if (key != Qt::Key_unknown)
            action->setShortcut(key);
        conditions.enableWhile(
            action, [&lessons] { return lessons.isOn(); }, Lessons::tr("no lesson is open"));
    };
    add(Lessons::tr("&Previous Step"), Qt::Key_F7, &Lessons::back);
    add(Lessons::tr("&Next Step"), Qt::Key_F8, &Lessons::next);
    add(Lessons::tr("&Show the Step's Place Again"), Qt::Key_F9, &Lessons::showAgain);
    add(Lessons::tr("Show the &Answer"), Qt::Key_unknown, &Lessons::showAnswer);
    add(Lessons::tr("&Leave the Lesson"), Qt::Key_unknown, &Lessons::leave);
    QObject::connect(&lessons, &Lessons::changed, &conditions, &MenuConditions::refresh);
}

}  // namespace warpglass::app
