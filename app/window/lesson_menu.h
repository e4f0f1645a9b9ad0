// The lessons in the Help menu, and the ways through the one that is on, which work wherever the keyboard is.
#pragma once

class QMenu;

namespace warpglass::app {

class Lessons;
class MenuConditions;

/// The actions are `help`'s.
void addLessons(QMenu& help, Lessons& lessons, MenuConditions& conditions);

}  // namespace warpglass::app
