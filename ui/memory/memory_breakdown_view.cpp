#include "ui/memory/memory_breakdown_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_sentences.h"
#include "ui/controls/data_table.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/controls/summary_label.h"
#include "ui/controls/tab_room.h"
#include "ui/models/memory_source.h"
#include "ui/models/span_details.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {
constexpr BreakdownKey kKeys[] = {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kOp,
                                  BreakdownKey::kPhase};

/// A category, or what a phase made, opens to the parts of the model; any other stands for itself.
std::vector<BreakdownKey> levelsOf(BreakdownKey key) {
    if (key == BreakdownKey::kCategory || key == BreakdownKey::kPhase)
        return {key, BreakdownKey::kModulePart};
    return {key};
}
}  // namespace

MemoryBreakdownView::MemoryBreakdownView(RunDocument& document, TimeAxis& axis, RunFilter& filter,
                                         QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(filter),
      m_keys(new SegmentedControl({tr("Category"), tr("Module"), tr("Op"), tr("Phase")}, this)),
      m_moment(new SummaryLabel(this)),
      m_sum(new SentenceLabel(this)),
      m_table(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    askWhileSeen(this, m_query);
    setObjectName(QStringLiteral("memoryBreakdown"));
    setNames(m_keys, "breakdownKey", tr("Group memory by"));
    m_keys->setFixedWidth(272);
    m_keys->setCurrent(0);
    m_keys->button(2)->setToolTip(toQString(kGroupedByOp));
    setFigureWords(*m_keys, tr("by %1"));
    setNames(m_table, "breakdownTable", tr("Live memory"));
    for (QLabel* label : {static_cast<QLabel*>(m_moment), static_cast<QLabel*>(m_sum)})
        setSecondary(label);
    auto* bar = spaced(new QHBoxLayout,
                       {Metrics::kSpace3, TabRoom::kBarMargin, Metrics::kSpace3, TabRoom::kBarMargin},
                       Metrics::kSpace3);
    addAll(bar, {new TabRoom(this), m_keys, m_moment});
    bar->addStretch(1);
    bar->addWidget(m_sum);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);

    m_table->setTable(&m_model, m_model.column("size_bytes"), Qt::DescendingOrder,
                      DataTable::Sorting::kByModel);
    connect(m_table, &DataTable::expansionRequested, this,
            [this](int row, bool expanded) { m_model.setExpanded(row, expanded); });
    connect(m_keys, &SegmentedControl::chosen, this, [this](int index) { setKey(kKeys[index]); });
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        // Nothing of the former run is left beside this one, however long its answer takes.
        m_growing.reset();
        m_table->setEmptyText({});
        showNothing();
    });
    connect(&m_axis, &TimeAxis::clockChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::cursorChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_filter, &RunFilter::changed, this, [this] { m_query.invalidate(Cause::kPerson); });
    m_query.follow(m_document);
}

