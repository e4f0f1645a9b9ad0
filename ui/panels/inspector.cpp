#include "ui/panels/inspector.h"

#include <QFrame>
#include <QVBoxLayout>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/memory/memory_breakdown.h"
#include "ui/controls/failure_note.h"
#include "ui/models/link_indexer.h"
#include "ui/models/shared_overview.h"
#include "ui/panels/cause_chain_list.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/property_text.h"
#include "ui/panels/run_properties.h"
#include "ui/panels/selection_properties.h"
#include "ui/panels/span_answers.h"
#include "ui/panels/span_properties.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Answers go over the spans several times: for their kind, the GPU's busy time and the roof.
constexpr std::uint64_t kHeavyAnswers = DeferredQuery::kHeavySpans / 4;

/// A section without lines has no heading either.
void setSection(PropertyList& list, const QString& heading, std::vector<Property> rows) {
    const QString shown = rows.empty() ? QString() : heading;
    list.setContent(shown, {}, std::move(rows));
}

}  // namespace

Inspector::Inspector(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QScrollArea(parent),
      m_document(document),
      m_axis(axis),
      m_subjectQuery([this] { return makeSubjectJob(); }),
      m_memoryQuery([this] { return makeMemoryJob(); }) {
    askWhileSeen(this, m_subjectQuery);
    askWhileSeen(this, m_memoryQuery);
    showFailures(this, m_document.overview().query());
    setNames(this, "inspector", tr("Inspector"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setMinimumWidth(kLeastWidth);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(this);
    addSections(content);
    setWidget(content);

    connectRun();
    connect(&m_axis, &TimeAxis::selectionChanged, this, &Inspector::onSelection);
    using Cause = DeferredQuery::Cause;
    connect(&m_axis, &TimeAxis::clockChanged, this, [this] { m_subjectQuery.invalidate(Cause::kPerson); });
    connect(&m_axis, &TimeAxis::cursorChanged, this, [this] { m_memoryQuery.invalidate(Cause::kPerson); });
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this,
            [this] { m_memoryQuery.invalidate(Cause::kPerson); });
    connect(m_subject, &PropertyList::activated, this, &Inspector::onLink);
    connect(m_links, &PropertyList::activated, this, [this](int link) {
        const Finding shown = m_linked[static_cast<std::size_t>(link)];  // showing it may end the list
        emit showRequested(shown);
    });
    connect(m_chain, &CauseChainList::changed, this, [this] {
        if (m_shows == Shows::kSpan)
            showSpan();
        updateLines();
    });
    connect(&Theme::instance(), &Theme::changed, content, qOverload<>(&QWidget::update));
    m_subjectQuery.invalidate(Cause::kOtherRun);
    m_memoryQuery.invalidate(Cause::kOtherRun);
}

Inspector::~Inspector() = default;

PropertyList* Inspector::addList(QWidget* content, const char* name) {
    auto* list = new PropertyList(content);
    list->setObjectName(QString::fromLatin1(name));
    return list;
}

void Inspector::addSections(QWidget* content) {
    m_subject = addList(content, "inspectorSubject");
    m_links = addList(content, "inspectorLinks");
    m_chain = named(new CauseChainList(m_document, m_axis, content), "inspectorChain");
    m_waited = addList(content, "inspectorWaited");
    m_kind = addList(content, "inspectorKind");
    m_histogram = named(new DurationHistogram(content), "inspectorHistogram");
    m_memory = addList(content, "inspectorMemory");
    auto* layout = spaced(new QVBoxLayout(content), {}, 0);
    layout->addWidget(m_subject);
    for (PropertyList* list : {m_links, static_cast<PropertyList*>(m_chain), m_waited, m_kind, m_memory}) {
        QFrame* line = hairline(Qt::Horizontal, content);
        addAll(layout, {line, list});
        m_sections.push_back({line, list});
        if (list == m_kind)
            layout->addWidget(m_histogram);
    }
    layout->addStretch(1);
    m_histogram->setDistribution({}, std::nullopt);
    updateLines();
}

void Inspector::connectRun() {
    using Cause = DeferredQuery::Cause;
    const auto both = [this](Cause cause) {
        m_subjectQuery.invalidate(cause);
        m_memoryQuery.invalidate(cause);
    };
    connect(&m_document, &RunDocument::runChanged, this, [this, both] {
        // What is said of the former run's selection goes at once, however long the next answer takes.
        clear();
        m_subject->setContent({}, {}, {});
        m_memory->setContent({}, {}, {});
        setShows(Shows::kNothing);
        both(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [both] { both(Cause::kGrowth); });
    connect(&m_document, &RunDocument::warningsChanged, this,
            [this] { m_subjectQuery.invalidate(Cause::kGrowth); });
    connect(&m_document.overview(), &SharedOverview::changed, this, [this] {
        if (m_shows == Shows::kRun)
            showRun();
    });
}

void Inspector::onSelection() {
    const auto range = m_axis.selectedRange();
    const auto span = m_axis.selectedSpan();
    if (range != m_range)
        m_rangeIsNewer = range.has_value();
    else if (span != m_span || m_axis.selectedIdle() != m_idle || m_axis.selectedAllocation() != m_allocation)
        m_rangeIsNewer = false;
    m_range = range;
    m_span = span;
    m_idle = m_axis.selectedIdle();
    m_allocation = m_axis.selectedAllocation();
    m_subjectQuery.invalidate(DeferredQuery::Cause::kPerson);
    m_memoryQuery.invalidate(DeferredQuery::Cause::kPerson);
}

void Inspector::onLink(int link) {
    if (m_shows == Shows::kSpan) {
        const auto& there = static_cast<SpanLink>(link) == SpanLink::kPhase ? m_around.phase : m_around.step;
        if (there)
            m_chain->goTo(*there);
        return;
    }
    if (m_next)
        return m_chain->goTo(*m_next);
    m_rangeIsNewer = false;
    m_subjectQuery.invalidate(DeferredQuery::Cause::kPerson);
}

DeferredQuery::Job Inspector::makeSubjectJob() {
    const auto snapshot = m_document.snapshot();
    const auto selected = m_axis.selectedSpan();
    const auto span = snapshot && selected ? describeSpan(*snapshot, *selected) : std::nullopt;
    const auto range = m_axis.selectedRange();
    const auto idle = snapshot ? m_axis.selectedIdle() : std::nullopt;
    const auto allocation = snapshot && m_axis.selectedAllocation() &&
                                    m_axis.selectedAllocation()->index() < snapshot->allocationCount()
                                ? m_axis.selectedAllocation()
                                : std::nullopt;
    if (range && snapshot && (!(span || idle || allocation) || m_rangeIsNewer))
        return makeRangeJob(*range, span         ? titleOf(*span)
                                    : idle       ? gpuPartName(idle->stretch.part)
                                    : allocation ? tr("the selected allocation")
                                                 : QString());
    if (idle) {
        return {[this, snapshot, idle = *idle] {
            return [this, details = describeIdle(*snapshot, idle)] { showIdle(details); };
        }};
    }
    if (allocation) {
        return {[this, id = *allocation] { return [this, id] { showAllocation(id); }; }};
    }
    if (!span) {
        return {[this] {
            return [this] {
                setShows(Shows::kRun);
                showRun();
            };
        }};
    }
    return {[this, snapshot, ref = *selected, span = *span] {
                auto answers = std::make_shared<const SpanAnswers>(answersOf(*snapshot, ref, span));
                return [this, answers] {
                    m_answers = answers;
                    setShows(Shows::kSpan);
                    showSpan();
                };
            },
            snapshot->spanCount() > kHeavyAnswers};
}

DeferredQuery::Job Inspector::makeRangeJob(TimeRange range, const QString& pinned) {
    const auto snapshot = m_document.snapshot();
    return {[this, snapshot, pinned, range] {
                const RangeActivity activity = rangeActivity(*snapshot, range);
                const auto gpu = gpusOf(*snapshot).size() == 1 ? busyOf(*snapshot) : nullptr;
                const GpuBusy::Times times =
                    gpu ? gpu->timesIn(range.begin.value, range.end.value) : GpuBusy::Times();
                return [this, pinned, range, activity, times] { showRange(range, activity, times, pinned); };
            },
            snapshot->spanCount() > kHeavyAnswers};
}

/// What belongs to the subject that is no longer shown.
void Inspector::clear() {
    m_links->setContent({}, {}, {});
    m_waited->setContent({}, {}, {});
    m_kind->setContent({}, {}, {});
    m_histogram->setDistribution({}, std::nullopt);
    m_answers.reset();
    m_next.reset();
}

void Inspector::setShows(Shows shows) {
    m_shows = shows;
    updateWanted();
    updateLines();
}

void Inspector::updateWanted() {
    m_document.overview().setWanted(*this, m_seen && m_shows == Shows::kRun);
}

/// Again, too, when more is known of its chain of causes.
void Inspector::showSpan() {
    const auto answers = m_answers;
    const auto snapshot = m_document.snapshot();
    if (!answers || !snapshot || m_axis.selectedSpan() != answers->ref)
        return;  // the chain is another one's already
    const SpanDetails& span = answers->span;
    m_around = spansAroundOne(*snapshot, span, m_chain->causes());
    const QString title = titleOf(span), name = toQString(span.fullName.empty() ? span.name : span.fullName);
    m_subject->setContent(headingOf(span.kind), title, whatProperties(*answers, m_axis.clock(), m_around));
    m_subject->setWholeName(name == title ? QString() : name);
    setSection(*m_waited, tr("What waited?"), waitProperties(*answers, m_chain->queued()));
    m_kind->setContent(tr("Is it slow?"), {}, slowProperties(*answers));
    // There is nothing to see in a histogram of a few.
    constexpr std::int64_t kLeastForHistogram = 5;
    if (answers->statistics.instances >= kLeastForHistogram)
        m_histogram->setDistribution(answers->statistics.durations, span.duration);
    else
        m_histogram->setDistribution({}, std::nullopt);
    m_links->setContent({}, {}, {});
    m_next.reset();
    updateLines();
}

void Inspector::showIdle(const IdleDetails& idle) {
    clear();
    m_subject->setContent(tr("GPU idle"), gpuPartName(idle.idle.stretch.part),
                          idleProperties(idle, m_axis.clock()));
    m_next = idle.nextSpan;
    setShows(Shows::kIdle);
}

void Inspector::showAllocation(AllocationId id) {
    const MemoryTimeline& memory = m_document.memory();
    if (!memory.snapshot() || id.index() >= memory.snapshot()->allocationCount())
        return;  // another run's
    clear();
    const AllocationDetail allocation = describeAllocation(memory, id);
    m_next = opOfAllocation(*memory.snapshot(), allocation);
    m_subject->setContent(tr("Allocation"), {},
                          allocationProperties(allocation, memory, m_next, m_axis.clock()));
    setShows(Shows::kAllocation);
}

void Inspector::showRange(TimeRange range, const RangeActivity& activity, const GpuBusy::Times& gpu,
                          const QString& pinned) {
    clear();
    std::vector<Property> rows = rangeProperties(range, activity, gpu, m_document.memory(), m_axis.clock());
    if (!pinned.isEmpty())
        rows.push_back({tr("Pinned"), pinned, tr("%1: click to show it again").arg(pinned), 0});
    m_subject->setContent(tr("Selected range"), {}, std::move(rows));
    setShows(Shows::kRange);
}

void Inspector::showRun() {
    clear();
    const auto& overview = m_document.overview().current();
    if (!m_document.snapshot()) {
        const QString sentence = m_document.noRunWords(tr("to inspect it"));
        m_subject->setContent(tr("Inspector"), {}, {{sentence, {}, sentence}});
    } else if (!overview) {
        m_subject->setContent(tr("Run"), {}, {{tr("Adding up…"), {}, {}}});
    } else {
        m_linked = linkedFindings(*overview);
        m_subject->setContent(tr("Run"), {}, runProperties(*overview, m_document));
        setSection(*m_links, tr("Look at"), runLinks(*overview, m_axis.clock()));
    }
    updateLines();
}

DeferredQuery::Job Inspector::makeMemoryJob() {
    return {[this] {
        return [this] {
            const MemoryTimeline& memory = m_document.memory();
            const auto at = m_axis.effectiveCursor();
            if (!at || !m_document.snapshot() || !memory.snapshot() || !memory.peak()) {
                m_memory->setContent({}, {}, {});
                updateLines();
                return;
            }
            const Nanoseconds t = *at;
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
            m_memory->setContent(tr("Memory at cursor"), {}, std::move(rows));
            updateLines();
        };
    }};
}

void Inspector::updateLines() {
    for (const Section& section : m_sections) {
        const bool ofSpan = section.list != m_chain || m_shows == Shows::kSpan || m_shows == Shows::kNothing;
        const bool shown = ofSpan && !section.list->properties().empty();
        section.line->setVisible(shown);
        section.list->setVisible(shown);
    }
}

Heading Inspector::heading() const {
    const QString kind = m_subject->heading(), title = m_subject->title();
    return {title.isEmpty() ? kind : tr("%1: %2").arg(kind, title),
            foundIn().beginsWithAnswer() ? foundIn().properties().front().label : QString()};
}

void Inspector::setInFigure(bool inFigure) {
    for (PropertyList* list : {m_subject, m_kind})
        list->setSaidAbove(inFigure && list == m_subject, inFigure && list == &foundIn());
}

void Inspector::refreshNow() {
    m_document.links().runNow();
    m_chain->refresh();
    m_subjectQuery.runNow();
    if (m_shows == Shows::kRun)
        m_document.overview().runNow();
    m_memoryQuery.runNow();
}

void Inspector::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    m_seen = true;
    updateWanted();
}

void Inspector::hideEvent(QHideEvent* event) {
    QScrollArea::hideEvent(event);
    m_seen = false;
    updateWanted();
}

}  // namespace warpglass::ui
