// `warpglass --render VIEW`: draws one view of a run file, or the whole window, to an image with no display.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include "engine/base/result.h"

namespace warpglass::app {

struct RenderRequest {
    /// One of renderNames().
    QString view;
    QString runPath;
    /// What it is compared with, for "comparison".
    QString otherPath{};
    /// .png, .svg or .pdf decides the format.
    QString outputPath;
    QSize size{1600, 1000};  // logical pixels
    double scale = 1;        // device pixels a logical pixel, for PNG
};

/// "window", with its timeline and tables; "window-summary", as a run is first seen; and
/// Workspace::viewNames(); "comparison", of two runs.
QStringList renderNames();

/// Needs a QApplication (any platform, "offscreen" included) with the theme applied.
Status renderView(const RenderRequest& request);

}  // namespace warpglass::app
