#include "ui/panels/inspector.h"

#include <QFrame>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/plan/execution_words.h"
#include "engine/query/memory_breakdown.h"
#include "ui/models/link_indexer.h"
#include "ui/models/table_model.h"
#include "ui/panels/cause_chain_list.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/property_list.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

QString moment(Nanoseconds t) {
    return toQString(formatMoment(t));
}

QString duration(Nanoseconds t) {
    return toQString(formatDuration(t));
}
QString exact(Nanoseconds t) {
    return Inspector::tr("%1 ns").arg(toQString(formatGrouped(t.value)));
}
QString bytes(std::int64_t b) {
    return toQString(formatBytes(Bytes(b)));
}
QString exactBytes(std::int64_t b) {
    return toQString(formatBytesExact(Bytes(b)));
}
QString signedBytes(std::int64_t b) {
    return b > 0 ? QStringLiteral("+") + bytes(b) : bytes(b);
}

QString headingOf(TrackKind kind) {
    switch (kind) {
        case TrackKind::kStep:
            return Inspector::tr("Step");
        case TrackKind::kPhase:
            return Inspector::tr("Phase");
        case TrackKind::kModule:
            return Inspector::tr("Module");
        case TrackKind::kCpuThread:
            return Inspector::tr("Op");
        case TrackKind::kApiThread:
            return Inspector::tr("Call into CUDA");
        case TrackKind::kGpuStream:
            return Inspector::tr("Kernel");
        case TrackKind::kGpuCopies:
            return Inspector::tr("Copy");
        case TrackKind::kGpuPhase:
            return Inspector::tr("Phase on the GPU");
        case TrackKind::kGpuSync:
            return Inspector::tr("Wait for the GPU");
        case TrackKind::kProfiler:
            return Inspector::tr("Profiler's own time");
    }
    return {};
}

QFrame* hairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    return line;
}

QString dimensions(const std::array<std::uint32_t, 3>& d) {
    QString text = toQString(formatGrouped(d[0]));
    for (std::size_t i = 1; i < 3; ++i) {
        if (d[1] > 1 || d[2] > 1)
            text += QStringLiteral(" × ") + toQString(formatGrouped(d[i]));
    }
    return text;
}

/// What a kernel or a copy has beyond a span.
void addGpuRows(std::vector<Property>& rows, const SpanDetails& span) {
    const SpanDetail& gpu = *span.gpu;
    rows.push_back({Inspector::tr("Track"), toQString(span.track), {}});
    if (!span.op.empty())
        rows.push_back({gpu.graphNode != 0 ? Inspector::tr("Captured in") : Inspector::tr("Launched by"),
                        toQString(span.op),
                        {}});
    if (gpu.kind == DetailKind::kKernel) {
        rows.push_back(
            {Inspector::tr("Family"), toQString(kOpFamilyNames[static_cast<std::size_t>(span.family)]), {}});
        rows.push_back({Inspector::tr("Grid"), dimensions(gpu.grid), Inspector::tr("Blocks in x, y, z")});
        rows.push_back({Inspector::tr("Block"), dimensions(gpu.block), Inspector::tr("Threads in x, y, z")});
        rows.push_back({Inspector::tr("Registers"), Inspector::tr("%1 a thread").arg(gpu.registers), {}});
        const std::int64_t shared = gpu.staticShared + gpu.dynamicShared;
        rows.push_back({Inspector::tr("Shared"), Inspector::tr("%1 a block").arg(bytes(shared)),
                        Inspector::tr("%1 static, %2 dynamic")
                            .arg(exactBytes(gpu.staticShared), exactBytes(gpu.dynamicShared))});
        if (gpu.occupancy > 0)
            rows.push_back(
                {Inspector::tr("Occupancy"), toQString(formatPercent(static_cast<double>(gpu.occupancy))),
                 Inspector::tr("Theoretical: the threads of a multiprocessor that registers and shared "
                               "memory leave room for")});
    } else {
        rows.push_back({Inspector::tr("Size"), bytes(gpu.bytes), exactBytes(gpu.bytes)});
        if (span.duration.value > 0)
            rows.push_back({Inspector::tr("Speed"),
                            toQString(formatByteRate(1e9 * static_cast<double>(gpu.bytes) /
                                                     static_cast<double>(span.duration.value))),
                            {}});
    }
    if (gpu.graphNode != 0)
        rows.push_back({Inspector::tr("Graph node"), QString::number(gpu.graphNode), {}});
}

