#include "ui/charts/chart_view.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/query/completeness/completeness.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/summary_label.h"
#include "ui/models/span_details.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

std::optional<SpanRef> longest(const Snapshot& snapshot, TrackKind kind, const QString& text,
                               std::optional<Phase> phase) {
    const NameId name = snapshot.findName(text.toStdString());
    if (!name.valid())
        return std::nullopt;
    // A kernel runs after the phase that launched it, which its place states.
    const bool byPlace = kind == TrackKind::kGpuStream;
    std::vector<TimeRange> ranges;
    if (phase && !byPlace)
        ranges = rangesMatching(snapshot, phaseName(*phase));
    const auto from = hasMeasuredSteps(snapshot)
                          ? static_cast<std::int32_t>(snapshot.info().getInteger("config.warmup").value_or(0))
                          : kNoStep;
    return longestSpan(snapshot, kind, name, ranges, from, byPlace ? phase : std::nullopt);
}

}  // namespace

ChartView::ChartView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(filter),
      m_bar(new QHBoxLayout),
      m_body(new QVBoxLayout),
      m_summary(new SummaryLabel(this)),
      m_finding(named(new FindingLabel(this), "chartFinding")),
      m_whyWithout(tr("categories apply to memory only")),
      m_query([this] { return makeJobWithMissing(); }),
      m_longestQuery([this] { return makeLongestJob(); }) {
    askWhileSeen(this, m_query);
    showFailures(this, m_longestQuery);
    m_longestQuery.setActive(true);
    setSecondary(m_summary);
    m_summary->setFixedHeight(kFindingHeight);  // controls beside it make a bar higher
    m_bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    m_bar->setSpacing(Metrics::kSpace3);
    m_bar->addWidget(m_summary, 1);
    m_finding->setContentsMargins(Metrics::kSpace3, 0, Metrics::kSpace3, 0);
    m_finding->setFixedHeight(kFindingHeight);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(m_bar);
    layout->addWidget(m_finding);
    layout->addLayout(m_body, 1);
}

void ChartView::setInFigure(bool inFigure) {
    if (inFigure)
        m_barMargins = m_bar->contentsMargins();
    m_bar->setContentsMargins(
        inFigure ? QMargins(std::max(m_barMargins.left(), +Metrics::kSpace3), 0, m_barMargins.right(), 0)
                 : m_barMargins);
}

void ChartView::start() {
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_missing = {};
        m_unrecorded.clear();
        m_wanted.reset();
        m_summary->clear();
        m_summary->setToolTip({});
        setFinding({});
        clear();
        m_longestQuery.invalidate(Cause::kOtherRun);
    });
    connect(&m_filter, &RunFilter::changed, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_filter, &RunFilter::viewMoved, this, [this] { m_query.invalidate(Cause::kGrowth); });
    // Whatever is selected meanwhile is newer than what is still looked for.
    connect(&m_axis, &TimeAxis::selectionChanged, this, [this] { m_wanted.reset(); });
    // Damage is found when a chunk is read, which may be after this view has said what is missing.
    m_query.followDamage(m_document);
    m_query.follow(m_document);
}

QString ChartView::summary() const {
    return m_summary->text();
}

QString ChartView::summaryToolTip() const {
    return m_summary->toolTip();
}

void ChartView::setWithout(std::vector<RunFilter::Condition> conditions, const QString& why) {
    m_without = std::move(conditions);
    m_whyWithout = why;
}

void ChartView::setSummary(const QString& text, const Scope& scope, const QString& toolTip) {
    // First what is read first, and cut last where there is little room.
    QStringList parts;
    if (const QString lost = text.isEmpty() ? QString() : missing(); !lost.isEmpty())
        parts << tr("incomplete: %1 missing").arg(lost);
    if (!scope.only.isEmpty())
        parts << tr("only in %1").arg(scope.only);
    if (!scope.without.isEmpty() && !m_whyWithout.isEmpty())
        parts << tr("not restricted to %1: %2").arg(scope.without, m_whyWithout);
    if (!text.isEmpty())
        parts << text;
    const QString sentence = parts.join(QStringLiteral(" · "));
    m_summary->setText(sentence);
    // What does not fit is read there.
    m_summary->setToolTip(toolTip.isEmpty() ? sentence : sentence + QLatin1Char('\n') + toolTip);
}

Heading ChartView::heading() const {
    return {{}, m_finding->text()};
}

QWidget& ChartView::findingLine() const {
    return *m_finding;
}

void ChartView::setFinding(const std::string& finding) {
    // Shares of the few kernels that are left would be read as those of the run.
    const bool drawsKernels = std::ranges::find(m_drawn, RecordKind::kKernels) != m_drawn.end();
    m_finding->setText(drawsKernels && m_missing.lacksGpuWork() ? QString() : toQString(finding));
}

ChartView::Scope ChartView::scope() const {
    using Condition = RunFilter::Condition;
    Scope scope;
    scope.work = m_filter.work();
    scope.made = m_filter.allocations();
    const RunFilter::State& state = m_filter.state();
    if (state.range)
        scope.words = tr("what begins in %1").arg(m_filter.words().of({Condition::kSelection}));
    else if (state.span)
        scope.words = m_filter.words().of({Condition::kSelection});
    else if (state.steps == RunFilter::Steps::kInView)
        scope.words = tr("what begins in view");
    else if (const auto step = m_document.snapshot() ? Completeness(*m_document.snapshot()).unfinishedStep()
                                                     : std::nullopt) {
        scope.work.filter.step = step->step;
        scope.work.filter.measuredOnly = false;
        scope.words = tr("no step was completed; showing %1").arg(toQString(step->inWords()));
        scope.unfinished = true;
        scope.reason = toQString(step->reasonInWords());
    }
    std::vector<Condition> known;
    for (const Condition condition : {Condition::kModule, Condition::kPhase, Condition::kName,
                                      Condition::kText, Condition::kCategory, Condition::kAllocations}) {
        if (std::ranges::find(m_without, condition) == m_without.end())
            known.push_back(condition);
    }
    scope.only = m_filter.words().of(known);
    scope.without = m_filter.words().of(m_without);
    return scope;
}

