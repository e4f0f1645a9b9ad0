#include "ui/memory/alive_panel.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_sentences.h"
#include "engine/tables/memory_columns.h"
#include "ui/charts/category_key.h"
#include "ui/controls/data_table.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

AlivePanel::AlivePanel(RunDocument& document, MemoryFocus& focus, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_focus(focus),
      m_groupings(new SegmentedControl({tr("Category"), tr("Module"), tr("Phase"), tr("Op")}, this)),
      m_key(new CategoryKey(document, this)),
      m_treemap(new TreemapView(document, focus, this)),
      m_summary(named(new ElidedLabel(this), "aliveSummary")),
      m_listings(new SegmentedControl({tr("Grouped"), tr("Single")}, this)),
      m_table(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    askWhileSeen(this, m_query);
    setNames(m_groupings, "treemapGrouping", tr("Group live memory by"));
    m_groupings->setCurrent(0);
    setFigureWords(*m_groupings, tr("by %1"));
    m_groupings->button(0)->setToolTip(
        tr("By category, then by module with all blocks together, then by module"));
    m_groupings->button(1)->setToolTip(
        tr("By part of the model, then by module with all blocks together, then by module"));
    m_groupings->button(2)->setToolTip(tr("By the phase that allocated it, then by category"));
    m_groupings->button(3)->setToolTip(
        tr("%1; then by module with all blocks together, then by module").arg(toQString(kGroupedByOp)));
    setSecondary(m_summary);
    setNames(m_table, "aliveRows", tr("Live allocations"));
    m_model.setClockOf(m_focus.axis());
    setNames(m_listings, "aliveListing", tr("List alike allocations"));
    m_listings->setCurrent(0);
    setFigureWords(*m_listings, QStringLiteral(""));
    m_table->setTable(&m_model, m_model.column("size_bytes"), Qt::DescendingOrder,
                      DataTable::Sorting::kByModel);
    m_table->setColumnPriority(
        m_model.columns({"module", "size_bytes", "category", "allocations", "op", "each_bytes", "lifetime_ns",
                         "share", "phase", "requested_bytes", "allocated_ns"}),
        m_model.column("share"));

    auto* bar = spaced(new QHBoxLayout, Metrics::kBarMargins, Metrics::kSpace3);
    bar->addWidget(m_groupings);
    bar->addStretch(1);
    auto* upper = new QWidget(this);
    auto* upperLayout = spaced(new QVBoxLayout(upper), {}, 0);
    upperLayout->addLayout(bar);
    auto* key = new QHBoxLayout;
    key->setContentsMargins(Metrics::kSpace3, 0, Metrics::kSpace3, 0);
    key->addWidget(m_key);
    upperLayout->addLayout(key);
    upperLayout->addWidget(m_treemap, 1);
    auto* lower = new QWidget(this);
    auto* lowerLayout = spaced(new QVBoxLayout(lower), {0, Metrics::kSpace1, 0, 0}, Metrics::kSpace1);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(Metrics::kSpace3, 0, Metrics::kSpace3, 0);
    line->addWidget(m_summary, 1);
    line->addWidget(m_listings);
    lowerLayout->addLayout(line);
    lowerLayout->addWidget(m_table, 1);
    auto* splitter = divided(named(new QSplitter(Qt::Vertical, this), "aliveSplitter"));
    addAll(splitter, {upper, lower});
    splitter->setSizes({420, 300});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);

    using Cause = DeferredQuery::Cause;
    connect(m_groupings, &SegmentedControl::chosen, this,
            [this](int index) { m_treemap->setGrouping(static_cast<TreemapView::Grouping>(index)); });
    connect(m_listings, &SegmentedControl::chosen, this,
            [this](int index) { setListing(static_cast<AllocationModel::Listing>(index)); });
    connect(m_table, &DataTable::expansionRequested, &m_model, &AllocationModel::setExpanded);
    connect(m_treemap, &TreemapView::pathChanged, this, [this] {
        m_table->scrollToTop();
        m_query.invalidate(Cause::kPerson);
    });
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_model.setNodes({}, false);
        m_table->scrollToTop();
        m_selectFirst = m_reveal = false;
        m_query.invalidate(Cause::kOtherRun);
    });
    connect(&m_focus, &MemoryFocus::momentChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::filterChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::grown, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_focus, &MemoryFocus::selectedChanged, this, &AlivePanel::showSelected);
    connect(m_table, &DataTable::rowActivated, this, [this](int row) {
        if (m_model.toggle(row))
            return;
        m_focus.setSelected(m_model.rowAt(row).id);
        m_focus.zoomToLife(m_model.rowAt(row).id);
    });
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        const auto& row = m_model.rowAt(m_table->proxy()->mapToSource(index).row());
        if (row.expansion == kLeaf)
            m_focus.setSelected(row.id);
    });
    m_query.invalidate(Cause::kOtherRun);
}

