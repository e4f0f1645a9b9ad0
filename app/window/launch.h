// What has to be settled before there is a QApplication.
#pragma once

namespace warpglass::app {

/// The command line asks for nothing that needs a display: --render, --help, --version.
bool asksForNoDisplay(int argc, char** argv);
/// Whether a window can be opened. Qt itself ends the process with SIGABRT where it cannot.
bool hasDisplay(int argc, char** argv);
/// A figure of --scale S is drawn as on a screen of that ratio: at another one, Qt takes the pictures of
/// buttons' icons at the screen's and stretches them.
void takeScreenOfFigure(int argc, char** argv);
/// Drops Qt's remarks about a desktop that is not there, which no one who draws figures can act on; all other
/// messages go where they would go without this.
void quietQtAboutMissingDesktop();

}  // namespace warpglass::app
