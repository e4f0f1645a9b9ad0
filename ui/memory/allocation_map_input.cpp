// What the mouse and the keyboard do to an AllocationMapView, and what is where in it.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <cmath>
#include <utility>

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
/// So much of the map is shown around a free piece, in its sizes.
constexpr double kAroundFree = 3;

}  // namespace

QString AllocationMapView::mergedText(const MapBlocks::Hit& hit) const {
    const QString merged =
        tr("%1 allocations merged here, %2 total")
            .arg(toQString(formatGrouped(hit.merged.count)), toQString(formatBytes(Bytes(hit.merged.bytes))));
    const QString zoom = tr("zoom in to separate them");
    if (!m_focus.knows(map().id(hit.largest)))
        return tr("%1; %2").arg(merged, zoom);
    const AllocationDetail detail = m_focus.detailOf(map().id(hit.largest));
    const std::string& where = detail.module.empty() ? detail.op : detail.module;
    const QString size = toQString(formatBytes(Bytes(detail.row.bytes)));
    const QString largest =
        where.empty()
            ? tr("the largest %1 of %2").arg(size, toQString(detail.category))
            : tr("the largest %1 of %2, %3").arg(size, toQString(detail.category), toQString(where));
    return tr("%1, %2; %3").arg(merged, largest, zoom);
}

QString AllocationMapView::toolTipAt(QPointF at) const {
    const MapViewport view = viewport();
    if (at.x() < m_labelWidth)
        return MapScale(m_content, view, m_bytes.byAddress(), plotRect()).addressAt(at.y());
    if (const PlaceFold* fold = view.foldAt(at.y()))
        return tr("%1 in %2 allocations of %3, which live through all measured steps, with %4 of other or "
                  "free memory between them. A click shows all of it")
            .arg(toQString(formatBytes(Bytes(fold->sum.bytes))), toQString(formatGrouped(fold->sum.count)),
                 toQString(categoryName(fold->category)),
                 toQString(formatBytes(Bytes(static_cast<std::int64_t>(fold->between())))));
    const MapBlocks::Hit hit = hitAt(at);
    if (hit.row && m_focus.knows(map().id(*hit.row)))
        return allocationToolTip(m_focus.detailOf(map().id(*hit.row)), m_focus.clock());
    return hit.merged.count > 1 ? mergedText(hit) : QString();
}

void AllocationMapView::showFree(const FreePiece& piece) {
    const auto place = map().placeAt(piece.address);
    if (!place)
        return;
    const auto from = static_cast<double>(*place), bytes = static_cast<double>(piece.bytes);
    for (const PlaceFold& fold : viewport().folds) {
        if (fold.from <= from && from < fold.to)
            m_bytes.open(fold);
    }
    m_bytes.setShown(from - kAroundFree * bytes, from + (kAroundFree + 1) * bytes);
    if (m_content.peak)
        m_axis.setPinnedCursor(m_content.peak->time);
    m_shownFree = piece;
    update();
}

bool AllocationMapView::event(QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        for (DeferredQuery* query : {&m_mapQuery, &m_blocks.query(), &m_names.query()})
            query->setActive(event->type() == QEvent::Show);
    }
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

std::optional<std::size_t> AllocationMapView::selectedRow() const {
    return m_focus.selected() ? map().rowOf(*m_focus.selected()) : std::nullopt;
}

void AllocationMapView::selectRow(std::optional<std::size_t> row) {
    m_focus.setSelected(row ? std::optional(map().id(*row)) : std::nullopt);
}

void AllocationMapView::mousePressEvent(QMouseEvent* event) {
    if (m_gestures.press(*event))
        m_pressedView = viewport();
}

void AllocationMapView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    switch (m_gestures.move(*event)) {
        case TimeGestures::Move::kPan:
            if (!m_bytes.showsAll()) {
                const MapViewport& from = m_pressedView;
                const double bytes = from.bytesAt(m_gestures.pressedAt().y()) - from.bytesAt(at.y());
                m_bytes.setShown(from.low + bytes, from.high + bytes);
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
    if (std::exchange(m_shownFree, {}))
        update();
    const QPointF at = event->position();
    if (const PlaceFold* fold = plotRect().contains(at) ? view.foldAt(at.y()) : nullptr)
        return m_bytes.open(*fold);
    const MapBlocks::Hit hit = hitAt(at);
    selectRow(hit.row);
    // Several have no op to go to, but a moment, which the other views can show.
    const bool several = !hit.row && hit.merged.count > 1;
    if (several)
        m_axis.setPinnedCursor(timeAt(at.x()));
    emit mergedClicked(several ? mergedText(hit) : QString());
}

void AllocationMapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const MapBlocks::Hit hit = hitAt(event->position());
    if (hit.row) {
        selectRow(hit.row);
        m_focus.zoomToLife(map().id(*hit.row));
    } else if (hit.merged.count > 1) {
        const Nanoseconds t = timeAt(event->position().x());
        const MapViewport before = viewport();
        m_axis.zoomAt(t, kZoomToMerged);
        m_bytes.zoomAt(viewport(), event->position().y(), kZoomToMerged);
        m_bytes.rememberZoom(before);
    }
}

void AllocationMapView::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!(event->modifiers() & Qt::ControlModifier))
        return m_gestures.wheel(*event);
    const QPoint turned = event->angleDelta();
    emit mergedClicked({});  // drawn anew, they may be apart
    m_bytes.zoomAt(viewport(), event->position().y(),
                   std::pow(kZoomPerNotch, (turned.y() != 0 ? turned.y() : turned.x()) / 120.0));
}

void AllocationMapView::keyPressEvent(QKeyEvent* event) {
    const bool taken = handleCellKey(
        *event, {[this](Qt::Key key) {
                     m_blocks.ensure();
                     if (const auto row = m_blocks.neighbor(key, selectedRow(), m_axis.effectiveCursor()))
                         selectRow(row);
                 },
                 [this] {
                     if (m_focus.selected())
                         m_focus.zoomToLife(*m_focus.selected());
                 },
                 {},
                 {}});
    if (event->key() == Qt::Key_F) {
        m_bytes.showAll();
    } else if (event->key() == Qt::Key_Escape) {
        emit mergedClicked({});
        if (m_shownFree) {
            m_shownFree.reset();
            return update();
        }
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