/// "6 of 10", counted as people do.
QString stepText(std::int32_t step) {
    return step == kNoStep ? Inspector::tr("outside any") : QString::number(step);
}

}  // namespace

Inspector::Inspector(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QScrollArea(parent),
      m_document(document),
      m_axis(axis),
      m_subjectQuery([this] { return makeSubjectJob(); }),
      m_memoryQuery([this] { return makeMemoryJob(); }) {
    showFailures(this, m_subjectQuery);
    showFailures(this, m_memoryQuery);
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Inspector"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(this);
    m_subject = new PropertyList(content);
    m_subject->setObjectName(QStringLiteral("inspectorSubject"));
    m_chain = new CauseChainList(m_document, m_axis, content);
    m_chain->setObjectName(QStringLiteral("inspectorChain"));
    connect(m_chain, &CauseChainList::changed, this, &Inspector::updateLines);
    m_kind = new PropertyList(content);
    m_kind->setObjectName(QStringLiteral("inspectorKind"));
    m_histogram = new DurationHistogram(content);
    m_histogram->setObjectName(QStringLiteral("inspectorHistogram"));
    m_memory = new PropertyList(content);
    m_memory->setObjectName(QStringLiteral("inspectorMemory"));
    m_line0 = hairline(content);
    m_line1 = hairline(content);
    m_line2 = hairline(content);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_subject, m_line0, m_chain, m_line1, m_kind,
                                                         m_histogram, m_line2, m_memory})
        layout->addWidget(part);
    layout->addStretch(1);
    setWidget(content);
    m_histogram->setDistribution({}, std::nullopt);

    using Cause = DeferredQuery::Cause;
    const auto both = [this](Cause cause) {
        m_subjectQuery.invalidate(cause);
        m_memoryQuery.invalidate(cause);
    };
    connect(&m_document, &RunDocument::runChanged, this, [this, both] {
        // What is said of the former run's selection goes at once, however long the next answer takes.
        m_subject->setContent({}, {}, {});
        m_kind->setContent({}, {}, {});
        m_histogram->setDistribution({}, std::nullopt);
        m_memory->setContent({}, {}, {});
        m_showsRange = false;
        updateLines();
        both(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [both] { both(Cause::kGrowth); });
    connect(&m_document, &RunDocument::warningsChanged, this,
            [this] { m_subjectQuery.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::selectionChanged, this, &Inspector::onSelection);
    connect(m_subject, &PropertyList::activated, this, [this] {
        m_rangeIsNewer = false;
        m_subjectQuery.invalidate(Cause::kPerson);
    });
    connect(&m_axis, &TimeAxis::cursorChanged, this, [this] { m_memoryQuery.invalidate(Cause::kPerson); });
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this,
            [this] { m_memoryQuery.invalidate(Cause::kPerson); });
    connect(&Theme::instance(), &Theme::changed, content, qOverload<>(&QWidget::update));
    both(Cause::kOtherRun);
}

void Inspector::onSelection() {
    const auto range = m_axis.selectedRange();
    const auto span = m_axis.selectedSpan();
    if (range != m_range)
        m_rangeIsNewer = range.has_value();
    else if (span != m_span)
        m_rangeIsNewer = false;
    m_range = range;
    m_span = span;
    m_subjectQuery.invalidate(DeferredQuery::Cause::kPerson);
    m_memoryQuery.invalidate(DeferredQuery::Cause::kPerson);
}

DeferredQuery::Job Inspector::makeSubjectJob() {
    const auto snapshot = m_document.snapshot();
    const auto selected = m_axis.selectedSpan();
    const auto span = snapshot && selected ? describeSpan(*snapshot, *selected) : std::nullopt;
    const auto range = m_axis.selectedRange();
    if (range && snapshot && (!span || m_rangeIsNewer)) {
        const QString pinned = span ? toQString(span->name) : QString();
        return {[this, snapshot, pinned, range = *range]() -> DeferredQuery::Apply {
                    const RangeActivity activity = rangeActivity(*snapshot, range);
                    return [this, pinned, range, activity] { showRange(range, activity, pinned); };
                },
                snapshot->spanCount() > DeferredQuery::kHeavySpans};
    }
    if (!span)
        return makeRunJob();
    return {[this, snapshot, span]() -> DeferredQuery::Apply {
                auto statistics = kindStatistics(*snapshot, span->kind, span->nameId);
                return [this, span, statistics = std::move(statistics)] { showSpan(*span, statistics); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

DeferredQuery::Job Inspector::makeRunJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot)
        return {[this]() -> DeferredQuery::Apply { return [this] { showNoRun(); }; }};
    // The document's timeline grows on the window's thread.
    return {[this, snapshot, peak = m_document.memory().peak()]() -> DeferredQuery::Apply {
                auto run = std::make_shared<const RunSummary>(summarizeRun(*snapshot, peak));
                return [this, run] { showRun(*run); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void Inspector::showSpan(const SpanDetails& span, const KindStatistics& statistics) {
    std::vector<Property> rows;
    rows.push_back({tr("Start"), moment(span.start), exact(span.start)});
    rows.push_back({tr("Duration"), duration(span.duration), exact(span.duration)});
    if (span.kind == TrackKind::kCpuThread) {
        const double share = span.duration.value > 0 ? static_cast<double>(span.self.value) /
                                                           static_cast<double>(span.duration.value)
                                                     : 1;
        rows.push_back({tr("Self"),
                        QStringLiteral("%1 · %2").arg(duration(span.self), toQString(formatPercent(share))),
                        exact(span.self)});
        rows.push_back({tr("Thread"), toQString(span.track), {}});
        rows.push_back({tr("Family"), toQString(kOpFamilyNames[static_cast<std::size_t>(span.family)]), {}});
    }
    if (span.gpu)
        addGpuRows(rows, span);
    if (!span.module.empty() && span.module != span.name)
        rows.push_back({tr("Module"), toQString(span.module), {}});
    if (!span.part.empty() && span.part != span.name)
        rows.push_back({tr("Part"), toQString(span.part), {}});
    if (span.phase != Phase::kNone && span.kind != TrackKind::kPhase && span.kind != TrackKind::kGpuPhase)
        rows.push_back({tr("Phase"), toQString(phaseName(span.phase)), {}});
    if (span.kind != TrackKind::kStep)
        rows.push_back({tr("Step"), stepText(span.step), {}});
    m_subject->setContent(headingOf(span.kind), toQString(span.name), std::move(rows));

    rows.clear();
    const bool op = span.kind == TrackKind::kCpuThread;
    rows.push_back(
        {tr("Share"),
         tr("%1 of %2")
             .arg(toQString(formatPercent(statistics.selfShare)), op         ? tr("self time")
                                                                  : span.gpu ? tr("the GPU's time")
                                                                             : tr("this track")),
         tr("%1 ns self time of all instances").arg(toQString(formatGrouped(statistics.self.value)))});
    rows.push_back({tr("Instances"), toQString(formatGrouped(statistics.instances)), {}});
    if (statistics.instances > 1) {
        rows.push_back({tr("Med · P99"),
                        QStringLiteral("%1 · %2").arg(duration(statistics.median),
                                                      duration(statistics.durations.percentiles[3])),
                        QStringLiteral("%1 · %2").arg(exact(statistics.median),
                                                      exact(statistics.durations.percentiles[3]))});
        rows.push_back({tr("Min · Max"),
                        QStringLiteral("%1 · %2").arg(duration(statistics.durations.min),
                                                      duration(statistics.durations.max)),
                        QStringLiteral("%1 · %2").arg(exact(statistics.durations.min),
                                                      exact(statistics.durations.max))});
        if (statistics.median.value > 0) {
            const double ratio =
                static_cast<double>(span.duration.value) / static_cast<double>(statistics.median.value);
            rows.push_back({tr("This one"),
                            tr("%1 × the median")
                                .arg(ratio < 1000 ? QString::number(ratio, 'g', 3)
                                                  : toQString(formatGrouped(std::llround(ratio)))),
                            {}});
        }
    }
    m_kind->setContent(tr("All of its kind in this run"), {}, std::move(rows));
    m_histogram->setDistribution(statistics.durations, span.duration);
    m_showsRange = false;
    updateLines();
}

namespace {

QString count(std::uint64_t n) {
    return toQString(formatGrouped(static_cast<std::int64_t>(n)));
}

/// What happened in a range, beyond memory.
void addActivity(std::vector<Property>& rows, TimeRange range, const RangeActivity& activity) {
    const auto share = [&](Nanoseconds busy) {
        return QStringLiteral("%1 · %2").arg(
            toQString(formatPercent(static_cast<double>(busy.value) /
                                    static_cast<double>(std::max<std::int64_t>(1, range.duration().value)))),
            duration(busy));
    };
    if (activity.hasGpu) {
        rows.push_back({Inspector::tr("GPU busy"), share(activity.gpuBusy),
                        Inspector::tr("%1 in which a kernel, copy or fill ran on any stream")
                            .arg(exact(activity.gpuBusy))});
        rows.push_back({Inspector::tr("Kernels"), count(activity.kernels),
                        activity.kernels == 1
                            ? Inspector::tr("1 kernel begins in the range")
                            : Inspector::tr("%1 kernels begin in the range").arg(count(activity.kernels))});
        std::int64_t copied = 0;
        QStringList kinds;
        for (std::size_t i = 0; i < activity.copiedBytes.size(); ++i) {
            copied = wrappingAdd(copied, activity.copiedBytes[i]);
            if (activity.copiedBytes[i] != 0)
                kinds << QStringLiteral("%1: %2").arg(
                    i == 0 ? Inspector::tr("other") : toQString(kCopyKindNames[i]),
                    exactBytes(activity.copiedBytes[i]));
        }
        rows.push_back({Inspector::tr("Copied"),
                        activity.copies == 1
                            ? Inspector::tr("%1 in 1 copy").arg(bytes(copied))
                            : Inspector::tr("%1 in %2 copies").arg(bytes(copied), count(activity.copies)),
                        kinds.join(QLatin1Char('\n'))});
        if (activity.fills > 0)
            rows.push_back(
                {Inspector::tr("Filled"),
                 activity.fills == 1 ? Inspector::tr("%1 in 1 fill").arg(bytes(activity.filledBytes))
                                     : Inspector::tr("%1 in %2 fills")
                                           .arg(bytes(activity.filledBytes), count(activity.fills)),
                 Inspector::tr("Memory set to a value: %1").arg(exactBytes(activity.filledBytes))});
    }
    rows.push_back({Inspector::tr("Ops"), count(activity.ops),
                    activity.ops == 1
                        ? Inspector::tr("1 op begins in the range")
                        : Inspector::tr("%1 ops of all depths begin in the range").arg(count(activity.ops))});
    rows.push_back({Inspector::tr("In ops"), share(activity.hostBusy),
                    Inspector::tr("%1 in which a thread was within an op").arg(exact(activity.hostBusy))});
}

}  // namespace

void Inspector::showRange(TimeRange range, const RangeActivity& activity, const QString& pinned) {
    const MemoryTimeline& memory = m_document.memory();
    const std::int64_t before = sumOf(memory.at(range.begin)), after = sumOf(memory.at(range.end));
    std::vector<Property> rows{{tr("Start"), moment(range.begin), exact(range.begin)},
                               {tr("End"), moment(range.end), exact(range.end)},
                               {tr("Duration"), duration(range.duration()), exact(range.duration())}};
    if (const auto peak = memory.eventCount() > 0 ? memory.peakIn(range) : std::nullopt) {
        rows.push_back({tr("Highest"), bytes(sumOf(peak->bytes)), exactBytes(sumOf(peak->bytes))});
        rows.push_back({tr("Change"), signedBytes(after - before), exactBytes(after - before)});
    }
    addActivity(rows, range, activity);
    if (!pinned.isEmpty())
        rows.push_back({tr("Pinned"), pinned, tr("%1: a click shows it again").arg(pinned), 0});
    m_subject->setContent(tr("Selected range"), {}, std::move(rows));
    m_kind->setContent({}, {}, {});
    m_histogram->setDistribution({}, std::nullopt);
    m_showsRange = true;
    updateLines();
}

/// MFU: of the ceiling that was measured on the device, and of the maker's data sheet.
static void addUtilization(std::vector<Property>& rows, const std::optional<ModelUtilization>& utilization) {
    if (!utilization)
        return;
    const auto rate = [](double flopsPerSecond) {
        return toQString(formatFlops(Flops(std::llround(flopsPerSecond)))) + Inspector::tr("/s");
    };
    QString label = Inspector::tr("MFU");
    const auto add = [&](const std::optional<double>& share, const std::optional<double>& ceiling,
                         const QString& value, const QString& toolTip) {
        if (!share || !ceiling)
            return;
        rows.push_back({label, value.arg(toQString(formatPercent(*share))),
                        toolTip.arg(rate(utilization->flopsPerSecond), rate(*ceiling))});
        label.clear();  // once for both
    };
    const RunCeilings& ceilings = utilization->ceilings;
    add(utilization->ofMeasured(), ceilings.measured.flopsPerSecond, Inspector::tr("%1 of measured"),
        Inspector::tr("The model's matrix products, %1, of the %2 measured on this device"));
    add(utilization->ofDataSheet(), ceilings.dataSheet.flopsPerSecond, Inspector::tr("%1 of data sheet"),
        Inspector::tr("The model's matrix products, %1, of the %2 of the ") + toQString(ceilings.source));
}

void Inspector::showNoRun() {
    m_kind->setContent({}, {}, {});
    m_histogram->setDistribution({}, std::nullopt);
    const QString sentence = m_document.noRunWords(tr("to inspect it"));
    m_subject->setContent(tr("Inspector"), {}, {{sentence, {}, sentence}});
    m_showsRange = false;
    updateLines();
}

void Inspector::showRun(const RunSummary& run) {
    m_showsRange = false;
    m_kind->setContent({}, {}, {});
    m_histogram->setDistribution({}, std::nullopt);
    std::vector<Property> rows;
    if (run.config) {
        const RunConfig& c = *run.config;
        rows.push_back({tr("Model"), toQString(c.model), {}});
        rows.push_back({tr("Context"), tr("%1 tokens").arg(toQString(formatGrouped(c.context))), {}});
        rows.push_back({tr("Batch"), QString::number(c.batch), {}});
        rows.push_back({tr("Precision"), toQString(precisionName(c.precision)), {}});
        rows.push_back({tr("Attention"), toQString(attentionName(c.attention)), {}});
        rows.push_back({tr("Mode"), toQString(modeName(c.mode)), {}});
        if (c.execution != Execution::kEager)
            rows.push_back({tr("Execution"), toQString(executionWords(c.execution)), {}});
        const std::string device = m_document.snapshot()->info().get("device.name");
        rows.push_back({tr("Device"), toQString(device.empty() ? c.device : device), toQString(c.device)});
    }
    rows.push_back({tr("State"), m_document.isLive() ? tr("recording") : toQString(run.state),
                    toQString(run.stateMessage)});
    rows.push_back({tr("Steps"), tr("%1 + %2 warm-up").arg(run.measuredSteps).arg(run.warmupSteps), {}});
    if (run.stepMean) {
        const QString mean = duration(Nanoseconds(std::llround(*run.stepMean)));
        const QString deviation = duration(Nanoseconds(std::llround(run.stepStandardDeviation)));
        rows.push_back(
            {tr("Step"), run.averagedSteps > 1 ? QStringLiteral("%1 ± %2").arg(mean, deviation) : mean,
             tr("mean ± standard deviation over %1")
                 .arg(run.averagedSteps == 1 ? tr("1 step") : tr("%1 steps").arg(run.averagedSteps))});
    }
    if (run.tokensPerSecond)
        rows.push_back({tr("Speed"),
                        tr("%1 tokens/s").arg(toQString(formatCount(std::llround(*run.tokensPerSecond)))),
                        {}});
    if (run.utilization)
        rows.push_back(
            {tr("Work rate"),
             toQString(formatFlops(Flops(std::llround(run.utilization->flopsPerSecond)))) + tr("/s"),
             tr("The matrix products that the model needs, over the time of a step")});
    addUtilization(rows, run.utilization);
    rows.push_back({tr("Duration"), duration(run.duration), exact(run.duration)});
    rows.push_back({tr("Ops"), toQString(formatGrouped(static_cast<std::int64_t>(run.ops))), {}});
    if (run.kernels > 0)
        rows.push_back({tr("Kernels"), toQString(formatGrouped(static_cast<std::int64_t>(run.kernels))), {}});
    rows.push_back(
        {tr("Allocations"), toQString(formatGrouped(static_cast<std::int64_t>(run.allocations))), {}});
    if (run.peak)
        rows.push_back({tr("Peak"), bytes(sumOf(run.peak->bytes)), exactBytes(sumOf(run.peak->bytes))});
    std::int64_t lost = 0;
    QStringList losses;
    for (const LossCount& loss : run.losses) {
        lost += static_cast<std::int64_t>(loss.count);
        losses << QStringLiteral("%1: %2").arg(toQString(loss.name)).arg(loss.count);
    }
    // What a damaged file lacks is in no count of the recorder's.
    rows.push_back({tr("Records"),
                    lost > 0                    ? tr("%1 lost").arg(toQString(formatGrouped(lost)))
                    : m_document.isIncomplete() ? tr("see the warnings above")
                                                : tr("none lost"),
                    losses.join(QLatin1Char('\n'))});
    m_subject->setContent(tr("Run"), {}, std::move(rows));
    updateLines();
}

DeferredQuery::Job Inspector::makeMemoryJob() {
    return {[this]() -> DeferredQuery::Apply {
        return [this] {
            const MemoryTimeline& memory = m_document.memory();
            const auto peak = memory.snapshot() ? memory.peak() : std::nullopt;
            if (!m_document.snapshot() || !peak) {
                m_memory->setContent({}, {}, {});
                updateLines();
                return;
            }
            // The span's own start, when nothing points elsewhere.
            std::optional<Nanoseconds> at = m_axis.effectiveCursor();
            const Nanoseconds t = at.value_or(peak->time);
            const CategoryBytes now = memory.at(t);
            const auto alive = memory.aliveAt(t);
            std::vector<Property> rows{
                {tr("Allocated"), bytes(sumOf(now)), exactBytes(sumOf(now))},
                {tr("Allocations"), toQString(formatGrouped(static_cast<std::int64_t>(alive.size()))), {}}};
            const auto largest = largestAllocations(memory, alive, 1);
            if (!largest.empty()) {
                const AllocationDetail& a = largest.front();
                rows.push_back({tr("Largest"),
                                QStringLiteral("%1 · %2").arg(bytes(a.row.bytes), toQString(a.category)),
                                exactBytes(a.row.bytes)});
                const std::string& where = a.module.empty() ? a.op : a.module;
                if (!where.empty())
                    rows.push_back({QString(), toQString(where), toQString(a.op)});
            }
            m_memory->setContent(at ? tr("Memory at cursor") : tr("Memory at peak"), {}, std::move(rows));
            updateLines();
        };
    }};
}

void Inspector::updateLines() {
    const bool kind = !m_kind->properties().empty(), memory = !m_memory->properties().empty();
    const bool chain = !m_chain->properties().empty() && !m_showsRange;  // of the span
    m_chain->setVisible(chain);
    m_line0->setVisible(chain);
    m_kind->setVisible(kind);
    m_line1->setVisible(kind);
    m_memory->setVisible(memory);
    m_line2->setVisible(memory);
}

void Inspector::refreshNow() {
    m_document.links().runNow();
    m_chain->refresh();
    m_subjectQuery.runNow();
    m_memoryQuery.runNow();
}

void Inspector::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    m_subjectQuery.setActive(true);
    m_memoryQuery.setActive(true);
}

void Inspector::hideEvent(QHideEvent* event) {
    QScrollArea::hideEvent(event);
    m_subjectQuery.setActive(false);
    m_memoryQuery.setActive(false);
}

}  // namespace warpglass::ui
