// What the mouse and the keyboard do to an AllocationMapView, and what is where in it.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <cmath>

#include "engine/base/format.h"
#include "ui/memory/allocation_map_view.h"
#include "ui/memory/cell_keys.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// As a turn of the wheel zooms time.
constexpr double kZoomPerNotch = 0.8;
/// A double click on merged blocks shows so much of what was shown, of time and of bytes.
constexpr double kZoomToMerged = 0.25;

}  // namespace

AllocationMapView::Hit AllocationMapView::hitAt(QPointF at) const {
    Hit hit;
    const MapViewport view = viewport();
    if (!m_geometryValid || m_geometryMap != m_map || at.x() < m_labelWidth || m_map->size() == 0)
        return hit;
    const auto x = static_cast<float>(at.x() - m_labelWidth), y = static_cast<float>(at.y());
    const auto holds = [&](const MapRect& rect) {
        return rect.left <= x && x < rect.right && rect.top <= y && y < rect.bottom;
    };
    const auto block = std::find_if(m_geometry.blocks.rbegin(), m_geometry.blocks.rend(), holds);
    if (block != m_geometry.blocks.rend()) {
        hit.row = block->row;
        return hit;
    }
    const auto merged = std::find_if(m_geometry.merged.begin(), m_geometry.merged.end(), holds);
    if (merged == m_geometry.merged.end())
        return hit;
    std::size_t last = 0;
    const auto take = [&](std::size_t row) {
        if (hit.merged.count++ == 0 || m_map->bytes(row) > m_map->bytes(hit.largest))
            hit.largest = row;
        hit.merged.bytes = wrappingAdd(hit.merged.bytes, m_map->bytes(row));
        last = row;
    };
    if (m_geometryOrder == Order::kAddress) {
        // What lives within the cell under the pointer.
        const double nsPerPixel = static_cast<double>(view.time.duration().value) / view.width;
        const double column = std::floor(static_cast<double>(x) / kCell) * kCell;
        const double top = std::floor(static_cast<double>(y) / kCellHeight) * kCellHeight;
        const double low = view.bytesAt(top + kCellHeight), high = view.bytesAt(top);
        const std::int64_t from = view.time.begin.value + static_cast<std::int64_t>(column * nsPerPixel);
        const std::int64_t to =
            view.time.begin.value + static_cast<std::int64_t>((column + kCell) * nsPerPixel);
        m_map->forEachWithin(
            {Nanoseconds(from), Nanoseconds(std::max(to, from + 1))}, [&](std::uint32_t row) {
                const auto place = static_cast<double>(m_map->place(row));
                const auto bytes = static_cast<double>(m_map->bytes(row));
                if (place < high && place + bytes > low &&
                    !view.isFolded(place, bytes,
                                   {Nanoseconds(m_map->begin(row)), Nanoseconds(m_map->end(row))}))
                    take(row);
            });
    } else {
        const auto moments = columnMoments(view);
        const auto column = std::min(moments.size() - 1, static_cast<std::size_t>(x));
        const TimeRange moment{Nanoseconds(moments[column]), Nanoseconds(moments[column] + 1)};
        const auto drawn = m_map->largestWithin(view.time, kMostBlocks);
        const double low = view.bytesAt(static_cast<double>(merged->bottom));
        const double high = view.bytesAt(static_cast<double>(merged->top));
        double height = 0;
        m_map->forEachWithin(moment, [&](std::uint32_t row) {
            const bool own = std::binary_search(drawn.begin(), drawn.end(), row);
            const auto bytes = static_cast<double>(m_map->bytes(row));
            const bool inside = height + bytes / 2 > low && height + bytes / 2 < high;
            if (merged->rest ? !own : own && inside)
                take(row);
            height += own ? bytes : 0;
        });
    }
    if (hit.merged.count == 1)
        hit.row = last;
    return hit;
}

std::optional<QRectF> AllocationMapView::rectOf(std::size_t row) const {
    std::optional<QRectF> widest;
    if (m_geometryMap != m_map)
        return widest;
    for (const MapRect& rect : m_geometry.blocks) {
        if (rect.row == row && (!widest || static_cast<double>(rect.right - rect.left) > widest->width()))
            widest = QRectF(
                QPointF(static_cast<double>(rect.left) + m_labelWidth, static_cast<double>(rect.top)),
                QPointF(static_cast<double>(rect.right) + m_labelWidth, static_cast<double>(rect.bottom)));
    }
    return widest;
}

