#include "ui/charts/phases_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <utility>

#include "engine/query/completeness/completeness.h"
#include "engine/query/findings/first_step.h"
#include "engine/query/statistics/time_sentences.h"
#include "ui/controls/canvas.h"
#include "ui/controls/data_table.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The GPU's phases. It comes later to what the host launched: of a span picked on the host's side they are
/// known by their step and by `host`, the phases there, and not by their time.
std::vector<PhaseSamples> gpuPhases(const Snapshot& snapshot, WorkScope scope,
                                    const std::vector<PhaseSamples>& host) {
    if (!scope.filter.byLaunch)
        return phaseSamples(snapshot, TrackKind::kGpuPhase, scope);
    const PhaseSamples* const steps = stepsOf(host);
    if (!steps)
        return {};
    scope.filter.ranges.clear();
    scope.filter.byLaunch = false;
    scope.filter.step = steps->samples.front().step;
    std::vector<PhaseSamples> phases = phaseSamples(snapshot, TrackKind::kGpuPhase, scope);
    std::erase_if(phases, [&](const PhaseSamples& phase) {
        return std::none_of(host.begin(), host.end(),
                            [&](const PhaseSamples& launching) { return launching.phase == phase.phase; });
    });
    return phases;
}

}  // namespace

PhasesView::PhasesView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : TableChart(document, axis, filter, parent),
      m_clocks(new SegmentedControl({tr("Host"), tr("GPU")}, this)),
      m_chart(new PhasesChart(this)) {
    setNames(m_clocks, "phasesClock", tr("Which clock"));
    m_clocks->setFixedWidth(128);
    m_clocks->setCurrent(0);
    m_clocks->button(0)->setToolTip(tr("By the host's clock: on a GPU, how long launching took"));
    m_clocks->button(1)->setToolTip(tr("By the GPU's clock, with CUDA's events"));
    bar().insertWidget(0, m_clocks);
    setFigureWords(*m_clocks, {});  // the sentence says it
    setNames(&table(), "phasesDotsTable", tr("Phases"));
    arrange(m_chart, &table(), {640, 240}, {3, 1});  // in a low window the chart keeps the larger part

    table().setTable(&m_model, m_model.column("phase"), Qt::AscendingOrder);
    table().horizontalHeader()->setStretchLastSection(false);
    using Condition = RunFilter::Condition;
    setWithout({Condition::kModule, Condition::kName, Condition::kText, Condition::kCategory,
                Condition::kAllocations},
               tr("a phase covers every module and op"));
    connect(m_clocks, &SegmentedControl::chosen, this, [this](int index) {
        m_gpu = index == 1;
        if (!m_answer.host.empty() || !m_answer.device.empty())
            present();
    });
    connect(m_chart, &Canvas::markChosen, this, [this](int mark) { goToMark(mark, false); });
    connect(m_chart, &Canvas::markActivated, this, [this](int mark) { goToMark(mark, true); });
    connect(&table(), &DataTable::rowActivated, this, [this](int row) { chooseLongest(row, true); });
    using Kind = RecordKind;
    setDrawn({Kind::kSteps, Kind::kPhases});
    start();
}

