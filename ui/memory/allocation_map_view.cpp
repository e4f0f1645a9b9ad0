#include "ui/memory/allocation_map_view.h"

#include <QPaintEngine>
#include <QPainter>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/memory_absence.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/phase_bands.h"
#include "ui/models/table_model.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

/// Above the highest stack, as the chart of memory over time has it less its label.
constexpr double kHeadroom = 1.04;
/// Geometry of so many allocations takes a few ms: it is made at once.
constexpr std::int64_t kAtOnce = 60'000;
/// A border is drawn inside blocks from this size on, and a name from that.
constexpr float kBordered = 4;
constexpr double kNamedWidth = 56, kNamedHeight = 15;

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

constexpr double kLabelHeight = 16, kTickRoom = 40;

/// "0x7f3a2c000000"; "…2c000000" without the first `common` digits.
QString addressText(std::uint64_t address, std::size_t common) {
    const QString digits = QString::number(address, 16);
    return common == 0 ? QStringLiteral("0x") + digits
                       : QStringLiteral("…") + digits.mid(static_cast<qsizetype>(common));
}

/// Leading hexadecimal digits that all pieces' addresses share; never the last six.
std::size_t commonDigits(const std::vector<AllocationMap::Piece>& pieces) {
    if (pieces.empty())
        return 0;
    // They are in order, so what the first and the last share all do.
    const QString first = QString::number(pieces.front().address, 16);
    const QString last = QString::number(pieces.back().address, 16);
    qsizetype common = 0;
    while (first.size() == last.size() && common + 6 < first.size() && first[common] == last[common])
        ++common;
    return static_cast<std::size_t>(common);
}

QColor withAlpha(QColor color, float alpha) {
    color.setAlphaF(alpha);
    return color;
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
      m_geometryQuery([this] { return makeGeometryJob(); }) {
    showFailures(this, m_mapQuery);
    showFailures(this, m_geometryQuery);
    setObjectName(QStringLiteral("allocationMap"));
    setAccessibleName(tr("Allocation map"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_low = m_high = 0;
        m_hovered.reset();
        m_order = Order::kAddress;
        m_geometry = {};  // its rows are the other run's
        m_geometryMap.reset();
        takeMap(std::make_shared<const AllocationMap>());
        m_mapQuery.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this,
            [this] { m_mapQuery.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, &AllocationMapView::invalidateGeometry);
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
                if (source.snapshot)
                    map = std::make_shared<const AllocationMap>(*source.timeline(), conditions);
                return [this, map = std::move(map)] { takeMap(map); };
            },
            source.isHeavy()};
}

void AllocationMapView::takeMap(std::shared_ptr<const AllocationMap> map) {
    m_map = std::move(map);
    const auto peak = m_document.snapshot() ? m_document.memory().peak() : std::nullopt;
    m_peak = peak ? sumOf(peak->bytes) : 0;
    m_hovered.reset();
    invalidateGeometry();
    emit changed();
}

void AllocationMapView::setOrder(Order order) {
    if (order == m_order)
        return;
    m_order = order;
    m_low = m_high = 0;
    invalidateGeometry();
    emit changed();
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
    return {m_axis.visibleRange(), m_low, m_high > m_low ? m_high : heightOfAll(),
            std::max(1.0, plot.width()), std::max(1.0, plot.height())};
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

QString AllocationMapView::summary() const {
    const AllocationMap::Sum all = m_geometry.all, drawn = m_geometry.drawn;
    if (m_map->size() == 0)
        return {};
    const QString only =
        m_focus.only().isEmpty() ? QString() : tr("only %1, others are left out · ").arg(m_focus.only());
    if (all.count == drawn.count)
        return only + (all.count == 1
                           ? tr("1 allocation in view")
                           : tr("%1 allocations in view").arg(toQString(formatGrouped(all.count))));
    const double rest = static_cast<double>(all.bytes - drawn.bytes) /
                        static_cast<double>(std::max<std::int64_t>(1, all.bytes));
    return only + tr("%1 of %2 drawn one by one; the rest, %3 of the bytes, merged")
                      .arg(toQString(formatGrouped(drawn.count)), toQString(formatCount(all.count)),
                           toQString(formatPercent(rest)));
}

QString AllocationMapView::emptyText() const {
    if (!m_document.snapshot())
        return tr("Open or record a run to see its allocations");
    if (m_document.snapshot()->memoryEventCount() == 0)
        return toQString(memoryAbsenceInWords(memoryAbsence(*m_document.snapshot())));
    if (!m_mapQuery.isIdle())
        return {};
    return m_focus.only().isEmpty() ? tr("There is no allocation to show")
                                    : tr("The filter leaves no allocation: %1").arg(m_focus.only());
}

void AllocationMapView::refreshNow() {
    m_mapQuery.runNow();
    m_geometryQuery.invalidate(DeferredQuery::Cause::kPerson);
    m_geometryQuery.runNow();
}

void AllocationMapView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_mapQuery.setActive(true);
    m_geometryQuery.setActive(true);
}

void AllocationMapView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_mapQuery.setActive(false);
    m_geometryQuery.setActive(false);
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
    paintOverlay(painter);
}

