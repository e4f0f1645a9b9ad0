#include "ui/panels/allocations_table.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/memory/memory_sentences.h"
#include "ui/controls/data_table.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/segmented_control.h"
#include "ui/controls/summary_label.h"
#include "ui/controls/tab_room.h"
#include "ui/models/memory_source.h"
#include "ui/models/span_details.h"
#include "ui/panels/filter_bar.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

AllocationsTable::AllocationsTable(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(filter),
      m_filterBar(new FilterBar(document, filter, this)),
      m_moment(named(new SummaryLabel(this), "allocationMoment")),
      m_summary(named(new SummaryLabel(this), "allocationSummary")),
      m_listings(new SegmentedControl({tr("Grouped"), tr("Single")}, this)),
      m_table(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    askWhileSeen(this, m_query);
    setObjectName(QStringLiteral("allocationsTable"));
    m_filterBar->setOfAllocations();
    setNames(m_table, "allocationRows", tr("Allocations"));
    for (SummaryLabel* label : {m_moment, m_summary})
        setSecondary(label);
    setNames(m_listings, "allocationListing", tr("List alike allocations"));
    m_listings->setCurrent(0);
    setFigureWords(*m_listings, QStringLiteral(""));
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* bar = spaced(new QHBoxLayout,
                       {Metrics::kSpace2, TabRoom::kBarMargin, Metrics::kSpace3, TabRoom::kBarMargin},
                       Metrics::kSpace3);
    bar->addWidget(new TabRoom(this));
    bar->addWidget(m_filterBar, 1);
    addAll(bar, {m_listings, m_moment, m_summary});
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(bar);
    layout->addWidget(m_filterBar->chipLine());
    layout->addWidget(m_table, 1);

    m_model.setClockOf(m_axis);
    m_table->setTable(&m_model, m_model.column("size_bytes"), Qt::DescendingOrder,
                      DataTable::Sorting::kByModel);
    m_table->setColumnPriority(
        m_model.columns({"module", "size_bytes", "allocations", "each_bytes", "share", "category", "phase",
                         "op", "lifetime_ns", "step", "allocated_ns", "requested_bytes", "part", "address"}),
        m_model.column("share"));
    setFigureBytes(*m_table, m_model.column("size_bytes"));
    connect(m_listings, &SegmentedControl::chosen, this,
            [this](int index) { setListing(static_cast<AllocationModel::Listing>(index)); });
    connect(m_table, &DataTable::expansionRequested, &m_model, &AllocationModel::setExpanded);
    connect(m_table, &DataTable::rowActivated, this, [this](int row) {
        if (!m_model.toggle(row))
            goTo(row);
    });
    connect(m_table, &DataTable::currentRowChanged, this, &AllocationsTable::look);
    connect(m_table, &DataTable::menuRequested, this, [this](QMenu* menu, int row) { fillMenu(*menu, row); });
    using Cause = DeferredQuery::Cause;
    connect(&m_axis, &TimeAxis::clockChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_model.setNodes({}, false);  // the other run's ids mean something else in this one
        m_table->scrollToTop();
        m_moment->clear();
        m_table->setFinding({});
        updateSummary();
    });
    const auto onCursor = [this] {
        if (!ofSelection())  // what was made in a range is the same wherever the cursor is
            m_query.invalidate(Cause::kPerson);
    };
    connect(&m_axis, &TimeAxis::cursorChanged, this, onCursor);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, onCursor);
    connect(&m_filter, &RunFilter::changed, this, [this] { m_query.invalidate(Cause::kPerson); });
    m_query.follow(m_document);
}

Heading AllocationsTable::heading() const {
    return {{}, m_table->finding()};
}

void AllocationsTable::setListing(AllocationModel::Listing listing) {
    m_listing = listing;
    m_listings->setCurrent(static_cast<int>(listing));
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

bool AllocationsTable::ofSelection() const {
    return m_filter.state().range || m_filter.state().span;
}

DeferredQuery::Job AllocationsTable::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const bool selected = ofSelection();
    const AllocationConditions conditions = m_filter.allocations();
    return {[this, source, selected, conditions, listing = m_listing, cursor = m_axis.effectiveCursor(),
             words = m_filter.words().withoutText(),
             placeWords =
                 m_filter.words().of({RunFilter::Condition::kCategory, RunFilter::Condition::kPhase,
                                      RunFilter::Condition::kModule, RunFilter::Condition::kName,
                                      RunFilter::Condition::kText, RunFilter::Condition::kAllocations})] {
                Answer answer;
                answer.words = words;
                answer.placeWords = placeWords;
                answer.selected = selected;
                answer.atCursor = cursor.has_value();
                answer.known = source.snapshot != nullptr;
                const auto memory = source.snapshot ? source.timeline() : nullptr;
                const auto peak = memory ? memory->peak() : std::nullopt;
                answer.recorded = peak.has_value();
                if (answer.known)
                    answer.whyNone = toQString(Completeness(*source.snapshot).why(DataKind::kMemory));
                if (peak) {
                    answer.moment = cursor.value_or(peak->time);
                    const auto all = selected ? allocationsMadeIn(*source.snapshot, conditions.made.ranges)
                                              : memory->aliveAt(answer.moment);
                    const auto kept = filterAllocations(*memory, all, conditions);
                    answer.all = all.size();
                    answer.kept = kept.size();
                    answer.allBytes = AllocationModel::bytesOf(*source.snapshot, all);
                    answer.keptBytes = AllocationModel::bytesOf(*source.snapshot, kept);
                    answer.holding = largestHolding(*memory, kept);
                    answer.rows = AllocationModel::list(listing, *memory, kept, kMost);
                    answer.phase = toQString(spanNameAt(*source.snapshot, TrackKind::kPhase, answer.moment));
                }
                return [this, answer = std::move(answer)]() mutable { take(std::move(answer)); };
            },
            source.isHeavy()};
}

