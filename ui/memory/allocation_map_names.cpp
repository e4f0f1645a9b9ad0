// What the allocation map writes into its blocks.
#include <QPainter>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/memory/memory_op.h"
#include "ui/memory/allocation_map_view.h"
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

bool hasRoomForName(const QRectF& inside) {
    return inside.width() >= kNamedWidth && inside.height() >= kNamedHeight;
}

}  // namespace

/// Those that are called by an op which only makes room, and not yet by the one that it did so for; with when
/// they were made.
std::vector<std::pair<AllocationId, Nanoseconds>> AllocationMapView::blocksWithoutTheirOp() const {
    std::vector<std::pair<AllocationId, Nanoseconds>> blocks;
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || !m_geometryMap)
        return blocks;
    for (const MapRect& rect : m_geometry.blocks) {
        const AllocationId id = m_geometryMap->id(rect.row);
        if (!hasRoomForName(insideOf(rect)) || m_ops.contains(id))
            continue;
        const auto row = snapshot->allocation(id);
        if (row && snapshot->name(snapshot->place(row->place).module).empty() &&
            onlyAllocates(snapshot->name(row->op)))
            blocks.emplace_back(id, Nanoseconds(m_geometryMap->begin(rect.row)));
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const auto& a, const auto& b) { return a.first.value < b.first.value; });
    return blocks;
}

/// Ops are read for it, and of a graph the events of its capture: so always on a worker.
DeferredQuery::Job AllocationMapView::makeOpsJob() {
    const auto snapshot = m_document.snapshot();
    return {[this, snapshot, blocks = blocksWithoutTheirOp()]() -> DeferredQuery::Apply {
                std::unordered_map<AllocationId, NameId> found;
                if (snapshot && !blocks.empty()) {
                    MemoryOps ops(*snapshot);
                    for (const auto& [id, made] : blocks) {
                        if (const auto row = snapshot->allocation(id))
                            found[id] = ops.of(id, *row, made);
                    }
                }
                return [this, found = std::move(found)] {
                    if (found.empty())
                        return;
                    m_ops.insert(found.begin(), found.end());
                    m_pictureValid = false;
                    update();
                };
            },
            true};
}

QString AllocationMapView::nameOf(AllocationId id) const {
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

void AllocationMapView::paintNames(QPainter& painter) const {
    // Text last, and only where it can be read; of a block in several pieces, each that has room.
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    for (const MapRect& rect : m_geometry.blocks) {
        const QRectF inside = insideOf(rect);
        if (!hasRoomForName(inside))
            continue;
        const AllocationId id = m_geometryMap->id(rect.row);
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
