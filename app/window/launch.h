// What has to be settled before there is a QApplication.
#pragma once

namespace warpglass::app {

/// The command line asks for nothing that needs a display: --render, --help, --version.
bool asksForNoDisplay(int argc, char** argv);
/// Whether a window can be opened. Qt itself ends the process with SIGABRT where it cannot.
bool hasDisplay(int argc, char** argv);
/// Drops Qt's remarks about a desktop that is not there, which no one who draws figures can act on; all other
/// messages go where they would go without this.
void quietQtAboutMissingDesktop();

}  // namespace warpglass::app