void AllocationMapView::paintPicture(QPainter& painter) const {
    painter.save();
    painter.setClipRect(plotRect());
    const MapViewport view = viewport();
    const Nanoseconds aPixel(static_cast<std::int64_t>(static_cast<double>(view.time.duration().value) /
                                                       std::max(1.0, view.width)));
    for (const PhaseBand& band : phaseBands(*m_document.snapshot(), view.time, aPixel)) {
        const double left = xOf(band.range.begin), right = xOf(band.range.end);
        painter.fillRect(QRectF(left, 0, right - left, height()), phaseBandColor(band.phase));
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
    std::array<std::array<QColor, MapRect::kFull + 1>, kCategoryCount> fills;
    std::array<QColor, kCategoryCount> borders;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        const QColor color = Theme::categoryColor(static_cast<Category>(c));
        for (std::size_t filled = 0; filled <= MapRect::kFull; ++filled)
            fills[c][filled] = mixed(colors.background, color, 0.2 + 0.2 * static_cast<double>(filled));
        borders[c] = mixed(color, colors.background, 0.55);
    }
    const auto fill = [&](const MapRect& rect, const QColor& color) {
        // On the screen whole pixels: antialiased edges of thousands of blocks cost more than all the rest.
        painter.fillRect(QRectF(QPointF(static_cast<double>(rect.left), static_cast<double>(rect.top)),
                                QPointF(static_cast<double>(rect.right), static_cast<double>(rect.bottom))),
                         color);
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const MapRect& rect : m_geometry.merged)
        fill(rect, rect.rest ? mixed(colors.background, colors.secondaryText, 0.45)
                             : fills[static_cast<std::size_t>(rect.category)][rect.filled]);
    for (const MapRect& rect : m_geometry.blocks) {
        const auto c = static_cast<std::size_t>(rect.category);
        if (rect.right - rect.left < kBordered || rect.bottom - rect.top < kBordered) {
            fill(rect, fills[c][MapRect::kFull]);
            continue;
        }
        fill(rect, borders[c]);
        MapRect inner = rect;
        inner.right -= 1;
        inner.top += 1;
        fill(inner, fills[c][MapRect::kFull]);
    }
}

void AllocationMapView::paintNames(QPainter& painter) const {
    // Text last, and only where it can be read; of a block in several pieces, each that has room.
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    for (const MapRect& rect : m_geometry.blocks) {
        const QRectF inside =
            QRectF(QPointF(static_cast<double>(std::max(0.0F, rect.left)), static_cast<double>(rect.top)),
                   QPointF(static_cast<double>(rect.right), static_cast<double>(rect.bottom)))
                .adjusted(5, 1, -5, 0);
        if (inside.width() < kNamedWidth || inside.height() < kNamedHeight)
            continue;
        const auto row = m_document.snapshot()->allocation(m_geometryMap->id(rect.row));
        if (!row)
            continue;
        const Snapshot& snapshot = *m_document.snapshot();
        const Place place = snapshot.place(row->place);
        QString name = toQString(snapshot.name(place.module));
        if (place.part.valid() && !name.isEmpty())
            name += QStringLiteral(" · ") + toQString(snapshot.name(place.part));
        if (name.isEmpty())
            name = toQString(snapshot.name(row->op));
        name +=
            (name.isEmpty() ? QString() : QStringLiteral("  ")) + toQString(formatBytes(Bytes(row->bytes)));
        painter.setPen(Theme::textOn(Theme::categoryColor(rect.category)));
        painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideRight, inside.width()));
    }
}

