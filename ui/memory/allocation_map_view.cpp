#include "ui/memory/allocation_map_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/query/spans/step_spans.h"
#include "ui/memory/map_labels.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// As a turn of the wheel zooms time.
constexpr double kZoomPerNotch = 0.8;
/// A double click on merged blocks shows so much of what was shown, of time and of bytes.
constexpr double kZoomToMerged = 0.25;
/// So much of the map is shown around a free piece, in its sizes.
constexpr double kAroundFree = 3;

/// From the first step that counts to the end of the last; nothing without steps.
TimeRange constantRange(const Snapshot& snapshot) {
    const std::vector<StepSpan> steps = averagedSteps(snapshot);
    return steps.empty() ? TimeRange{} : TimeRange{steps.front().range.begin, steps.back().range.end};
}

}  // namespace

AllocationMapView::AllocationMapView(RunDocument& document, TimeAxis& axis, MemoryFocus& focus,
                                     QWidget* parent)
    : Canvas(parent),
      m_document(document),
      m_axis(axis),
      m_focus(focus),
      m_gestures(
          axis,
          [this] {
              return TimeGestures::Span{plotRect().left(), plotRect().width()};
          },
          [this](double x) { return timeAt(x); }),
      m_mapQuery([this] { return makeMapJob(); }) {
    for (DeferredQuery* query : {&m_mapQuery, &m_blocks.query(), &m_names.query()})
        draws(*query);
    setNames(this, "allocationMap", tr("Allocation map"));
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_bytes.reset();
        m_segments = std::make_shared<MemorySegments>();  // jobs of the other run may still use theirs
        m_blocks.clear();                                 // its rows are the other run's
        m_names.clear();
        takeContent({});
    });
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        m_bytes.followTime(m_axis.visibleRange(), m_axis.fullRange());
        follow();
        emit mergedClicked({});  // drawn anew, they may be apart
    });
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::selectionChanged, this, repaint);
    connect(&m_focus, &MemoryFocus::selectedChanged, this, repaint);
    connect(&m_focus, &MemoryFocus::filterChanged, this, [this] {
        if (m_only == m_focus.only())
            return;  // a selected range is drawn, and leaves nothing out
        m_only = m_focus.only();
        m_mapQuery.invalidate(DeferredQuery::Cause::kPerson);
    });
    connect(&m_names, &MapBlockNames::found, this, &AllocationMapView::redraw);
    connect(&m_blocks, &MapBlocks::made, this, [this] {
        m_names.look();
        redraw();
        emit changed();
    });
    connect(&m_bytes, &MapBytes::changed, this, [this] {
        follow();
        emit changed();
    });
    m_mapQuery.follow(m_document);
}

DeferredQuery::Job AllocationMapView::makeMapJob() {
    MemorySource source = MemorySource::of(m_document);
    source.keep(m_growing, m_document);
    // One job at a time: the index is the worker's while it is asked.
    return {[this, source, conditions = m_focus.conditions(), segments = m_segments] {
                MapContent content;
                if (source.snapshot) {
                    const auto memory = source.timeline();
                    content.map = std::make_shared<const AllocationMap>(*memory, conditions);
                    content.folds = constantFolds(*content.map, constantRange(*source.snapshot));
                    content.unreserved = unreservedStretches(*source.snapshot, *content.map);
                    content.regions = addressRegions(content.map->pieces());
                    content.peak = memory->peak();
                    if (content.peak && source.snapshot->segmentEventCount() > 0) {
                        segments->update(source.snapshot);
                        content.free = freeMemory(segments->at(*memory, content.peak->time), *memory);
                    }
                }
                return [this, content = std::move(content)] { takeContent(content); };
            },
            source.isHeavy()};
}

void AllocationMapView::takeContent(MapContent content) {
    m_content = std::move(content);
    m_shownFree.reset();
    invalidate();
    follow();
    emit changed();
}

void AllocationMapView::setLabelWidth(int width) {
    m_labelWidth = width;
    follow();
}

void AllocationMapView::follow() {
    m_blocks.invalidate();
    redraw();
}

Nanoseconds AllocationMapView::timeAt(double x) const {
    const MapViewport view = viewport();
    const double share = std::clamp((x - m_labelWidth) / view.width, 0.0, 1.0);
    return view.time.begin +
           Nanoseconds(std::llround(share * static_cast<double>(view.time.duration().value)));
}

void AllocationMapView::refreshNow() {
    m_mapQuery.runNow();
    m_blocks.query().invalidate(DeferredQuery::Cause::kPerson);
    m_blocks.query().runNow();
    m_names.query().runNow();
}

void AllocationMapView::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    follow();
}

QRectF AllocationMapView::markRect(int mark) const {
    QRectF around;
    for (const QRectF& rect : m_blocks.rectsOf(static_cast<std::size_t>(mark)))
        around |= rect;
    return around.translated(plotRect().topLeft());
}

int AllocationMapView::markAt(QPointF at) const {
    const MapBlocks::Hit hit = hitAt(at);
    return hit.row ? static_cast<int>(*hit.row) : -1;
}

QString AllocationMapView::toolTipOf(int mark) const {
    const AllocationId id = map().id(static_cast<std::size_t>(mark));
    return m_focus.knows(id) ? allocationToolTip(m_focus.detailOf(id), m_focus.clock()) : QString();
}

