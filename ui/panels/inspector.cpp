#include "ui/panels/inspector.h"

#include <QFrame>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <memory>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_breakdown.h"
#include "ui/models/link_indexer.h"
#include "ui/panels/cause_chain_list.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/idle_properties.h"
#include "ui/panels/property_list.h"
#include "ui/panels/property_text.h"
#include "ui/panels/range_properties.h"
#include "ui/panels/run_properties.h"
#include "ui/panels/span_properties.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QFrame* hairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    return line;
}

}  // namespace

Inspector::Inspector(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QScrollArea(parent),
      m_document(document),
      m_axis(axis),
      m_subjectQuery([this] { return makeSubjectJob(); }),
      m_memoryQuery([this] { return makeMemoryJob(); }) {
    showFailures(this, m_subjectQuery);
    showFailures(this, m_memoryQuery);
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Inspector"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setMinimumWidth(kLeastWidth);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(this);
    m_subject = new PropertyList(content);
    m_subject->setObjectName(QStringLiteral("inspectorSubject"));
    m_chain = new CauseChainList(m_document, m_axis, content);
    m_chain->setObjectName(QStringLiteral("inspectorChain"));
    connect(m_chain, &CauseChainList::changed, this, &Inspector::updateLines);
    m_kind = new PropertyList(content);
    m_kind->setObjectName(QStringLiteral("inspectorKind"));
    m_histogram = new DurationHistogram(content);
    m_histogram->setObjectName(QStringLiteral("inspectorHistogram"));
    m_memory = new PropertyList(content);
    m_memory->setObjectName(QStringLiteral("inspectorMemory"));
    m_line0 = hairline(content);
    m_line1 = hairline(content);
    m_line2 = hairline(content);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_subject, m_line0, m_chain, m_line1, m_kind,
                                                         m_histogram, m_line2, m_memory})
        layout->addWidget(part);
    layout->addStretch(1);
    setWidget(content);
    m_histogram->setDistribution({}, std::nullopt);

    using Cause = DeferredQuery::Cause;
    const auto both = [this](Cause cause) {
        m_subjectQuery.invalidate(cause);
        m_memoryQuery.invalidate(cause);
    };
    connect(&m_document, &RunDocument::runChanged, this, [this, both] {
        // What is said of the former run's selection goes at once, however long the next answer takes.
        m_subject->setContent({}, {}, {});
        m_kind->setContent({}, {}, {});
        m_histogram->setDistribution({}, std::nullopt);
        m_memory->setContent({}, {}, {});
        m_showsRange = false;
        updateLines();
        both(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [both] { both(Cause::kGrowth); });
    connect(&m_document, &RunDocument::warningsChanged, this,
            [this] { m_subjectQuery.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::selectionChanged, this, &Inspector::onSelection);
    connect(&m_axis, &TimeAxis::clockChanged, this, [this] { m_subjectQuery.invalidate(Cause::kPerson); });
    connect(m_subject, &PropertyList::activated, this, [this] {
        if (m_idleNext)
            return m_axis.setSelectedSpan(m_idleNext);
        m_rangeIsNewer = false;
        m_subjectQuery.invalidate(Cause::kPerson);
    });
    connect(&m_axis, &TimeAxis::cursorChanged, this, [this] { m_memoryQuery.invalidate(Cause::kPerson); });
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this,
            [this] { m_memoryQuery.invalidate(Cause::kPerson); });
    connect(&Theme::instance(), &Theme::changed, content, qOverload<>(&QWidget::update));
    both(Cause::kOtherRun);
}

void Inspector::onSelection() {
    const auto range = m_axis.selectedRange();
    const auto span = m_axis.selectedSpan();
    if (range != m_range)
        m_rangeIsNewer = range.has_value();
    else if (span != m_span || m_axis.selectedIdle() != m_idle)
        m_rangeIsNewer = false;
    m_range = range;
    m_span = span;
    m_idle = m_axis.selectedIdle();
    m_subjectQuery.invalidate(DeferredQuery::Cause::kPerson);
    m_memoryQuery.invalidate(DeferredQuery::Cause::kPerson);
}

DeferredQuery::Job Inspector::makeSubjectJob() {
    const auto snapshot = m_document.snapshot();
    const auto selected = m_axis.selectedSpan();
    const auto span = snapshot && selected ? describeSpan(*snapshot, *selected) : std::nullopt;
    const auto range = m_axis.selectedRange();
    const auto idle = snapshot ? m_axis.selectedIdle() : std::nullopt;
    if (range && snapshot && (!(span || idle) || m_rangeIsNewer)) {
        const QString pinned = span   ? toQString(span->name)
                               : idle ? gpuPartName(idle->stretch.part)
                                      : QString();
        return {[this, snapshot, pinned, range = *range]() -> DeferredQuery::Apply {
                    const RangeActivity activity = rangeActivity(*snapshot, range);
                    return [this, pinned, range, activity] { showRange(range, activity, pinned); };
                },
                snapshot->spanCount() > DeferredQuery::kHeavySpans};
    }
    if (idle) {
        return {[this, snapshot, idle = *idle]() -> DeferredQuery::Apply {
            return [this, details = describeIdle(*snapshot, idle)] { showIdle(details); };
        }};
    }
    if (!span)
        return makeRunJob();
    return {[this, snapshot, span]() -> DeferredQuery::Apply {
                auto statistics = kindStatistics(*snapshot, span->kind, span->nameId);
                // Anything shorter than a step is shorter than the time between two samples.
                const Conditions conditions = span->kind == TrackKind::kStep
                                                  ? ConditionSeries(*snapshot).in(span->range())
                                                  : Conditions();
                const auto own = span->kind == TrackKind::kGpuStream
                                     ? ownKernelSpan(*snapshot, span->name, span->module, span->duration)
                                     : std::nullopt;
                return [this, span, statistics = std::move(statistics), conditions, own,
                        shared = sharingOf(*snapshot, *span)] {
                    showSpan(*span, statistics, conditions, own, shared);
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

DeferredQuery::Job Inspector::makeRunJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot)
        return {[this]() -> DeferredQuery::Apply { return [this] { showNoRun(); }; }};
    // The document's timeline grows on the window's thread.
    return {[this, snapshot, peak = m_document.memory().peak()]() -> DeferredQuery::Apply {
                auto run = std::make_shared<const RunSummary>(summarizeRun(*snapshot, peak));
                const MissingRecords missing =
                    Completeness(*snapshot).missing();  // now that it has been read
                return [this, run, missing] { showRun(*run, missing); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void Inspector::showSpan(const SpanDetails& span, const KindStatistics& statistics,
                         const Conditions& conditions, const std::optional<OwnKernelSpan>& own,
                         const std::optional<Sharing>& shared) {
    std::vector<Property> rows = spanProperties(span, m_axis.clock());
    if (own)
        std::ranges::move(ownKernelProperties(*own), std::back_inserter(rows));
    if (shared)
        rows.push_back(sharingProperty(*shared));
    std::ranges::move(conditionProperties(conditions), std::back_inserter(rows));
    m_subject->setContent(headingOf(span.kind), toQString(span.name), std::move(rows));
    m_kind->setContent(tr("All of its kind in this run"), {}, kindProperties(span, statistics));
    m_histogram->setDistribution(statistics.durations, span.duration);
    m_idleNext.reset();
    m_showsRange = false;
    updateLines();
}

void Inspector::showIdle(const IdleDetails& idle) {
    m_subject->setContent(tr("GPU idle"), gpuPartName(idle.idle.stretch.part),
                          idleProperties(idle, m_axis.clock()));
    m_kind->setContent({}, {}, {});
    m_histogram->setDistribution({}, std::nullopt);
    m_showsRange = false;
    m_idleNext = idle.nextSpan;
    updateLines();
}

void Inspector::showRange(TimeRange range, const RangeActivity& activity, const QString& pinned) {
    std::vector<Property> rows = rangeProperties(range, activity, m_document.memory(), m_axis.clock());
    if (!pinned.isEmpty())
        rows.push_back({tr("Pinned"), pinned, tr("%1: click to show it again").arg(pinned), 0});
    m_subject->setContent(tr("Selected range"), {}, std::move(rows));
    m_kind->setContent({}, {}, {});
    m_histogram->setDistribution({}, std::nullopt);
    m_showsRange = true;
    m_idleNext.reset();
    updateLines();
}

void Inspector::showNoRun() {
    m_kind->setContent({}, {}, {});
    m_histogram->setDistribution({}, std::nullopt);
    const QString sentence = m_document.noRunWords(tr("to inspect it"));
    m_subject->setContent(tr("Inspector"), {}, {{sentence, {}, sentence}});
    m_showsRange = false;
    updateLines();
}

void Inspector::showRun(const RunSummary& run, const MissingRecords& missing) {
    m_showsRange = false;
    m_kind->setContent({}, {}, {});
    m_histogram->setDistribution({}, std::nullopt);
    m_subject->setContent(tr("Run"), {}, runProperties(run, missing, m_document));
    updateLines();
}

DeferredQuery::Job Inspector::makeMemoryJob() {
    return {[this]() -> DeferredQuery::Apply {
        return [this] {
            const MemoryTimeline& memory = m_document.memory();
            const auto peak = memory.snapshot() ? memory.peak() : std::nullopt;
            if (!m_document.snapshot() || !peak) {
                m_memory->setContent({}, {}, {});
                updateLines();
                return;
            }
            // The span's own start, when nothing points elsewhere.
            std::optional<Nanoseconds> at = m_axis.effectiveCursor();
            const Nanoseconds t = at.value_or(peak->time);
            const CategoryBytes now = memory.at(t);
            const auto alive = memory.aliveAt(t);
            std::vector<Property> rows{
                {tr("Allocated"), shortBytes(sumOf(now)), exactBytes(sumOf(now))},
                {tr("Allocations"), toQString(formatGrouped(static_cast<std::int64_t>(alive.size()))), {}}};
            const auto largest = largestAllocations(memory, alive, 1);
            if (!largest.empty()) {
                const AllocationDetail& a = largest.front();
                rows.push_back({tr("Largest"),
                                QStringLiteral("%1 · %2").arg(shortBytes(a.row.bytes), toQString(a.category)),
                                exactBytes(a.row.bytes)});
                const std::string& where = a.module.empty() ? a.op : a.module;
                if (!where.empty())
                    rows.push_back({QString(), toQString(where), toQString(a.op)});
            }
            m_memory->setContent(at ? tr("Memory at cursor") : tr("Memory at peak"), {}, std::move(rows));
            updateLines();
        };
    }};
}

void Inspector::updateLines() {
    const bool kind = !m_kind->properties().empty(), memory = !m_memory->properties().empty();
    const bool chain = !m_chain->properties().empty() && !m_showsRange;  // of the span
    m_chain->setVisible(chain);
    m_line0->setVisible(chain);
    m_kind->setVisible(kind);
    m_line1->setVisible(kind);
    m_memory->setVisible(memory);
    m_line2->setVisible(memory);
}

void Inspector::refreshNow() {
    m_document.links().runNow();
    m_chain->refresh();
    m_subjectQuery.runNow();
    m_memoryQuery.runNow();
}

void Inspector::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    m_subjectQuery.setActive(true);
    m_memoryQuery.setActive(true);
}

void Inspector::hideEvent(QHideEvent* event) {
    QScrollArea::hideEvent(event);
    m_subjectQuery.setActive(false);
    m_memoryQuery.setActive(false);
}

}  // namespace warpglass::ui
