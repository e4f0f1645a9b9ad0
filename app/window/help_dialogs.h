// The Help menu's two windows. Both return when the person closes them.
#pragma once

class QWidget;

namespace warpglass::app {

void showShortcuts(QWidget* parent);
void showAbout(QWidget* parent);

}  // namespace warpglass::app
