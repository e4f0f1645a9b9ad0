#include "ui/memory/between_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/summary_label.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr BreakdownKey kKeys[] = {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kOp};

QString sizeText(Bytes bytes) {
    return toQString(formatBytes(bytes));
}

QString signedText(Bytes bytes) {
    return toQString(signedBytes(bytes));
}

QString flowText(const MemoryFlow& flow) {
    return BetweenPanel::tr("%1 in %2").arg(sizeText(flow.bytes), toQString(formatGrouped(flow.allocations)));
}

/// "17.4 GiB in 1,788 allocations": of what is allocated, so that the flows after it need not say it.
/// ", most of it activations (+12.5 GiB)", where one row makes more than half of the change.
QString mostOf(const MemoryBetween& between) {
    const auto largest = std::ranges::max_element(
        between.rows, {}, [](const MemoryBetweenRow& row) { return std::abs(row.change().value); });
    const std::int64_t all = between.total.change().value;
    if (largest == between.rows.end() || between.rows.size() < 2 || all == 0 ||
        static_cast<double>(largest->change().value) / static_cast<double>(all) <= 0.5)
        return {};
    return BetweenPanel::tr(", most of it %1 (%2)")
        .arg(toQString(largest->name), signedText(largest->change()));
}

QString allocatedText(const MemoryFlow& flow) {
    return flow.allocations == 1 ? BetweenPanel::tr("%1 allocation").arg(flowText(flow))
                                 : BetweenPanel::tr("%1 allocations").arg(flowText(flow));
}

}  // namespace

BetweenPanel::BetweenPanel(RunDocument& document, TimeAxis& axis, MemoryFocus& focus, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_focus(focus),
      m_keys(new SegmentedControl({tr("Category"), tr("Module"), tr("Op")}, this)),
      m_sentence(new SentenceLabel(this)),
      m_table(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    showFailures(this, m_query);
    m_keys->setObjectName(QStringLiteral("betweenKey"));
    m_keys->setAccessibleName(tr("Group what happens between the cursors by"));
    m_keys->setCurrent(0);
    m_keys->button(2)->setToolTip(toQString(kGroupedByOp));
    setFigureWords(*m_keys, tr("by %1"));
    m_sentence->setObjectName(QStringLiteral("betweenSentence"));
    m_sentence->setFont(Theme::tableFont());
    wrapWords(*m_sentence);
    m_sentence->setFigureText(QStringLiteral(""));
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setContentsMargins(Metrics::kSpace3, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace2);
    m_table->setObjectName(QStringLiteral("betweenRows"));
    m_table->setAccessibleName(tr("What happens between the cursors"));
    m_table->setTable(&m_model, -1, Qt::DescendingOrder);
    // Kept less what was older and freed is the change: in little room these three add up.
    m_table->setColumnPriority(m_model.columns({"name", "kept_bytes", "freed_older_bytes", "change_bytes",
                                                "allocated_bytes", "freed_bytes", "allocations", "frees"}));
    setFocusProxy(m_table);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace3, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->addWidget(m_keys);
    bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_sentence);
    layout->addWidget(m_table, 1);

    using Cause = DeferredQuery::Cause;
    connect(m_keys, &SegmentedControl::chosen, this, [this](int index) { setKey(kKeys[index]); });
    connect(&m_document, &RunDocument::runChanged, this, [this] { m_query.invalidate(Cause::kOtherRun); });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::clockChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::selectionChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::filterChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    m_query.invalidate(Cause::kOtherRun);
}

void BetweenPanel::setKey(BreakdownKey key) {
    m_key = key;
    m_keys->setCurrent(key == BreakdownKey::kCategory ? 0 : key == BreakdownKey::kModule ? 1 : 2);
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

QString BetweenPanel::sentence() const {
    return m_sentence->text();
}

DeferredQuery::Job BetweenPanel::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const auto range = m_axis.selectedRange();
    const BreakdownKey key = m_key;
    return {[this, source, range, key, conditions = m_focus.conditions(),
             only = m_focus.only()]() -> DeferredQuery::Apply {
                MemoryBetween between;
                if (source.snapshot && range)
                    between = memoryBetween(*source.timeline(), *range, key, conditions);
                return [this, between = std::move(between), key, only] { show(between, key, only); };
            },
            source.isHeavy()};
}

void BetweenPanel::show(const MemoryBetween& between, BreakdownKey key, const QString& only) {
    const bool selected = between.range.begin < between.range.end;
    const auto& run = m_document.snapshot();
    const QString absent = run ? toQString(Completeness(*run).why(DataKind::kMemory)) : QString();
    if (!run || !selected) {
        m_sentence->setText({});
        m_sentence->hide();
        m_table->setEmptyText(!run ? m_document.noRunWords(tr("to see what happens in its memory"))
                              : absent.isEmpty()
                                  ? tr("Shift-drag over the chart or the map to set two cursors")
                                  : absent);
    } else {
        const QString change =
            tr("From %1 to %2 (%3), memory in use goes from %4 to %5 (%6)")
                .arg(m_axis.clock().text(between.range.begin), m_axis.clock().text(between.range.end),
                     toQString(formatDuration(between.range.duration())), sizeText(between.atBegin),
                     sizeText(between.atEnd), signedText(between.atEnd - between.atBegin));
        m_sentence->setText(tr("%1%2. Allocated: %3; freed: %4; still live: %5.")
                                .arg(change, only.isEmpty() ? mostOf(between) : QString(),
                                     allocatedText(between.total.allocated), flowText(between.total.freed),
                                     flowText(between.total.kept)));
        if (!only.isEmpty())
            m_sentence->setText(tr("%1 The table and the figures for allocated, freed and kept cover only "
                                   "%2; memory in use covers everything.")
                                    .arg(m_sentence->text(), only));
        m_sentence->show();
        m_table->setEmptyText(
            !absent.isEmpty() ? absent
            : only.isEmpty()
                ? tr("Nothing is allocated or freed between the cursors")
                : tr("Nothing that matches the filter (%1) is allocated or freed between the cursors")
                      .arg(only));
    }
    if (m_model.of().key != key)
        m_model.clear();  // "step" the op and "step" the module are not the same row
    m_model.show(between.rows, {key});
}

void BetweenPanel::refreshNow() {
    m_query.runNow();
}

void BetweenPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
}

void BetweenPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_query.setActive(false);
}

}  // namespace warpglass::ui
