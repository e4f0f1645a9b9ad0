#include "ui/memory/allocation_map_view.h"

#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/step_spans.h"
#include "ui/charts/phase_bands.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

/// Above the highest stack, as the chart of memory over time has it less its label.
constexpr double kHeadroom = 1.04;
/// Geometry of so many allocations takes a few ms: it is made at once.
constexpr std::int64_t kAtOnce = 60'000;
/// A border is drawn inside blocks from this size on.
constexpr float kBordered = 4;

/// From the first step that counts to the end of the last; nothing without steps.
TimeRange constantRange(const Snapshot& snapshot) {
    const std::vector<StepSpan> steps = averagedSteps(snapshot);
    return steps.empty() ? TimeRange{} : TimeRange{steps.front().range.begin, steps.back().range.end};
}

}  // namespace

AllocationMapView::AllocationMapView(RunDocument& document, TimeAxis& axis, MemoryFocus& focus,
                                     QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_focus(focus),
      m_gestures(
          axis,
          [this] {
              return TimeGestures::Span{plotRect().left(), plotRect().width()};
          },
          [this](double x) { return timeAt(x); }),
      m_mapQuery([this] { return makeMapJob(); }),
      m_geometryQuery([this] { return makeGeometryJob(); }),
      m_opsQuery([this] { return makeOpsJob(); }) {
    for (DeferredQuery* query : {&m_mapQuery, &m_geometryQuery, &m_opsQuery})
        showFailures(this, *query);
    setObjectName(QStringLiteral("allocationMap"));
    setAccessibleName(tr("Allocation map"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_low = m_high = 0;
        m_zooms.clear();
        m_open.clear();
        m_hovered.reset();
        m_order = Order::kAddress;
        m_geometry = {};  // its rows are the other run's
        m_geometryMap.reset();
        m_ops.clear();
        m_opsQuery.invalidate(Cause::kOtherRun);
        takeMap(std::make_shared<const AllocationMap>());
        m_mapQuery.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this,
            [this] { m_mapQuery.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, &AllocationMapView::followZoom);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this,
            [this] { emit mergedClicked({}); });  // drawn anew, they may be apart
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::selectionChanged, this, repaint);
    connect(&m_focus, &MemoryFocus::selectedChanged, this, repaint);
    connect(&m_focus, &MemoryFocus::filterChanged, this, [this] {
        if (m_only == m_focus.only())
            return;  // a selected range is drawn, and leaves nothing out
        m_only = m_focus.only();
        m_mapQuery.invalidate(Cause::kPerson);
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_pictureValid = false;
        update();
    });
    m_mapQuery.invalidate(Cause::kOtherRun);
}

DeferredQuery::Job AllocationMapView::makeMapJob() {
    MemorySource source = MemorySource::of(m_document);
    if (m_document.isLive() && !m_growing)
        m_growing = std::make_shared<MemoryTimeline>();
    else if (!m_document.isLive())
        m_growing.reset();  // a job that still uses it holds it
    source.growing = m_growing;
    return {[this, source, conditions = m_focus.conditions()]() -> DeferredQuery::Apply {
                auto map = std::make_shared<const AllocationMap>();
                std::vector<PlaceFold> folds;
                std::vector<UnreservedStretch> unreserved;
                if (source.snapshot) {
                    map = std::make_shared<const AllocationMap>(*source.timeline(), conditions);
                    folds = constantFolds(*map, constantRange(*source.snapshot));
                    unreserved = unreservedStretches(*source.snapshot, *map);
                }
                return [this, map = std::move(map), folds = std::move(folds),
                        unreserved = std::move(unreserved)] { takeMap(map, folds, unreserved); };
            },
            source.isHeavy()};
}

void AllocationMapView::takeMap(std::shared_ptr<const AllocationMap> map, std::vector<PlaceFold> folds,
                                std::vector<UnreservedStretch> unreserved) {
    m_map = std::move(map);
    m_folds = std::move(folds);
    m_unreserved = std::move(unreserved);
    m_regions = addressRegions(m_map->pieces());
    const auto peak = m_document.snapshot() ? m_document.memory().peak() : std::nullopt;
    m_peak = peak ? sumOf(peak->bytes) : 0;
    m_peakAt = peak ? std::optional(peak->time) : std::nullopt;
    m_hovered.reset();
    invalidateGeometry();
    emit changed();
}

void AllocationMapView::setOrder(Order order) {
    if (order == m_order)
        return;
    m_order = order;
    m_low = m_high = 0;
    m_zooms.clear();
    invalidateGeometry();
    emit changed();
}

void AllocationMapView::setFolds(bool folded) {
    m_open.clear();
    for (const PlaceFold& fold : m_folds) {
        if (!folded)
            m_open.push_back(fold.from);
    }
    invalidateGeometry();
    emit changed();
}

void AllocationMapView::restore(const Shown& shown) {
    setOrder(shown.order);
    m_open = shown.open;
    m_low = shown.low;
    m_high = shown.high;
    m_zooms = shown.zooms;
    invalidateGeometry();
}

void AllocationMapView::setLabelWidth(int width) {
    m_labelWidth = width;
    invalidateGeometry();
}

void AllocationMapView::setBytesShown(double low, double high) {
    const double all = heightOfAll();
    // Below some hundred bytes nothing is told apart.
    const double span = std::clamp(high - low, std::min(512.0, all), all);
    low = std::clamp(low, 0.0, all - span);
    m_low = low;
    m_high = low + span;
    if (span >= all)
        m_low = m_high = 0;
    invalidateGeometry();
}

/// A zoom into merged blocks is one of time and of bytes: what takes back the one takes back the other.
void AllocationMapView::followZoom() {
    const TimeRange shown = m_axis.visibleRange();
    if (!m_zooms.empty() && shown == m_zooms.back().time) {
        const Zoom before = m_zooms.back();
        m_zooms.pop_back();
        setBytesShown(before.low, before.high);
    } else if (!m_zooms.empty() && shown == m_axis.fullRange()) {
        const Zoom before = m_zooms.front();
        m_zooms.clear();
        setBytesShown(before.low, before.high);
    }
    invalidateGeometry();
}

void AllocationMapView::invalidateGeometry() {
    m_geometryValid = m_pictureValid = false;
    update();
}

QRectF AllocationMapView::plotRect() const {
    return QRectF(rect()).adjusted(m_labelWidth, 0, 0, 0);
}

double AllocationMapView::heightOfAll() const {
    if (m_order == Order::kAddress && hasAddresses())
        return static_cast<double>(std::max<std::int64_t>(1, m_map->placeEnd()));
    return std::max(1.0, static_cast<double>(m_peak) * kHeadroom);
}

MapViewport AllocationMapView::viewport() const {
    const QRectF plot = plotRect();
    MapViewport view{m_axis.visibleRange(), m_low, m_high > m_low ? m_high : heightOfAll(),
                     std::max(1.0, plot.width()), std::max(1.0, plot.height())};
    if (m_order == Order::kAddress && hasAddresses()) {
        std::vector<PlaceFold> folds = m_folds;
        std::erase_if(folds, [this](const PlaceFold& fold) {
            return std::find(m_open.begin(), m_open.end(), fold.from) != m_open.end();
        });
        view.fold(std::move(folds));
    }
    return view;
}

Nanoseconds AllocationMapView::timeAt(double x) const {
    const MapViewport view = viewport();
    const double share = std::clamp((x - m_labelWidth) / view.width, 0.0, 1.0);
    return view.time.begin +
           Nanoseconds(std::llround(share * static_cast<double>(view.time.duration().value)));
}

double AllocationMapView::xOf(Nanoseconds t) const {
    return m_labelWidth + viewport().xOf(t.value);
}

std::vector<std::int64_t> AllocationMapView::columnMoments(const MapViewport& viewport) const {
    std::vector<std::int64_t> moments;
    for (const MemoryColumn& column :
         m_document.memory().columns(viewport.time, static_cast<std::size_t>(viewport.width)))
        moments.push_back(column.peakTime.value);
    return moments;
}

DeferredQuery::Job AllocationMapView::makeGeometryJob() {
    const MapViewport view = viewport();
    const Order order = hasAddresses() ? m_order : Order::kBirth;
    std::vector<std::int64_t> moments;
    if (order == Order::kBirth)
        moments = columnMoments(view);
    const bool heavy = m_map->livingWithin(view.time).count > kAtOnce;
    return {[this, map = m_map, view, order, moments = std::move(moments)]() -> DeferredQuery::Apply {
                MapGeometry geometry = order == Order::kAddress ? addressGeometry(*map, view)
                                                                : stackGeometry(*map, view, moments);
                return [this, map, view, order, made = std::move(geometry)]() mutable {
                    if (map != m_map)
                        return invalidateGeometry();
                    m_geometry = std::move(made);
                    m_geometryMap = map;
                    m_geometryOf = view;
                    m_geometryOrder = order;
                    m_geometryValid = view == viewport();
                    m_pictureValid = false;
                    if (!blocksWithoutTheirOp().empty())
                        m_opsQuery.invalidate(DeferredQuery::Cause::kPerson);
                    update();
                    emit changed();
                };
            },
            heavy};
}

void AllocationMapView::ensureGeometry() {
    const Order order = hasAddresses() ? m_order : Order::kBirth;
    if (m_geometryValid && m_geometryOf == viewport() && m_geometryOrder == order)
        return;
    const bool asked = m_askedFor == viewport() && m_askedOrder == order && m_askedOf == m_map.get();
    if (asked && !m_geometryQuery.isIdle())
        return;
    m_askedFor = viewport();
    m_askedOrder = order;
    m_askedOf = m_map.get();
    m_geometryQuery.invalidate(DeferredQuery::Cause::kPerson);
    if (m_map->livingWithin(m_axis.visibleRange()).count <= kAtOnce)
        m_geometryQuery.runNow();
}

QString AllocationMapView::summary(bool brief) const {
    const AllocationMap::Sum all = m_geometry.all, drawn = m_geometry.drawn;
    if (m_map->size() == 0)
        return {};
    const QString only = m_focus.only().isEmpty() ? QString() : tr("only %1 · ").arg(m_focus.only());
    if (all.count == drawn.count)
        return only + (all.count == 1
                           ? tr("1 allocation in view")
                           : tr("%1 allocations in view").arg(toQString(formatGrouped(all.count))));
    if (drawn.count == 0)
        return only + (all.count == 1 ? tr("1 allocation, too small to draw individually")
                       : brief
                           ? tr("%1 allocations, as shares").arg(toQString(formatGrouped(all.count)))
                           : tr("%1 allocations too small to draw individually: stripes show their shares")
                                 .arg(toQString(formatGrouped(all.count))));
    const QString each = tr("%1 of %2 drawn individually")
                             .arg(toQString(formatGrouped(drawn.count)), toQString(formatGrouped(all.count)));
    if (brief)
        return only + each;
    const double rest = static_cast<double>(all.bytes - drawn.bytes) /
                        static_cast<double>(std::max<std::int64_t>(1, all.bytes));
    return only + each + tr("; the rest, %1 of the bytes, merged").arg(toQString(formatPercent(rest)));
}

QString AllocationMapView::emptyText() const {
    if (!m_document.snapshot())
        return m_document.noRunWords(tr("to see its allocations"));
    if (const std::string why = Completeness(*m_document.snapshot()).why(DataKind::kMemory); !why.empty())
        return toQString(why);
    if (!m_mapQuery.isIdle())
        return {};
    return m_focus.only().isEmpty() ? tr("There is no allocation to show")
                                    : tr("The filter hides every allocation: %1").arg(m_focus.only());
}

void AllocationMapView::refreshNow() {
    m_mapQuery.runNow();
    m_geometryQuery.invalidate(DeferredQuery::Cause::kPerson);
    m_geometryQuery.runNow();
    m_opsQuery.runNow();
}

void AllocationMapView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_mapQuery.setActive(true);
    m_geometryQuery.setActive(true);
    m_opsQuery.setActive(true);
}

