// The state in which the user left the views of each open run: page, tabs and charts in front, zoom and
// filter with their histories, the selection, and the scroll positions of tables and the timeline. The window
// has one set of views for all runs; this restores them when a run comes to the front again. The same is kept
// for each pair of runs that is compared.
//
// What is of the user rather than of a run stays as it is: the arrangement of rows and columns, sizes, what
// charts are stacked by. GUI thread only.
#pragma once

#include <QObject>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class RunViews : public QObject {
    Q_OBJECT
public:
    /// All of these outlive it.
    RunViews(SessionController& controller, Workspace& workspace, ui::ComparisonView& comparison,
             QObject* parent);
    ~RunViews() override;

    /// kFirst: the run has not been shown before, and its views are where the former run left them.
    enum class Arrival { kSame, kFirst, kAgain };
    /// The controller shows this run now, −1 for none: its views are put back.
    Arrival arriveAt(int index);

    /// The comparison is about to show another pair, or none.
    void leaveComparison();
    /// Called when the comparison shows a new pair.
    void arriveAtComparison();

private:
    struct Kept;
    struct KeptComparison;

    void leave();
    void forgetClosed();
    Kept stateNow() const;
    void restore(const Kept& kept);
    /// 0 for a run that is not open any more.
    std::uint64_t idOf(const std::shared_ptr<const Snapshot>& snapshot) const;
    std::pair<std::uint64_t, std::uint64_t> comparedIds() const;

    SessionController& m_controller;
    Workspace& m_workspace;
    ui::ComparisonView& m_comparison;
    std::uint64_t m_shown = 0;
    std::map<std::uint64_t, std::shared_ptr<const Kept>> m_kept;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const KeptComparison>> m_comparisons;
};

}  // namespace warpglass::app