void AllocationsTable::take(Answer taken) {
    m_answer = std::move(taken);
    const Answer& answer = m_answer;
    const auto kept = static_cast<std::int64_t>(answer.kept);
    QStringList wordings;
    for (const std::string& wording :
         allocationsWordings(answer.rows, kept, answer.keptBytes, answer.holding))
        wordings << toQString(wording);
    m_table->setFinding(wordings);
    m_listed = toQString(listedAllocations(answer.rows, kept));
    showRows(std::move(m_answer.rows));
    if (!answer.recorded) {
        m_moment->clear();
        m_table->setEmptyText(answer.known ? answer.whyNone
                                           : m_document.noRunWords(tr("to see its allocations")));
        return updateSummary();
    }
    m_table->setEmptyText(
        answer.all == 0 ? (answer.selected ? tr("Nothing is allocated in %1").arg(answer.words)
                                           : tr("Nothing is allocated at this moment"))
        : answer.all == 1
            ? tr("The filter hides the only allocation: %1").arg(answer.placeWords)
            : tr("The filter hides all %1 allocations: %2")
                  .arg(toQString(formatGrouped(static_cast<std::int64_t>(answer.all))), answer.placeWords));
    m_moment->setText(answer.selected
                          ? tr("allocated in %1").arg(answer.words)
                          : (answer.atCursor ? tr("live at the cursor, %1") : tr("live at the peak, %1"))
                                    .arg(m_axis.clock().text(answer.moment)) +
                                (answer.phase.isEmpty() ? QString() : QStringLiteral(" · ") + answer.phase));
    updateSummary();
}

/// It stays where it is scrolled to, as far as there are rows.
void AllocationsTable::showRows(std::vector<AllocationGroup> rows) {
    QScrollBar* const bar = m_table->verticalScrollBar();
    const int top = bar->value();
    m_model.setNodes(std::move(rows), true);
    m_table->doItemsLayout();  // the bar goes as far as there are rows now
    bar->setValue(top);
}

void AllocationsTable::updateSummary() {
    if (m_model.rowCount() == 0) {
        m_summary->clear();
        return;
    }
    QString text = m_listed;
    const bool hides = m_answer.kept < m_answer.all;
    if (hides)
        text +=
            tr(" · %1 of %2 shown")
                .arg(toQString(formatBytes(m_answer.keptBytes)), toQString(formatBytes(m_answer.allBytes)));
    m_summary->setText(text);
    // Where nothing is hidden, the finding says the same.
    m_summary->setFigureText(m_table->finding().isEmpty() || hides ? QString() : QStringLiteral(""));
}

/// The inspector says more of it. A row that becomes current by itself, as the rows change under the cursor,
/// is nobody's choice.
void AllocationsTable::look(int row) {
    if (window()->focusWidget() == m_table && row >= 0 && row < m_model.rowCount() &&
        m_model.rowAt(row).expansion == kLeaf)
        m_filter.look(m_model.rowAt(row).id);
}

void AllocationsTable::goTo(int row) {
    if (!m_document.snapshot() || row < 0 || row >= m_model.rowCount())
        return;
    const AllocationDetail& a = m_model.rowAt(row);
    const TimeRange life{a.allocated, a.until};
    const Nanoseconds margin(life.duration().value / 10);
    m_axis.setVisibleRange({life.begin - margin, life.end + margin});
    m_axis.setPinnedCursor(a.allocated);
}

void AllocationsTable::fillMenu(QMenu& menu, int row) {
    if (row < 0 || row >= m_model.rowCount())
        return;
    const AllocationDetail& a = m_model.rowAt(row);
    const Place place = m_document.snapshot() ? m_document.snapshot()->place(a.row.place) : Place();
    // No filter is of the modules of several blocks.
    const bool ofOne = a.module.find('*') == std::string::npos;
    addFilterActions(menu, m_filter, ofOne ? a.module : std::string(), place.phase, a.op);
    menu.addAction(tr("Show Its Lifetime"), this, [this, row] { goTo(row); });
    menu.addAction(tr("Select Its Lifetime"), this, [this, row] {
        const AllocationDetail& detail = m_model.rowAt(row);
        // The range first: one step back, whatever was selected.
        m_axis.setSelectedRange(TimeRange{detail.allocated, detail.until});
        // A selected span would keep the inspector from describing the range.
        m_axis.setSelectedSpan(std::nullopt);
    });
}

}  // namespace warpglass::ui
