// Reads the chunks of a run file that the next frames will need, before they need them.
//
// From afar a frame is drawn from mip-maps; near by it reads rows, and the first frame that meets a chunk
// would wait for its decoding, some 2 ms, lane by lane. So once a view shows few chunks of a lane, a worker
// reads those, and then one more at either side: a pan or a few steps of zoom away nothing is left to decode.
// A frame is never drawn from less than there is: where it comes first it still waits for its own chunks.
//
// Memory: what is read stays with the snapshot, as it does for frames: at most kMostInView + 2 chunks a lane
// and request. GUI thread; the work is done on the workerPool(), one job at a time.
#pragma once

#include <memory>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass::ui {

class ReadAhead {
public:
    ReadAhead();
    /// What is being read is given up after its present chunk.
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    /// Earlier requests that have not been read yet are dropped.
    void request(std::shared_ptr<const Snapshot> snapshot, std::vector<LaneId> lanes, TimeRange visible);
    void giveUp();

    /// The chunks of a lane to read for a view of this range, in order of need: those in view, then their
    /// neighbors. None where the view is so far away that mip-maps tell nearly all.
    static std::vector<std::size_t> chunksFor(const SpanLane& lane, TimeRange visible);

    /// More chunks of a lane in view than this are drawn from mip-maps.
    static constexpr std::size_t kMostInView = 4;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

}  // namespace warpglass::ui
