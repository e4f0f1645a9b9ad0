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

#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_statistics.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/query/statistics/time_sentences.h"
#include "engine/query/summary/run_summary.h"
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

namespace {

enum Clock : int { kHost, kGpu };

/// "10 measured steps after 5 warm-ups".
QString meansInWords(const Snapshot& snapshot) {
    const RunSummary run = summarizeRun(snapshot, std::nullopt);
    if (run.averagedSteps == 0) {
        const auto step = Completeness(snapshot).unfinishedStep();
        if (!step)
            return PhasesTable::tr("no step has begun");
        return (step->end == UnfinishedStep::End::kRuns
                    ? PhasesTable::tr("no step has been completed yet: %1, see Every step")
                    : PhasesTable::tr("no step was completed: %1, see Every step"))
            .arg(toQString(step->reasonInWords()));
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

/// By the GPU's clock; of a picked span its phases that belong to `host`, the host's there.
std::vector<StatisticsRow> gpuPhases(const Snapshot& snapshot, const SpanFilter& filter,
                                     const std::optional<SpanRef>& picked,
                                     const std::vector<StatisticsRow>& host) {
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

/// The rows of the means; `host` is told how long the host took for each where they are by the GPU's clock.
std::vector<StatisticsRow> means(const Snapshot& snapshot, const SpanFilter& filter,
                                 const std::optional<SpanRef>& picked, TrackKind clock,
                                 std::unordered_map<std::string, double>& host) {
    std::vector<StatisticsRow> rows = phaseStatistics(snapshot, filter);
    if (clock == TrackKind::kGpuPhase) {
        for (const StatisticsRow& row : rows)
            host[row.name] = row.average;
        std::vector<StatisticsRow> gpu = gpuPhases(snapshot, filter, picked, rows);
        // What happens once the host alone goes through.
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(gpu), isOutsideSteps);
        rows = std::move(gpu);
    }
    std::stable_partition(rows.begin(), rows.end(),
                          [](const StatisticsRow& row) { return !isOutsideSteps(row); });
    return rows;
}

/// How long the GPU waits for the host in each phase of a step; nothing where that is not known.
std::unordered_map<std::string, double> hostWaits(const Snapshot& snapshot, const GpuBusy& busy) {
    std::unordered_map<std::string, double> waits;
    for (const PhaseSamples& phase : phaseSamples(snapshot, TrackKind::kGpuPhase)) {
        const GpuBusy::Times times = gpuTimesIn(phase, busy);
        if (phase.counted > 0 && times[static_cast<std::size_t>(GpuBusy::Part::kUnknown)] == 0)
            waits[phase.name] =
                static_cast<double>(times[static_cast<std::size_t>(GpuBusy::Part::kHostLate)]) /
                static_cast<double>(phase.counted);
    }
    return waits;
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

struct PhasesTable::Question {
    MemorySource source;
    SpanFilter filter;
    std::optional<SpanRef> picked;
    /// By the GPU's clock, where the run has it.
    bool byGpu = false;
    /// The filter's words; whether it takes all steps that means are over, or is a stretch of time.
    QString words;
    bool ofMeans = false, ofRange = false;
};

struct PhasesTable::Answer {
    /// Whether there is a clock to choose.
    bool bothClocks = false;
    std::vector<StepRow> steps;
    std::vector<StatisticsRow> means;
    StatisticsShown shown;
    QString summary;
};

PhasesTable::PhasesTable(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(filter),
      m_rows(new SegmentedControl({tr("Means"), tr("Every step")}, this)),
      m_clocks(new SegmentedControl({tr("Host"), tr("GPU")}, this)),
      m_filterBar(new FilterBar(document, filter, this)),
      m_summary(named(new SummaryLabel(this), "phasesSummary")),
      m_tables(new QStackedWidget(this)),
      m_table(new DataTable(this)),
      m_stepsTable(new DataTable(this)),
      m_query([this] { return makeJob(); }) {
    askWhileSeen(this, m_query);
    setObjectName(QStringLiteral("phasesTable"));
    setNames(m_table, "phaseRows", tr("Phases"));
    setNames(m_stepsTable, "stepRows", tr("Steps"));
    setNames(m_rows, "phasesRows", tr("Rows"));
    m_rows->setFixedWidth(152);
    m_rows->setCurrent(0);
    setNames(m_clocks, "phasesTableClock", tr("Which clock"));
    m_clocks->setFixedWidth(108);
    m_clocks->setCurrent(kGpu);
    m_clocks->button(kHost)->setToolTip(tr("By the host's clock: on a GPU, how long launching took"));
    m_clocks->button(kGpu)->setToolTip(tr("By the GPU's clock, with CUDA's events"));
    m_clocks->hide();               // until there is a run with both
    setFigureWords(*m_clocks, {});  // the sentence says it
    using Condition = RunFilter::Condition;
    m_filterBar->setWithout(
        {Condition::kModule, Condition::kName, Condition::kCategory, Condition::kAllocations});
    m_filterBar->setFieldText(tr("Filter"), tr("Shows only phases with this text in their name"));
    setSecondary(m_summary);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* bar = spaced(new QHBoxLayout,
                       {Metrics::kSpace3, TabRoom::kBarMargin, Metrics::kSpace3, TabRoom::kBarMargin},
                       Metrics::kSpace2);
    addAll(bar, {new TabRoom(this), m_rows, m_clocks});
    bar->addWidget(m_filterBar, 1);
    bar->addWidget(m_summary);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(bar);
    layout->addWidget(m_filterBar->chipLine());
    addAll(m_tables, {m_table, m_stepsTable});
    layout->addWidget(m_tables, 1);

    m_table->setTable(&m_model, m_model.column("name"), Qt::AscendingOrder);
    m_stepsTable->setTable(&m_stepsModel, m_stepsModel.column("step"), Qt::AscendingOrder);
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
        m_growing.reset();
        clear();  // rows of the former run lead to times that this one does not have
    });
    // Damage is found when a chunk is read, which may be after this table has said why it is by the host.
    m_query.followDamage(m_document);
    connect(&m_filter, &RunFilter::changed, this, [this] {
        m_table->setFilter(m_model.column("name"), m_filter.state().text);
        m_query.invalidate(Cause::kPerson);
    });
    connect(&m_filter, &RunFilter::viewMoved, this, [this] { m_query.invalidate(Cause::kGrowth); });
    m_query.follow(m_document);
}

Heading PhasesTable::heading() const {
    return {{}, m_finding};
}

void PhasesTable::setRows(Rows rows) {
    m_rows->setCurrent(static_cast<int>(rows));
    m_tables->setCurrentWidget(rows == Rows::kMeans ? m_table : m_stepsTable);
}

TrackKind PhasesTable::clock() const {
    return m_bothClocks && m_clocks->current() == kGpu ? TrackKind::kGpuPhase : TrackKind::kPhase;
}

DeferredQuery::Job PhasesTable::makeJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot)
        return {[this] { return [this] { showNoRun(); }; }};
    const bool heavy = snapshot->spanCount() > DeferredQuery::kHeavySpans;
    const auto asked = std::make_shared<Question>(question());
    asked->source.keep(m_growing, m_document, heavy);
    const std::shared_ptr<const MemoryTimeline> own = heavy ? nullptr : m_document.sharedMemory();
    // Phases are few, but a chunk of a file may have to be read for them, and of a damaged one all.
    return {[this, own, asked] {
                const auto memory = own ? own : asked->source.timeline();
                auto answer = std::make_shared<Answer>(answerTo(*asked, *memory));
                return [this, asked, answer] { showAnswer(*asked, std::move(*answer)); };
            },
            heavy};
}

PhasesTable::Question PhasesTable::question() {
    const RunFilter::State& state = m_filter.state();
    Question asked;
    asked.source = MemorySource::of(m_document);
    asked.filter = m_filter.spanFilter();
    asked.picked = state.span;
    asked.byGpu = m_clocks->current() == kGpu;
    asked.words = m_filter.words().withoutText();
    asked.ofMeans = state.steps == RunFilter::Steps::kMeasured && !state.range && !state.span;
    asked.ofRange = m_filter.countsBeginnings();
    return asked;
}

/// Any thread; `memory` is up to date with the snapshot.
PhasesTable::Answer PhasesTable::answerTo(const Question& asked, const MemoryTimeline& memory) {
    const Snapshot& snapshot = *asked.source.snapshot;
    const Completeness completeness(snapshot);
    Answer answer;
    answer.bothClocks = completeness.has(DataKind::kGpuPhases);
    const bool byGpu = answer.bothClocks && asked.byGpu;
    const TrackKind clock = byGpu ? TrackKind::kGpuPhase : TrackKind::kPhase;
    answer.steps = stepTable(memory, asked.filter, clock);
    answer.means = means(snapshot, asked.filter, asked.picked, clock, answer.shown.host);
    if (const auto busy = byGpu && asked.ofMeans ? busyOf(snapshot) : nullptr)
        answer.shown.waits = hostWaits(snapshot, *busy);
    if (completeness.has(DataKind::kMemory)) {
        const MemoryStatistics statistics = memoryStatistics(memory);
        answer.shown.peaks = {{"step", statistics.run.peak.value}};
        for (const MemoryStatisticsRow& row : statistics.phases)
            answer.shown.peaks[row.name] = row.peak.value;
        answer.shown.peaksAreLeast = completeness.missing().lacksMemory();
    }
    const auto steps = std::ssize(answer.steps);
    QString over;
    if (asked.ofMeans)
        over = meansInWords(snapshot);
    else if (!asked.ofRange)
        over = (steps == 1 ? tr("1 step in %2") : tr("%1 steps in %2").arg(steps)).arg(asked.words);
    else  // it may cut a step, which is a row and whole; its phases before the cut are not
        over = (steps == 1 ? tr("1 step that reaches into %2") : tr("%1 steps that reach into %2").arg(steps))
                   .arg(asked.words);
    if (answer.bothClocks) {
        answer.summary = (byGpu ? tr("GPU time · %1") : tr("host time · %1")).arg(over);
    } else {
        const QString why = toQString(completeness.why(DataKind::kGpuPhases));
        answer.summary = why.isEmpty() ? over : QStringLiteral("%1 · %2").arg(over, why);
    }
    return answer;
}

void PhasesTable::showNoRun() {
    clear();
    for (DataTable* table : {m_table, m_stepsTable})
        table->setEmptyText(m_document.noRunWords(tr("to see its phases")));
}

void PhasesTable::clear() {
    offerClocks(false);
    for (DataTable* table : {m_table, m_stepsTable})
        table->setEmptyText({});
    m_summary->clear();
    m_summary->setFigureText({});
    m_finding.clear();
    m_model.clear();
    m_stepsModel.clear();
}

void PhasesTable::showAnswer(const Question& asked, Answer answer) {
    offerClocks(answer.bothClocks);
    m_finding = toQString(phasesSentence(answer.means, answer.shown.waits));
    m_summary->setText((m_finding + QLatin1Char(' ') + answer.summary).trimmed());
    m_summary->setFigureText(answer.summary);
    m_stepsModel.show(std::move(answer.steps), {answer.shown.peaksAreLeast});
    for (const Phase phase : kPhasesOfSteps) {
        const std::string key = std::string(phaseName(phase)) + "_ns";
        m_stepsTable->setColumnHidden(
            m_stepsModel.column(key),
            !m_stepsModel.hasAny(key) || (asked.filter.phase && *asked.filter.phase != phase));
    }
    for (const char* const key : {"others_cores", "waited_share", "sm_clock_mhz"})
        m_stepsTable->setColumnHidden(m_stepsModel.column(key), !m_stepsModel.hasAny(key));
    m_stepsTable->refitColumns();
    const bool deviates = std::any_of(answer.means.begin(), answer.means.end(), [](const StatisticsRow& row) {
        return row.instances >= PhaseSamples::kLeastForDeviation;
    });
    m_table->setBarWords(answer.shown.waits.empty() ? QStringList()
                                                    : QStringList{tr("GPU runs"), tr("GPU waits")});
    m_model.show(std::move(answer.means), std::move(answer.shown));
    m_table->setColumnHidden(m_model.column("wait_ns"), !m_model.hasAny("wait_ns"));
    m_table->setColumnHidden(m_model.column("stddev_ns"), !deviates);
    setInFigure(FigureMode::holds(*this));
    const bool any = m_model.rowCount() > 0;
    m_table->setEmptyText(any ? tr("No phase has “%1” in its name").arg(m_filter.state().text)
                              : tr("No step runs in %1").arg(asked.words));
    m_stepsTable->setEmptyText(tr("No step runs in %1").arg(asked.words));
}

void PhasesTable::setInFigure(bool inFigure) {
    m_table->setColumnHidden(m_model.column("host_ns"), inFigure || !m_model.hasAny("host_ns"));
    m_table->refitColumns();
}

void PhasesTable::offerClocks(bool both) {
    if (both != m_bothClocks)
        m_clocks->setVisible(both);
    m_bothClocks = both;
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

}  // namespace warpglass::ui