void MemoryBreakdownView::setKey(BreakdownKey key) {
    if (key == m_key)
        return;
    m_key = key;
    m_keys->setCurrent(static_cast<int>(key));
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

DeferredQuery::Job MemoryBreakdownView::makeJob() {
    MemorySource source = MemorySource::of(m_document);
    const AllocationConditions conditions = m_filter.allocations();
    // What is alive in all is found without a replay, in the document's own timeline; with conditions every
    // allocation alive is looked at, and by op those that ran as each was made.
    const bool heavy = (conditions.any() || m_key == BreakdownKey::kOp) && source.isHeavy();
    source.keep(m_growing, m_document, heavy);
    using Condition = RunFilter::Condition;
    Answer asked;
    asked.key = m_key;
    asked.cursor = m_axis.effectiveCursor();
    asked.only =
        m_filter.words().of({Condition::kCategory, Condition::kPhase, Condition::kModule, Condition::kName,
                             Condition::kText, Condition::kSelection, Condition::kAllocations});
    const std::shared_ptr<const MemoryTimeline> own = heavy ? nullptr : m_document.sharedMemory();
    return {[this, source, own, conditions, asked] {
                Answer answer = asked;
                if (source.snapshot) {
                    const auto memory = own ? own : source.timeline();
                    if (const auto peak = memory->peak()) {
                        answer.moment = answer.cursor.value_or(peak->time);
                        answer.rows = breakdownAt(*memory, *answer.moment, levelsOf(answer.key), conditions);
                        answer.alive = Bytes(sumOf(memory->at(*answer.moment)));
                    }
                }
                return [this, answer = std::move(answer)]() mutable { showAnswer(std::move(answer)); };
            },
            heavy};
}

void MemoryBreakdownView::showAnswer(Answer answer) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || !answer.moment) {
        showNothing();
        m_table->setEmptyText(snapshot ? toQString(Completeness(*snapshot).why(DataKind::kMemory))
                                       : m_document.noRunWords(tr("to see what its memory holds")));
        return;
    }
    if (answer.key != m_key)
        return;  // the answer by the other key follows
    const Nanoseconds t = *answer.moment;
    const QString& only = answer.only;
    const QString phase = toQString(spanNameAt(*snapshot, TrackKind::kPhase, t));
    QString moment =
        (answer.cursor ? tr("at the cursor, %1") : tr("at the peak, %1")).arg(m_axis.clock().text(t));
    if (!phase.isEmpty())
        moment += QStringLiteral(" · ") + phase;
    m_moment->setText(only.isEmpty() ? moment : tr("%1 · only %2").arg(moment, only));
    m_moment->setToolTip(tr("%1 ns").arg(toQString(formatGrouped(t.value))));
    showSum(answer);
    m_title = answer.cursor ? tr("Memory at the cursor") : tr("Memory at the peak");
    m_finding = toQString(
        breakdownSentence(answer.rows, answer.key, answer.cursor ? "at the cursor" : "at the peak"));
    m_table->setEmptyText(only.isEmpty() || answer.alive.value == 0
                              ? tr("Nothing is allocated at this moment")
                              : tr("The filter hides all %1 of live memory: %2")
                                    .arg(toQString(formatBytes(answer.alive)), only));
    m_model.setNodes(std::move(answer.rows), m_shown == m_key);
    m_shown = m_key;
}

void MemoryBreakdownView::showNothing() {
    m_finding.clear();
    m_model.setNodes({}, false);
    for (QLabel* label : {static_cast<QLabel*>(m_moment), static_cast<QLabel*>(m_sum)}) {
        label->clear();
        label->setToolTip({});
    }
}

void MemoryBreakdownView::showSum(const Answer& answer) {
    Bytes all;
    std::int64_t allocations = 0;
    for (const BreakdownRow& row : answer.rows) {
        all += row.bytes;
        allocations += row.allocations;
    }
    const QString count = allocations == 1 ? tr("1 allocation")
                                           : tr("%1 allocations").arg(toQString(formatGrouped(allocations)));
    m_sum->setText(answer.only.isEmpty()
                       ? tr("%1 in %2").arg(toQString(formatBytes(all)), count)
                       : tr("%1 of %2 shown, %3")
                             .arg(toQString(formatBytes(all)), toQString(formatBytes(answer.alive)), count));
    m_sum->setToolTip(toQString(formatBytesExact(all)));
    const MemoryTimeline& memory = m_document.memory();
    m_segments.update(memory.snapshot());
    if (m_segments.eventCount() == 0)
        return;
    const SegmentTotals totals = m_segments.at(memory, *answer.moment).totals;
    m_sum->setText(tr("%1 · %2 reserved").arg(m_sum->text(), toQString(formatBytes(totals.reserved))));
    m_sum->setToolTip(
        tr("%1 allocated\n%2 reserved in segments\n%3 free in them (%5 fragmented: the largest free block "
           "holds %4)")
            .arg(toQString(formatBytesExact(answer.alive)), toQString(formatBytesExact(totals.reserved)),
                 toQString(formatBytesExact(totals.free)), toQString(formatBytesExact(totals.largestFree)),
                 toQString(formatPercent(totals.fragmentation()))));
}

}  // namespace warpglass::ui
