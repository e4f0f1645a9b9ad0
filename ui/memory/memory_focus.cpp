#include "ui/memory/memory_focus.h"

#include "engine/base/format.h"
#include "ui/models/span_details.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

MemoryFocus::MemoryFocus(RunDocument& document, TimeAxis& axis, RunFilter& filter, QObject* parent)
    : QObject(parent), m_document(document), m_axis(axis), m_filter(filter) {
    connect(&m_axis, &TimeAxis::clockChanged, this, &MemoryFocus::grown);
    connect(&m_filter, &RunFilter::changed, this, &MemoryFocus::filterChanged);
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_at = At::kPeak;
        m_selected.reset();
        m_details.reset();
        m_detailsIn.reset();
        m_detailsOf.reset();
        emit selectedChanged();
        emit momentChanged();
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, &MemoryFocus::grown);
    connect(&m_axis, &TimeAxis::cursorChanged, this, [this] {
        if (m_at == At::kCursor)
            emit momentChanged();
    });
    connect(&m_axis, &TimeAxis::selectionChanged, this, [this] {
        // Choosing a block selects its op; the moment is another's.
        const auto range = m_axis.selectedRange();
        if (range == m_range)
            return;
        m_range = range;
        if (m_at == At::kCursor)
            emit momentChanged();
    });
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, [this] {
        m_at = m_axis.pinnedCursor() ? At::kCursor : At::kPeak;
        emit momentChanged();
    });
}

AllocationConditions MemoryFocus::aliveConditions() const {
    AllocationConditions conditions = m_filter.allocations();
    if (isBeforeSelection(conditions))
        conditions.made.ranges.clear();
    return conditions;
}

bool MemoryFocus::isBeforeSelection(const AllocationConditions& conditions) const {
    const auto& ranges = conditions.made.ranges;
    const auto t = ranges.empty() ? std::nullopt : moment();
    return t && *t < ranges.front().begin;
}

QString MemoryFocus::laterSelection() const {
    return isBeforeSelection(m_filter.allocations()) ? m_filter.words().of({RunFilter::Condition::kSelection})
                                                     : QString();
}

AllocationConditions MemoryFocus::conditions() const {
    AllocationConditions conditions = m_filter.allocations();
    conditions.made.ranges.clear();
    return conditions;
}

QString MemoryFocus::only() const {
    using Condition = RunFilter::Condition;
    return m_filter.words().of({Condition::kAllocations, Condition::kCategory, Condition::kPhase,
                                Condition::kModule, Condition::kName, Condition::kText});
}

QString MemoryFocus::aliveOnly() const {
    const QString made = m_filter.words().of({RunFilter::Condition::kSelection});
    const QString place = only();
    if (made.isEmpty() || isBeforeSelection(m_filter.allocations()))
        return place;
    return (place.isEmpty() ? QString() : place + QStringLiteral(", ")) + tr("allocated in %1").arg(made);
}

void MemoryFocus::setAt(At at) {
    if (at == m_at)
        return;
    m_at = at;
    emit momentChanged();
}

std::optional<Nanoseconds> MemoryFocus::moment() const {
    const auto peak = m_document.snapshot() ? m_document.memory().peak() : std::nullopt;
    if (!peak)
        return std::nullopt;
    return cursor().value_or(peak->time);
}

std::optional<Nanoseconds> MemoryFocus::cursor() const {
    if (m_at != At::kCursor)
        return std::nullopt;
    if (const auto cursor = m_axis.effectiveCursor())
        return cursor;
    // Two cursors have been set by a drag: the second is the later.
    const auto range = m_axis.selectedRange();
    return range ? std::optional(range->end) : std::nullopt;
}

QString MemoryFocus::momentText() const {
    const auto t = moment();
    if (!t)
        return {};
    const bool second = cursor() && !m_axis.effectiveCursor();
    const bool peakInstead = m_at == At::kCursor && !cursor();
    const QString phase = toQString(spanNameAt(*m_document.snapshot(), TrackKind::kPhase, *t));
    return (second        ? tr("at the second cursor, ")
            : peakInstead ? tr("at the peak, ")
                          : QString()) +
           clock().text(*t) + (phase.isEmpty() ? QString() : QStringLiteral(" · ") + phase);
}

void MemoryFocus::letGo() {
    if (m_selected && m_filter.isLooking())
        m_filter.look({});
    setSelected(std::nullopt);
}

void MemoryFocus::setSelected(std::optional<AllocationId> allocation) {
    if (allocation && !knows(*allocation))
        allocation.reset();
    if (allocation == m_selected)
        return;
    m_selected = allocation;
    if (allocation) {
        const MemoryTimeline& memory = m_document.memory();
        const auto row = m_document.snapshot()->allocation(*allocation);
        const NameId op = row ? details().ops().of(memory, *allocation, *row) : NameId();
        m_filter.look(opSpanAt(*m_document.snapshot(), memory.allocatedAt(*allocation), op));
    }
    emit selectedChanged();
}

