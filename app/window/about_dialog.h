// What this program is, and of what it is made. Returns when the person closes it.
#pragma once

class QWidget;

namespace warpglass::app {

void showAbout(QWidget* parent);

}  // namespace warpglass::app
