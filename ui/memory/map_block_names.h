// What an allocation map writes into its blocks. An op that only makes room is named by the one it did so
// for, once a worker has found that. GUI thread only.
#pragma once

#include <QObject>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ui/memory/map_blocks.h"

class QPainter;

namespace warpglass::ui {

class MapBlockNames : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    MapBlockNames(RunDocument& document, const MapBlocks& blocks);

    /// Forgets them: another run is shown.
    void clear();
    /// Has the ops found of blocks that want one.
    void look();
    DeferredQuery& query() { return m_query; }

    static bool hasRoom(const MapRect& block);
    /// The name of a block that has room for one: its module and part; outside any, the op that it counts
    /// under (engine/query/memory/memory_op.h), and until that is found, the one that allocated it. "" if it
    /// has neither.
    QString nameOf(AllocationId id) const;
    /// From the plot's upper left corner.
    void paint(QPainter& painter) const;

signals:
    void found();

private:
    DeferredQuery::Job makeJob();
    std::vector<std::pair<AllocationId, Nanoseconds>> blocksWithoutTheirOp() const;

    RunDocument& m_document;
    const MapBlocks& m_blocks;
    std::unordered_map<AllocationId, NameId> m_ops;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