void AllocationMapView::paintPicture(QPainter& painter) {
    if (width() <= m_labelWidth)
        return;
    if (map().size() == 0) {
        painter.setPen(Theme::instance().colors().secondaryText);
        painter.setFont(Theme::tableFont());
        painter.drawText(plotRect(), Qt::AlignCenter | Qt::TextWordWrap,
                         m_words.whyEmpty(!m_mapQuery.isIdle()));
        return;
    }
    m_blocks.ensure();
    const MapViewport view = viewport();
    m_picture.paint(painter, plotRect(), view);
    const MapScale scale(m_content, view, m_bytes.byAddress(), plotRect());
    scale.paint(painter);
    scale.paintPlaces(painter);
    static const MapGeometry kOther;  // while that of what is shown is being made, it has no names
    MapLabels(m_content, view, m_bytes.byAddress(), m_bytes.showsAll() && m_focus.only().isEmpty())
        .paint(painter, plotRect(), m_blocks.madeFor() == view ? geometry() : kOther);
}

void AllocationMapView::paintOver(QPainter& painter) {
    if (width() <= m_labelWidth || map().size() == 0)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const MapViewport view = viewport();
    const QRectF plot = plotRect();
    const auto xOf = [&](Nanoseconds t) { return m_labelWidth + view.xOf(t.value); };
    painter.save();
    painter.setClipRect(plot);
    if (const auto range = m_axis.selectedRange()) {
        const QRectF area(xOf(range->begin), 0, xOf(range->end) - xOf(range->begin), height());
        painter.fillRect(QRectF(area.left(), 0, 1, height()), colors.accent);
        painter.fillRect(QRectF(area.right() - 1, 0, 1, height()), colors.accent);
    }
    const auto shownFree = m_shownFree ? map().placeAt(m_shownFree->address) : std::nullopt;
    if (shownFree && m_bytes.byAddress()) {
        const double top = view.yOf(static_cast<double>(*shownFree + m_shownFree->bytes));
        const QRectF area(plot.left(), top, plot.width(), view.yOf(static_cast<double>(*shownFree)) - top);
        for (const double y : {area.top(), area.bottom() - 1})
            painter.fillRect(QRectF(area.left(), y, area.width(), 1), colors.accent);
    }
    if (hovered() >= 0)
        m_picture.paintRow(painter, plot, view, static_cast<std::size_t>(hovered()), {colors.text, 1});
    if (const auto selected = selectedRow()) {
        m_picture.paintRow(painter, plot, view, *selected, {colors.accent, 2});
        // Its life, also where the block itself is merged with others.
        const double left = xOf(Nanoseconds(map().begin(*selected)));
        const double right = std::max(left + 2, xOf(Nanoseconds(map().end(*selected))));
        painter.fillRect(QRectF(left, height() - 3, right - left, 3), colors.accent);
    }
    const auto line = [&](Nanoseconds t, const QColor& color) {
        painter.fillRect(QRectF(std::floor(xOf(t)), 0, 1, height()), color);
    };
    if (m_axis.pinnedCursor())
        line(*m_axis.pinnedCursor(), colors.accent);
    if (m_axis.cursor())
        line(*m_axis.cursor(), Theme::instance().lineOver(colors.text));
    painter.restore();
    if (hasFocus())
        painter.fillRect(QRectF(m_labelWidth - 2, 0, 2, height()), colors.accent);
}

QString AllocationMapView::toolTipAt(QPointF at) const {
    const MapViewport view = viewport();
    if (at.x() < m_labelWidth)
        return MapScale(m_content, view, m_bytes.byAddress(), plotRect()).addressAt(at.y());
    if (const PlaceFold* fold = view.foldAt(at.y()))
        return MapWords::ofFold(*fold);
    const MapBlocks::Hit hit = hitAt(at);
    if (hit.row)
        return toolTipOf(static_cast<int>(*hit.row));
    return hit.merged.count > 1 ? m_words.ofMerged(hit) : QString();
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
    switch (m_gestures.move(*event)) {
        case TimeGestures::Move::kPan:
            if (!m_bytes.showsAll()) {
                const MapViewport& from = m_pressedView;
                const double bytes =
                    from.bytesAt(m_gestures.pressedAt().y()) - from.bytesAt(event->position().y());
                m_bytes.setShown(from.low + bytes, from.high + bytes);
            }
            break;
        case TimeGestures::Move::kSelect:
            break;
        case TimeGestures::Move::kPressed:
        case TimeGestures::Move::kHover:
            Canvas::mouseMoveEvent(event);
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
    emit mergedClicked(several ? m_words.ofMerged(hit) : QString());
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

bool AllocationMapView::takeKey(const QKeyEvent& event) {
    if (event.key() == Qt::Key_F)
        m_bytes.showAll();
    if ((event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) && m_focus.selected())
        m_focus.zoomToLife(*m_focus.selected());
    return Canvas::takeKey(event) || m_gestures.key(event);
}

bool AllocationMapView::walk(Qt::Key key) {
    if (key == Qt::Key_Home || key == Qt::Key_End)
        return false;
    m_blocks.ensure();
    if (const auto row = m_blocks.neighbor(key, selectedRow(), m_axis.effectiveCursor()))
        selectRow(row);
    return true;
}

bool AllocationMapView::escape() {
    emit mergedClicked({});
    if (std::exchange(m_shownFree, {})) {
        update();
        return true;
    }
    const bool selected = m_focus.selected().has_value();
    if (selected)
        m_focus.letGo();
    return selected;
}

void AllocationMapView::leaveEvent(QEvent* event) {
    m_gestures.leave();
    Canvas::leaveEvent(event);
}

}  // namespace warpglass::ui
