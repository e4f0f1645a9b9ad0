#include "ui/memory/map_block_names.h"

#include <QPainter>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/memory/memory_op.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// A name is written into blocks from this size on.
constexpr double kNamedWidth = 56, kNamedHeight = 15;

/// Where a block's name stands.
QRectF insideOf(const MapRect& rect) {
    return QRectF(QPointF(static_cast<double>(std::max(0.0F, rect.left)), static_cast<double>(rect.top)),
                  QPointF(static_cast<double>(rect.right), static_cast<double>(rect.bottom)))
        .adjusted(5, 1, -5, 0);
}

}  // namespace

bool MapBlockNames::hasRoom(const MapRect& block) {
    const QRectF inside = insideOf(block);
    return inside.width() >= kNamedWidth && inside.height() >= kNamedHeight;
}

MapBlockNames::MapBlockNames(RunDocument& document, const MapBlocks& blocks)
    : m_document(document), m_blocks(blocks), m_query([this] { return makeJob(); }) {}

void MapBlockNames::clear() {
    m_ops.clear();
    m_query.invalidate(DeferredQuery::Cause::kOtherRun);
}

void MapBlockNames::look() {
    if (!blocksWithoutTheirOp().empty())
        m_query.invalidate(DeferredQuery::Cause::kPerson);
}

/// Those that are called by an op which only makes room, and not yet by the one that it did so for; with when
/// they were made.
std::vector<std::pair<AllocationId, Nanoseconds>> MapBlockNames::blocksWithoutTheirOp() const {
    std::vector<std::pair<AllocationId, Nanoseconds>> blocks;
    const auto& snapshot = m_document.snapshot();
    const AllocationMap* map = m_blocks.map();
    if (!snapshot || !map)
        return blocks;
    for (const MapRect& rect : m_blocks.geometry().blocks) {
        const AllocationId id = map->id(rect.row);
        if (!hasRoom(rect) || m_ops.contains(id))
            continue;
        const auto row = snapshot->allocation(id);
        if (row && snapshot->name(snapshot->place(row->place).module).empty() &&
            onlyAllocates(snapshot->name(row->op)))
            blocks.emplace_back(id, Nanoseconds(map->begin(rect.row)));
    }
    std::ranges::sort(blocks, [](const auto& a, const auto& b) { return a.first.value < b.first.value; });
    return blocks;
}

/// Ops are read for it, and of a graph the events of its capture: so always on a worker.
DeferredQuery::Job MapBlockNames::makeJob() {
    const auto snapshot = m_document.snapshot();
    return {[this, snapshot, blocks = blocksWithoutTheirOp()] {
                std::unordered_map<AllocationId, NameId> ops;
                if (snapshot && !blocks.empty()) {
                    MemoryOps known(*snapshot);
                    for (const auto& [id, made] : blocks) {
                        if (const auto row = snapshot->allocation(id))
                            ops[id] = known.of(id, *row, made);
                    }
                }
                return [this, ops = std::move(ops)] {
                    if (ops.empty())
                        return;
                    m_ops.insert(ops.begin(), ops.end());
                    emit found();
                };
            },
            true};
}

QString MapBlockNames::nameOf(AllocationId id) const {
    const auto& snapshot = m_document.snapshot();
    const auto row = snapshot ? snapshot->allocation(id) : std::nullopt;
    if (!row)
        return {};
    const Place place = snapshot->place(row->place);
    const QString module = toQString(snapshot->name(place.module));
    if (module.isEmpty()) {
        const auto op = m_ops.find(id);
        return toQString(snapshot->name(op == m_ops.end() ? row->op : op->second));
    }
    return place.part.valid() ? module + QStringLiteral(" · ") + toQString(snapshot->name(place.part))
                              : module;
}

void MapBlockNames::paint(QPainter& painter) const {
    // Text last, and only where it can be read; of a block in several pieces, each that has room.
    painter.setFont(chartFont());
    const QFontMetricsF metrics(chartFont(), painter.device());
    for (const MapRect& rect : m_blocks.geometry().blocks) {
        if (!hasRoom(rect))
            continue;
        const QRectF inside = insideOf(rect);
        const AllocationId id = m_blocks.map()->id(rect.row);
        const auto row = m_document.snapshot()->allocation(id);
        if (!row)
            continue;
        QString name = nameOf(id);
        name +=
            (name.isEmpty() ? QString() : QStringLiteral("  ")) + toQString(formatBytes(Bytes(row->bytes)));
        painter.setPen(Theme::textOn(Theme::categoryColor(rect.category)));
        painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideRight, inside.width()));
    }
}

}  // namespace warpglass::ui
