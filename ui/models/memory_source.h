// What a worker needs to ask about a run's memory: the snapshot, and the fold that the window has of it.
//
// While a run grows, the window's own fold changes on the window's thread. A worker then makes one for
// itself, or continues one that only the jobs of one query use, one after another.
#pragma once

#include <memory>

#include "engine/query/memory/memory_timeline.h"
#include "ui/models/run_document.h"

namespace warpglass::ui {

struct MemorySource {
    std::shared_ptr<const Snapshot> snapshot;
    /// Null while the run grows.
    std::shared_ptr<const MemoryTimeline> folded;

    /// While the run grows: the fold of the query whose jobs alone use it; null: none is kept.
    std::shared_ptr<MemoryTimeline> growing;

    static MemorySource of(const RunDocument& document) {
        return {document.snapshot(),
                document.isLive() ? nullptr : std::shared_ptr<const MemoryTimeline>(document.sharedMemory()),
                nullptr};
    }
    /// `kept`: the fold of one query, which lasts as long as the run grows; a job that still uses it holds
    /// it.
    void keep(std::shared_ptr<MemoryTimeline>& kept, const RunDocument& document, bool wanted = true) {
        if (!document.isLive())
            kept.reset();
        else if (wanted && !kept)
            kept = std::make_shared<MemoryTimeline>();
        growing = kept;
    }
    /// On the worker.
    std::shared_ptr<const MemoryTimeline> timeline() const {
        if (folded && folded->snapshot() == snapshot)
            return folded;
        auto made = growing ? growing : std::make_shared<MemoryTimeline>();
        made->update(snapshot);
        return made;
    }
    /// More than some 5 ms of work.
    bool isHeavy() const { return snapshot && snapshot->memoryEventCount() > 50'000; }
};

}  // namespace warpglass::ui
