#include "ui/panels/phases_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/query/memory_statistics.h"
#include "engine/query/missing_records.h"
#include "engine/query/run_summary.h"
#include "engine/query/unfinished_step.h"
#include "ui/models/span_details.h"
#include "ui/panels/filter_bar.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

enum Clock : int { kHost, kGpu };

/// "10 measured steps after 5 warm-ups".
QString summaryOf(const Snapshot& snapshot, const RunSummary& run) {
    if (run.averagedSteps == 0) {
        const auto step = unfinishedStep(snapshot);
        return step ? PhasesTable::tr("no step was completed: %1, see Every step")
                          .arg(toQString(reasonInWords(*step)))
                    : PhasesTable::tr("no step has begun");
    }
    const bool one = run.averagedSteps == 1;
    if (run.averagesWarmup)
        return (one ? PhasesTable::tr("%1 warm-up") : PhasesTable::tr("%1 warm-ups")).arg(run.averagedSteps);
    return (one ? PhasesTable::tr("%1 measured step") : PhasesTable::tr("%1 measured steps"))
               .arg(run.averagedSteps) +
           (run.warmupSteps == 0   ? PhasesTable::tr(", no warm-up")
            : run.warmupSteps == 1 ? PhasesTable::tr(" after 1 warm-up")
                                   : PhasesTable::tr(" after %1 warm-ups").arg(run.warmupSteps));
}

/// The longest span behind a row: of a phase by its name, of "step" whichever step took longest.
std::optional<SpanRef> longestOf(const Snapshot& snapshot, const std::string& row, TrackKind clock) {
    if (row == "step")
        return longestSpan(snapshot, TrackKind::kStep, std::nullopt, {});
    const NameId name = snapshot.findName(row);
    if (!name.valid())
        return std::nullopt;
    const auto found = longestSpan(snapshot, clock, name, {});
    return found ? found : longestSpan(snapshot, TrackKind::kPhase, name, {});
}

}  // namespace

PhasesTable::PhasesTable(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(filter),
      m_rows(new SegmentedControl({tr("Means"), tr("Every step")}, this)),
      m_clocks(new SegmentedControl({tr("Host"), tr("GPU")}, this)),
      m_filterBar(new FilterBar(document, filter, this)),
      m_summary(new ElidedLabel(this)),
      m_tables(new QStackedWidget(this)),
      m_table(new DataTable(this)),
      m_stepsTable(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    showFailures(this, m_query);
    setObjectName(QStringLiteral("phasesTable"));
    m_table->setObjectName(QStringLiteral("phaseRows"));
    m_table->setAccessibleName(tr("Phases"));
    m_stepsTable->setObjectName(QStringLiteral("stepRows"));
    m_stepsTable->setAccessibleName(tr("Steps"));
    m_rows->setObjectName(QStringLiteral("phasesRows"));
    m_rows->setAccessibleName(tr("Rows"));
    m_rows->setFixedWidth(152);
    m_rows->setCurrent(0);
    m_clocks->setObjectName(QStringLiteral("phasesTableClock"));
    m_clocks->setAccessibleName(tr("By whose clock"));
    m_clocks->setFixedWidth(108);
    m_clocks->setCurrent(kGpu);
    m_clocks->button(kHost)->setToolTip(
        tr("As the host went through them: on a GPU, how long it took to launch them"));
    m_clocks->button(kGpu)->setToolTip(tr("As the GPU went through them, by CUDA's events"));
    m_clocks->hide();               // until there is a run with both
    setFigureWords(*m_clocks, {});  // the sentence says it
    using Condition = RunFilter::Condition;
    m_filterBar->setWithout(
        {Condition::kModule, Condition::kName, Condition::kCategory, Condition::kAllocations});
    m_summary->setObjectName(QStringLiteral("phasesSummary"));
    m_summary->setFont(Theme::tableFont());
    m_summary->setProperty("secondary", true);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace3, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->setSpacing(Metrics::kSpace2);
    bar->addWidget(m_rows);
    bar->addWidget(m_clocks);
    bar->addWidget(m_filterBar, 1);
    bar->addWidget(m_summary);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_filterBar->chipLine());
    m_tables->addWidget(m_table);
    m_tables->addWidget(m_stepsTable);
    layout->addWidget(m_tables, 1);

    m_table->setTable(&m_model, StatisticsModel::kName, Qt::AscendingOrder);
    m_stepsTable->setTable(&m_stepsModel, StepsModel::kStep, Qt::AscendingOrder);
    m_stepsTable->horizontalHeader()->setStretchLastSection(false);
    connect(m_rows, &SegmentedControl::chosen, this,
            [this](int index) { setRows(static_cast<Rows>(index)); });
    connect(m_clocks, &SegmentedControl::chosen, this,
            [this] { m_query.invalidate(DeferredQuery::Cause::kPerson); });
    connect(m_table, &DataTable::rowActivated, this, &PhasesTable::goTo);
    connect(m_stepsTable, &DataTable::rowActivated, this, &PhasesTable::goToStep);
    connect(m_table, &DataTable::menuRequested, this, [this](QMenu* menu, int row) { fillMenu(*menu, row); });
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_clocks->setCurrent(kGpu);
        m_query.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_filter, &RunFilter::changed, this, [this] {
        m_table->setFilter(StatisticsModel::kName, m_filter.state().text);
        m_query.invalidate(Cause::kPerson);
    });
    connect(&m_filter, &RunFilter::viewMoved, this, [this] { m_query.invalidate(Cause::kGrowth); });
    m_query.invalidate(Cause::kOtherRun);
}

