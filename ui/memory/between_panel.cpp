#include "ui/memory/between_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/trace/stack_order.h"
#include "ui/charts/bridge_chart.h"
#include "ui/controls/data_table.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/controls/summary_label.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The levels of the tree. Alike modules of all blocks are one row: a change is of layers, not of one layer.
std::vector<BreakdownKey> keysOf(BetweenPanel::By by) {
    using By = BetweenPanel::By;
    if (by == By::kModule)
        return {BreakdownKey::kModulePart, BreakdownKey::kModuleGroup, BreakdownKey::kOp};
    if (by == By::kOp)
        return {BreakdownKey::kOp, BreakdownKey::kModuleGroup};
    return {BreakdownKey::kCategory, BreakdownKey::kModulePart, BreakdownKey::kModuleGroup,
            BreakdownKey::kOp};
}

QString sizeText(Bytes bytes) {
    return toQString(formatBytes(bytes));
}

/// ", most of it activations (+12.5 GiB)", where one row makes more than half of the change.
QString mostOf(const MemoryBetween& between) {
    const std::int64_t all = between.total.change().value;
    if (between.rows.size() < 2 || all == 0)
        return {};
    const MemoryBetweenRow& largest = between.rows.front();
    if (static_cast<double>(largest.change().value) / static_cast<double>(all) <= 0.5)
        return {};
    return BetweenPanel::tr(", most of it %1 (%2)")
        .arg(toQString(largest.name), toQString(signedBytes(largest.change())));
}

/// "memory in use rises by 12.6 GiB, from 22.9 GiB to 35.6 GiB".
QString changeText(const MemoryBetween& between) {
    const Bytes change = between.atEnd - between.atBegin;
    if (change.value == 0)
        return BetweenPanel::tr("memory in use begins and ends at %1").arg(sizeText(between.atEnd));
    return (change.value > 0 ? BetweenPanel::tr("memory in use rises by %1, from %2 to %3")
                             : BetweenPanel::tr("memory in use falls by %1, from %2 to %3"))
        .arg(sizeText(change.value > 0 ? change : -change), sizeText(between.atBegin),
             sizeText(between.atEnd));
}

}  // namespace

