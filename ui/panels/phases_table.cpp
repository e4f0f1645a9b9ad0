#include "ui/panels/phases_table.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "engine/query/memory_statistics.h"
#include "engine/query/run_summary.h"
#include "ui/models/span_details.h"
#include "ui/theme/data_table.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// "10 measured steps after 5 of warm-up".
QString summaryOf(const RunSummary& run) {
    if (run.averagedSteps == 0)
        return PhasesTable::tr("no step has ended yet");
    const bool one = run.averagedSteps == 1;
    if (run.averagesWarmup)
        return (one ? PhasesTable::tr("%1 step of warm-up") : PhasesTable::tr("%1 steps of warm-up"))
            .arg(run.averagedSteps);
    return (one ? PhasesTable::tr("%1 measured step") : PhasesTable::tr("%1 measured steps"))
               .arg(run.averagedSteps) +
           (run.warmupSteps > 0 ? PhasesTable::tr(" after %1 of warm-up").arg(run.warmupSteps) : QString());
}

/// The longest span behind a row: of a phase by its name, of the last row, "step", whichever step took
/// longest.
std::optional<SpanRef> longestOf(const Snapshot& snapshot, const std::string& row) {
    if (row == "step")
        return longestSpan(snapshot, TrackKind::kStep, std::nullopt, {});
    const NameId name = snapshot.findName(row);
    return name.valid() ? longestSpan(snapshot, TrackKind::kPhase, name, {}) : std::nullopt;
}

}  // namespace

PhasesTable::PhasesTable(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_summary(new QLabel(this)),
      m_model(StatisticsModel::Kind::kPhases),
      m_table(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    setObjectName(QStringLiteral("phasesTable"));
    m_table->setObjectName(QStringLiteral("phaseRows"));
    m_table->setAccessibleName(tr("Phases"));
    m_summary->setObjectName(QStringLiteral("phasesSummary"));
    m_summary->setFont(Theme::tableFont());
    m_summary->setProperty("secondary", true);
    m_summary->setFixedHeight(Metrics::kControlHeight);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->addWidget(m_summary);
    bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);

    m_table->setTable(&m_model, m_model.position(StatisticsModel::kName), Qt::AscendingOrder);
    connect(m_table, &DataTable::rowActivated, this, &PhasesTable::goTo);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] { m_query.invalidate(Cause::kOtherRun); });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    m_query.invalidate(Cause::kOtherRun);
}

DeferredQuery::Job PhasesTable::makeJob() {
    // Phases are few, however many ops they hold.
    return {[this]() -> DeferredQuery::Apply {
        return [this] {
            const auto& snapshot = m_document.snapshot();
            m_table->setEmptyText(snapshot ? tr("No phase has ended yet")
                                           : tr("Open or record a run to see its phases"));
            m_summary->setText(snapshot ? summaryOf(summarizeRun(m_document.memory())) : QString());
            if (!snapshot) {
                m_model.setRows({});
                return;
            }
            const MemoryStatistics memory = memoryStatistics(m_document.memory());
            StatisticsModel::Peaks peaks{{"step", memory.run.peak.value}};
            for (const MemoryStatisticsRow& row : memory.phases)
                peaks[row.name] = row.peak.value;
            m_model.setRows(phaseStatistics(*snapshot), std::move(peaks));
        };
    }};
}

void PhasesTable::goTo(int row) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || row < 0 || row >= m_model.rowCount())
        return;
    const auto found = longestOf(*snapshot, m_model.rowAt(row).name);
    const auto span = found ? describeSpan(*snapshot, *found) : std::nullopt;
    if (!span)
        return;
    m_axis.setSelectedSpan(found);
    m_axis.setPinnedCursor(span->start);
    const Nanoseconds margin(span->duration.value / 10);
    m_axis.setVisibleRange({span->start - margin, span->start + span->duration + margin});
}

void PhasesTable::refreshNow() {
    m_query.runNow();
}

void PhasesTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
}

void PhasesTable::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_query.setActive(false);
}

}  // namespace warpglass::ui
