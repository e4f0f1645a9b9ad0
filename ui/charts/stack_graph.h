// A graph of steps, filled down to zero, that costs one rectangle per step.
//
// QCustomPlot fills one polygon, and Qt's scan converter takes time that grows with the square of the edges
// that cross a line of pixels: 15 ms for a saw tooth over 1,000 columns, where the rectangles take less than
// one. What is on screen is the same to the pixel. On vector devices the polygon stays: it is the smaller
// drawing.
#pragma once

class QCPGraph;
class QCustomPlot;

namespace warpglass::ui {

/// The plot's, hidden until it has something to show; without a line along its top. Its steps (lsStepLeft)
/// never go back in time.
QCPGraph* addStackGraph(QCustomPlot& plot);

}  // namespace warpglass::ui