void PhasesTable::setRows(Rows rows) {
    m_rows->setCurrent(static_cast<int>(rows));
    m_tables->setCurrentWidget(rows == Rows::kMeans ? m_table : m_stepsTable);
}

TrackKind PhasesTable::clock() const {
    return m_bothClocks && m_clocks->current() == kGpu ? TrackKind::kGpuPhase : TrackKind::kPhase;
}

void PhasesTable::offerClocks(const Snapshot* snapshot) {
    const bool both = snapshot && phaseClockOf(*snapshot) == PhaseClock::kDevice;
    if (both != m_bothClocks)
        m_clocks->setVisible(both);
    m_bothClocks = both;
}

DeferredQuery::Job PhasesTable::makeJob() {
    // Phases are few, however many ops they hold.
    return {[this]() -> DeferredQuery::Apply { return [this] { compute(); }; }};
}

void PhasesTable::compute() {
    const auto& snapshot = m_document.snapshot();
    offerClocks(snapshot.get());
    if (!snapshot) {
        for (DataTable* table : {m_table, m_stepsTable})
            table->setEmptyText(m_document.noRunWords(tr("to see its phases")));
        m_summary->clear();
        m_model.setRows({});
        m_stepsModel.setRows({});
        return;
    }
    const SpanFilter filter = m_filter.spanFilter();
    auto steps = stepTable(m_document.memory(), filter, clock());
    m_summary->setText(summary(std::ssize(steps)));
    m_stepsModel.setRows(std::move(steps));
    for (std::size_t i = 0; i < StepsModel::kPhaseColumns.size(); ++i) {
        const Phase phase = StepsModel::kPhaseColumns[i];
        m_stepsTable->setColumnHidden(
            StepsModel::kFirstPhase + static_cast<int>(i),
            !m_stepsModel.hasPhase(phase) || (filter.phase && *filter.phase != phase));
    }
    m_stepsTable->refitColumns();
    const MemoryStatistics memory = memoryStatistics(m_document.memory());
    StatisticsModel::Peaks peaks{{"step", memory.run.peak.value}};
    for (const MemoryStatisticsRow& row : memory.phases)
        peaks[row.name] = row.peak.value;
    m_model.setRows(means(*snapshot, filter), std::move(peaks));
    const bool any = m_model.rowCount() > 0;
    m_table->setEmptyText(any ? tr("No phase has “%1” in its name").arg(m_filter.state().text)
                              : tr("No step runs in %1").arg(m_filter.words()));
    m_stepsTable->setEmptyText(tr("No step runs in %1").arg(m_filter.words()));
}