void AllocationMapView::paintScale(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const MapViewport view = viewport();
    painter.fillRect(QRectF(0, 0, m_labelWidth, height()), colors.panel);
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(colors.secondaryText);
    const auto label = [&](double y, const QString& text) {
        painter.drawText(QRectF(0, y - 8, m_labelWidth - 6, 16), Qt::AlignRight | Qt::AlignVCenter, text);
    };
    if (m_order == Order::kBirth || !hasAddresses()) {
        const double span = view.high - view.low;
        for (const std::int64_t tick :
             byteTicks(static_cast<std::int64_t>(view.high), std::max(2, height() / 44))) {
            const double y = view.yOf(static_cast<double>(tick));
            if (y < 8 || y > height() - 4 || span <= 0)
                continue;
            label(y, toQString(byteTickLabel(tick)));
            painter.fillRect(QRectF(m_labelWidth, std::floor(y), plotRect().width(), 1),
                             withAlpha(colors.text, 0.10F));
        }
        return;
    }
    paintAddresses(painter);
}

/// Where each piece of address space begins, and how far into it one is; a line between two.
void AllocationMapView::paintAddresses(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const MapViewport view = viewport();
    const QFontMetricsF metrics(painter.font(), painter.device());
    const std::vector<AllocationMap::Piece>& pieces = m_map->pieces();
    const std::size_t common = commonDigits(pieces);
    // From the bottom up, each where it is or not at all.
    double free = height();
    const auto label = [&](double y, const QString& text, const QColor& color) {
        const double top = std::max(0.0, y - kLabelHeight / 2);
        if (top + kLabelHeight > free)
            return;
        painter.setPen(color);
        painter.drawText(QRectF(0, top, m_labelWidth - 6, kLabelHeight), Qt::AlignRight | Qt::AlignVCenter,
                         text);
        free = top;
    };
    for (const AllocationMap::Piece& piece : pieces) {
        const double begin = view.yOf(static_cast<double>(piece.place));
        const double end = view.yOf(static_cast<double>(piece.place + piece.bytes));
        const double bottom = std::min<double>(height(), begin), top = std::max(0.0, end);
        if (bottom <= top)
            continue;
        if (bottom - top >= 3)
            painter.fillRect(QRectF(m_labelWidth - 4, std::floor(top), 4, 1), colors.hairline);
        if (bottom - top >= 24)  // many lines across would be a picture of their own
            painter.fillRect(QRectF(m_labelWidth, std::floor(top), plotRect().width(), 1),
                             withAlpha(colors.text, 0.12F));
        // Whole where it fits, else without the digits that all share.
        const QString whole = addressText(piece.address, 0);
        const bool fits = metrics.horizontalAdvance(whole) <= m_labelWidth - 8;
        label(bottom - kLabelHeight / 2, fits ? whole : addressText(piece.address, common), colors.text);
        const double bytesPerPixel = static_cast<double>(piece.bytes) / std::max(1.0, begin - end);
        const auto shown = static_cast<std::int64_t>((bottom - top) * bytesPerPixel);
        const auto from = static_cast<std::int64_t>((begin - bottom) * bytesPerPixel);
        // Of a piece that reaches beyond what is shown, the ticks are of the part in view.
        const int most = static_cast<int>((bottom - top) / kTickRoom);
        if (most < 1 || shown <= 0)
            continue;
        const std::int64_t step = byteTicks(shown, most).empty() ? shown : byteTicks(shown, most).front();
        for (std::int64_t tick = (from / step + 1) * step; tick < from + shown; tick += step)
            label(begin - static_cast<double>(tick) / bytesPerPixel,
                  QStringLiteral("+") + toQString(byteTickLabel(tick)), colors.secondaryText);
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
    if (m_axis.pinnedCursor())
        line(*m_axis.pinnedCursor(), colors.accent);
    if (m_axis.cursor())
        line(*m_axis.cursor(), withAlpha(colors.text, 0.7F));
    painter.restore();
    if (hasFocus())
        painter.fillRect(QRectF(m_labelWidth - 2, 0, 2, height()), colors.accent);
}

}  // namespace warpglass::ui