QString AllocationMapView::addressToolTip(double y) const {
    if (m_order != Order::kAddress || !hasAddresses())
        return {};
    const MapViewport view = viewport();
    const double place = std::max(0.0, view.bytesAt(y));
    const auto& pieces = m_map->pieces();
    const auto after = std::upper_bound(
        pieces.begin(), pieces.end(), place,
        [](double at, const AllocationMap::Piece& piece) { return at < static_cast<double>(piece.place); });
    if (after == pieces.begin())
        return {};
    const AllocationMap::Piece& piece = *(after - 1);
    const auto into = std::min(static_cast<std::int64_t>(place) - piece.place, piece.bytes - 1);
    return tr("Address 0x%1, in the address range that starts at 0x%2, %3; gaps between ranges are left out")
        .arg(QString::number(piece.address + static_cast<std::uint64_t>(std::max<std::int64_t>(0, into)), 16),
             QString::number(piece.address, 16), toQString(formatBytes(Bytes(piece.bytes))));
}

QString AllocationMapView::mergedText(const Hit& hit) const {
    const QString merged =
        tr("%1 allocations merged here, %2 total")
            .arg(toQString(formatGrouped(hit.merged.count)), toQString(formatBytes(Bytes(hit.merged.bytes))));
    const QString zoom = tr("zoom in to separate them");
    if (!m_focus.knows(m_map->id(hit.largest)))
        return tr("%1; %2").arg(merged, zoom);
    const AllocationDetail detail = m_focus.detailOf(m_map->id(hit.largest));
    const std::string& where = detail.module.empty() ? detail.op : detail.module;
    const QString size = toQString(formatBytes(Bytes(detail.row.bytes)));
    const QString largest =
        where.empty()
            ? tr("the largest %1 of %2").arg(size, toQString(detail.category))
            : tr("the largest %1 of %2, %3").arg(size, toQString(detail.category), toQString(where));
    return tr("%1, %2; %3").arg(merged, largest, zoom);
}

QString AllocationMapView::toolTipAt(QPointF at) const {
    if (at.x() < m_labelWidth)
        return addressToolTip(at.y());
    const MapViewport view = viewport();
    if (const PlaceFold* fold = foldAt(at, view))
        return tr("%1 in %2 allocations of %3, which live through all steps that count, and %4 between "
                  "them. A click shows all of it")
            .arg(toQString(formatBytes(Bytes(fold->sum.bytes))), toQString(formatGrouped(fold->sum.count)),
                 toQString(categoryName(fold->category)),
                 toQString(formatBytes(Bytes(static_cast<std::int64_t>(fold->between())))));
    const Hit hit = hitAt(at);
    if (hit.row && m_focus.knows(m_map->id(*hit.row)))
        return allocationToolTip(m_focus.detailOf(m_map->id(*hit.row)), m_focus.clock());
    return hit.merged.count > 1 ? mergedText(hit) : QString();
}

bool AllocationMapView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = toolTipAt(QPointF(help->pos()));
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void AllocationMapView::selectRow(std::optional<std::size_t> row) {
    m_focus.setSelected(row ? std::optional(m_map->id(*row)) : std::nullopt);
}

void AllocationMapView::mousePressEvent(QMouseEvent* event) {
    if (m_gestures.press(*event))
        m_pressedView = viewport();
}

void AllocationMapView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    switch (m_gestures.move(*event)) {
        case TimeGestures::Move::kPan:
            if (m_high > m_low) {
                const MapViewport& from = m_pressedView;
                const double bytes = from.bytesAt(m_gestures.pressedAt().y()) - from.bytesAt(at.y());
                setBytesShown(from.low + bytes, from.high + bytes);
            }
            break;
        case TimeGestures::Move::kSelect:
            break;
        case TimeGestures::Move::kPressed:
        case TimeGestures::Move::kHover:
            if (const auto hovered = hitAt(at).row; hovered != m_hovered) {
                m_hovered = hovered;
                update();
            }
            break;
    }
}

void AllocationMapView::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_gestures.release(*event))
        return;
    const MapViewport view = viewport();
    if (const PlaceFold* fold = foldAt(event->position(), view)) {
        m_open.push_back(fold->from);
        invalidateGeometry();
        emit changed();
        return;
    }
    const Hit hit = hitAt(event->position());
    selectRow(hit.row);
    // Several have no op to go to, but a moment, which the other views can show.
    const bool several = !hit.row && hit.merged.count > 1;
    if (several)
        m_axis.setPinnedCursor(timeAt(event->position().x()));
    emit mergedClicked(several ? mergedText(hit) : QString());
}

void AllocationMapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const Hit hit = hitAt(event->position());
    if (hit.row) {
        selectRow(hit.row);
        m_focus.zoomToLife(m_map->id(*hit.row));
    } else if (hit.merged.count > 1) {
        const Nanoseconds t = timeAt(event->position().x());
        const Zoom before{m_axis.visibleRange(), viewport().low, viewport().high};
        m_axis.zoomAt(t, kZoomToMerged);
        zoomBytesAt(event->position().y(), kZoomToMerged);
        m_zooms.push_back(before);
    }
}

