// Shows what this program is and what it is built from. Returns when the user closes it.
#pragma once

class QWidget;

namespace warpglass::app {

void showAbout(QWidget* parent);

}  // namespace warpglass::app
