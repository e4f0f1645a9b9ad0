// `warpglass --render VIEW`: draws views of a run file, or the whole window, to images with no display.
#pragma once

#include <QString>
#include <QStringList>

#include "app/window/sweep_view_options.h"
#include "engine/base/result.h"
#include "ui/figures/figure_size.h"

namespace warpglass::app {

struct RenderRequest {
    /// One of renderNames().
    QString view;
    QString runPath;
    /// What it is compared with, for "comparison", and for "all" where there is one.
    QString otherPath{};
    /// A file: .png, .svg or .pdf decides the format. For "all" a folder, which is created if missing.
    QString outputPath;
    ui::FigureSize size;
    /// What the window has room for all of its parts in: in a smaller picture it is drawn smaller.
    static constexpr QSize kLeastWindow{1280, 720};
    double pixelRatio = 1;  // device pixels a logical pixel, for PNG
    /// A caption below a view that says what was run. A picture of the window has none.
    bool caption = true;
    /// What the view "find" looks for; empty for the slowest kernel.
    QString find{};
    /// What is selected in it: a text in its name; empty for what FigureContent selects by itself.
    QString select{};
    /// Which step of a lesson, from 1; and whether in presentation mode.
    int lessonStep = 1;
    bool presentation = false;
    /// What of a sweep is drawn.
    SweepViewChoice sweep{};
    /// Format of the files that "all" writes: png, svg or pdf.
    QString format = QStringLiteral("png");
};

/// "window", with its timeline and tables; "window-" and a page's name, for every other page;
/// "window-experiment", with an experiment in front; "window-lesson", with a step of a lesson;
/// Workspace::viewNames(); "comparison", of two runs; "all", every view of a run in a folder, and its
/// comparison with another where one is named.
QStringList renderNames();

/// Needs a QApplication (any platform, "offscreen" included) with the theme applied. For "all" it reports its
/// progress on standard error if that is a terminal, and leaves out views that have nothing to show, saying
/// why of each.
Status renderView(const RenderRequest& request);

/// Lays out, and computes what the views would otherwise compute a little later, or only when seen.
void settle(QWidget& widget);
/// Makes the folder that --output names, where it is missing.
Status makeFolder(const QString& path);

}  // namespace warpglass::app