BetweenPanel::BetweenPanel(RunDocument& document, TimeAxis& axis, MemoryFocus& focus, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_focus(focus),
      m_keys(new SegmentedControl({tr("Category"), tr("Module"), tr("Op"), tr("Allocation")}, this)),
      m_sentence(named(new SentenceLabel(this), "betweenSentence")),
      m_bridge(named(new BridgeChart(tr("Memory in use"), this), "betweenBridge")),
      m_table(new DataTable(this)),
      m_allocationTable(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    askWhileSeen(this, m_query);
    setNames(m_keys, "betweenKey", tr("Group what happens between the cursors by"));
    m_keys->setCurrent(0);
    m_keys->button(0)->setToolTip(
        tr("By category, then by part of the model, then by module with all blocks together, then by op"));
    m_keys->button(1)->setToolTip(
        tr("By part of the model, then by module with all blocks together, then by op"));
    m_keys->button(2)->setToolTip(toQString(kGroupedByOp));
    m_keys->button(3)->setToolTip(
        tr("The allocations that make up the change, one by one, the largest %1").arg(kMost));
    setFigureWords(*m_keys, tr("by %1"));
    m_sentence->setFont(Theme::tableFont());
    wrapWords(*m_sentence);
    m_sentence->setFigureText(QStringLiteral(""));
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bridge->setColors([](const QString& name) {
        for (const Category category : kStackOrder) {
            if (name == toQString(categoryName(category)))
                return Theme::categoryColor(category);
        }
        return QColor();
    });
    m_bridge->setContentsMargins(Metrics::kSpace3, 0, Metrics::kSpace3, 0);
    m_sentence->setContentsMargins(Metrics::kSpace3, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace2);
    buildTables();
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kBarMargins);
    bar->addWidget(m_keys);
    bar->addStretch(1);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(bar);
    addAll(layout, {m_sentence, m_bridge});
    layout->addWidget(m_table, 1);
    layout->addWidget(m_allocationTable, 1);

    using Cause = DeferredQuery::Cause;
    connect(m_keys, &SegmentedControl::chosen, this, [this](int index) { setBy(static_cast<By>(index)); });
    connect(&m_axis, &TimeAxis::clockChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::selectionChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::filterChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    m_query.follow(m_document);
}

void BetweenPanel::buildTables() {
    setNames(m_table, "betweenRows", tr("What happens between the cursors"));
    m_table->setTable(&m_model, m_model.column("change_bytes"), Qt::DescendingOrder,
                      DataTable::Sorting::kByModel);
    // Kept less released is the change: in little room these three add up.
    m_table->setColumnPriority(
        m_model.columns({"name", "change_bytes", "kept_bytes", "freed_older_bytes", "transient_bytes",
                         "allocations", "frees", "allocated_bytes", "freed_bytes"}),
        m_model.column("change_bytes"), 7);
    connect(m_table, &DataTable::expansionRequested, this,
            [this](int row, bool expanded) { m_model.setExpanded(row, expanded); });
    setNames(m_allocationTable, "betweenAllocations", tr("Allocations that make up the change"));
    m_allocations.setClockOf(m_axis);
    m_allocationTable->setTable(&m_allocations, m_allocations.column("change_bytes"), Qt::DescendingOrder);
    m_allocationTable->setColumnPriority(
        m_allocations.columns({"category", "change_bytes", "module", "op", "phase", "allocated_ns"}),
        m_allocations.column("module"));
    m_allocationTable->hide();
    connect(m_allocationTable, &DataTable::rowActivated, this, [this](int row) {
        m_focus.setSelected(m_allocations.rowAt(row).allocation.id);
        m_focus.zoomToLife(m_allocations.rowAt(row).allocation.id);
    });
    setFocusProxy(m_table);
}

void BetweenPanel::setBy(By by) {
    m_by = by;
    m_keys->setCurrent(static_cast<int>(by));
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

QString BetweenPanel::sentence() const {
    return m_sentence->text();
}

DeferredQuery::Job BetweenPanel::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const auto range = m_axis.selectedRange();
    return {[this, source, range, by = m_by, conditions = m_focus.conditions(), only = m_focus.only()] {
                auto answer = std::make_shared<Answer>();
                answer->by = by;
                answer->only = only;
                if (source.snapshot && range) {
                    const auto memory = source.timeline();
                    answer->between = memoryBetween(*memory, *range, keysOf(by), conditions);
                    if (by == By::kAllocation)
                        answer->allocations = largestChanges(*memory, answer->between, kMost);
                }
                return [this, answer] { show(std::move(*answer)); };
            },
            source.isHeavy()};
}

void BetweenPanel::show(Answer answer) {
    say(answer);
    const bool single = answer.by == By::kAllocation;
    setFocusProxy(single ? m_allocationTable : m_table);
    m_table->setVisible(!single);
    m_allocationTable->setVisible(single);
    if (single)
        return m_allocations.show(std::move(answer.allocations));
    std::vector<MemoryBetweenRow> rows = std::move(answer.between.rows);
    if (!rows.empty())
        rows.insert(rows.begin(), std::move(answer.between.total));
    m_model.setNodes(std::move(rows), answer.by == m_shown);
    m_shown = answer.by;
}

QString BetweenPanel::momentText(Nanoseconds moment) const {
    const StepClock::Step* const step = m_axis.clock().at(moment);
    return step && step->begin == moment ? tr("the start of %1").arg(StepClock::name(*step))
                                         : m_axis.clock().text(moment);
}

/// Over the table what changed; in it, where it is empty, why.
void BetweenPanel::say(const Answer& answer) {
    const MemoryBetween& between = answer.between;
    const bool selected = between.range.begin < between.range.end;
    const auto& run = m_document.snapshot();
    const QString absent = run ? toQString(Completeness(*run).why(DataKind::kMemory)) : QString();
    const QString empty =
        !run                ? m_document.noRunWords(tr("to see what happens in its memory"))
        : !absent.isEmpty() ? absent
        : !selected         ? tr("Shift-drag over the chart or the map to set two cursors")
        : answer.only.isEmpty()
            ? tr("Nothing is allocated or freed between the cursors")
            : tr("Nothing that matches the filter (%1) is allocated or freed between the cursors")
                  .arg(answer.only);
    m_table->setEmptyText(empty);
    m_allocationTable->setEmptyText(empty);
    m_sentence->setVisible(run && selected);
    m_bridge->setBridge(run && selected ? memoryBridge(between) : std::nullopt);
    m_bridge->setVisible(m_bridge->hasBridge());
    if (!run || !selected)
        return m_sentence->setText({});
    QString text = tr("From %1 to %2 (%3), %4%5.")
                       .arg(momentText(between.range.begin), momentText(between.range.end),
                            toQString(formatDuration(between.range.duration())), changeText(between),
                            answer.only.isEmpty() ? mostOf(between) : QString());
    if (!answer.only.isEmpty())
        text += tr(" The table covers only %1, which adds up to %2; memory in use covers everything.")
                    .arg(answer.only, toQString(signedBytes(between.total.change())));
    if (const std::size_t listed = answer.allocations.size(); listed < between.changing.size() && listed > 0)
        text += tr(" The %1 largest of %2 allocations are listed.")
                    .arg(listed)
                    .arg(toQString(formatGrouped(static_cast<std::int64_t>(between.changing.size()))));
    m_sentence->setText(text);
}

}  // namespace warpglass::ui
