#include "ui/memory/allocation_map_view.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/step_spans.h"
#include "ui/controls/failure_note.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

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
      m_mapQuery([this] { return makeMapJob(); }) {
    for (DeferredQuery* query : {&m_mapQuery, &m_blocks.query(), &m_names.query()})
        showFailures(this, *query);
    setObjectName(QStringLiteral("allocationMap"));
    setAccessibleName(tr("Allocation map"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_bytes.reset();
        m_segments = std::make_shared<MemorySegments>();  // jobs of the other run may still use theirs
        m_blocks.clear();                                 // its rows are the other run's
        m_names.clear();
        takeContent({});
        m_mapQuery.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this,
            [this] { m_mapQuery.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        m_bytes.followTime(m_axis.visibleRange(), m_axis.fullRange());
        invalidate();
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
        m_mapQuery.invalidate(Cause::kPerson);
    });
    const auto redraw = [this] {
        m_picture.invalidate();
        update();
    };
    connect(&Theme::instance(), &Theme::changed, this, redraw);
    connect(&m_names, &MapBlockNames::found, this, redraw);
    connect(&m_blocks, &MapBlocks::made, this, [this, redraw] {
        m_names.look();
        redraw();
        emit changed();
    });
    connect(&m_bytes, &MapBytes::changed, this, [this] {
        invalidate();
        emit changed();
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
    // One job at a time: the index is the worker's while it is asked.
    return {
        [this, source, conditions = m_focus.conditions(), segments = m_segments]() -> DeferredQuery::Apply {
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
    m_hovered.reset();
    m_shownFree.reset();
    invalidate();
    emit changed();
}

void AllocationMapView::setLabelWidth(int width) {
    m_labelWidth = width;
    invalidate();
}

void AllocationMapView::invalidate() {
    m_blocks.invalidate();
    m_picture.invalidate();
    update();
}

Nanoseconds AllocationMapView::timeAt(double x) const {
    const MapViewport view = viewport();
    const double share = std::clamp((x - m_labelWidth) / view.width, 0.0, 1.0);
    return view.time.begin +
           Nanoseconds(std::llround(share * static_cast<double>(view.time.duration().value)));
}

QString AllocationMapView::summary(bool brief) const {
    const AllocationMap::Sum all = geometry().all, drawn = geometry().drawn;
    if (map().size() == 0)
        return {};
    const QString only = m_focus.only().isEmpty() ? QString() : tr("only %1 · ").arg(m_focus.only());
    if (all.count == drawn.count)
        return only + (all.count == 1
                           ? tr("1 allocation in view")
                           : tr("%1 allocations in view").arg(toQString(formatGrouped(all.count))));
    if (drawn.count == 0)
        return only + (all.count == 1 ? tr("1 allocation, too small to draw individually")
                       : brief
                           ? tr("%1 small allocations as stripes").arg(toQString(formatGrouped(all.count)))
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
    m_blocks.query().invalidate(DeferredQuery::Cause::kPerson);
    m_blocks.query().runNow();
    m_names.query().runNow();
}

void AllocationMapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    invalidate();
}

void AllocationMapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.background);
    if (width() <= m_labelWidth)
        return;
    if (map().size() == 0) {
        painter.setPen(colors.secondaryText);
        painter.setFont(Theme::tableFont());
        painter.drawText(plotRect(), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    m_blocks.ensure();
    const MapViewport view = viewport();
    m_picture.paint(painter, plotRect(), view);
    const MapScale scale(m_content, view, m_bytes.byAddress(), plotRect());
    scale.paint(painter);
    scale.paintPlaces(painter);
    scale.paintPeak(painter);
    paintOverlay(painter, view);
}

void AllocationMapView::paintOverlay(QPainter& painter, const MapViewport& view) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const auto xOf = [&](Nanoseconds t) { return m_labelWidth + view.xOf(t.value); };
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
        for (const MapRect& rect : geometry().blocks) {
            if (rect.row == row && m_blocks.areOfMap() && m_blocks.madeFor() == view)
                painter.drawRect(
                    QRectF(QPointF(static_cast<double>(rect.left), static_cast<double>(rect.top)),
                           QPointF(static_cast<double>(rect.right), static_cast<double>(rect.bottom)))
                        .translated(m_labelWidth, 0)
                        .adjusted(0.5, 0.5, -0.5, -0.5));
        }
    };
    const auto shownFree = m_shownFree ? map().placeAt(m_shownFree->address) : std::nullopt;
    if (shownFree && m_bytes.byAddress()) {
        const double top = view.yOf(static_cast<double>(*shownFree + m_shownFree->bytes));
        const QRectF area(plot.left(), top, plot.width(), view.yOf(static_cast<double>(*shownFree)) - top);
        fillVeil(painter, area, withAlpha(colors.accent, 0.14F));
        for (const double y : {area.top(), area.bottom() - 1})
            painter.fillRect(QRectF(area.left(), y, area.width(), 1), colors.accent);
    }
    if (m_hovered)
        outline(*m_hovered, colors.text, 1);
    if (const auto selected = selectedRow()) {
        outline(*selected, colors.accent, 2);
        // Its life, also where the block itself is merged with others.
        const double left = xOf(Nanoseconds(map().begin(*selected)));
        const double right = std::max(left + 2, xOf(Nanoseconds(map().end(*selected))));
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