void AllocationMapView::zoomBytesAt(double y, double factor) {
    emit mergedClicked({});  // drawn anew, they may be apart
    const MapViewport view = viewport();
    const double at = view.bytesAt(y);
    setBytesShown(at - (at - view.low) * factor, at + (view.high - at) * factor);
}

void AllocationMapView::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!(event->modifiers() & Qt::ControlModifier))
        return m_gestures.wheel(*event);
    const QPoint turned = event->angleDelta();
    zoomBytesAt(event->position().y(),
                std::pow(kZoomPerNotch, (turned.y() != 0 ? turned.y() : turned.x()) / 120.0));
}

/// From the cursor on, or else from the left edge: what was born before is drawn too, and selecting it would
/// take the view to its birth. Where none is, the last one before.
std::size_t AllocationMapView::firstBornInView(const std::vector<std::uint32_t>& rows) const {
    const TimeRange visible = m_axis.visibleRange();
    const Nanoseconds cursor = m_axis.effectiveCursor().value_or(visible.begin);
    const auto from = [&](Nanoseconds t) {
        return std::partition_point(rows.begin(), rows.end(),
                                    [&](std::uint32_t row) { return m_map->begin(row) < t.value; });
    };
    auto first = from(visible.contains(cursor) ? cursor : visible.begin);
    if (first == rows.end())
        first = from(visible.begin);
    return first == rows.end() ? rows.back() : *first;
}

/// The block before or after the selected one among those drawn, in order of birth; the one below or above it
/// at its beginning (or where what is shown begins). When none is selected, firstBornInView().
std::optional<std::size_t> AllocationMapView::neighbor(int key) const {
    if (m_geometryMap != m_map)
        return std::nullopt;  // the rows drawn are another map's
    std::vector<std::uint32_t> rows;
    for (const MapRect& rect : m_geometry.blocks)
        rows.push_back(rect.row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty())
        return std::nullopt;
    const auto selected = m_focus.selected() ? m_map->rowOf(*m_focus.selected()) : std::nullopt;
    if (!selected)
        return firstBornInView(rows);
    const auto here = static_cast<std::uint32_t>(*selected);
    if (key == Qt::Key_Left) {
        const auto at = std::lower_bound(rows.begin(), rows.end(), here);
        return at == rows.begin() ? rows.front() : *(at - 1);
    }
    if (key == Qt::Key_Right) {
        const auto at = std::upper_bound(rows.begin(), rows.end(), here);
        return at == rows.end() ? rows.back() : *at;
    }
    const std::int64_t t = std::max(m_map->begin(here), m_axis.visibleRange().begin.value);
    const bool byAddress = m_geometryOrder == Order::kAddress;
    const auto heightOf = [&](std::uint32_t row) {
        return byAddress ? m_map->place(row) : static_cast<std::int64_t>(row);
    };
    std::optional<std::size_t> best;
    for (const std::uint32_t row : rows) {
        const bool alive = m_map->begin(row) <= t && m_map->end(row) > t;
        const bool beyond =
            key == Qt::Key_Up ? heightOf(row) > heightOf(here) : heightOf(row) < heightOf(here);
        if (!alive || !beyond)
            continue;
        const bool nearer =
            !best || (key == Qt::Key_Up ? heightOf(row) < heightOf(static_cast<std::uint32_t>(*best))
                                        : heightOf(row) > heightOf(static_cast<std::uint32_t>(*best)));
        if (nearer)
            best = row;
    }
    return best ? best : selected;
}

void AllocationMapView::keyPressEvent(QKeyEvent* event) {
    const bool taken = handleCellKey(*event, {[this](Qt::Key key) {
                                                  ensureGeometry();
                                                  if (const auto row = neighbor(key))
                                                      selectRow(row);
                                              },
                                              [this] {
                                                  if (m_focus.selected())
                                                      m_focus.zoomToLife(*m_focus.selected());
                                              },
                                              {},
                                              {}});
    if (event->key() == Qt::Key_F) {
        m_zooms.clear();
        setBytesShown(0, heightOfAll());
    } else if (event->key() == Qt::Key_Escape) {
        emit mergedClicked({});
        if (m_focus.selected())
            return m_focus.letGo();
    }
    if (!taken && !m_gestures.key(*event))
        QWidget::keyPressEvent(event);
}

void AllocationMapView::leaveEvent(QEvent* event) {
    m_hovered.reset();
    m_gestures.leave();
    update();
    QWidget::leaveEvent(event);
}

}  // namespace warpglass::ui
