// `warpglass --render VIEW`: draws one view of a run file, or the whole window, to an image with no display.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include "engine/base/result.h"

namespace warpglass::app {

struct RenderRequest {
    /// One of Workspace::viewNames(), "window", or "comparison".
    QString view;
    QString runPath;
    /// What it is compared with, for "comparison".
    QString otherPath{};
    /// .png, .svg or .pdf decides the format.
    QString outputPath;
    QSize size{1600, 1000};  // logical pixels
    double scale = 1;        // device pixels a logical pixel, for PNG
};

/// Every word that `view` may be.
QStringList renderableViews();

/// Needs a QApplication (any platform, "offscreen" included) with the theme applied.
Status renderView(const RenderRequest& request);

}  // namespace warpglass::app