void AllocationMapView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_mapQuery.setActive(false);
    m_geometryQuery.setActive(false);
    m_opsQuery.setActive(false);
}

void AllocationMapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    invalidateGeometry();
}

void AllocationMapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.background);
    if (width() <= m_labelWidth)
        return;
    if (m_map->size() == 0) {
        painter.setPen(colors.secondaryText);
        painter.setFont(Theme::tableFont());
        painter.drawText(plotRect(), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    ensureGeometry();
    const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
    if (!raster) {
        paintPicture(painter);
    } else {
        const qreal ratio = std::max<qreal>(1.0, painter.deviceTransform().m11());
        if (!m_pictureValid || m_picture.devicePixelRatio() != ratio) {
            // While new geometry is being made, the last one is drawn where it lies now.
            m_picture = QPixmap(plotRect().size().toSize() * ratio);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(colors.background);
            QPainter into(&m_picture);
            into.translate(-m_labelWidth, 0);
            paintPicture(into);
            m_pictureOf = viewport();
            m_pictureValid = true;
        }
        painter.drawPixmap(QPointF(m_labelWidth, 0), m_picture);
    }
    paintScale(painter);
    if (m_order == Order::kAddress && hasAddresses()) {
        paintPieces(painter);
        paintRegions(painter);
    }
    paintOverlay(painter);
}

void AllocationMapView::paintPicture(QPainter& painter) const {
    painter.save();
    painter.setClipRect(plotRect());
    const MapViewport view = viewport();
    const Nanoseconds aPixel(static_cast<std::int64_t>(static_cast<double>(view.time.duration().value) /
                                                       std::max(1.0, view.width)));
    // By address what no block covers is free, whatever the phase.
    if (m_order == Order::kAddress && hasAddresses()) {
        fillFree(painter, plotRect());
        paintUnreserved(painter);
        paintFolds(painter);
    } else {
        for (const PhaseBand& band : phaseBands(*m_document.snapshot(), view.time, aPixel)) {
            const double left = xOf(band.range.begin), right = xOf(band.range.end);
            painter.fillRect(QRectF(left, 0, right - left, height()), phaseBandColor(band.phase));
        }
    }
    painter.translate(m_labelWidth, 0);
    // Geometry of another place, until that of this one is there.
    if (m_geometryOf.width > 0 && !(m_geometryOf == view)) {
        const double x0 = view.xOf(m_geometryOf.time.begin.value), x1 = view.xOf(m_geometryOf.time.end.value);
        const double y0 = view.yOf(m_geometryOf.high), y1 = view.yOf(m_geometryOf.low);
        painter.translate(x0, y0);
        painter.scale((x1 - x0) / m_geometryOf.width, (y1 - y0) / m_geometryOf.height);
    }
    paintBlocks(painter);
    paintNames(painter);
    painter.restore();
}

void AllocationMapView::paintBlocks(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    std::array<QColor, kCategoryCount> fills, borders;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        fills[c] = Theme::categoryColor(static_cast<Category>(c));
        borders[c] = Theme::mixed(fills[c], colors.background, 0.55);
    }
    const auto fill = [&](const MapRect& rect, const QColor& color) {
        // On the screen whole pixels: antialiased edges of thousands of blocks cost more than all the rest.
        painter.fillRect(QRectF(QPointF(static_cast<double>(rect.left), static_cast<double>(rect.top)),
                                QPointF(static_cast<double>(rect.right), static_cast<double>(rect.bottom))),
                         color);
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const MapRect& rect : m_geometry.merged)
        fill(rect, rect.rest ? Theme::mixed(colors.background, colors.secondaryText, 0.45)
                             : fills[static_cast<std::size_t>(rect.category)]);
    for (const MapRect& rect : m_geometry.blocks) {
        const auto c = static_cast<std::size_t>(rect.category);
        if (rect.right - rect.left < kBordered || rect.bottom - rect.top < kBordered) {
            fill(rect, fills[c]);
            continue;
        }
        fill(rect, borders[c]);
        MapRect inner = rect;
        inner.right -= 1;
        inner.top += 1;
        fill(inner, fills[c]);
    }
}

