// What has to be settled before there is a QApplication.
#pragma once

#include <array>

namespace warpglass::app {

/// The sizes of text and controls that View › Appearance › Size offers, as multiples of the screen's.
inline constexpr std::array<double, 5> kSizes = {1, 1.25, 1.5, 2, 3};
/// The chosen size; the first one if none was chosen, or none of these.
double chosenSize();
/// Keeps it for the next start: Qt takes a scale for the whole program, and only as it starts.
void chooseSize(double size);
/// Makes Qt draw the window at the chosen size, multiplied by QT_SCALE_FACTOR. Call before QApplication.
void takeChosenSize();

/// The command line asks for nothing that needs a display: --render, --help, --version.
bool asksForNoDisplay(int argc, char** argv);
/// Whether a window can be opened. Qt itself ends the process with SIGABRT where it cannot.
bool hasDisplay(int argc, char** argv);
/// A figure of --scale S is drawn as on a screen of that ratio: at another one, Qt takes the pictures of
/// buttons' icons at the screen's and stretches them.
void takeScreenOfFigure(int argc, char** argv);
/// Drops Qt's messages about a missing desktop, which are of no use when drawing figures; all other messages
/// go where they would go otherwise.
void quietQtAboutMissingDesktop();

}  // namespace warpglass::app