AllocationDetails& MemoryFocus::details() {
    if (!m_details || m_detailsIn != m_document.sharedMemory() || m_detailsOf != m_document.snapshot()) {
        m_detailsIn = m_document.sharedMemory();
        m_detailsOf = m_document.snapshot();
        m_details = std::make_unique<AllocationDetails>(*m_detailsIn);
    }
    return *m_details;
}

AllocationDetail MemoryFocus::detailOf(AllocationId allocation) {
    return details().of(allocation);
}

bool MemoryFocus::knows(AllocationId allocation) const {
    return m_document.snapshot() && allocation.index() < m_document.snapshot()->allocationCount();
}

void MemoryFocus::zoomToLife(AllocationId allocation) {
    if (!knows(allocation))
        return;
    const Nanoseconds begin = m_document.memory().allocatedAt(allocation);
    const Nanoseconds end = m_document.memory().freedAt(allocation).value_or(m_axis.fullRange().end);
    const Nanoseconds margin((end - begin).value / 4);
    m_axis.setVisibleRange({begin - margin, end + margin});
}

std::optional<SpanRef> opSpanAt(const Snapshot& snapshot, Nanoseconds t, NameId op) {
    std::optional<SpanRef> found;
    if (!op.valid())
        return found;
    std::uint32_t deepest = 0;
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kCpuThread)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            const std::uint64_t at = lane.firstEndingAfter(t);
            const auto row = at < lane.rows() ? lane.row(at) : std::nullopt;
            if (row && row->start <= t.value && row->name == op && (!found || lane.depth() >= deepest)) {
                found = SpanRef{lane.id(), at};
                deepest = lane.depth();
            }
        }
    }
    return found;
}

QString allocationSentence(const AllocationDetail& detail, const StepClock& clock) {
    const auto text = [](const std::string& value) { return toQString(value); };
    QString by =
        detail.op.empty() ? MemoryFocus::tr("outside any op") : MemoryFocus::tr("by %1").arg(text(detail.op));
    if (!detail.module.empty())
        by += MemoryFocus::tr(" in %1").arg(
            text(detail.part.empty() ? detail.module : detail.module + " · " + detail.part));
    QString phase = text(detail.phase);
    if (detail.row.step != kNoStep)
        phase += MemoryFocus::tr(" of step %1").arg(detail.row.step);
    const QString life =
        detail.toEnd
            ? MemoryFocus::tr("live from %1 to the end of the recording").arg(clock.text(detail.allocated))
            : MemoryFocus::tr("lifetime %1, from %2 to %3")
                  .arg(text(formatDuration(detail.until - detail.allocated)), clock.text(detail.allocated),
                       clock.text(detail.until));
    return MemoryFocus::tr("%1 of %2, allocated %3, %4; %5. %6 allocated, %7 requested.")
        .arg(text(formatBytes(Bytes(detail.row.bytes))), text(detail.category), by, phase, life,
             text(formatBytesExact(Bytes(detail.row.bytes))),
             text(formatBytesExact(Bytes(detail.row.requested))));
}

QString allocationToolTip(const AllocationDetail& detail, const StepClock& clock) {
    const auto line = [](const QString& name, const QString& value) {
        return value.isEmpty() ? QString()
                               : QStringLiteral("<tr><td style='padding-right:16px'>%1</td><td>%2</td></tr>")
                                     .arg(name, value);
    };
    const auto text = [](const std::string& value) { return toQString(value).toHtmlEscaped(); };
    const QString color = Theme::categoryColor(detail.row.category).name();
    QString rows = line(MemoryFocus::tr("given"), text(formatBytesExact(Bytes(detail.row.bytes)))) +
                   line(MemoryFocus::tr("requested"), text(formatBytesExact(Bytes(detail.row.requested)))) +
                   line(MemoryFocus::tr("module"),
                        text(detail.part.empty() ? detail.module : detail.module + " · " + detail.part)) +
                   line(MemoryFocus::tr("op"), text(detail.op));
    QString phase = text(detail.phase);
    if (detail.row.step != kNoStep)
        phase += MemoryFocus::tr(" of step %1").arg(detail.row.step);
    rows += line(MemoryFocus::tr("allocated in"), phase);
    rows +=
        line(MemoryFocus::tr("life"),
             detail.toEnd
                 ? MemoryFocus::tr("from %1 to the end of the recording").arg(clock.text(detail.allocated))
                 : MemoryFocus::tr("%1, from %2 to %3")
                       .arg(text(formatDuration(detail.until - detail.allocated)),
                            clock.text(detail.allocated), clock.text(detail.until)));
    return QStringLiteral("<b>%1</b> <span style='color:%2'>■</span> %3<table>%4</table>")
        .arg(text(formatBytes(Bytes(detail.row.bytes))), color, text(detail.category), rows);
}

}  // namespace warpglass::ui