void AllocationMapView::paintOverlay(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(plot);
    if (const auto range = m_axis.selectedRange()) {
        const QRectF area(xOf(range->begin), 0, xOf(range->end) - xOf(range->begin), height());
        fillVeil(painter, area, withAlpha(colors.accent, 0.14F));
        painter.fillRect(QRectF(area.left(), 0, 1, height()), colors.accent);
        painter.fillRect(QRectF(area.right() - 1, 0, 1, height()), colors.accent);
    }
    const auto outline = [&](std::size_t row, const QColor& color, double width) {
        painter.setPen(QPen(color, width));
        painter.setBrush(withAlpha(color, 0.22F));
        for (const MapRect& rect : m_geometry.blocks) {
            if (rect.row == row && m_geometryMap == m_map && m_geometryOf == viewport())
                painter.drawRect(
                    QRectF(QPointF(static_cast<double>(rect.left), static_cast<double>(rect.top)),
                           QPointF(static_cast<double>(rect.right), static_cast<double>(rect.bottom)))
                        .translated(m_labelWidth, 0)
                        .adjusted(0.5, 0.5, -0.5, -0.5));
        }
    };
    if (m_hovered)
        outline(*m_hovered, colors.text, 1);
    const auto selected = m_focus.selected() ? m_map->rowOf(*m_focus.selected()) : std::nullopt;
    if (selected) {
        outline(*selected, colors.accent, 2);
        // Its life, also where the block itself is merged with others.
        const double left = xOf(Nanoseconds(m_map->begin(*selected)));
        const double right = std::max(left + 2, xOf(Nanoseconds(m_map->end(*selected))));
        painter.fillRect(QRectF(left, height() - 3, right - left, 3), colors.accent);
    }
    const auto line = [&](Nanoseconds t, const QColor& color) {
        fillVeil(painter, QRectF(std::floor(xOf(t)), 0, 1, height()), color);
    };
    paintPeak(painter);
    if (m_axis.pinnedCursor())
        line(*m_axis.pinnedCursor(), colors.accent);
    if (m_axis.cursor())
        line(*m_axis.cursor(), withAlpha(colors.text, 0.7F));
    painter.restore();
    if (hasFocus())
        painter.fillRect(QRectF(m_labelWidth - 2, 0, 2, height()), colors.accent);
}

}  // namespace warpglass::ui