QString ChartView::scopeWords(const Scope& scope, std::int64_t steps, bool measured) {
    if (!scope.words.isEmpty())
        return scope.words;
    if (steps == 0)
        return tr("no step was completed");
    if (scope.work.allSteps && !measured)
        return steps == 1 ? tr("1 warm-up step") : tr("mean of all %1 steps, including warm-up").arg(steps);
    const QString kind = measured ? tr("measured") : tr("warm-up");
    return steps == 1 ? tr("1 %1 step").arg(kind) : tr("mean of %1 %2 steps").arg(steps).arg(kind);
}

QString ChartView::plannedWords(const Scope& scope, const std::string& unplanned, bool unfinished) {
    if (!unplanned.empty())
        return toQString(unplanned);
    if (unfinished)
        return tr("FLOPs and bytes moved are the planned values of what ran");
    if (!scope.work.filter.ranges.empty())
        return tr("FLOPs and bytes moved are the planned values of the ops that the filter includes");
    return scope.work.ofAllOps()
               ? tr("FLOPs and bytes moved are planned values per step")
               : tr("FLOPs and bytes moved are planned values per step, of the ops that the filter includes");
}

QString ChartView::splitWords() {
    return tr("kernels that serve several modules are split");
}

QString ChartView::splitSentences(const std::vector<std::string>& splits) {
    QStringList sentences;
    for (const std::string& split : splits)
        sentences << toQString(split);
    return sentences.join(QLatin1Char(' '));
}

DeferredQuery::Job ChartView::makeJobWithMissing() {
    DeferredQuery::Job job = makeJob();
    const auto snapshot = m_document.snapshot();
    if (!snapshot)
        return job;
    // In a damaged file every chunk is read for it, so it goes with the work, on the worker where the run is
    // large. It comes after the figures: what they took may have turned out damaged.
    return {[this, snapshot, work = std::move(job.work)] {
                DeferredQuery::Apply apply = work();
                return [this, apply = std::move(apply), missing = Completeness(*snapshot).missing(),
                        unrecorded = toQString(Completeness(*snapshot).why(DataKind::kWork))] {
                    m_missing = missing;
                    m_unrecorded = unrecorded;
                    apply();
                };
            },
            job.heavy || snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

QString ChartView::missing() const {
    return m_drawn.empty() ? QString() : toQString(missingInWords(m_missing, m_drawn));
}

QString ChartView::emptyWords(const Scope& scope, const QString& otherwise) const {
    const auto draws = [this](RecordKind kind) { return std::ranges::find(m_drawn, kind) != m_drawn.end(); };
    // No filter and no step has what was not recorded.
    if (!m_unrecorded.isEmpty() && (draws(RecordKind::kOps) || draws(RecordKind::kKernels)))
        return m_unrecorded;
    const QString lost = missing();
    if (!scope.isRestricted() && !lost.isEmpty())
        return tr("%1: %2 missing from the file").arg(otherwise, lost);
    if (!scope.isRestricted())
        return scope.unfinished ? tr("%1: %2").arg(otherwise, scope.reason) : otherwise;
    QStringList words;
    for (const QString& part : {scope.unfinished ? QString() : scope.words, scope.only}) {
        if (!part.isEmpty())
            words << part;
    }
    return tr("The filter hides everything here: %1").arg(words.join(QStringLiteral(", ")));
}

void ChartView::selectSpan(std::optional<SpanRef> span, bool show) {
    m_wanted.reset();
    const auto& snapshot = m_document.snapshot();
    const auto details = snapshot && span ? describeSpan(*snapshot, *span) : std::nullopt;
    m_filter.look(details ? span : std::nullopt);
    if (!details)
        return;
    m_axis.setPinnedCursor(details->start);
    if (!show)
        return;
    const Nanoseconds margin(details->duration.value / 10);
    m_axis.setVisibleRange({details->start - margin, details->start + details->duration + margin});
    emit timelineRequested();
}

void ChartView::selectLongestModule(const QString& module, std::optional<Phase> phase, bool show) {
    selectLongest({TrackKind::kModule, module, phase, show});
}

void ChartView::selectLongestKernel(const QString& kernel, Phase phase, bool show) {
    selectLongest({TrackKind::kGpuStream, kernel, phase, show});
}

void ChartView::selectLongest(Wanted wanted) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot)
        return selectSpan(std::nullopt, false);
    m_wanted = std::move(wanted);
    // What was looked for before is no longer wanted.
    m_longestQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    if (snapshot->spanCount() <= DeferredQuery::kHeavySpans)
        m_longestQuery.runNow();
}

DeferredQuery::Job ChartView::makeLongestJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot || !m_wanted)
        return {[] { return [] {}; }};
    return {[this, snapshot, wanted = *m_wanted]() -> DeferredQuery::Apply {
                const auto span = longest(*snapshot, wanted.kind, wanted.name, wanted.phase);
                if (!span) {
                    return [this] {
                        if (m_wanted)
                            selectSpan(std::nullopt, false);
                    };
                }
                return [this, span = *span, show = wanted.show] {
                    if (m_wanted)
                        selectSpan(span, show);
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

}  // namespace warpglass::ui