std::vector<StatisticsRow> PhasesTable::means(const Snapshot& snapshot, const SpanFilter& filter) const {
    std::vector<StatisticsRow> rows = phaseStatistics(snapshot, filter);
    if (clock() == TrackKind::kGpuPhase) {
        std::vector<StatisticsRow> gpu = gpuPhases(snapshot, filter, rows);
        // What happens once the host alone goes through.
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(gpu), StatisticsModel::isOutsideSteps);
        rows = std::move(gpu);
    }
    std::stable_partition(rows.begin(), rows.end(),
                          [](const StatisticsRow& row) { return !StatisticsModel::isOutsideSteps(row); });
    return rows;
}

std::vector<StatisticsRow> PhasesTable::gpuPhases(const Snapshot& snapshot, const SpanFilter& filter,
                                                  const std::vector<StatisticsRow>& host) const {
    const auto& picked = m_filter.state().span;
    const auto span = filter.byLaunch && picked ? describeSpan(snapshot, *picked) : std::nullopt;
    if (!span)
        return phaseStatistics(snapshot, filter, TrackKind::kGpuPhase);
    // The GPU comes later to what the host launched: its phases are known by their step, not by their time.
    SpanFilter ofStep = filter;
    ofStep.ranges.clear();
    ofStep.byLaunch = false;
    ofStep.step = span->step;
    std::vector<StatisticsRow> rows = phaseStatistics(snapshot, ofStep, TrackKind::kGpuPhase);
    std::erase_if(rows, [&](const StatisticsRow& row) {
        return std::none_of(host.begin(), host.end(),
                            [&](const StatisticsRow& launching) { return launching.name == row.name; });
    });
    return rows;
}

/// By whose clock, and what the means are over.
QString PhasesTable::summary(std::int64_t steps) const {
    const QString over = overWhat(steps);
    if (!m_bothClocks) {
        const QString why = toQString(hostClockInWords(*m_document.snapshot()));
        return why.isEmpty() ? over : QStringLiteral("%1 · %2").arg(over, why);
    }
    return (clock() == TrackKind::kGpuPhase ? tr("GPU time · %1") : tr("time of the host · %1")).arg(over);
}

QString PhasesTable::overWhat(std::int64_t steps) const {
    if (m_filter.state().steps == RunFilter::Steps::kMeasured && !m_filter.state().range &&
        !m_filter.state().span)
        return summaryOf(*m_document.snapshot(), summarizeRun(m_document.memory()));
    return (steps == 1 ? tr("1 step in %2") : tr("%1 steps in %2").arg(steps)).arg(m_filter.words());
}

void PhasesTable::fillMenu(QMenu& menu, int row) {
    if (row < 0 || row >= m_model.rowCount())
        return;
    for (std::size_t p = 1; p < kPhaseCount; ++p) {
        if (kPhaseNames[p] == m_model.rowAt(row).name)
            addFilterActions(menu, m_filter, {}, static_cast<Phase>(p), {});
    }
    menu.addAction(tr("Show the Longest"), this, [this, row] { goTo(row); });
}

void PhasesTable::goToStep(int row) {
    if (!m_document.snapshot() || row < 0 || row >= m_stepsModel.rowCount())
        return;
    const TimeRange range = m_stepsModel.rowAt(row).range;
    m_axis.setPinnedCursor(range.begin);
    zoomTo(range);
}

void PhasesTable::zoomTo(TimeRange range) {
    const Nanoseconds margin(range.duration().value / 10);
    m_axis.setVisibleRange({range.begin - margin, range.end + margin});
}

void PhasesTable::goTo(int row) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || row < 0 || row >= m_model.rowCount())
        return;
    const auto found = longestOf(*snapshot, m_model.rowAt(row).name, clock());
    const auto span = found ? describeSpan(*snapshot, *found) : std::nullopt;
    if (!span)
        return;
    m_filter.look(found);
    m_axis.setPinnedCursor(span->start);
    zoomTo(span->range());
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