void AlivePanel::setListing(AllocationModel::Listing listing) {
    m_listing = listing;
    m_listings->setCurrent(static_cast<int>(listing));
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

DeferredQuery::Job AlivePanel::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const auto moment = m_focus.moment();
    const std::vector<std::size_t> path = m_treemap->path().keys;
    const std::vector<BreakdownKey> levels = m_treemap->keys();
    const AllocationConditions conditions = m_focus.aliveConditions();
    return {
        [this, source, moment, path, levels, conditions, listing = m_listing, only = m_focus.aliveOnly()] {
            std::vector<AllocationGroup> rows;
            std::size_t count = 0, everything = 0;
            Bytes shown, all;
            if (source.snapshot && moment) {
                const auto memory = source.timeline();
                const auto alive = memory->aliveAt(*moment);
                const auto ids = path.empty() ? filterAllocations(*memory, alive, conditions)
                                              : allocationsUnder(*memory, *moment, levels, path, conditions);
                everything = alive.size();
                all = Bytes(sumOf(memory->at(*moment)));
                shown = AllocationModel::bytesOf(*source.snapshot, ids);
                count = ids.size();
                rows = AllocationModel::list(listing, *memory, ids, kMost);
            }
            return [this, rows = std::move(rows), count, everything, shown, all, only, within = !path.empty(),
                    known = source.snapshot != nullptr,
                    absent = source.snapshot
                                 ? toQString(Completeness(*source.snapshot).why(DataKind::kMemory))
                                 : QString()]() mutable {
                const bool left = !only.isEmpty() && everything > 0;
                m_table->setEmptyText(
                    left && within ? tr("The filter hides everything here at this moment: %1").arg(only)
                    : left         ? tr("The filter hides all %1 live allocations: %2")
                                 .arg(toQString(formatGrouped(static_cast<std::int64_t>(everything))), only)
                    : !absent.isEmpty() ? absent
                    : known             ? tr("Nothing is allocated here at this moment")
                                        : m_document.noRunWords(tr("to see its allocations")));
                const auto number = static_cast<std::int64_t>(count);
                const bool isWhole = allocationsIn(rows) == number;
                QString text = count == 0 ? QString() : toQString(listedAllocations(rows, number));
                showRows(std::move(rows));
                if (!only.isEmpty() && count > 0)
                    text += tr(" · only %1: %2 of %3 shown")
                                .arg(only, toQString(formatBytes(shown)), toQString(formatBytes(all)));
                else if (count > 0)
                    text += (isWhole ? tr(" · %1") : tr(" · %1 in all")).arg(toQString(formatBytes(shown)));
                m_summary->setText(text);
                m_summary->setToolTip(text);
                if (m_query.isIdle())
                    selectFirstNow();
            };
        },
        source.isHeavy()};
}

void AlivePanel::showRows(std::vector<AllocationGroup> rows) {
    QScrollBar* const bar = m_table->verticalScrollBar();
    const int top = bar->value();
    m_model.setNodes(std::move(rows), true);
    m_table->doItemsLayout();  // the bar goes as far as there are rows now
    // To mark a row scrolls to it too.
    if (!revealSelected())
        bar->setValue(top);
}

void AlivePanel::showSelected() {
    m_reveal = m_focus.selected().has_value();
    revealSelected();
}

/// Marks it, where it is among the rows. Whether it has been scrolled to, which happens once.
bool AlivePanel::revealSelected() {
    const auto selected = m_focus.selected();
    const auto isSelected = [&](const AllocationGroup& one) { return selected && one.id == *selected; };
    const int row = m_reveal ? m_model.reveal(isSelected) : m_model.rowOf(isSelected);
    if (row < 0) {
        m_table->clearSelection();
        return false;
    }
    const QModelIndex index = m_table->proxy()->mapFromSource(m_model.index(row, 0));
    if (!m_table->selectionModel()->isSelected(index))
        m_table->selectRow(index.row());
    if (m_reveal)
        m_table->scrollTo(index);
    return std::exchange(m_reveal, false);
}

void AlivePanel::selectFirst() {
    while (m_treemap->path().depth() > 0)
        m_treemap->goOut();
    m_selectFirst = true;
    if (m_query.isIdle())
        selectFirstNow();
}

/// Once what is shown is what was asked for. Where that is nothing, what comes later is not it.
void AlivePanel::selectFirstNow() {
    if (!std::exchange(m_selectFirst, false) || m_model.rowCount() == 0)
        return;
    m_focus.setSelected(m_model.rowAt(m_table->proxy()->mapToSource(m_table->proxy()->index(0, 0)).row()).id);
}

Heading AlivePanel::heading() const {
    const bool atPeak = m_focus.at() == MemoryFocus::At::kPeak;
    return {atPeak ? tr("Memory at the peak") : tr("Memory at the cursor"),
            toQString(
                categoriesSentence(m_treemap->tree().byCategory, atPeak ? "at the peak" : "at the cursor"))};
}

}  // namespace warpglass::ui
