// The threads that work for the window: queries, files that are opened and saved, chunks read ahead.
//
// Not Qt's global pool: the raster engine gives parts of large translucent fills to that one and waits for
// them (Qt 6.4), and a frame would wait behind every query that is at work.
#pragma once

class QThreadPool;

namespace warpglass::ui {

/// One for the program, of as many threads as there are cores. Any thread.
QThreadPool& workerPool();

}  // namespace warpglass::ui