DeferredQuery::Job PhasesView::makeJob() {
    const auto snapshot = document().snapshot();
    if (!snapshot)
        return {[this] { return [this] { showAnswer({}, {}); }; }};
    // Phases last, and so they are told of a range wherever they begin.
    Scope scope = this->scope();
    const RunFilter::State& state = filter().state();
    if (state.range)
        scope.words = tr("what overlaps %1").arg(filter().words().of({RunFilter::Condition::kSelection}));
    else if (!state.span && state.steps == RunFilter::Steps::kInView)
        scope.words = tr("what overlaps the view");
    // Phases are few, but a chunk of a file may have to be read for them, and of a damaged one all.
    return {[this, snapshot, scope] {
                auto answer = std::make_shared<Answer>(answerOf(*snapshot, scope.work));
                return [this, answer, scope] { showAnswer(std::move(*answer), scope); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void PhasesView::clear() {
    m_answer = {};
    m_shown = {};
    m_chart->setEmptyText({});
    table().setEmptyText({});
    m_chart->setPhases({});
    m_model.clear();
}

PhasesView::Answer PhasesView::answerOf(const Snapshot& snapshot, const WorkScope& scope) {
    Answer answer;
    answer.host = phaseSamples(snapshot, TrackKind::kPhase, scope);
    answer.device = gpuPhases(snapshot, scope, answer.host);
    const auto isStep = [](const PhaseSamples& p) { return p.phase == Phase::kNone; };
    if (std::all_of(answer.device.begin(), answer.device.end(), isStep))
        answer.device.clear();
    if (const auto slow = slowFirstStep(snapshot, Completeness(snapshot).missing()))
        answer.slowFirst = slow->sentence + " " + slow->remedy;
    answer.hostClock = Completeness(snapshot).why(DataKind::kGpuPhases);
    return answer;
}

void PhasesView::showAnswer(Answer answer, const Scope& scope) {
    const bool hasGpu = !answer.device.empty();
    m_answer = std::move(answer);
    m_shown = scope;
    m_clocks->button(1)->setEnabled(hasGpu);
    // Between two runs that both have a GPU's phases the person's choice stays.
    if (hasGpu != std::exchange(m_hadGpu, hasGpu) || !hasGpu) {
        m_gpu = hasGpu;
        m_clocks->setCurrent(m_gpu ? 1 : 0);
    }
    present();
}

QString PhasesView::hostWords() const {
    QString why = toQString(m_answer.hostClock);
    if (why.isEmpty())
        return tr("Times by the host's clock");
    why[0] = why[0].toUpper();
    return why;
}

void PhasesView::present() {
    const std::vector<PhaseSamples>& phases = m_gpu ? m_answer.device : m_answer.host;
    m_chart->setEmptyText(!document().snapshot() ? document().noRunWords(tr("to see its phases"))
                          : phases.empty()       ? emptyWords(m_shown, tr("No phase has ended"))
                                                 : QString());
    table().setEmptyText(m_chart->emptyText());
    m_chart->setPhases(phases);
    m_model.show(phases);
    const bool deviates = std::ranges::any_of(phases, &PhaseSamples::showsDeviation);
    for (const char* const key : {"stddev_ns", "variation"})
        table().setColumnHidden(m_model.column(key), !deviates);
    table().refitColumns();
    QString text;
    if (!phases.empty()) {
        const PhaseSamples& steps = phases.back();
        std::int64_t warmup = 0, cutOff = 0;
        for (const PhaseSample& sample : steps.samples) {
            warmup += !sample.counted && sample.warmup ? 1 : 0;
            cutOff += !sample.counted && !sample.warmup ? 1 : 0;
        }
        text = m_gpu ? tr("phases by CUDA events, steps by the host's clock") : hostWords();
        text += QStringLiteral(" · ") + (steps.counted == 0   ? tr("no measured step")
                                         : steps.counted == 1 ? tr("1 measured step")
                                                              : tr("%1 measured steps").arg(steps.counted));
        if (warmup > 0)
            text += QStringLiteral(" · ") + (warmup == 1 ? tr("1 warm-up") : tr("%1 warm-ups").arg(warmup));
        if (cutOff > 0)
            text += QStringLiteral(" · ") + tr("%1 cut off by the run's end").arg(cutOff);
    }
    if (!phases.empty() && !m_shown.words.isEmpty())
        text = m_shown.words + QStringLiteral(" · ") + text;
    // What was found of all steps is said before what is drawn of them.
    const bool slowFirst = !m_answer.slowFirst.empty() && !m_shown.isRestricted();
    setSummary(text, m_shown);
    setFinding(slowFirst ? m_answer.slowFirst : phasesSentence(phases));
}

void PhasesView::goToMark(int mark, bool show) {
    if (mark < 0)
        return selectSpan(std::nullopt, false);
    const PhaseSample& sample = m_chart->sampleOf(mark);
    selectSpan(SpanRef{sample.lane, sample.row}, show);
}

void PhasesView::chooseLongest(int row, bool show) {
    if (row < 0 || row >= m_model.rowCount())
        return;
    const PhaseSamples& phase = m_model.rowAt(row);
    const auto longest = std::ranges::max_element(
        phase.samples, {}, [](const PhaseSample& s) { return std::pair(s.counted, s.duration); });
    if (longest == phase.samples.end())
        return;
    const auto& drawn = m_chart->phases();
    const auto panel = std::ranges::find(drawn, phase.name, &PhaseSamples::name);
    m_chart->setChosen(m_chart->markOf(static_cast<std::size_t>(panel - drawn.begin()),
                                       static_cast<std::size_t>(longest - phase.samples.begin())));
    selectSpan(SpanRef{longest->lane, longest->row}, show);
}

}  // namespace warpglass::ui
