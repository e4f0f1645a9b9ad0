// The one question that the window asks before it ends what is under way: a recording, a sweep, an
// experiment, or several of them.
#pragma once

#include <QString>
#include <functional>
#include <vector>

class QDialog;
class QWidget;

namespace warpglass::app {

struct RunningWork {
    enum class Kind { kRun, kSweep, kExperiment };
    Kind kind = Kind::kRun;
    /// As its tab is called.
    QString title;
};

enum class StopFor { kQuit, kClose };

/// Asks over the window, while the work goes on, whether to stop it; nothing happens unless the user agrees.
/// The question deletes itself once it is answered or closed. Precondition: `work` is not empty.
QDialog* askToStop(QWidget* parent, const std::vector<RunningWork>& work, StopFor why,
                   const std::function<void()>& stop);

}  // namespace warpglass::app
