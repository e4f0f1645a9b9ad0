#include "ui/compare/compared_arrangement.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/query/activity/gpu_idle.h"
#include "engine/query/spans/work_times.h"
#include "ui/compare/compared_run.h"
#include "ui/timeline/busy_key.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {
namespace {

/// Lower than this, the rows of a GPU would be out of sight under the modules' lanes, and lower than that
/// under the host's phases too.
constexpr int kHeightForModules = 206, kHeightForHost = 182;

}  // namespace

ComparedArrangement::ComparedArrangement(const ComparedRun& a, const ComparedRun& b) : m_a(a), m_b(b) {
    for (const auto& [run, other] : {std::pair{&a, &b}, std::pair{&b, &a}})
        connect(&run->timeline(), &TimelineView::arrangementChanged, this, [this, run = run, other = other] {
            if (m_arranging)
                return;
            m_arranged = true;
            const QScopedValueRollback quiet(m_arranging, true);
            other->timeline().setArrangement(run->timeline().arrangement());
        });
}

void ComparedArrangement::fit(bool inFigure) {
    if (m_arranged || !m_a.snapshot())
        return;
    // In a figure what the GPU did stands first, and leaves the rest to the differences.
    const int height =
        inFigure ? kHeightForHost - 1 : std::min(m_a.timeline().height(), m_b.timeline().height());
    const QScopedValueRollback quiet(m_arranging, true);
    for (const ComparedRun* run : {&m_a, &m_b})
        run->timeline().setArrangement(
            arrangementFor(*run->snapshot(), run->timeline().arrangement().lists(), height, inFigure));
}

RowArrangement ComparedArrangement::arrangementFor(const Snapshot& run, RowArrangement::Lists rows,
                                                   int height, bool inFigure) {
    rows.order.clear();
    rows.pinned.clear();
    const auto keysOf = [&run](TrackKind kind) {
        RowArrangement::Keys keys;
        for (const TrackId track : run.tracksOfKind(kind))
            keys.push_back(RowArrangement::keyOf(kind, run.name(run.track(track).name)));
        return keys;
    };
    if (height < kHeightForHost)
        rows.pinned = keysOf(TrackKind::kStep);
    using Kind = TrackKind;
    const std::vector<Kind> order =
        height >= kHeightForHost
            ? std::vector{Kind::kStep, Kind::kPhase, Kind::kModule, Kind::kGpuPhase, Kind::kGpuStream}
        : hasKernels(run)
            ? std::vector{Kind::kStep, Kind::kGpuPhase, Kind::kGpuStream, Kind::kPhase, Kind::kModule}
            : std::vector{Kind::kStep, Kind::kPhase, Kind::kCpuThread, Kind::kModule};
    for (const Kind kind : order) {
        for (std::string& key : keysOf(kind))
            rows.order.push_back(std::move(key));
        // Where not all has room, what the GPU did before when it did nothing.
        if (kind == Kind::kGpuStream) {
            for (const std::string& gpu : gpusOf(run))
                rows.order.push_back(busyKeyOf(gpu));
        }
    }
    RowArrangement arrangement(std::move(rows));
    for (const std::string& key : keysOf(TrackKind::kModule))
        arrangement.setFolded(key, height < kHeightForModules);
    // The head says which steps, and the way from A to B how long: that height is rows of the table.
    for (const std::string& key : keysOf(TrackKind::kStep))
        arrangement.setHidden(key, inFigure && hasKernels(run));
    return arrangement;
}

}  // namespace warpglass::ui
