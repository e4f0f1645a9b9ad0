#include "ui/panels/allocations_table.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "engine/base/format.h"
#include "ui/models/span_details.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

AllocationsTable::AllocationsTable(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(new QLineEdit(this)),
      m_moment(new ElidedLabel(this)),
      m_summary(new ElidedLabel(this)),
      m_table(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    setObjectName(QStringLiteral("allocationsTable"));
    m_filter->setObjectName(QStringLiteral("allocationFilter"));
    m_filter->setAccessibleName(tr("Filter allocations"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setToolTip(tr("Shows only allocations with this in any column"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFont(Theme::tableFont());
    m_filter->setFixedWidth(200);
    m_filter->addAction(makeQuietIcon(Icon::kSearch), QLineEdit::LeadingPosition);
    m_table->setObjectName(QStringLiteral("allocationRows"));
    m_table->setAccessibleName(tr("Allocations"));
    for (ElidedLabel* label : {m_moment, m_summary}) {
        label->setFont(Theme::tableFont());
        label->setProperty("secondary", true);
    }
    m_summary->setObjectName(QStringLiteral("allocationSummary"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->setSpacing(Metrics::kSpace3);
    bar->addWidget(m_filter);
    bar->addWidget(m_moment);
    bar->addStretch(1);
    bar->addWidget(m_summary);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);

    m_table->setTable(&m_model, AllocationsModel::kBytes, Qt::DescendingOrder);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->setFilter(-1, text);
        updateSummary();
    });
    connect(m_table, &DataTable::rowActivated, this, &AllocationsTable::goTo);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] { m_query.invalidate(Cause::kOtherRun); });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::cursorChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    m_query.invalidate(Cause::kOtherRun);
}

void AllocationsTable::setFilterText(const QString& text) {
    m_filter->setText(text);
}

DeferredQuery::Job AllocationsTable::makeJob() {
    return {[this]() -> DeferredQuery::Apply {
        return [this] {
            const auto& snapshot = m_document.snapshot();
            const MemoryTimeline& memory = m_document.memory();
            const auto peak = snapshot ? memory.peak() : std::nullopt;
            if (!peak) {
                m_model.setRows({});
                m_moment->clear();
                m_alive = 0;
                updateSummary();
                m_table->setEmptyText(snapshot ? tr("There is no memory event to show")
                                               : tr("Open or record a run to see its allocations"));
                return;
            }
            const auto cursor = m_axis.effectiveCursor();
            const Nanoseconds t = cursor.value_or(peak->time);
            const auto alive = memory.aliveAt(t);
            m_alive = alive.size();
            m_model.setRows(largestAllocations(memory, alive, kMost));
            m_table->setEmptyText(tr("Nothing is allocated at this moment"));
            const QString phase = toQString(spanNameAt(*snapshot, TrackKind::kPhase, t));
            m_moment->setText((cursor ? tr("alive at the cursor, %1") : tr("alive at the peak, %1"))
                                  .arg(toQString(formatDuration(t))) +
                              (phase.isEmpty() ? QString() : QStringLiteral(" · ") + phase));
            updateSummary();
        };
    }};
}

void AllocationsTable::updateSummary() {
    if (m_model.rowCount() == 0) {
        m_summary->clear();
        return;
    }
    const QString all = toQString(formatGrouped(static_cast<std::int64_t>(m_alive)));
    const QString blocks = m_alive > kMost ? tr("the %1 largest of %2 blocks").arg(kMost).arg(all)
                           : m_alive == 1  ? tr("1 block")
                                           : tr("%1 blocks").arg(all);
    const int shown = m_table->shownRows();
    m_summary->setText(shown == m_model.rowCount() ? blocks : tr("%1 of %2").arg(shown).arg(blocks));
}

void AllocationsTable::goTo(int row) {
    if (!m_document.snapshot() || row < 0 || row >= m_model.rowCount())
        return;
    const AllocationDetail& a = m_model.rowAt(row);
    // A selected span would keep the inspector from describing the range.
    m_axis.setSelectedSpan(std::nullopt);
    m_axis.setSelectedRange(TimeRange{a.allocated, a.freed.value_or(m_document.snapshot()->range().end)});
}

void AllocationsTable::refreshNow() {
    m_query.runNow();
}

void AllocationsTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
}

void AllocationsTable::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_query.setActive(false);
}

}  // namespace warpglass::ui
